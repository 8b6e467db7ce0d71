// The named limits of server/base/limits.h, reached on purpose: floods, slow readers, silent lines,
// crowds.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { Bystander } from './harness/bystander.mjs';
import { newTable } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { RawSocket, opcode } from './harness/raw_socket.mjs';
import { Server } from './harness/server.mjs';
import { Stream, subProtocols } from './harness/stream.mjs';

const helloTimeMaxMs = 10_000; // kHelloTimeMax
const httpReadTimeMaxMs = 15_000; // kHttpReadTimeMax
const connectionsPerTableMax = 1000;
// A board that takes thousands of moves to fill, however one plays.
const longGame = { size: 8, weights: [{ value: 2, perMille: 1000 }] };

/** Runs each test against one server of its own, with a player who must be served all the time. */
function withServer(options, tests) {
  describe(`tesela-server ${options.join(' ')}`, () => {
    const given = {};
    before(async () => {
      given.server = await Server.start(...options);
      given.bystander = await Bystander.at(given.server);
    });
    afterEach(() => given.bystander.assertServed());
    after(async () => {
      await given.bystander.close();
      await given.server.dispose();
    });
    tests(given);
  });
}

withServer(['--threads', '1', '--frame-rate', '0', '--ping-interval', '10m'], (given) => {
  test('who says nothing is asked to leave after the time for Hello', async () => {
    const { tableId } = await newTable(given.server);
    const begin = performance.now();
    const [stream, slowRequest] = await Promise.all([
      Stream.connect(given.server, tableId),
      RawSocket.open(given.server),
    ]);
    slowRequest.bytes('GET / HTTP/1.1\r\nHost: x\r\n');
    const { reason, reconnect } = await stream.goodbye({ timeMaxMs: 2 * helloTimeMaxMs });
    const waited = performance.now() - begin;
    assert.equal(Reason[reason], 'HELLO_EXPECTED');
    assert.equal(reconnect, false);
    assert.ok(waited > helloTimeMaxMs - 500 && waited < helloTimeMaxMs + 3000, `${waited} ms`);
    await given.bystander.assertServed();
    await slowRequest.closed;
    assert.ok(performance.now() - begin < httpReadTimeMaxMs + 3000);
  });

  test('in a burst of moves each one is answered once', async () => {
    const { tableId, token } = await newTable(given.server, longGame);
    const player = await Player.join(given.server, tableId, { token });
    const ids = Array.from({ length: 400 }, () =>
      player.stream.move(player.view.legal[0], { atVersion: 1n }),
    );
    const answers = new Map();
    while (answers.size < ids.length) {
      const { kind, value } = await player.step();
      assert.ok(!answers.has(value.moveId), 'answered twice');
      answers.set(value.moveId, kind === 'refusal' ? Reason[value.reason] : kind);
    }
    assert.deepEqual([...answers.keys()].sort(), ids.toSorted());
    assert.equal(answers.get(ids[0]), 'event');
    const kinds = new Set(answers.values());
    kinds.delete('BUSY');
    assert.deepEqual([...kinds].sort(), ['STALE', 'event']);
    assert.equal(player.version, 2n);
    await player.play();
    await player.stream.close();
  });

  test('a table takes a thousand connections, and sends the next one away', async () => {
    const { tableId } = await newTable(given.server);
    const crowd = [];
    while (crowd.length < connectionsPerTableMax) {
      const joining = Array.from({ length: 50 }, () => Stream.open(given.server, tableId));
      const joined = await Promise.all(joining);
      await Promise.all(joined.map((stream) => stream.expect('welcome')));
      crowd.push(...joined);
    }
    const oneMore = await Stream.open(given.server, tableId);
    const { reason, reconnect } = await oneMore.goodbye();
    assert.equal(Reason[reason], 'TOO_MANY_CONNECTIONS');
    assert.equal(reconnect, true);
    await Promise.all(crowd.map((stream) => stream.close()));
  });

  for (const protocol of subProtocols) {
    test(`a spectator that does not read is given the position instead (${protocol})`, async () => {
      const { tableId, token } = await newTable(given.server, longGame);
      const player = await Player.join(given.server, tableId, { token });
      const spectator = await Player.join(given.server, tableId, { protocol });
      spectator.stream.pause();
      await player.playMoves(2500);
      spectator.stream.resume();
      const kinds = [];
      while (spectator.version < player.version) {
        const before = spectator.version;
        const { kind } = await spectator.step();
        assert.ok(kind === 'seating' || spectator.version > before, 'never back');
        kinds.push(kind);
      }
      assert.ok(kinds.includes('snapshot'));
      assert.ok(kinds.length < 2500, 'what waited was dropped');
      assert.deepEqual(spectator.view, player.view);
      if (!player.result) await player.play();
      await spectator.reach(player.version);
      await Promise.all([player.stream.close(), spectator.stream.close()]);
    });

    test(`a player who does not read is sent away, and may resume (${protocol})`, async () => {
      const { tableId, token } = await newTable(given.server, longGame);
      const slow = await Player.join(given.server, tableId, { token, protocol });
      const watcher = await Player.join(given.server, tableId);
      const sentAway = () =>
        counter(given.server, 'tesela_refusals_total', { reason: 'slow_reader' });
      const before = await sentAway();
      slow.stream.pause();
      for (let n = 0; n < 20; ++n) {
        slow.stream.move(watcher.view.legal[0], { atVersion: watcher.version });
        await watcher.reach(watcher.version + 1n);
      }
      // Refusals fill the outbox sooner than events, each of which is first made durable.
      while ((await sentAway()) === before) {
        for (let n = 0; n < 500; ++n) slow.stream.move(watcher.view.legal[0], { atVersion: 1n });
      }
      slow.stream.resume();
      let last;
      do last = await slow.step();
      while (last.kind !== 'goodbye');
      assert.equal(Reason[last.value.reason], 'SLOW_READER');
      assert.equal(last.value.reconnect, true);
      assert.equal((await slow.stream.closed).code, 1013);
      await slow.resume();
      await slow.reach(watcher.version);
      assert.deepEqual(slow.view, watcher.view);
      await Promise.all([watcher.stream.close(), slow.stream.close()]);
    });
  }
});

