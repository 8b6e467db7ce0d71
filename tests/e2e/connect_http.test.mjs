// The Connect protocol by hand: what `curl` and a browser's fetch see.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Code, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
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

/** A call by GET. */
const get = (method, query, headers = {}) =>
  fetch(`${server.http}${lobby}${method}?${new URLSearchParams(query)}`, { headers });

test('what has no side effects can be asked by GET, and is not sent again', async () => {
  const plain = await (await post('ListStrategies', { game: 'azul' })).text();
  const message = '{"game":"azul"}';
  const base64 = Buffer.from(message).toString('base64url');
  for (const query of [
    { encoding: 'json', message },
    { encoding: 'json', message: base64, base64: '1', connect: 'v1' },
    { encoding: 'json', message: gzipSync(message).toString('base64url'), base64: '1',
      compression: 'gzip' },
  ]) {
    const first = await get('ListStrategies', query);
    assert.equal(await first.text(), plain);
    const again = { 'if-none-match': `"other", W/${first.headers.get('etag')}` };
    const second = await get('ListStrategies', query, again);
    assert.equal(second.status, 304);
    assert.equal(await second.text(), '');
    assert.equal(second.headers.get('content-length'), null);
  }
  const changed = await get('ListTables', { encoding: 'json', message: '{}' }, {
    'if-none-match': '"other"',
  });
  assert.equal(changed.status, 200);

  const client = createClient(
    LobbyService,
    createConnectTransport({ baseUrl: server.http, httpVersion: '1.1', useHttpGet: true }),
  );
  assert.ok((await client.listStrategies({ game: 'azul' })).strategies.length > 3);
  await assert.rejects(client.getTable({ tableId: '0000000000001' }), { code: Code.NotFound });

  for (const query of [
    {},
    { encoding: 'json' },
    { encoding: 'xml', message: '{}' },
    { encoding: 'json', message: 'a', base64: '1' },
    { encoding: 'json', message: '{}', connect: 'v2' },
    { encoding: 'json', message: '{}', compression: 'zip' },
  ]) {
    const refused = await get('ListStrategies', query);
    assert.ok(refused.status === 400 || refused.status === 501, `${refused.status}`);
    assert.match((await refused.json()).message, /^The (query|encoding)/);
  }
  const cut = await fetch(`${server.http}${lobby}ListTables?encoding=json&message=%7`);
  assert.equal(cut.status, 400);
  assert.match((await cut.json()).message, /hexadecimal/);
  for (const method of ['SignIn', 'WatchTables']) {
    const refused = await get(method, { encoding: 'json', message: '{}' });
    assert.equal(refused.status, 405);
    assert.equal(refused.headers.get('allow'), 'POST, OPTIONS');
  }
});

test('a refusal says in JSON what its details are', async () => {
  const response = await post('GetTable', { tableId: '0000000000001' });
  const { details } = await response.json();
  assert.deepEqual(details[0].debug, { reason: 'NOT_FOUND', domain: 'tesela' });
  assert.match(details[1].debug.requestId, /^[0-9a-z]{13}$/);
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
