// At the most talkative level the log holds no secret: no token of a player or of the operator, no
// device secret, no invite, no key of the server, whether they are used well or badly. Each secret
// is looked for in every usual spelling.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { bearer, lobbyOf, transports } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { RawSocket } from './harness/raw_socket.mjs';
import { Server, run, serverProgram } from './harness/server.mjs';
import { Stream, subProtocols } from './harness/stream.mjs';
import { tracesOf } from './harness/traces.mjs';

const service = '/tesela.lobby.v1.LobbyService';
const servers = {};
const deviceSecret = randomBytes(32);
let elsewhere; // a server whose tokens are none here

before(async () => {
  for (const format of ['text', 'json']) {
    servers[format] = await Server.start('--log-level', 'trace', '--log-format', format);
  }
  elsewhere = await Server.start();
});
after(async () => {
  await Promise.all([...Object.values(servers), elsewhere].map((server) => server.dispose()));
});

/** What proves a token, without which it is worth nothing. */
function proofOf(token) {
  return Buffer.from(token.split('.')[2], 'base64url');
}

/** A secret that is a text of its own: neither as it is, nor encoded once more. */
function assertTextAbsent(secret, log, what) {
  const bytes = Buffer.from(secret);
  for (const form of [secret, bytes.toString('hex'), bytes.toString('base64').slice(0, -3)]) {
    assert.ok(!log.includes(form), `${what} is in the log`);
  }
}

function assertBytesAbsent(secret, log, what) {
  assert.deepEqual(tracesOf(secret, Buffer.from(log)), [], `${what} is in the log`);
}

/** The keys in the data folder: { name: bytes }. */
async function keysOf(server) {
  const names = (await readdir(server.data)).filter((name) => name.endsWith('.key'));
  assert.ok(names.includes('token.key'));
  const read = async (name) => [name, await readFile(path.join(server.data, name))];
  return Object.fromEntries(await Promise.all(names.map(read)));
}

async function assertNoSecretIn(log, { tokens, texts, server }) {
  for (const token of tokens) assertBytesAbsent(proofOf(token), log, 'a token');
  assertBytesAbsent(deviceSecret, log, 'the device secret');
  for (const text of texts) assertTextAbsent(text, log, 'an invite or a token of operators');
  for (const [name, key] of Object.entries(await keysOf(server))) {
    if (key.length === 32) assertBytesAbsent(key, log, name);
    else assertTextAbsent(key.toString().trim(), log, name);
  }
}

/** A call that is refused, as it must be. */
async function refused(call) {
  await assert.rejects(call);
}

/** Everything that a token, a device secret and an invite are for, and what is refused. */
async function useTheLobby(server, transport, strangersToken) {
  const lobby = lobbyOf(server, transport);
  const { token } = await lobby.signIn({ displayName: 'Ada', deviceSecret });
  const guest = await lobby.signIn({ displayName: 'Bob' });
  const renewed = await lobby.renewToken({ deviceSecret }, bearer(token));
  await refused(lobby.renewToken({ deviceSecret: randomBytes(32) }, bearer(token)));
  await refused(lobby.renewToken({ deviceSecret }, bearer(guest.token)));
  await refused(lobby.signIn({ displayName: '\u202e', deviceSecret }));
  const request = { game: 'azul', options: { inviteOnly: true } };
  const { table } = await lobby.createTable(request, bearer(renewed.token));
  const { tableId, invite } = table;
  assert.equal(invite.length, 22);
  const join = (change, who) => lobby.joinTable({ tableId, invite, ...change }, bearer(who));
  await refused(join({ invite: `${invite.slice(0, -1)}_` }, guest.token));
  await refused(join({}, strangersToken));
  await refused(join({}, `${guest.token}x`));
  await refused(join({ seat: 1_000_000 }, guest.token));
  await join({}, guest.token);
  return { tableId, invite, tokens: [token, guest.token, renewed.token] };
}

