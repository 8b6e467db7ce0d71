// SIGTERM ends the server whatever clients do: silent, slow or stubborn ones of each protocol.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { ClientFrameSchema, Reason } from './gen/tesela/play/v1/play_pb.js';
import { makeCertificate } from './harness/certificates.mjs';
import { bearer, lobbyOf, newTable } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { opcode, RawSocket } from './harness/raw_socket.mjs';
import { Server } from './harness/server.mjs';
import { codecs } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

/** Far above the second that clients are given, and far below the time that a stop may take. */
const busyMachineMs = 8000;

const { encode, decode } = codecs['tesela.v1.proto'];
const hello = encode(
  create(ClientFrameSchema, { frame: { case: 'hello', value: { spectate: true } } }),
);

// The clients here take any certificate.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const folder = await mkdtemp(path.join(tmpdir(), 'tesela-stubborn-'));
after(() => rm(folder, { recursive: true, force: true }));
const { certificate, key } = await makeCertificate(folder, 'stubborn');
const certified = ['--tls-certificate-file', certificate, '--tls-key-file', key];

/** `clients` opens some, and returns a function that ends them. */
async function stops(t, over, clients) {
  const options = over === 'TLS' ? certified : [];
  const server = await Server.start('--stop-timeout', '60s', '--threads', '1', ...options);
  t.after(() => server.dispose());
  const end = await clients(server);
  const begin = performance.now();
  assert.deepEqual(await server.terminate(), { code: 0, signal: null });
  const ms = performance.now() - begin;
  t.diagnostic(`stopped in ${ms.toFixed(0)} ms`);
  assert.ok(ms < busyMachineMs, `${ms} ms`);
  assert.doesNotMatch(server.output, /did not end in time/);
  await end?.();
}

for (const over of ['TCP', 'TLS']) {
  describe(over, () => {
    test('a stream without Hello, and a connection without a request', (t) =>
      stops(t, over, async (server) => {
        const { tableId } = await newTable(server);
        for (const id of [tableId, '0000000000000']) await RawSocket.upgrade(server, id);
        await RawSocket.open(server);
      }));

    test('a stream that reads nothing, and one that answers no close', (t) =>
      stops(t, over, async (server) => {
        const { tableId, token } = await newTable(server, { size: 8 });
        const player = await Player.join(server, tableId, { token });
        const slow = await Player.join(server, tableId);
        slow.stream.pause();
        const stubborn = await RawSocket.upgrade(server, tableId);
        stubborn.frame(opcode.binary, hello);
        await player.playMoves(500);
        return async () => {
          for (;;) {
            const { code, payload } = await stubborn.nextFrame();
            if (code === opcode.close) return;
            const frame = decode(payload, true);
            if (frame.frame.case !== 'goodbye') continue;
            assert.equal(Reason[frame.frame.value.reason], 'SERVER_RESTART');
          }
        };
      }));

    test('a stream that comes back at once is refused with 503', (t) =>
      stops(t, over, async (server) => {
        const { tableId } = await newTable(server);
        // It keeps the server for the second in which the other comes back.
        await RawSocket.upgrade(server, tableId);
        const first = await RawSocket.upgrade(server, tableId);
        first.frame(opcode.binary, hello);
        await first.nextFrame();
        const comesBack = (async () => {
          while ((await first.nextFrame()).code !== opcode.close);
          return RawSocket.upgrade(server, tableId);
        })();
        return async () => {
          const again = await comesBack;
          assert.equal(again.status, 503);
          assert.equal(again.headers['retry-after'], '1');
          assert.match(again.body, /stops: come back/);
        };
      }));

    test('requests of HTTP that are never finished, and answers that nobody reads', (t) =>
      stops(t, over, async (server) => {
        const uploading = await RawSocket.open(server);
        uploading.bytes(
          'POST /tesela.lobby.v1.LobbyService/SignIn HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
            'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
        );
        const heading = await RawSocket.open(server);
        heading.bytes('GET / HTTP/1.1\r\nHost: 127');
        const { token, owner } = await newTable(server);
        const watch = lobbyOf(server, 'Connect with JSON')
          .watchTables({ filter: { playerId: owner.playerId } }, bearer(token))
          [Symbol.asyncIterator]();
        await watch.next();
        return () => assert.rejects(watch.next(), /unavailable/i);
      }));

    test('connections of gRPC that are idle, or keep a call open', (t) =>
      stops(t, over, async (server) => {
        const sessions = [http2.connect(server.grpc), http2.connect(server.grpc)];
        for (const session of sessions) session.on('error', () => {});
        await Promise.all(sessions.map((session) => once(session, 'remoteSettings')));
        const open = sessions[1].request({
          ':method': 'POST',
          ':path': '/tesela.lobby.v1.LobbyService/SignIn',
          'content-type': 'application/grpc',
          te: 'trailers',
        });
        open.on('error', () => {});
        open.write(Buffer.from([0, 0, 0]));
        const { token, owner } = await newTable(server);
        const watch = lobbyOf(server, 'gRPC')
          .watchTables({ filter: { playerId: owner.playerId } }, bearer(token))
          [Symbol.asyncIterator]();
        await watch.next();
        return async () => {
          await assert.rejects(watch.next(), /unavailable/i);
          await until(async () => sessions.every((session) => session.closed), 'the end of both');
        };
      }));
  });
}

test('TLS: a handshake that is not begun, or not finished, and a port that hears no TLS', (t) =>
  stops(t, 'TLS', async ({ httpPort, grpcPort }) => {
    // The begin of a record with a ClientHello; one of no record.
    for (const said of [[], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01], [0x47, 0x45]]) {
      for (const port of [httpPort, grpcPort]) {
        const socket = net.connect(port, '127.0.0.1').on('error', () => {});
        await once(socket, 'connect');
        socket.write(Buffer.from(said));
      }
    }
  }));
