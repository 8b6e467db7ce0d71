// Packed logs: records, verdicts and replays of finished games are the same before and after, also
// when the server is killed while it packs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBinary } from '@bufbuild/protobuf';
import { GetRecordResponseSchema, HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { ServerFrameSchema } from './gen/tesela/play/v1/play_pb.js';
import { databases } from './harness/databases.mjs';
import { bearer, clientOf, lobbyOf, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const tables = [
  ...Array.from({ length: 8 }, () => ['2048', 'random']),
  ...Array.from({ length: 8 }, () => ['samegame', 'random']),
  ...Array.from({ length: 8 }, () => ['azul', 'random', 'random']),
];
/** A server that packs logs after a time. */
async function startServer(t, database, after, ...options) {
  const all = ['--bot-pace', '0ms', '--table-idle', '100ms', '--archive-after', after];
  const server = await Server.start('--threads', '2', ...all, ...database.options, ...options);
  t.after(() => server.dispose());
  return server;
}

async function finishedGames(server) {
  const { token } = await signIn(server);
  const lobby = lobbyOf(server);
  const ids = [];
  for (const [game, ...bots] of tables) {
    const request = { game, bots: bots.map((strategy) => ({ strategy })), watchOnly: true };
    const { table } = await lobby.createTable(request, bearer(token));
    ids.push(table.tableId);
  }
  const isOver = async (tableId) =>
    (await lobby.getTable({ tableId })).table.state === TableState.OVER;
  for (const tableId of ids) await until(() => isOver(tableId), 'the end of a game');
  return ids;
}

/** All that anybody can see of a game: { record, verdict, frames }. */
async function shown(server, tableId) {
  const history = clientOf(HistoryService, server);
  const record = toBinary(GetRecordResponseSchema, await history.getRecord({ tableId }));
  const verdict = await history.verify({ tableId });
  const frames = [];
  for await (const { frame } of history.replay({ tableId })) {
    frames.push(Buffer.from(toBinary(ServerFrameSchema, frame)).toString('hex'));
  }
  assert.ok(verdict.ok, verdict.message);
  return { record: Buffer.from(record).toString('hex'), frames };
}

for (const { name, start } of databases) {
  test(`on ${name}, finished games are shown as before when their logs are packed`, async (t) => {
    const database = await start();
    t.after(() => database.dispose());
    const first = await startServer(t, database, '1h');
    const ids = await finishedGames(first);
    const before = new Map();
    for (const tableId of ids) before.set(tableId, await shown(first, tableId));
    // A start compacts the events; the archiver finds them, and is killed in the middle.
    await first.kill();
    const server = await startServer(t, database, '0ms', '--data', first.data);
    await until(
      async () => (await counter(server, 'tesela_packed_games_total')) > 0,
      'the first packed log',
    );
    await server.kill();
    await server.start();
    const left = () => database.number(server, 'SELECT count(*) FROM events');
    await until(async () => (await left()) === 0, 'the last packed log');
    for (const tableId of ids) {
      assert.deepEqual(await shown(server, tableId), before.get(tableId));
    }
    const sum = (of) => database.number(server, `SELECT sum(${of}) FROM archives`);
    assert.equal(await sum('1'), ids.length);
    const [bytes, data] = [await sum('bytes'), await sum('length(data)')];
    assert.ok(data < bytes / 8, `${await sum('events')} events of ${bytes} bytes take ${data}`);
  });
}
