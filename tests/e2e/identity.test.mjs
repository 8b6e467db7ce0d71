// Who may come in, and to where: tokens, tables, origins, sub-protocols.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { MatchmakingService } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { Bystander } from './harness/bystander.mjs';
import { bearer, lobbyOf, newTable, signIn, transports, unknownId } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { RawSocket } from './harness/raw_socket.mjs';
import { Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';

const allowedOrigin = 'https://games.example';
let server;
let bystander;
before(async () => {
  server = await Server.start('--allowed-origins', allowedOrigin);
  bystander = await Bystander.at(server);
});
afterEach(() => bystander.assertServed());
after(async () => {
  await bystander.close();
  await server.dispose();
});

async function assertTurnedAway(from, tableId, hello, reason) {
  const stream = await Stream.open(from, tableId, hello);
  const goodbye = await stream.goodbye();
  assert.deepEqual(
    stream.received.map((frame) => frame.kind),
    ['goodbye'],
  );
  assert.equal(Reason[goodbye.reason], Reason[reason]);
  assert.equal(goodbye.reconnect, false);
  assert.equal(goodbye.close.code, 1008);
  assert.match(goodbye.message, /^[A-Z].*\.$/);
}

async function assertNotBelieved(from, token) {
  await assert.rejects(lobbyOf(from).createTable({ game: '2048' }, bearer(token)), (error) => {
    assert.equal(ConnectError.from(error).code, Code.Unauthenticated);
    return true;
  });
}

function encode(part) {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** A token of an operator's issuer, as Node's own cryptography makes it. */
function signed(privateKey, claims) {
  const rsa = privateKey.asymmetricKeyType === 'rsa';
  const part = `${encode({ alg: rsa ? 'RS256' : 'EdDSA', kid: '1' })}.${encode(claims)}`;
  const signature = sign(rsa ? 'sha256' : null, Buffer.from(part), privateKey);
  return `${part}.${signature.toString('base64url')}`;
}

test('a token that this server did not sign is turned away everywhere', async () => {
  const { tableId, token } = await newTable(server);
  const [header, payload, signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url'));
  const changed = (fields) => `${header}.${encode({ ...claims, ...fields })}.${signature}`;
  const elsewhere = await Server.start();
  const stranger = await signIn(elsewhere);
  const forgeries = {
    'no token at all': 'token',
    'a signature cut short': token.slice(0, -4),
    'another signature': `${header}.${payload}.${signature.split('').reverse().join('')}`,
    'no signature': `${header}.${payload}.`,
    'another player inside': changed({ sub: stranger.playerId }),
    'a longer life inside': changed({ exp: claims.exp + 1 }),
    'no algorithm': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'the key of another server': stranger.token,
    'a megabyte of points': '.'.repeat(3000),
  };
  try {
    for (const [what, forged] of Object.entries(forgeries)) {
      await assert.doesNotReject(
        assertTurnedAway(server, tableId, { token: forged }, Reason.UNAUTHENTICATED),
        what,
      );
      await assertNotBelieved(server, forged);
    }
  } finally {
    await elsewhere.dispose();
  }
});

test('a token is accepted until it expires, and not after', async () => {
  const shortly = await Server.start('--token-ttl', '5s');
  try {
    const { tableId, token } = await newTable(shortly);
    const player = await Player.join(shortly, tableId, { token });
    await sleep(6100);
    await assertTurnedAway(shortly, tableId, { token }, Reason.UNAUTHENTICATED);
    await assertNotBelieved(shortly, token);
    await player.play(); // who came in time stays
    await player.stream.close();
  } finally {
    await shortly.dispose();
  }
});

test('a token is renewed on its device, and outlives what it was', async () => {
  const shortly = await Server.start('--token-ttl', '6s');
  try {
    const deviceSecret = randomBytes(32);
    const ana = await lobbyOf(shortly).signIn({ displayName: 'Ana', deviceSecret });
    const { tableId } = await newTable(shortly, {}, ana);
    const renew = (token, secret) =>
      lobbyOf(shortly).renewToken({ deviceSecret: secret }, bearer(token));
    await sleep(3000);
    const fresh = await renew(ana.token, deviceSecret);
    await assert.rejects(renew(ana.token, randomBytes(32)), (error) => {
      assert.equal(ConnectError.from(error).code, Code.PermissionDenied);
      assert.match(ConnectError.from(error).rawMessage, /not the one/);
      return true;
    });
    await sleep(Number(ana.expiresAt.seconds) * 1000 - Date.now() + 100);
    await assertNotBelieved(shortly, ana.token);
    const player = await Player.join(shortly, tableId, { token: fresh.token });
    assert.equal(player.seat, 0);
    await player.stream.close();
  } finally {
    await shortly.dispose();
  }
});

/** The table that matchmaking gives to a player at once, with bots: { table, seat }. */
async function foundWithBots(on, token) {
  const matchmaking = createClient(MatchmakingService, transports['Connect with protobuf'](on));
  const request = { game: 'azul', bots: { after: { seconds: 0n }, level: 1 } };
  for await (const { update } of matchmaking.find(request, bearer(token))) {
    if (update.case === 'matched') return update.value;
  }
  return assert.fail('the search ended without a match');
}

for (const [kind, options] of [
  ['rsa', { modulusLength: 2048 }],
  ['ed25519', {}],
]) {
  test(`the tokens of an issuer with a key of ${kind} are accepted everywhere`, async () => {
    const { publicKey, privateKey } = generateKeyPairSync(kind, options);
    const folder = await mkdtemp(path.join(tmpdir(), 'tesela-issuer-'));
    const file = path.join(folder, 'issuer.pem');
    await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }));
    const issuer = 'https://id.example';
    const whose = ['--issuer-key-file', file, '--issuer-name', issuer];
    const own = await Server.start(...whose, '--issuer-audience', 'tesela');
    const claims = {
      iss: issuer,
      aud: ['tesela'],
      sub: 'user-1',
      name: 'Ana',
      exp: Math.floor(Date.now() / 1000) + 60,
    };
    try {
      const token = signed(privateKey, claims);
      const { table, tableId } = await newTable(own, {}, { token });
      assert.equal(table.seats[0].displayName, 'Ana');
      const player = await Player.join(own, tableId, { token });
      assert.equal(player.seat, 0);
      await player.play();
      await player.stream.close();
      const again = await newTable(own, {}, { token: signed(privateKey, claims) });
      assert.equal(again.table.ownerId, table.ownerId);
      const bob = await newTable(own, {}, { token: signed(privateKey, { ...claims, sub: '2' }) });
      assert.notEqual(bob.table.ownerId, table.ownerId);
      const stranger = signed(privateKey, { ...claims, sub: '3', name: 'Cem' });
      const { table: found, seat } = await foundWithBots(own, stranger);
      assert.equal(found.seats[seat].displayName, 'Cem');
      for (const wrong of [
        signed(generateKeyPairSync(kind, { modulusLength: 2048 }).privateKey, claims),
        signed(privateKey, { ...claims, iss: 'https://other.example' }),
        signed(privateKey, { ...claims, aud: 'chess' }),
        signed(privateKey, { ...claims, exp: claims.exp - 3600 }),
        `${encode({ alg: 'none' })}.${encode(claims)}.`,
      ]) {
        await assertNotBelieved(own, wrong);
        await assertTurnedAway(own, tableId, { token: wrong }, Reason.UNAUTHENTICATED);
      }
      await newTable(own); // guests come as before
    } finally {
      await own.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

test('a token outlives the server', async () => {
  const own = await Server.start();
  try {
    const { tableId, token } = await newTable(own);
    await own.kill();
    await own.start();
    const player = await Player.join(own, tableId, { token });
    assert.equal(player.seat, 0);
    await player.stream.close();
  } finally {
    await own.dispose();
  }
});

test('a table that does not exist is not found, whatever its id looks like', async () => {
  const { tableId, token } = await newTable(server);
  const other = unknownId(tableId);
  for (const id of [
    other,
    'x',
    '%00',
    '0000000000000',
    `${tableId}0`,
    'zzzzzzzzzzzzz',
    '..%2f..',
  ]) {
    await assertTurnedAway(server, id, { token }, Reason.TABLE_NOT_FOUND);
  }
});

test('a stream without a sub-protocol that is spoken is refused before it begins', async () => {
  const { tableId } = await newTable(server);
  for (const protocol of ['', 'graphql-ws', 'tesela.v2.proto']) {
    const raw = await RawSocket.upgrade(server, tableId, { protocol });
    assert.equal(raw.status, 400);
    assert.match(raw.body, /tesela\.v1\.proto/);
    await raw.closed;
  }
  const several = await RawSocket.upgrade(server, tableId, { protocol: 'x, tesela.v1.json' });
  assert.equal(several.status, 101);
  assert.equal(several.headers['sec-websocket-protocol'], 'tesela.v1.json');
  several.destroy();
});

test('a plain GET of the stream is told to upgrade', async () => {
  const { tableId } = await newTable(server);
  const response = await fetch(`${server.http}/v1/tables/${tableId}/stream`);
  assert.equal(response.status, 426);
  assert.match(response.headers.get('upgrade') ?? '', /websocket/i);
});

test('an upgrade of another path is not a stream', async () => {
  const { tableId } = await newTable(server);
  for (const path of ['/', '/metrics', `/v1/tables/${tableId}`, `/v1/tables/${tableId}/stream/x`]) {
    const raw = await RawSocket.upgrade(server, tableId, { path });
    assert.notEqual(raw.status, 101, path);
    raw.destroy();
  }
});

test('a web page of somebody else cannot open a stream or call the lobby', async () => {
  const { tableId } = await newTable(server);
  const origins = {
    'https://evil.example': 403,
    null: 403,
    [`http://127.0.0.1:${server.httpPort + 1}`]: 403,
    [`http://127.0.0.1:${server.httpPort}`]: 101,
    [allowedOrigin]: 101,
  };
  for (const [origin, status] of Object.entries(origins)) {
    const raw = await RawSocket.upgrade(server, tableId, { headers: { Origin: origin } });
    assert.equal(raw.status, status, origin);
    raw.destroy();
  }
  const preflight = (origin) =>
    fetch(`${server.http}/tesela.lobby.v1.LobbyService/SignIn`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,connect-protocol-version',
      },
    });
  const allowed = await preflight(allowedOrigin);
  assert.equal(allowed.headers.get('access-control-allow-origin'), allowedOrigin);
  const refused = await preflight('https://evil.example');
  assert.equal(refused.headers.get('access-control-allow-origin'), null);
});
