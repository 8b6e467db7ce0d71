// Which moves count, and that each counts once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Direction } from './gen/tesela/game/v1/g2048_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { lock } from './harness/database.mjs';
import { newTable, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { Stream, subProtocols } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

const directions = [Direction.LEFT, Direction.RIGHT, Direction.UP, Direction.DOWN];
let server;
before(async () => (server = await Server.start('--threads', '2')));
after(() => server.dispose());

async function seated(config, options) {
  const { tableId, token, owner } = await newTable(server, config);
  return Object.assign(await Player.join(server, tableId, { token, ...options }), { owner });
}

function assertRefused(refusal, reason, { moveId, version }) {
  assert.equal(Reason[refusal.reason], Reason[reason]);
  assert.equal(refusal.moveId, moveId);
  assert.equal(refusal.version, version);
  assert.match(refusal.message, /^[A-Z].*\.$/s);
}

/** Sends what must be refused for `reason`; afterwards the same player plays on. */
async function assertRefusedAndPlayable(player, reason, send) {
  const { version } = player;
  const moveId = send(player.stream);
  assertRefused(await player.stream.expect('refusal'), reason, { moveId, version });
  if (!player.result) await player.play();
}

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    test('a move whose answer was lost comes back with the rest, and is played once', async () => {
      const player = await seated({}, { protocol });
      const moveId = player.stream.move(player.view.legal[0], { atVersion: player.version });
      await player.stream.next(); // it arrives, and nobody takes it in
      player.stream.cut();
      await player.resume();
      assert.deepEqual(
        player.events.map((e) => e.moveId),
        [moveId],
      );
      player.stream.move(player.view.legal[0], { moveId, atVersion: 1n });
      const { event } = await player.stream.expect('moveRepeated');
      assert.equal(event.version, 2n);
      assert.deepEqual(event, player.events[0].value);
      await player.stream.close();
    });
  });
}

test('a move that one stream sent and the next one sends again is played once', async () => {
  const rounds = 20;
  let player = await seated({ size: 8 });
  const begin = player.version;
  for (let round = 0; round < rounds; ++round) {
    const { version, view } = player;
    const options = { moveId: randomUUID(), atVersion: version };
    player.stream.move(view.legal[0], options);
    const next = new Player(server, player.tableId, player.options);
    Object.assign(next, { version, view });
    await next.resume();
    next.stream.move(view.legal[0], options);
    await next.reach(version + 1n);
    const { reason, reconnect } = await player.stream.goodbye();
    assert.equal(Reason[reason], 'REPLACED');
    assert.equal(reconnect, false, 'or two windows would push each other out for ever');
    player = next;
  }
  await player.play(); // behind everything that was sent before
  assert.equal(player.version, begin + BigInt(rounds) + 1n);
  assert.ok(player.stream.received.every(({ kind }) => kind !== 'refusal'));
  await player.stream.close();
});

test('at_version must be the present one, neither past nor future', async () => {
  const player = await seated();
  await player.playMoves(2);
  for (const atVersion of [0n, player.version - 1n, player.version + 5n]) {
    await assertRefusedAndPlayable(player, Reason.STALE, (stream) =>
      stream.move(player.view.legal[0], { atVersion }),
    );
  }
  const { version } = player;
  await player.play(player.view.legal[0], {});
  assert.equal(player.version, version + 1n, 'without at_version it is judged as it comes');
  await player.stream.close();
});

test('an illegal move is refused with the rule, and the same player plays on', async () => {
  const player = await seated();
  while (player.view.legal.length === directions.length) await player.play();
  const illegal = directions.find((direction) => !player.view.legal.includes(direction));
  await assertRefusedAndPlayable(player, Reason.ILLEGAL_MOVE, (stream) => stream.move(illegal));
  await player.stream.close();
});

test('who only watches cannot move: no guest, no other player, no watching owner', async () => {
  const player = await seated();
  const other = await signIn(server, 'Grace');
  for (const options of [{}, { token: other.token }, { ...player.options, spectate: true }]) {
    const watcher = await Player.join(server, player.tableId, options);
    const moveId = watcher.stream.move(player.view.legal[0]);
    assertRefused(await watcher.stream.expect('refusal'), Reason.NOT_SEATED, {
      moveId,
      version: watcher.version,
    });
    await player.play();
    await watcher.reach(player.version);
    await watcher.stream.close();
  }
  await player.stream.close();
});

// The inbox of a table has room for 64 commands; a first one is being stored.
test('who comes to a busy table is sent the Welcome first, whatever is refused', async (t) => {
  const own = await Server.start('--frame-rate', '0');
  t.after(() => own.dispose());
  const { tableId, token } = await newTable(own, { size: 8 });
  const player = await Player.join(own, tableId, { token });
  const unlock = await lock(own.data);
  for (let n = 0; n < 64; ++n) player.stream.move(directions[n % directions.length]);
  await player.stream.ping();
  const newcomer = await Stream.open(own, tableId);
  for (let n = 0; n < 40; ++n) newcomer.move(Direction.LEFT);
  newcomer.send({ case: 'ping', value: { nonce: 7n } });
  await until(async () => {
    const refused = await counter(own, 'tesela_refusals_total', { reason: 'busy' });
    return refused > 0;
  }, 'a refusal');
  await unlock();
  await newcomer.expect('welcome');
  assert.equal(newcomer.received[0].kind, 'welcome');
  let frame;
  do frame = await newcomer.next();
  while (frame.kind !== 'pong');
  const reasons = newcomer.received.flatMap(({ kind, value }) =>
    kind === 'refusal' ? [value.reason] : [],
  );
  assert.equal(reasons.length, 40);
  assert.ok(reasons.includes(Reason.BUSY));
  newcomer.cut();
});
