// The Connect protocol by hand: what `curl` and a browser's fetch see.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Server, repository, run } from './harness/server.mjs';

const lobby = '/tesela.lobby.v1.LobbyService/';
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
