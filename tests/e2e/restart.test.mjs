// Tables outlive the process: killed, stopped gracefully, or only out of memory for a while.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from './gen/grpc/health/v1/health_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { bearer, lobbyOf, newTable, signIn, transports } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { Stream, subProtocols } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

/** Runs `body` with a server of its own. */
async function withServer(options, body) {
  const server = await Server.start(...options);
  try {
    await body(server);
  } finally {
    await server.dispose();
  }
}

/** Tables in memory. */
const tables = (server) => counter(server, 'tesela_tables');

for (const protocol of subProtocols) {
  test(`after kill -9 the game goes on at the move where it was (${protocol})`, () =>
    withServer(['--threads', '2'], async (server) => {
      const { tableId, token } = await newTable(server);
      const player = await Player.join(server, tableId, { token, protocol });
      const spectator = await Player.join(server, tableId, { protocol });
      await player.playMoves(10);
      await spectator.reach(player.version);
      const { view, version } = player;
      await server.kill();
      await server.start();
      await player.resume();
      assert.equal(player.welcome.resumed, true);
      assert.equal(player.version, version);
      const stranger = await Player.join(server, tableId, { protocol });
      assert.equal(stranger.version, version);
      assert.deepEqual(stranger.view, view);
      await spectator.resume();
      await player.playMoves(10);
      await spectator.reach(player.version);
      assert.deepEqual(spectator.view, player.view);
    }));
}

test('events read back after a restart are byte for byte those that were seen live', () =>
  withServer([], async (server) => {
    const { tableId, token } = await newTable(server);
    const player = await Player.join(server, tableId, { token });
    const late = await Player.join(server, tableId);
    late.stream.cut();
    await player.playMoves(40);
    await server.kill();
    await server.start();
    await late.resume();
    assert.deepEqual(
      late.events.map((e) => e.bytes),
      player.events.map((e) => e.bytes),
    );
  }));

test('a finished game stays finished', () =>
  withServer([], async (server) => {
    const { tableId, token } = await newTable(server, { size: 2 });
    const player = await Player.join(server, tableId, { token });
    const result = await player.playToEnd();
    await server.kill();
    await server.start();
    const again = await Player.join(server, tableId, { token });
    assert.deepEqual(again.result, result);
    assert.deepEqual(again.view, player.view);
    const { table } = await lobbyOf(server).getTable({ tableId });
    assert.equal(table.state, TableState.OVER);
    assert.deepEqual(table.result, result);
  }));

test('an idle table leaves memory, and comes back by replay', () =>
  withServer(['--table-idle', '200ms'], async (server) => {
    const { tableId, token } = await newTable(server);
    const player = await Player.join(server, tableId, { token });
    await player.playMoves(10);
    await sleep(1000);
    assert.equal(await tables(server), 1, 'not while somebody is there');
    await player.stream.close();
    await until(async () => (await tables(server)) === 0, 'the end of the table in memory');
    const again = await Player.join(server, tableId);
    assert.equal(again.version, player.version);
    assert.deepEqual(again.view, player.view);
    await player.resume();
    await player.play();
    await again.reach(player.version);
    assert.equal(await tables(server), 1);
  }));

