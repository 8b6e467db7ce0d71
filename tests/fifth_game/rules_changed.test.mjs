// A game that is over is shown by a server whose rules have changed since, as it was played.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { HistoryService } from '../e2e/gen/tesela/lobby/v1/history_pb.js';
import { TableState } from '../e2e/gen/tesela/lobby/v1/lobby_pb.js';
import { bearer, clientOf, lobbyOf, signIn } from '../e2e/harness/lobby.mjs';
import { counter } from '../e2e/harness/metrics.mjs';
import { Server } from '../e2e/harness/server.mjs';
import { until } from '../e2e/harness/until.mjs';

const otherProgram = path.join(process.env.TESELA_OTHER_BIN, 'tesela-server');
const options = ['--bot-pace', '0ms', '--table-idle', '100ms', '--archive-after', '0ms'];

async function shown(server, tableId) {
  const history = clientOf(HistoryService, server);
  const { table } = await lobbyOf(server).getTable({ tableId });
  const { record } = await history.getRecord({ tableId });
  const frames = [];
  for await (const { frame } of history.replay({ tableId })) frames.push(frame);
  return { table, record, frames, verdict: await history.verify({ tableId }) };
}

test('is listed, exported and shown; Verify says what cannot be checked', async (t) => {
  const first = await Server.start(...options);
  t.after(() => first.dispose());
  const { token } = await signIn(first);
  const request = { game: 'lights_out', bots: [{ strategy: 'random' }], watchOnly: true };
  const { tableId } = (await lobbyOf(first).createTable(request, bearer(token))).table;
  const isOver = async () =>
    (await lobbyOf(first).getTable({ tableId })).table.state === TableState.OVER;
  await until(isOver, 'the end of the game');
  // A start compacts the events, and then the log is packed.
  await first.kill();
  await first.start();
  await until(async () => (await counter(first, 'tesela_packed_games_total')) === 1, 'packing');
  const before = await shown(first, tableId);
  assert.ok(before.verdict.ok, before.verdict.message);
  assert.equal(before.record.rulesChanged, false);
  await first.kill();

  const other = await Server.startProgram(otherProgram, '--data', first.data, ...options);
  t.after(() => other.dispose());
  const after = await shown(other, tableId);
  assert.deepEqual(after.table, before.table);
  assert.ok(after.record.rulesChanged);
  const moves = ({ record }) => record.moves.map((move) => ({ ...move, digest: undefined }));
  assert.deepEqual(moves(after), moves(before));
  assert.equal(after.frames.length, before.frames.length);
  assert.equal(after.verdict.ok, false);
  assert.match(after.verdict.message, /The moves and the result cannot be checked/);
  assert.equal(await counter(other, 'tesela_damaged_tables'), 0);
});