/** Streams that a token or an invite opens, and frames that hold them where they do not belong. */
async function useTheStream(server, { tableId, invite, tokens }, protocol, strangersToken) {
  const [, token] = tokens;
  const player = await Player.join(server, tableId, { token, invite, protocol });
  const misplaced = { hello: { token, invite } };
  const isText = protocol === 'tesela.v1.json';
  for (const text of [
    JSON.stringify(misplaced),
    JSON.stringify({ say: { text: 1, [token]: invite } }),
    JSON.stringify({ [token]: invite }),
    `{"hello": "${token}`,
  ]) {
    player.stream.sendRaw(isText ? text : Buffer.from(text));
    while ((await player.stream.next()).kind !== 'refusal');
  }
  player.stream.sendRaw(isText ? token.repeat(100) : Buffer.from(token.repeat(100)));
  await player.stream.goodbye();
  for (const hello of [
    { token: strangersToken },
    { token: `${token}x` },
    { token: '', invite: `${invite.slice(0, -1)}_` },
  ]) {
    const stream = await Stream.open(server, tableId, { protocol, ...hello });
    await stream.goodbye();
  }
  const first = await Stream.connect(server, tableId, { protocol });
  first.sendRaw(isText ? token : Buffer.from(token));
  await first.goodbye();
}

/** Bytes that are sent to a port as they are, and all that comes back until it hangs up. */
async function exchange(port, bytes, { hangUp = false } = {}) {
  const socket = net.connect(port, '127.0.0.1');
  const pieces = [];
  socket.on('data', (piece) => pieces.push(piece));
  socket.on('error', () => {}); // a reset is one way of refusing
  socket.write(bytes);
  if (hangUp) socket.end();
  await new Promise((closed) => socket.once('close', closed)); // `once` would fail over a reset
  return Buffer.concat(pieces).toString('latin1');
}

