// From one server on SQLite to one on PostgreSQL: `tesela-server migrate`, and the games go on.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BoardKind, LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { azul } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { keysOf, run, Server, serverProgram } from './harness/server.mjs';

const quick = ['--bot-pace', '0ms', '--bot-think', '5ms'];

let postgres;
let folder;

before(async () => {
  postgres = await Postgres.start();
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-migrate-'));
});

after(async () => {
  await rm(folder, { recursive: true });
  await postgres?.dispose();
});

const migrate = (from, to, ...options) =>
  run(serverProgram, ['migrate', '--from', from, '--to', to, ...options]);

/** The boards of ratings and of the best scores, as anybody sees them. */
async function boardsOf(server) {
  const boards = clientOf(LeaderboardService, server);
  const asked = [{ game: 'azul' }, { kind: BoardKind.BEST_OF_DAY, game: '2048' }];
  const answers = await Promise.all(asked.map((board) => boards.getBoard({ board })));
  return answers.map(({ entries }) => entries);
}

/** Waits until a ranked game of two bots is over. */
async function rankedGame(server, { token }) {
  const request = {
    game: 'azul',
    config: azul(2).config,
    options: { ranked: true },
    bots: [{ strategy: 'safe' }, { strategy: 'rush' }],
    watchOnly: true,
  };
  const { table } = await lobbyOf(server).createTable(request, bearer(token));
  for (;;) {
    const { table: now } = await lobbyOf(server).getTable({ tableId: table.tableId });
    if (now.state === TableState.OVER) return;
    await sleep(50);
  }
}

test('games, players, boards and the daily game go over, and games go on', async (t) => {
  const before = await Server.start(...quick);
  t.after(() => before.dispose());
  const owner = await signIn(before, 'Ada');
  const { tableId } = await newTable(before, { size: 3 }, owner);
  const player = await Player.join(before, tableId, { token: owner.token });
  await player.playMoves(10);
  const small = await newTable(before, {}, owner);
  const finished = await Player.join(before, small.tableId, { token: owner.token });
  const result = await finished.playToEnd();
  const daily = { game: '2048', daily: true };
  await lobbyOf(before).createTable(daily, bearer(owner.token));
  await rankedGame(before, owner);
  const boards = await boardsOf(before);
  assert.deepEqual(
    boards.map(({ length }) => length),
    [2, 1],
  );
  await before.terminate();
  // Ada's token is of the key before.
  await run(serverProgram, ['rotate', 'token', '--data', before.data]);
  await before.start();
  await before.terminate();

  const to = path.join(folder, 'database.url');
  await writeFile(to, `${postgres.url}\n`);
  const { code, stdout, stderr } = await migrate(before.data, to);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /every row was read back and is the same/);
  assert.match(stdout, /events: \d+ rows, sha256 [0-9a-f]{64}/);
  assert.match(stdout, /--token-secret-file \S+token.key --daily-secret-file \S+daily.key/);
  assert.match(stdout, /--former-token-secret-file \S+former.key/);
  assert.match(stderr, /copies events: \d+ rows/);

  const repeated = await migrate(before.data, to);
  assert.equal(repeated.code, 0, repeated.stderr);
  assert.match(repeated.stdout, /was migrated into the database before: nothing was changed/);

  // The games must not go on at both.
  const mark = path.join(before.data, 'migrated');
  const onSqlite = ['--data', before.data, '--http-port', '0', '--grpc-port', '0'];
  for (const args of [
    onSqlite,
    ['backup', path.join(folder, 'old'), '--data', before.data],
    ['compact', '--data', before.data],
  ]) {
    const refused = await run(serverProgram, args);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /were carried over to PostgreSQL.*--database.*To go back/);
    assert.ok(refused.stderr.includes(mark), refused.stderr);
  }

  const former = ['--former-token-secret-file', path.join(before.data, 'former.key')];
  const keys = [...keysOf(before.data), ...former];
  const server = await Server.start('--database', to, ...keys, ...quick);
  t.after(() => server.dispose());
  assert.deepEqual(await boardsOf(server), boards);
  // Ada's token is accepted, the stream goes on at the move where it was, and so do the dice.
  const { version, view } = player;
  player.server = server;
  await player.resume();
  assert.equal(player.version, version);
  const stranger = await Player.join(server, tableId);
  assert.deepEqual(stranger.view, view);
  const { standings } = await player.playToEnd();
  const again = await Player.join(server, small.tableId, { token: owner.token });
  assert.deepEqual(again.result, result);
  await assert.rejects(lobbyOf(server).createTable(daily, bearer(owner.token)), /next one begins/);
  const history = clientOf(HistoryService, server);
  for (const id of [tableId, small.tableId]) {
    const { ok, message } = await history.verify({ tableId: id });
    assert.ok(ok, message);
  }
  assert.equal(standings.length, 1);
  await rankedGame(server, owner);
  const [ratings] = await boardsOf(server);
  for (const { rating } of ratings) assert.equal(rating.games, 2);

  await server.terminate();
  await rm(mark);
  await before.start();
  assert.equal((await Player.join(before, tableId)).version, version);
});

test('what cannot be migrated is refused with a sentence that says what is right', async (t) => {
  const running = await Server.start(...quick);
  t.after(() => running.dispose());
  const refused = async (sentence, from, to, ...options) => {
    const { code, stderr } = await migrate(from, to, ...options);
    assert.equal(code, 1);
    assert.match(stderr, sentence);
  };
  await postgres.query('CREATE DATABASE empty');
  const empty = postgres.urlOf('empty');
  await postgres.query('CREATE DATABASE used');
  const used = postgres.urlOf('used');
  const [, , ...keys] = await postgres.options();
  await (await Server.start('--database', used, ...keys)).dispose();
  await refused(/Another server uses the data folder .*: stop it/, running.data, empty);
  await refused(/holds no token.key: give the token key of its server/, folder, empty);
  await running.terminate();
  await refused(/A server has used the database of --to.*give an empty one/, running.data, used);
  const wrong = path.join(running.data, 'daily.key');
  await refused(/must hold one line: postgres:/, running.data, wrong);
});
