// A game over the stream: played, watched, left and resumed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Game2048Outcome } from './gen/tesela/game/v1/g2048_pb.js';
import { newTable, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { Stream, subProtocols, unpack } from './harness/stream.mjs';

const resumeEventsMax = 240; // limits.h: kResumeEventsMax
const frameBytesMax = 4096; // limits.h: kFrameBytesMax
let server;
before(async () => (server = await Server.start('--threads', '2')));
after(() => server.dispose());

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    test('the stream opens with a Welcome and the position', async () => {
      const { tableId, token } = await newTable(server, { size: 3 });
      const stream = await Stream.open(server, tableId, { protocol, token });
      const welcome = await stream.expect('welcome');
      assert.equal(welcome.tableId, tableId);
      assert.equal(welcome.game, '2048');
      assert.equal(unpack(welcome.config).size, 3);
      assert.equal(welcome.seat, 0);
      assert.equal(welcome.version, 1n);
      assert.equal(welcome.resumed, false);
      assert.equal(welcome.frameBytesMax, frameBytesMax);
      assert.ok(Math.abs(Number(welcome.serverTimeMs) - Date.now()) < 60_000);
      const snapshot = await stream.expect('snapshot');
      assert.equal(snapshot.version, 1n);
      assert.deepEqual(snapshot.turn.seats, [0]);
      assert.equal(snapshot.result, undefined);
      const view = unpack(snapshot.view);
      assert.equal(view.cells.length, 9);
      assert.equal(view.cells.filter((cell) => cell > 0).length, 2);
      assert.equal(view.score, 0n);
      await stream.close();
    });

    test('each event tells how the board came to be', async () => {
      const { tableId, token } = await newTable(server, { size: 4 });
      const player = await Player.join(server, tableId, { protocol, token });
      for (let n = 0; n < 30 && !player.result; ++n) {
        const before = player.view;
        const { stages, view } = unpack((await player.play()).body);
        assert.deepEqual(stages.at(-1).cells, view.cells);
        const { spawned } = stages.at(-1);
        const beforeSpawn = (stages.at(-2) ?? before).cells;
        assert.equal(beforeSpawn[spawned], 0);
        const points = stages.reduce((sum, stage) => sum + stage.points, 0n);
        assert.equal(before.score + points, view.score);
      }
      await player.stream.close();
    });

    test('resuming with nothing missed brings nothing', async () => {
      const { tableId, token } = await newTable(server);
      const player = await Player.join(server, tableId, { protocol, token });
      await player.playMoves(2);
      await player.stream.close();
      await player.resume();
      assert.equal(player.welcome.resumed, true);
      await player.stream.ping();
      assert.deepEqual(
        player.stream.received.map((f) => f.kind),
        ['welcome', 'pong'],
      );
      await player.stream.close();
    });

    test('who is too far behind gets the position instead, and goes on from there', async () => {
      const { tableId, token } = await newTable(server, { size: 8 });
      const player = await Player.join(server, tableId, { protocol, token });
      const late = await Player.join(server, tableId, { protocol });
      late.stream.cut();
      await player.playMoves(resumeEventsMax);
      const justInTime = new Player(server, tableId, { protocol });
      Object.assign(justInTime, { version: late.version, view: late.view });
      await justInTime.resume();
      assert.equal(justInTime.welcome.resumed, true);
      assert.equal(justInTime.events.length, resumeEventsMax);
      await player.playMoves(1);
      await late.resume();
      assert.equal(late.welcome.resumed, false);
      assert.deepEqual(
        late.stream.received.map((f) => f.kind).filter((kind) => kind !== 'seating'),
        ['welcome', 'snapshot'],
      );
      assert.deepEqual(late.view, player.view);
      await player.playMoves(1);
      await late.reach(player.version);
      assert.deepEqual(late.view, player.view);
      await Promise.all([player, late, justInTime].map(({ stream }) => stream.close()));
    });

    test('an owner may watch without the seat', async () => {
      const { tableId, token } = await newTable(server);
      const watcher = await Player.join(server, tableId, { protocol, token, spectate: true });
      assert.equal(watcher.seat, undefined);
      await watcher.stream.close();
    });
  });
}

test('the two sub-protocols tell the same game', async () => {
  const { tableId, token } = await newTable(server, { size: 3 });
  const [binary, json] = subProtocols;
  const player = await Player.join(server, tableId, { protocol: binary, token });
  const reader = await Player.join(server, tableId, { protocol: json });
  const { standings } = await player.playToEnd();
  const { view } = player;
  assert.deepEqual(
    standings.map(({ seat, rank, points }) => ({ seat, rank, points })),
    [{ seat: 0, rank: 1, points: view.score }],
  );
  assert.deepEqual([view.outcome, view.legal], [Game2048Outcome.LOST, []]);
  await reader.reach(player.version);
  assert.deepEqual(
    reader.events.map((e) => e.value),
    player.events.map((e) => e.value),
  );
  await Promise.all([player.stream.close(), reader.stream.close()]);
});

test('a guest without a seat watches with or without a token', async () => {
  const { tableId } = await newTable(server);
  const { token } = await signIn(server, 'Grace');
  const known = await Player.join(server, tableId, { token });
  const unknown = await Player.join(server, tableId);
  assert.deepEqual([known.seat, unknown.seat], [undefined, undefined]);
  await Promise.all([known.stream.close(), unknown.stream.close()]);
});

test('the same seed never repeats: two tables of one player differ', async () => {
  const owner = await signIn(server);
  const boards = new Set();
  for (let n = 0; n < 8; ++n) {
    const { tableId } = await newTable(server, { size: 8, startTiles: 32 }, owner);
    const watcher = await Player.join(server, tableId);
    boards.add(watcher.view.cells.join());
    await watcher.stream.close();
  }
  assert.equal(boards.size, 8);
});
