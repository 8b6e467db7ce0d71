// A fifth game over the stream: by clients that know nothing of its messages, in both
// sub-protocols, and after a kill -9.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { lobbyOf, newTableOf, signIn } from '../e2e/harness/lobby.mjs';
import { Server } from '../e2e/harness/server.mjs';
import { Stream, streamUrl } from '../e2e/harness/stream.mjs';

const game = 'lights_out';
let server;
before(async () => (server = await Server.start()));
after(() => server.dispose());

/** What pressing `cell` makes of a grid of 5 × 5. */
function pressed(cells, cell) {
  const column = cell % 5;
  const near = [cell, cell - 5, cell + 5];
  if (column > 0) near.push(cell - 1);
  if (column < 4) near.push(cell + 1);
  return cells.map((kind, each) => (near.includes(each) ? 2 - kind : kind));
}

test('is listed with its strategy, and other games are as they were', async () => {
  const { strategies } = await lobbyOf(server).listStrategies({ game });
  assert.deepEqual(
    strategies.map(({ name }) => name),
    ['random'],
  );
  await newTableOf(server, { game: '2048' });
});

test('is played by the grid alone, and comes back after a kill -9', async () => {
  const { tableId, token } = await newTableOf(server, { game });
  let stream = await Stream.open(server, tableId, { token });
  assert.equal((await stream.expect('welcome')).game, game);
  let { grid, version } = await stream.expect('snapshot');
  assert.equal(grid.moves.length, 25);
  for (const cell of [0, 12, 24, 12]) {
    stream.play(grid.moves[cell].move, { atVersion: version });
    const event = await stream.expect('event');
    const expected = pressed(grid.cells, cell);
    assert.deepEqual(event.grid.stages.at(-1).cells, expected);
    assert.deepEqual(event.grid.view.cells, expected);
    ({ version } = event);
    grid = event.grid.view;
  }
  assert.deepEqual(
    grid.facts.map(({ name }) => name),
    ['Points', 'Lights on', 'Moves left'],
  );
  await server.kill();
  await server.start();
  stream = await Stream.open(server, tableId, { token });
  await stream.expect('welcome');
  assert.deepEqual((await stream.expect('snapshot')).grid, grid);
  await stream.close();
});

test('a bot advises, and the table is over when the moves are', async () => {
  const { tableId, token } = await newTableOf(server, { game });
  const stream = await Stream.open(server, tableId, { token });
  await stream.expect('welcome');
  let { grid, turn, result } = await stream.expect('snapshot');
  stream.send({ case: 'hintRequest', value: { hintId: 'advice' } });
  const hint = await stream.expect('hint');
  assert.equal(hint.strategy, 'random');
  assert.ok(grid.moves.some(({ move }) => Buffer.compare(move.value, hint.move.value) === 0));
  while (turn.seats.length > 0) {
    stream.play(grid.moves[0].move);
    const event = await stream.expect('event');
    ({ turn, result } = event);
    grid = event.grid.view;
  }
  assert.deepEqual(grid.moves, []);
  assert.equal(grid.text.endsWith('no move is left.'), true, grid.text);
  assert.equal(result.standings[0].points, 0n);
  await stream.close();
});

test('is played in JSON by a client that knows no message', async () => {
  const require = createRequire(new URL('../e2e/package.json', import.meta.url));
  const WebSocket = require('ws');
  const { token } = await signIn(server);
  const { tableId } = await newTableOf(server, { game, owner: { token } });
  const socket = new WebSocket(streamUrl(server, tableId), 'tesela.v1.json');
  const frames = [];
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  const next = async (kind) => {
    for (;;) {
      const frame = frames.shift();
      if (frame?.[kind]) return frame[kind];
      if (!frame) await once(socket, 'message');
    }
  };
  socket.send(JSON.stringify({ hello: { token } }));
  const { grid, view } = await next('snapshot');
  assert.equal(view['@type'], 'type.googleapis.com/tesela.fifth_game.v1.LightsOutView');
  const body = grid.moves[7].move;
  assert.equal(body.cell, 7);
  socket.send(JSON.stringify({ move: { moveId: 'one', body } }));
  const event = await next('event');
  assert.deepEqual(event.grid.view.cells, pressed(grid.cells, 7));
  assert.deepEqual(event.body.stages[0].changed, [2, 6, 7, 8, 12]);
  socket.close();
});
