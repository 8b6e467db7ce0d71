// The Connect protocol by hand: what `curl` and a browser's fetch see, errors included.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { signIn } from './harness/lobby.mjs';
import { Server, repository, run } from './harness/server.mjs';

const lobby = '/tesela.lobby.v1.LobbyService/';
let server;
before(async () => (server = await Server.start()));
after(() => server.dispose());

function post(method, body, headers = {}) {
  return fetch(`${server.http}${lobby}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'object' && !(body instanceof Uint8Array) ? JSON.stringify(body) : body,
  });
}

async function assertError(response, status, code) {
  assert.equal(response.status, status);
  assert.match(response.headers.get('content-type'), /^application\/json/);
  const error = await response.json();
  assert.equal(error.code, code);
  assert.equal(typeof error.message, 'string');
  assert.notEqual(error.message, '');
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

test('the line of the README makes a table', async () => {
  const readme = await readFile(path.join(repository, 'README.md'), 'utf8');
  const [, block] = readme.match(
    /```sh\n((?:(?!```)[^])*?LobbyService\/CreateTable(?:(?!```)[^])*?)```/,
  );
  const script = block.replaceAll('http://localhost:8080', server.http);
  assert.ok(script.includes(server.http));
  const { code, stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', script]);
  assert.equal(code, 0, stderr);
  const { table } = JSON.parse(stdout);
  assert.match(table.tableId, /^[0-9a-z]{13}$/);
  const got = await post('GetTable', { tableId: table.tableId });
  assert.deepEqual((await got.json()).table, table);
});

test('a refusal has the status and the name that Connect gives its code', async () => {
  await assertError(await post('SignIn', { displayName: '' }), 400, 'invalid_argument');
  await assertError(await post('CreateTable', { game: '2048' }), 401, 'unauthenticated');
  await assertError(await post('GetTable', { tableId: '0123456789abc' }), 404, 'not_found');
  await assertError(await post('NoSuchMethod', {}), 404, 'unimplemented');
});

test('broken requests are refused, and say so', async () => {
  await assertError(await post('SignIn', '{"displayName":'), 400, 'invalid_argument');
  await assertError(await post('SignIn', '{"displayName": 7}'), 400, 'invalid_argument');
  await assertError(
    await post('SignIn', Uint8Array.of(0xff, 0xff), { 'content-type': 'application/proto' }),
    400,
    'invalid_argument',
  );
  await assertError(
    await post('SignIn', { displayName: 'x' }, { 'content-encoding': 'zstd' }),
    501,
    'unimplemented',
  );
});

test('a type that is not spoken is 415, and a GET is 405', async () => {
  const xml = await post('SignIn', '<name/>', { 'content-type': 'text/xml' });
  assert.equal(xml.status, 415);
  const get = await fetch(`${server.http}${lobby}SignIn`);
  assert.equal(get.status, 405);
});

test('a body over the limit is refused without being read to its end', async () => {
  await assertError(
    await post('SignIn', { displayName: 'x'.repeat(70_000) }),
    413,
    'resource_exhausted',
  );
});

test('a field that does not exist is a mistake, and is named', async () => {
  const response = await post('SignIn', { displayName: 'Ada', favouriteTile: 2048 });
  assert.match((await response.clone().json()).message, /favouriteTile/);
  await assertError(response, 400, 'invalid_argument');
});

test('an expired deadline is answered as one', async () => {
  await assertError(
    await post('SignIn', { displayName: 'Ada' }, { 'connect-timeout-ms': '0' }),
    504,
    'deadline_exceeded',
  );
});

test('a stream is enveloped messages and ends with its outcome', async () => {
  const { token, playerId } = await signIn(server);
  await post('CreateTable', { game: '2048' }, { authorization: `Bearer ${token}` });
  const request = JSON.stringify({ filter: { playerId } });
  const envelope = new Uint8Array(5 + request.length);
  new DataView(envelope.buffer).setUint32(1, request.length);
  envelope.set(new TextEncoder().encode(request), 5);
  const response = await post('WatchTables', envelope, {
    'content-type': 'application/connect+json',
    'connect-timeout-ms': '1500',
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/connect+json');
  const bytes = new Uint8Array(await response.arrayBuffer());
  const messages = [];
  for (let at = 0; at < bytes.length; ) {
    const size = new DataView(bytes.buffer).getUint32(at + 1);
    const text = new TextDecoder().decode(bytes.subarray(at + 5, at + 5 + size));
    messages.push({ flags: bytes[at], message: JSON.parse(text) });
    at += 5 + size;
  }
  assert.deepEqual(
    messages.map(({ flags }) => flags),
    [0, 2],
  );
  assert.equal(messages[0].message.table.seats[0].playerId, playerId);
  assert.equal(messages[1].message.error.code, 'deadline_exceeded');
});
