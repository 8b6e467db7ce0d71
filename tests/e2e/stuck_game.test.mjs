// What an operator sees of a game that does not go on, and how to look on at it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { TableTimerKind } from './gen/tesela/admin/v1/table_pb.js';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { adminKeyFile, ownAdminOf } from './harness/admin.mjs';
import { azul } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertReason, assertRefused } from './harness/refusals.mjs';
import { clientProgram, run, Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

let server;
before(async () => (server = await Server.start('--table-idle', '10m')));
after(() => server.dispose());

const hours = ({ seconds }) => Number(seconds) / 3600;
const left = ({ timers }, kind) => timers.filter((timer) => timer.kind === kind);

/** Ana and Bob, who have played `moves` moves of Azul, where nobody else may watch. */
async function hiddenGame(moves = 3) {
  const [ana, bob] = [await signIn(server, 'Ana'), await signIn(server, 'Bob')];
  const options = { inviteOnly: true, spectatorsOff: true };
  const request = { game: 'azul', config: azul(2).config, options };
  const { table } = await lobbyOf(server).createTable(request, bearer(ana.token));
  const { tableId, invite } = table;
  await lobbyOf(server).joinTable({ tableId, invite }, bearer(bob.token));
  const players = await Promise.all(
    [ana, bob].map(({ token }) => Player.join(server, tableId, { token })),
  );
  for (let i = 0; i < moves; ++i) {
    const seat = players[0].turn[0];
    await players[seat].playBody(azul(2).choose(players[seat].view, seat));
    await Promise.all(players.map((player) => player.reach(BigInt(i + 2))));
  }
  return { tableId, ana, bob, players };
}

const command = async (...line) => {
  const { code, stdout, stderr } = await run(clientProgram, line, {
    env: {
      ...process.env,
      TESELA_SERVER: `127.0.0.1:${server.httpPort}`,
      TESELA_ADMIN_TOKEN_FILE: adminKeyFile(server),
    },
    timeout: 60_000,
  });
  assert.equal(code, 0, `${line.join(' ')}\n${stdout}${stderr}`);
  return stdout;
};

test('its last moves, what it does and what it waits for', async () => {
  const { tableId, players } = await hiddenGame(12);
  const admin = await ownAdminOf(server);
  await players[1].stream.close();
  await until(async () => {
    const { summary } = await admin.inspectTable({ tableId });
    return summary.playersConnected === 1;
  }, 'that Bob has gone');
  const seen = await admin.inspectTable({ tableId });
  assert.equal(seen.version, 13n);
  assert.equal(seen.recentMissing, '');
  assert.deepEqual(
    seen.recent.map(({ frame }) => [frame.case, frame.value.version]),
    [['snapshot', 3n], ...Array.from({ length: 10 }, (_, i) => ['event', BigInt(i + 4)])],
  );
  const { inbox, busy, storeWait, botSearches, botsRest } = seen.work;
  assert.deepEqual(
    [inbox, busy, storeWait, botSearches, botsRest],
    [0, false, undefined, false, false],
  );
  const [claim] = left(seen, TableTimerKind.CLAIM);
  assert.equal(claim.seat, 1);
  assert.ok(Number(claim.left.seconds) <= 60);
  assert.deepEqual(left(seen, TableTimerKind.UNLOAD), []);
  const [close] = left(seen, TableTimerKind.CLOSE);
  assert.ok(hours(close.left) > 167 && hours(close.left) <= 168);

  await players[0].stream.close();
  await until(async () => {
    const [unload] = left(await admin.inspectTable({ tableId }), TableTimerKind.UNLOAD);
    return unload && Number(unload.left.seconds) <= 600;
  }, 'the time of an empty table');
  const text = await command('admin', 'table', tableId);
  assert.match(text, /^inbox +0 waiting, handles no command$/m);
  assert.match(text, /^in (?:6d 23h|7d 0h) +closed without a result, if it is not in memory$/m);
  assert.match(text, /^in (?:0:\d\d|1:00) +the others may claim the game of seat 1$/m);
  assert.equal(text.match(/^version \d+ .*/gm).length, 11);
  assert.match(text, /^version 13 .* takes .* \| /m);
});

test('one that is not in memory is shown by its log', async () => {
  const { tableId } = await newTable(server);
  const seen = await (await ownAdminOf(server)).inspectTable({ tableId });
  assert.equal(seen.work, undefined);
  assert.deepEqual(
    seen.recent.map(({ frame }) => [frame.case, frame.value.version]),
    [['snapshot', 1n]],
  );
  assert.match(await command('admin', 'table', tableId), /^version 1 now score 0 \| /m);
});

test('a pass lets an operator look on where nobody else may, and gives no seat', async () => {
  const { tableId, players } = await hiddenGame();
  const { tableId: other } = await hiddenGame();
  const admin = await ownAdminOf(server);
  const { pass, expiresAt } = await admin.issueWatchPass({ tableId });
  assert.ok(Math.abs(Number(expiresAt.seconds) - Date.now() / 1000 - 3600) < 60);

  const watcher = await Player.join(server, tableId, { invite: pass });
  assert.equal(watcher.version, 4n);
  const seat = players[0].turn[0];
  await players[seat].playBody(azul(2).choose(players[seat].view, seat));
  await watcher.reach(5n);
  // A change of presence, after which spectators are sent away where there may be none.
  await players[1 - seat].stream.close();
  while (watcher.seating.seats[1 - seat].connected) await watcher.step();
  await watcher.stream.ping();

  const history = clientOf(HistoryService, server);
  const { record } = await history.getRecord({ tableId, invite: pass });
  assert.equal(record.moves.length, 4);
  assert.deepEqual([record.serverSeed.length, record.gameSeed.length], [0, 0]);
  const shown = [];
  for await (const { frame } of history.replay({ tableId, invite: pass })) shown.push(frame);
  assert.equal(shown.length, 5);

  const forged = `${pass.slice(0, -1)}${pass.endsWith('A') ? 'B' : 'A'}`;
  const later = pass.replace(/^watch_\d+/, (begin) => `${begin}0`);
  for (const [id, invite] of [
    [tableId, ''],
    [tableId, forged],
    [tableId, later],
    [tableId, 'watch_'],
    [tableId, 'watch_99999999999999999999_x'],
    [other, pass],
  ]) {
    const stream = await Stream.open(server, id, { invite, spectate: true });
    assertReason(await stream.goodbye(), Reason.INVITE_NEEDED, /invite|private/);
    const denied = [Code.PermissionDenied, /shown to its players alone/];
    await assertRefused(() => history.getRecord({ tableId: id, invite }), ...denied);
  }
  const { token } = await signIn(server, 'Eve');
  const sitting = lobbyOf(server).joinTable({ tableId, invite: pass }, bearer(token));
  await assertRefused(sitting, Code.PermissionDenied, /not the invite/);

  assert.equal((await command('admin', 'pass', tableId)).length, pass.length + 1);
  const lines = await command('replay', tableId, '--invite', pass);
  assert.equal(lines.match(/^version \d+ /gm).length, 5);
  players[seat].stream.cut();
  watcher.stream.cut();
});

test('the invite of a private table shows its record while it is played', async () => {
  const owner = await signIn(server, 'Ada');
  const request = { game: '2048', options: { inviteOnly: true } };
  const { table } = await lobbyOf(server).createTable(request, bearer(owner.token));
  const { tableId, invite } = table;
  const history = clientOf(HistoryService, server);
  assert.equal((await history.getRecord({ tableId, invite })).record.moves.length, 0);
  await assertRefused(
    () => history.getRecord({ tableId, invite: `${invite}x` }),
    Code.PermissionDenied,
    /its players alone/,
  );
});
