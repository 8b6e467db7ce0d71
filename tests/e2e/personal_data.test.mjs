// An operator exports what the server has of a player, and erases it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { LeaderboardService, BoardKind } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { ContributionState } from './gen/tesela/play/v1/contribution_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { adminKeyFile, ownAdminOf } from './harness/admin.mjs';
import { databases, serverOn } from './harness/databases.mjs';
import { azul } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn, unixMs } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { clientProgram, run, Server } from './harness/server.mjs';

let database;
let server;

/** `tesela admin …` */
async function admin(...args) {
  const given = ['--server', new URL(server.http).host, '--token-file', adminKeyFile(server)];
  return run(clientProgram, ['admin', ...args, ...given]);
}

/** A game of 2048 to its end, to whose dice the player has added. */
async function finished(player, contribution) {
  const request = { game: '2048', contribution };
  const { table } = await lobbyOf(server).createTable(request, bearer(player.token));
  const seated = await Player.join(server, table.tableId, { token: player.token });
  const result = await seated.playToEnd();
  await seated.stream.close();
  return { tableId: table.tableId, points: result.standings[0].points };
}

/** Two at a game of Azul that has begun: the table's id and their streams. */
async function gameOfTwo(first, second) {
  const request = { game: 'azul', config: azul(2).config };
  const { table } = await lobbyOf(server).createTable(request, bearer(first.token));
  await lobbyOf(server).joinTable({ tableId: table.tableId }, bearer(second.token));
  const players = await Promise.all(
    [first, second].map(({ token }) => Player.join(server, table.tableId, { token })),
  );
  return { tableId: table.tableId, players };
}

/** In the order of lists: those of one millisecond by their ids. */
const newestFirst = (a, b) =>
  unixMs(b.createdAt) - unixMs(a.createdAt) || (a.tableId < b.tableId ? 1 : -1);

const share = new TextEncoder().encode('the share of Xenia');

async function exportHasEverything() {
  const xenia = await signIn(server, 'Xenia');
  const { tableId, points } = await finished(xenia, share);
  const tables = [];
  for (let n = 0; n < 105; ++n) {
    const { table } = await lobbyOf(server).createTable({ game: '2048' }, bearer(xenia.token));
    tables.push(table);
  }
  const made = [...tables.sort(newestFirst).map((table) => table.tableId), tableId];
  const { code, stdout, stderr } = await admin('export', xenia.playerId);
  assert.equal(code, 0, stderr);
  const all = JSON.parse(stdout);
  assert.equal(all.account.player.displayName, 'Xenia');
  assert.equal(all.account.player.playerId, xenia.playerId);
  assert.equal(all.account.kind, 'ACCOUNT_KIND_GUEST');
  assert.deepEqual(
    all.tables.map(({ table }) => table.tableId),
    made,
  );
  const last = all.tables.at(-1);
  assert.equal(Buffer.from(last.contribution, 'base64').toString(), 'the share of Xenia');
  assert.equal(last.table.result.standings[0].points, String(points));
  assert.deepEqual(all.scores.map(({ board, tableId: where }) => [board.kind, where]).sort(), [
    ['BOARD_KIND_BEST', tableId],
    ['BOARD_KIND_BEST_OF_DAY', tableId],
  ]);
  assert.ok(!('nextPageToken' in all) || all.nextPageToken === '');

  const unknown = await admin('export', '1234567890abc');
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /no such player/);
  const own = await ownAdminOf(server);
  for (const pageToken of ['x', 's', 's-1', 't!', 'sx']) {
    const refused = own.exportPlayer({ playerId: xenia.playerId, pageToken });
    await assertRefused(refused, Code.InvalidArgument, /page_token/);
  }
}

async function erasedHasNoName() {
  const xenia = await signIn(server, 'Yvonne');
  const other = await signIn(server, 'Otto');
  const { tableId: over } = await finished(xenia, share);
  const { tableId: live, players } = await gameOfTwo(xenia, other);
  const [mine, others] = players;

  const asked = await admin('erase', xenia.playerId);
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /name +Yvonne\nkind +guest\n/);
  assert.match(asked.stderr, /Erase this player for ever\? Type yes: .*Nobody was erased/s);
  const { code, stdout, stderr } = await admin('erase', xenia.playerId, '--yes');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^The player is erased: "someone" sits in that place at 2 tables\.\n$/);

  // At the table that is played at: the stream ends, and the other one sees somebody else.
  const goodbye = await mine.stream.goodbye();
  assert.equal(Reason[goodbye.reason], 'UNAUTHENTICATED');
  while (others.seating.seats[0].displayName !== 'someone') await others.step();
  assert.notEqual(others.seating.seats[0].strategy, '');
  await others.stream.close();
  await assertRefused(
    lobbyOf(server).createTable({ game: '2048' }, bearer(xenia.token)),
    Code.Unauthenticated,
    /not known here; sign in again/,
  );
  for (const tableId of [over, live]) {
    const { table } = await lobbyOf(server).getTable({ tableId });
    assert.equal(table.seats[0].displayName, 'someone');
  }
  const board = { kind: BoardKind.BEST_OF_DAY, game: '2048' };
  const { entries } = await clientOf(LeaderboardService, server).getBoard({ board });
  const line = entries.find(({ playerId }) => playerId === xenia.playerId);
  assert.equal(line.displayName, 'someone');

  // The record tells that something is missing, and that nobody can check the dice any more.
  const history = clientOf(HistoryService, server);
  const { record } = await history.getRecord({ tableId: over });
  assert.deepEqual(record.contributions, []);
  assert.equal(record.table.seats[0].contribution, ContributionState.WITH_SEAT);
  const verdict = await history.verify({ tableId: over });
  assert.equal(verdict.ok, false);
  assert.match(verdict.message, /erased with its player/);

  // Nothing is left in the database either, and it stays so after a restart.
  await server.kill();
  await server.start();
  for (const query of [
    "SELECT count(*) FROM players WHERE display_name = 'Yvonne'",
    `SELECT count(*) FROM seats JOIN players ON id = player_id
       WHERE players.display_name = 'someone' AND length(contribution) > 0`,
  ]) {
    assert.equal(await database.number(server, query), 0, query);
  }
  await assertRefused(
    lobbyOf(server).createTable({ game: '2048' }, bearer(xenia.token)),
    Code.Unauthenticated,
    /not known here; sign in again/,
  );
  const exported = JSON.parse((await admin('export', xenia.playerId)).stdout);
  assert.equal(exported.account.player.displayName, 'someone');
  assert.ok(exported.account.erasedAt);
  const again = await admin('erase', xenia.playerId, '--yes');
  assert.equal(again.code, 0, again.stderr);
}

async function othersAreNotErased() {
  const { players } = await (await ownAdminOf(server)).listPlayers({ namePrefix: 'greedy' });
  const bot = await admin('erase', players[0].playerId, '--yes');
  assert.equal(bot.code, 1);
  assert.match(bot.stderr, /account of a bot/);
  const stranger = await admin('erase', '1234567890abc', '--yes');
  assert.equal(stranger.code, 1);
  assert.match(stranger.stderr, /no such player/);
}

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    serverOn(start, (...started) => ([server, database] = started));
    test('an export has everything, page after page', exportHasEverything);
    test('who is erased has no name, no share in dice and no way in', erasedHasNoName);
    test('a bot and a stranger cannot be erased', othersAreNotErased);
  });
}
