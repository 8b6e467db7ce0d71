// The Connect protocol by hand: what `curl` and a browser's fetch see.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Code, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { LobbyService } from './gen/tesela/lobby/v1/lobby_pb.js';
import { Server, repository, run } from './harness/server.mjs';

const lobby = '/tesela.lobby.v1.LobbyService/';
const buf = path.join(import.meta.dirname, 'node_modules/.bin/buf');
let server;
before(async () => (server = await Server.start()));
after(() => server.dispose());

function post(method, body, headers = {}) {
  return fetch(`${server.http}${lobby}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

test('a call in JSON is answered in JSON', async () => {
  const response = await post(
    'SignIn',
    { displayName: 'Ada' },
    { 'connect-protocol-version': '1' },
  );
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type'), /^application\/json/);
  const body = await response.json();
  assert.equal(body.displayName, 'Ada');
  assert.match(body.expiresAt, /^\d{4}-\d\d-\d\dT/);
});

test('a service that is none is not found', async () => {
  const response = await fetch(`${server.http}/tesela.lobby.v1.LobySevice/SignIn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(response.status, 404);
  assert.equal((await response.json()).code, 'unimplemented');
});

test('gRPC-Web is answered on the same port', async () => {
  const client = createClient(
    LobbyService,
    createGrpcWebTransport({ baseUrl: server.http, httpVersion: '1.1' }),
  );
  const { token } = await client.signIn({ displayName: 'Zoë' }, { timeoutMs: 60_000 });
  const headers = { authorization: `Bearer ${token}` };
  const { table } = await client.createTable({ game: '2048' }, { headers });
  await assert.rejects(client.getTable({ tableId: '0000000000001' }), (error) => {
    assert.equal(error.code, Code.NotFound);
    assert.match(error.rawMessage, /no such table/);
    return error.details.some(({ type }) => type === 'google.rpc.ErrorInfo');
  });
  for await (const { table: seen } of client.watchTables({ filter: { game: '2048' } })) {
    assert.equal(seen.tableId, table.tableId);
    break;
  }
});

test('buf curl speaks each protocol', async () => {
  const method = `${lobby}ListStrategies`;
  for (const [base, protocol, ...more] of [
    [server.http, 'connect'],
    [server.http, 'grpcweb'],
    [server.grpc, 'grpc', '--http2-prior-knowledge'],
  ]) {
    const args = ['curl', '--schema', path.join(repository, 'proto'), '--protocol', protocol];
    args.push(...more, '--data', '{"game":"azul"}', base + method);
    const { code, stdout, stderr } = await run(buf, args);
    assert.equal(code, 0, `${protocol}: ${stderr}`);
    assert.ok(JSON.parse(stdout).strategies.length > 3);
  }
});