withServer(['--frame-rate', '20'], (given) => {
  test('a flood ends the stream, by the limit that Welcome named', async () => {
    const { tableId, token } = await newTable(given.server);
    const player = await Player.join(given.server, tableId, { token });
    assert.equal(player.welcome.framesPerSecondMax, 20);
    for (let n = 0; n < 200; ++n) player.stream.send({ case: 'ping', value: { nonce: BigInt(n) } });
    const { reason, reconnect, close } = await player.stream.goodbye();
    assert.equal(Reason[reason], 'RATE_LIMITED');
    assert.equal(reconnect, true);
    assert.equal(close.code, 1008);
    const pongs = player.stream.received.filter((frame) => frame.kind === 'pong').length;
    assert.ok(pongs >= 20 && pongs <= 60, `${pongs} pongs`);
    await player.resume();
    await player.play();
    await player.stream.close();
  });

  test('who keeps to the limit stays', async () => {
    const { tableId, token } = await newTable(given.server);
    const player = await Player.join(given.server, tableId, { token });
    for (let n = 0; n < 45; ++n) {
      await player.stream.ping(BigInt(n));
      await sleep(60);
    }
    await player.play();
    await player.stream.close();
  });
});

withServer(['--ping-interval', '1s'], (given) => {
  test('a line that does not answer pings is cut, and one that does is kept', async () => {
    const { tableId } = await newTable(given.server);
    const dead = await RawSocket.upgrade(given.server, tableId, { protocol: 'tesela.v1.json' });
    const begin = performance.now();
    dead.frame(opcode.text, '{"hello": {}}');
    const alive = await Stream.open(given.server, tableId);
    await dead.closed;
    const waited = performance.now() - begin;
    assert.ok(waited > 1000 && waited < 10_000, `${waited} ms`);
    await sleep(3000);
    assert.equal(alive.isOpen, true);
    await alive.ping();
    await alive.close();
  });

  test('a line that goes dead in mid-game is cut, and the player comes back to it', async () => {
    const { tableId, token } = await newTable(given.server);
    const player = await Player.join(given.server, tableId, { token });
    await player.playMoves(3);
    const { version } = player;
    player.stream.pause();
    await sleep(4000);
    player.stream.resume();
    assert.equal((await player.stream.closed).code, 1006);
    await player.resume();
    assert.equal(player.version, version);
    await player.play();
    await player.stream.close();
  });
});

withServer(['--connections-max', '8'], (given) => {
  test('a connection too many is told to come later, and those that are there go on', async () => {
    const { tableId } = await newTable(given.server);
    const crowd = [];
    for (let n = 0; n < 12; ++n) crowd.push(await RawSocket.upgrade(given.server, tableId));
    const taken = crowd.filter((raw) => raw.status === 101).length;
    assert.ok(taken > 0 && taken < 8, `${taken} were taken`);
    for (const raw of crowd) assert.ok([101, 503].includes(raw.status));
    await given.bystander.assertServed();
    for (const raw of crowd) raw.destroy();
    for (;;) {
      const raw = await RawSocket.upgrade(given.server, tableId);
      raw.destroy();
      if (raw.status === 101) break;
      await sleep(20);
    }
  });
});