/** Requests that hold secrets where they do not belong, and that break off. */
async function misuseHttp(server, { tableId, invite, tokens: [token] }) {
  const post = (target, body, ...headers) =>
    [
      `POST ${target} HTTP/1.1`,
      'Host: here',
      'Connection: close',
      `Authorization: Bearer ${token}`,
      ...headers,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');
  const json = 'Content-Type: application/json';
  const create = `${service}/CreateTable`;
  const stream = `/v1/tables/${tableId}/stream`;
  for (const request of [
    `GET ${stream}?token=${token}&invite=${invite} HTTP/1.1\r\nConnection: close\r\n\r\n`,
    `GET /${token} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`,
    `${token} / HTTP/1.1\r\nConnection: close\r\n\r\n`,
    post(`${service}/${token}`, '{}', json),
    post(create, '{}', `Content-Type: ${token}`),
    post(create, '{}', json, `Content-Encoding: ${token}`),
    post(create, '{}', json, `Connect-Protocol-Version: ${token}`),
    post(create, '{}', json, `Connect-Timeout-Ms: ${token}`),
    post(create, '{}', json, `Authorization: Bearer ${token}x`),
    post(create, JSON.stringify({ game: token }), json),
    post(create, JSON.stringify({ [token]: invite }), json),
    post(create, `{"game": ${token}`, json),
    post(create, JSON.stringify({ game: '2048', config: { '@type': token } }), json),
    post(create, token, json, `X: ${'x'.repeat(9000)}`),
    post(create, token.repeat(1000), json),
  ]) {
    assert.match(await exchange(server.httpPort, request), /^HTTP\/1\.1 [45]\d\d /, request);
  }
  const hangUp = { hangUp: true };
  await exchange(server.httpPort, post(create, token, json).slice(0, -10), hangUp);
  for (const bytes of [
    post(create, '{}', json),
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${token}`,
  ]) {
    await exchange(server.grpcPort, bytes, hangUp);
  }
  const upgrade = { headers: { authorization: `Bearer ${token}`, cookie: token } };
  (await RawSocket.upgrade(server, tableId, upgrade)).destroy();
}

/** The token of operators, as they use it, and as others would try. */
async function useTheAdminToken(server) {
  const { 'admin.key': key } = await keysOf(server);
  const tokens = [...(key ? [key.toString().trim()] : []), randomBytes(32).toString('base64url')];
  for (const token of tokens) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    for (const method of ['ListTables', token]) {
      const url = `${server.http}/tesela.admin.v1.AdminService/${method}`;
      await (await fetch(url, { method: 'POST', headers, body: '{}' })).text();
    }
  }
  return tokens;
}

for (const format of ['text', 'json']) {
  test(`the log holds no secret (${format})`, async () => {
    const server = servers[format];
    const { token: stranger } = await lobbyOf(elsewhere).signIn({ displayName: 'Eve' });
    const tokens = [stranger];
    const texts = await useTheAdminToken(server);
    for (const transport of Object.keys(transports)) {
      const used = await useTheLobby(server, transport, stranger);
      for (const protocol of subProtocols) await useTheStream(server, used, protocol, stranger);
      await misuseHttp(server, used);
      tokens.push(...used.tokens);
      texts.push(used.invite);
    }
    await server.terminate();
    await server.start(); // it reads its keys again
    const late = await Stream.open(server, 'none', { token: stranger });
    await late.goodbye();
    await server.terminate();
    assert.ok(server.output.length > 0);
    await assertNoSecretIn(server.output, { tokens, texts, server });
  });
}

test('a key that cannot be used is not shown', async () => {
  const { data } = elsewhere;
  const key = path.join(data, 'short.key');
  await writeFile(key, 'not32bytes', { mode: 0o600 });
  for (const option of ['--token-secret-file', '--daily-secret-file', '--issuer-key-file']) {
    const more = option === '--issuer-key-file' ? ['--issuer-name', 'https://id.example'] : [];
    const folder = path.join(data, option);
    const { code, stderr } = await run(serverProgram, [
      ...['--data', folder, '--http-port', '0', '--grpc-port', '0', option, key, ...more],
    ]);
    assert.notEqual(code, 0);
    assert.ok(stderr.includes(key));
    assertTextAbsent('not32bytes', stderr, option);
  }
});

test('no part of the password of a database is shown, however its URL is malformed', async () => {
  const password = 'hunter2';
  const file = path.join(elsewhere.data, 'database.url');
  const start = async (...options) => {
    const ports = ['--data', path.join(elsewhere.data, 'none'), '--http-port', '0'];
    return run(serverProgram, [...ports, '--grpc-port', '0', '--log-level', 'trace', ...options]);
  };
  const migrate = (url) =>
    run(serverProgram, ['migrate', '--from', elsewhere.data, '--to', url, ...keys]);
  const keys = ['--token-secret-file', '--daily-secret-file'].flatMap((option) => [
    option,
    path.join(elsewhere.data, 'token.key'),
  ]);
  const malformed = [
    `postgres://u:100%${password}@127.0.0.1:1/d`,
    `postgres://u:a/${password}@127.0.0.1:1/d`,
    `postgres://u:12/${password}@127.0.0.1:1/d`,
    `postgres://u:a@${password}@127.0.0.1:1/d`,
    `postgresql://u:a@${password}/b@127.0.0.1:1/d`,
    `postgres://u:${password}`,
    `postgres://u:${password}@[::1/d`,
    `postgres://u:${password}@[::1]:1:${password}/d`,
    `postgres://u:${password}@127.0.0.1:99999${password}/d`,
    `postgres://u@127.0.0.1:1/d?password=%${password}`,
    `postgres://u@127.0.0.1:1/d?password=a&${password}`,
    `postgres://u@127.0.0.1:1/d?password=a@${password}`,
  ];
  for (const url of malformed) {
    await writeFile(file, url);
    for (const refused of [
      await start('--database', url, ...keys),
      await start('--database', file, ...keys),
      await migrate(url),
    ]) {
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /Percent-encode the password/, url);
      assertTextAbsent(password, refused.stderr, url);
    }
  }
  const url = `postgres://u:${password}@127.0.0.1:1/d`;
  for (const options of [
    ['--database', `postgre://u:${password}@127.0.0.1:1/d`, ...keys],
    ['--databse', url, ...keys],
    [`--databse=${url}`, ...keys],
    [url, ...keys],
    ['--database', url, '--store-wait', '1ms', ...keys], // nobody listens there
  ]) {
    const refused = await start(...options);
    assert.notEqual(refused.code, 0);
    assertTextAbsent(password, refused.stderr, options.join(' '));
  }
});

test('a secret that is in a log would be found', () => {
  const token = `a.b.${randomBytes(32).toString('base64url')}`;
  const log = `2026-01-01T00:00:00Z debug authorization: Bearer ${token}\n`;
  assert.throws(() => assertBytesAbsent(proofOf(token), log, 'a token'), /is in the log/);
  assert.throws(() => assertTextAbsent('invite-1234', 'to invite-1234 it', 'it'), /is in the log/);
});
