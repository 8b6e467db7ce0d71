// Tables whose logs miss events: whoever asks for one is told so, the operator sees which they are,
// the other tables play on, and `tesela-server check` finds them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Code, ConnectError } from '@connectrpc/connect';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { ownAdminOf } from './harness/admin.mjs';
import { databases } from './harness/databases.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { numberOf } from './harness/postgres.mjs';
import { run, Server, serverProgram } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

/** The points of a player who is not on the board yet. */
const unlistedPoints = -(2n ** 62n);

/** Games of a bot that are over. */
async function finishedGames(server, count) {
  const { token } = await signIn(server);
  const lobby = lobbyOf(server);
  const request = { game: '2048', bots: [{ strategy: 'random' }], watchOnly: true };
  const ids = [];
  for (let n = 0; n < count; ++n) {
    ids.push((await lobby.createTable(request, bearer(token))).table.tableId);
  }
  const isOver = async (tableId) =>
    (await lobby.getTable({ tableId })).table.state === TableState.OVER;
  for (const tableId of ids) await until(() => isOver(tableId), 'the end of a game');
  return ids;
}

/** Stops the server and starts it again. */
async function restart(server) {
  await server.terminate();
  await server.start();
}

async function assertRefused(server, tableId, missing) {
  const history = clientOf(HistoryService, server);
  const calls = {
    getRecord: () => history.getRecord({ tableId }),
    verify: () => history.verify({ tableId }),
    replay: async () => {
      for await (const { frame } of history.replay({ tableId })) assert.ok(frame);
    },
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await call().then(
      () => assert.fail(`${name} answers`),
      (thrown) => ConnectError.from(thrown),
    );
    assert.equal(error.code, Code.DataLoss, name);
    assert.match(error.rawMessage, missing, name);
  }
  const stream = await Stream.open(server, tableId, {});
  const { reason, message } = await stream.goodbye();
  assert.equal(Reason[reason], 'INTERNAL');
  assert.match(message, missing);
}

/** Runs `tesela-server check`: { code, lines }. */
async function check(server, database) {
  const [option, place] = [...database.options, '--data', server.data];
  const { code, stdout, stderr } = await run(serverProgram, ['check', option, place]);
  assert.equal(stderr, '');
  return { code, lines: stdout.trim().split('\n') };
}

for (const { name, start } of databases) {
  test(`on ${name}, a table whose log is damaged is refused, and told`, async (t) => {
    const database = await start();
    t.after(() => database.dispose());
    const all = ['--bot-pace', '0ms', '--table-idle', '100ms', '--archive-after', '1h'];
    const server = await Server.start(...all, ...database.options);
    t.after(() => server.dispose());
    const [middle, last, whole] = await finishedGames(server, 3);
    const played = await newTable(server, { size: 8 });
    const player = await Player.join(server, played.tableId, { token: played.token });
    await player.playMoves(20);
    await restart(server); // what was played is compacted
    await server.terminate();
    await database.run(
      server,
      `INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms, opponents)
         SELECT '2048', min(id), 25, 5, 9, 1300, 1, 5 FROM players UNION ALL
         SELECT '2048', max(id), 25, 5, 1, ${unlistedPoints}, 1, 1 FROM players`,
    );
    const sound = await check(server, database);
    assert.equal(sound.code, 0, sound.lines.join('\n'));
    assert.match(sound.lines.join('\n'), /^read 4 tables .*: nothing is damaged$/);

    const length = await database.number(
      server,
      `SELECT max(version) FROM events WHERE table_id = ${numberOf(last)}`,
    );
    for (const [id, version] of [
      [middle, 7],
      [last, length],
    ]) {
      await database.run(
        server,
        `DELETE FROM events WHERE table_id = ${numberOf(id)} AND version = ${version}`,
      );
    }
    await database.run(server, 'UPDATE ratings SET points = 1301 WHERE opponents = 5');
    const found = await check(server, database);
    assert.equal(found.code, 1);
    assert.match(found.lines.shift(), /^the rating of player \w+ in 2048 is damaged: its points/);
    const expected = [
      `table ${middle}: The table's log is damaged: version 7 is missing.`,
      `table ${last}: The table's log is damaged: version ${length} is missing.`,
    ];
    assert.deepEqual(found.lines.slice(0, 2).sort(), expected.sort());
    assert.match(found.lines[2], /: 3 are damaged$/);

    await server.start();
    await assertRefused(server, middle, /log is damaged: version 7 is missing/);
    await assertRefused(server, last, new RegExp(`log is damaged: version ${length} is missing`));
    assert.ok((await clientOf(HistoryService, server).verify({ tableId: whole })).ok);
    await player.resume();
    await player.playMoves(5);
    assert.equal(await server.readiness(), 200);
    assert.equal(await counter(server, 'tesela_damaged_tables'), 2);
    const { damagedTables } = await (await ownAdminOf(server)).getStatus();
    assert.equal(damagedTables.count, 2);
    assert.deepEqual(damagedTables.lastIds, [last, middle]);
    for (const id of [middle, last]) {
      const lines = server.output.split('\n').filter((line) => line.includes(`table ${id} is dam`));
      assert.equal(lines.length, 1, server.output);
    }
    if (database.options.length > 0) {
      assert.equal((await check(server, database)).code, 1, 'also while a server runs');
    }
  });
}