describe('SIGTERM', () => {
  test('ends streams with a Goodbye that says to come back, and exits with 0', () =>
    withServer(['--threads', '2'], async (server) => {
      const { tableId, token } = await newTable(server);
      const players = [];
      for (const protocol of subProtocols) {
        const watching = players.length > 0;
        players.push(await Player.join(server, tableId, { ...(!watching && { token }), protocol }));
      }
      const [player] = players;
      await player.playMoves(5);
      const begin = performance.now();
      const exit = server.terminate();
      for (const { stream } of players) {
        const { reason, reconnect, reconnectAfterMs, close } = await stream.goodbye();
        assert.equal(Reason[reason], 'SERVER_RESTART');
        assert.equal(reconnect, true);
        assert.ok(reconnectAfterMs > 0);
        assert.equal(close.code, 1012);
      }
      assert.deepEqual(await exit, { code: 0, signal: null });
      assert.ok(performance.now() - begin < 5000);
      await server.start();
      const { version } = player;
      await player.resume();
      assert.equal(player.version, version);
      await player.play();
    }));

  test('answers every move that was sent before, or leaves it to be sent again: none is lost', () =>
    withServer(['--threads', '1'], async (server) => {
      const players = [];
      for (let n = 0; n < 20; ++n) {
        const { tableId, token } = await newTable(server, { size: 8 });
        players.push(await Player.join(server, tableId, { token }));
      }
      const exit = server.terminate();
      const sent = players.map((player) =>
        player.stream.move(player.view.legal[0], { atVersion: player.version }),
      );
      const { code } = await exit;
      assert.equal(code, 0);
      await Promise.all(players.map((player) => player.stream.closed));
      await server.start();
      for (const [n, player] of players.entries()) {
        const seen = player.stream.received
          .filter((frame) => frame.kind === 'event')
          .map((frame) => frame.value);
        await player.resume();
        player.stream.move(player.view.legal[0], { moveId: sent[n], atVersion: 1n });
        const answer = await player.stream.next();
        const event = answer.kind === 'moveRepeated' ? answer.value.event : answer.value;
        assert.equal(event.moveId, sent[n]);
        assert.equal(event.version, 2n);
        if (seen.length > 0) assert.deepEqual(event, seen[0]);
      }
    }));

  test('a slow reader does not hold it up beyond the time-out', () =>
    withServer(['--stop-timeout', '1s', '--threads', '1'], async (server) => {
      const { tableId, token } = await newTable(server, { size: 8 });
      const player = await Player.join(server, tableId, { token });
      const slow = await Player.join(server, tableId);
      slow.stream.pause();
      await player.playMoves(500);
      const begin = performance.now();
      assert.deepEqual(await server.terminate(), { code: 0, signal: null });
      assert.ok(performance.now() - begin < 3000);
    }));

  test('while it drains it is not ready, makes no table, and says so', () =>
    withServer(['--stop-timeout', '3s'], async (server) => {
      const { tableId, token } = await newTable(server, { size: 8 });
      const player = await Player.join(server, tableId, { token });
      const slow = await Player.join(server, tableId);
      // Connections that are there when the stop begins; and one that keeps it from ending at once.
      const lobby = lobbyOf(server);
      const grpcHealth = createClient(Health, createGrpcTransport({ baseUrl: server.grpc }));
      await grpcHealth.check({});
      slow.stream.pause();
      await player.playMoves(500);
      const exit = server.terminate();
      await player.stream.goodbye();
      const readiness = await server.readiness();
      assert.ok([503, 0].includes(readiness), `${readiness}`);
      await assert.rejects(lobby.createTable({ game: '2048' }, bearer(token)));
      const health = await grpcHealth.check({}).catch(() => ({ status: Status.NOT_SERVING }));
      assert.equal(health.status, Status.NOT_SERVING);
      assert.equal((await exit).code, 0);
    }));

  test('ends the watches of the lobby', () =>
    withServer([], async (server) => {
      for (const transport of Object.keys(transports)) {
        const { owner } = await newTable(server);
        const watch = lobbyOf(server, transport)
          .watchTables({ filter: { playerId: owner.playerId } })
          [Symbol.asyncIterator]();
        await watch.next(); // the server knows of it
        const rejected = assert.rejects(watch.next(), /unavailable/i);
        assert.equal((await server.terminate()).code, 0);
        await rejected;
        await server.start();
      }
    }));

  test('twice is not worse than once', () =>
    withServer([], async (server) => {
      const { tableId } = await newTable(server);
      const stream = await Stream.open(server, tableId);
      await stream.expect('welcome');
      server.terminate();
      assert.deepEqual(await server.terminate(), { code: 0, signal: null });
    }));
});
