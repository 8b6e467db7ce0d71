// Packed logs: records, verdicts and replays of finished games are the same before and after, also
// when the server is killed while it packs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toBinary } from '@bufbuild/protobuf';
import { GetRecordResponseSchema, HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { ServerFrameSchema } from './gen/tesela/play/v1/play_pb.js';
import { sql } from './harness/database.mjs';
import { bearer, clientOf, lobbyOf, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const tables = [
  ...Array.from({ length: 8 }, () => ['2048', 'random']),
  ...Array.from({ length: 8 }, () => ['samegame', 'random']),
  ...Array.from({ length: 8 }, () => ['azul', 'random', 'random']),
];
let server;
before(async () => {
  const options = ['--bot-pace', '0ms', '--table-idle', '100ms', '--archive-after', '0ms'];
  server = await Server.start('--threads', '2', ...options);
});
after(() => server.dispose());

async function finishedGames() {
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
async function shown(tableId) {
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

const packed = () => counter(server, 'tesela_packed_games_total');

test('what is shown of finished games does not depend on how their logs are stored', async () => {
  const ids = await finishedGames();
  const before = new Map();
  for (const tableId of ids) before.set(tableId, await shown(tableId));
  // A start compacts the events; the archiver finds them, and is killed in the middle.
  await server.kill();
  await server.start();
  await until(async () => (await packed()) > 0, 'the first packed log');
  await server.kill();
  await server.start();
  const left = async () => {
    const [[[count]]] = await sql(server.data, 'SELECT count(*) FROM events');
    return count;
  };
  await until(async () => (await left()) === 0, 'the last packed log');
  for (const tableId of ids) assert.deepEqual(await shown(tableId), before.get(tableId));
  const [[[games, events, bytes, data]]] = await sql(
    server.data,
    'SELECT count(*), sum(events), sum(bytes), sum(length(data)) FROM archives',
  );
  assert.equal(games, ids.length);
  assert.ok(data < bytes / 8, `${events} events of ${bytes} bytes are packed in ${data}`);
});
