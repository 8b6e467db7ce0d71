// HTTP, streams and gRPC under TLS, and a certificate that is replaced while people play.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { fingerprint, makeCertificate } from './harness/certificates.mjs';
import { clientOf, lobbyOf, newTable, signIn, transports } from './harness/lobby.mjs';
import { LobbyService } from './gen/tesela/lobby/v1/lobby_pb.js';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { clientProgram, freePort, run, Server, serverProgram } from './harness/server.mjs';
import { Stream, subProtocols } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

// The clients here take any certificate; which one it is, `presented` checks.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';

/** What the server at a port shows of itself; verified against `ca` if one is given. */
async function presented(port, options = {}) {
  const socket = tls.connect({ host: '127.0.0.1', port, ...options });
  await once(socket, 'secureConnect');
  const shown = {
    fingerprint: socket.getPeerCertificate().fingerprint256,
    authorized: socket.authorized,
    protocol: socket.getProtocol(),
    alpn: socket.alpnProtocol,
  };
  socket.destroy();
  return shown;
}

describe('a server with a certificate', () => {
  let folder, server, first, second, used;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tesela-tls-'));
    first = await makeCertificate(folder, 'first');
    second = await makeCertificate(folder, 'second');
    used = { certificate: path.join(folder, 'used.crt'), key: path.join(folder, 'used.key') };
    await install(first);
    server = await Server.start(
      ...['--tls-certificate-file', used.certificate, '--tls-key-file', used.key],
    );
  });
  after(async () => {
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function install({ certificate, key }) {
    await copyFile(certificate, used.certificate);
    await copyFile(key, used.key);
  }

  test('shows it on both ports, to who checks it', async () => {
    const ca = await readFile(first.certificate);
    const ports = [
      { port: server.httpPort, ALPNProtocols: ['h2', 'http/1.1'], speaks: 'http/1.1' },
      { port: server.grpcPort, ALPNProtocols: ['h2'], speaks: 'h2' },
    ];
    for (const { port, ALPNProtocols, speaks } of ports) {
      const shown = await presented(port, { ca, rejectUnauthorized: true, ALPNProtocols });
      assert.equal(shown.fingerprint, await fingerprint(first.certificate));
      assert.equal(shown.authorized, true);
      assert.equal(shown.protocol, 'TLSv1.3');
      assert.equal(shown.alpn, speaks);
    }
  });

  test('tells browsers to come by TLS alone', async () => {
    const page = await fetch(server.http);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('strict-transport-security'), /^max-age=\d{8}/);
  });

  for (const transport of Object.keys(transports)) {
    test(`is called by ${transport}`, async () => {
      const { table } = await newTable(server);
      const found = await lobbyOf(server, transport).getTable({ tableId: table.tableId });
      assert.equal(found.table.tableId, table.tableId);
    });
  }

  for (const subProtocol of subProtocols) {
    test(`a game is played by ${subProtocol}`, async () => {
      const { tableId, token } = await newTable(server);
      const player = await Player.join(server, tableId, { token, protocol: subProtocol });
      await player.playMoves(100);
      await player.stream.close();
    });
  }

  test('the terminal client plays by it, if it knows who made the certificate', async () => {
    const load = (env) =>
      run(
        clientProgram,
        ['load', '--server', server.http, '--tables', '3', '--duration', '1'],
        { env: { ...process.env, ...env } },
      );
    const trusting = await load({ SSL_CERT_FILE: first.certificate });
    assert.equal(trusting.code, 0, trusting.stderr);
    assert.match(trusting.stdout, /^moves\/s [1-9]\d* .* errors 0 /m);
    const wary = await load({});
    assert.notEqual(wary.code, 0);
    assert.match(wary.stderr, /certificate is not trusted \(self.signed certificate\)/);
  });

  test('a watch ends for the server too when its client has gone', async () => {
    const watches = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const hangUp = new AbortController();
        const watch = clientOf(LobbyService, server).watchTables({}, { signal: hangUp.signal });
        const first = await watch[Symbol.asyncIterator]().next();
        assert.equal(first.done, false);
        return hangUp;
      }),
    );
    const open = async () => counter(server, 'tesela_connections_open');
    assert.ok((await open()) >= 20);
    watches.forEach((hangUp) => hangUp.abort());
    await until(async () => (await open()) < 10);
  });

  test('what is not TLS is hung up on, and old TLS is refused', async () => {
    const plain = net.connect(server.httpPort, '127.0.0.1');
    plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const chunks = [];
    plain.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
    await once(plain, 'close');
    assert.ok(!Buffer.concat(chunks).includes('HTTP/1.1'));
    // Or the client's own library might refuse it first.
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    const code = 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION';
    await assert.rejects(presented(server.httpPort, old), { code });
  });

  /** The fingerprints that the two ports show. */
  const shownByBoth = () =>
    Promise.all(
      [server.httpPort, server.grpcPort].map(async (port) => {
        return (await presented(port, { ALPNProtocols: ['h2'] })).fingerprint;
      }),
    );

  /** For a while, both show this one. */
  async function assertStays(certificate) {
    const kept = await fingerprint(certificate);
    for (const end = Date.now() + 500; Date.now() < end; await sleep(100)) {
      assert.deepEqual(await shownByBoth(), [kept, kept]);
    }
  }

  test('files that are replaced are nothing before SIGHUP', async () => {
    await install(second);
    await assertStays(first.certificate);
    await rm(used.key);
    await assertStays(first.certificate);
    await install(first);
  });

  test('SIGHUP brings a new certificate; who plays goes on', async () => {
    const { tableId, token } = await newTable(server);
    const player = await Player.join(server, tableId, { token });
    await player.playMoves(5);
    await install(second);
    server.hangUp();
    const now = await fingerprint(second.certificate);
    await until(async () => (await shownByBoth()).every((shown) => shown === now));
    await player.playMoves(5);
    await player.stream.close();
    assert.equal((await signIn(server)).displayName, 'Ada');
    assert.match(server.output, /the certificate was read again/);
    const { validTo } = new X509Certificate(await readFile(second.certificate));
    const ends = await counter(server, 'tesela_certificate_ends_seconds');
    assert.equal(ends, Date.parse(validTo) / 1000);
  });

  test('a certificate that cannot be used changes nothing, and is said', async () => {
    for (const [what, spoil] of [
      ['certificate', () => writeFile(used.certificate, 'not a certificate\n')],
      ['key', () => copyFile(first.certificate, used.certificate)],
      ['key', () => rm(used.key)],
    ]) {
      await install(second);
      await spoil();
      const said = new RegExp(`the certificate stays as it was: the ${what} `, 'g');
      const before = server.output.match(said)?.length ?? 0;
      server.hangUp();
      await until(() => (server.output.match(said)?.length ?? 0) > before);
      await assertStays(second.certificate);
    }
    await install(first);
  });

  test('the port for operators is without TLS, and what they ask is nowhere else', async () => {
    const opsPort = await freePort();
    const other = await Server.start(
      ...['--tls-certificate-file', used.certificate, '--tls-key-file', used.key],
      ...['--ops-port', String(opsPort)],
    );
    try {
      const ops = `http://127.0.0.1:${opsPort}`;
      for (const page of ['/metrics', '/readyz', '/healthz']) {
        assert.equal((await fetch(`${ops}${page}`)).status, 200, page);
      }
      assert.equal((await fetch(`${other.http}/metrics`)).status, 404);
      assert.equal((await fetch(`${other.http}/readyz`)).status, 200);
      assert.equal((await fetch(`${ops}/`)).status, 404);
      await assert.rejects(
        Stream.connect({ ws: ops.replace('http', 'ws') }, '0'.repeat(32)),
        'there are no streams on it',
      );
    } finally {
      await other.dispose();
    }
  });

  test('a key of another certificate, or none, is refused at the start', async () => {
    const start = (...options) =>
      run(serverProgram, ['--data', path.join(folder, 'data'), '--http-port', '0', ...options]);
    const wrong = await start(
      ...['--tls-certificate-file', first.certificate, '--tls-key-file', second.key],
    );
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /cannot serve: the key \S+second\.key cannot be used: .*mismatch/);
    const none = await start('--tls-certificate-file', first.certificate);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /--tls-certificate-file and --tls-key-file belong together/);
  });
});

test('without a certificate SIGHUP is nothing to die of', async () => {
  const server = await Server.start();
  try {
    server.hangUp();
    await until(() => server.output.includes('there is nothing to read again'));
    assert.equal(await server.readiness(), 200);
  } finally {
    await server.dispose();
  }
});
