// A provider of OpenID Connect that is hostile, or ill: what the server makes of its documents.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { AccountService } from './gen/tesela/account/v1/account_pb.js';
import { clientOf, lobbyOf } from './harness/lobby.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { freePort, run, Server, serverProgram } from './harness/server.mjs';

const browserSecret = randomBytes(32);
const beginAt = (server) => clientOf(AccountService, server).beginOidc({ browserSecret });
/** kOidcAgainAfter, and a little. */
const untilAskedAgain = () => new Promise((resolve) => setTimeout(resolve, 3100));

describe('a provider that cannot be trusted', () => {
  let server;
  let port;
  let provider;
  let asked = [];
  let answer;

  before(async () => {
    port = await freePort();
    provider = createServer((request, response) => {
      asked.push(`${request.headers.host}${request.url}`);
      answer(request, response);
    });
    await once(provider.listen(port), 'listening');
    const issuer = ['--oidc-issuer', `http://localhost:${port}/realm`];
    server = await Server.start(...issuer, '--oidc-client-id', 'tesela');
  });
  after(async () => {
    await server.dispose();
    provider.closeAllConnections();
    provider.close();
  });

  const documents = (changed = {}) => ({
    issuer: `http://localhost:${port}/realm`,
    authorization_endpoint: `http://localhost:${port}/authorize`,
    token_endpoint: `http://localhost:${port}/token`,
    jwks_uri: `http://localhost:${port}/keys`,
    ...changed,
  });
  const answerWith = (changed, keys = { keys: [] }) => {
    answer = (request, response) => {
      const document = request.url.startsWith('/realm/.well-known/');
      response.end(JSON.stringify(document ? documents(changed) : keys));
    };
  };
  async function assertAway(change) {
    change();
    asked = [];
    await assertRefused(
      beginAt(server),
      Code.Unavailable,
      /sign-in provider cannot be asked now/,
      /^UNAVAILABLE$/,
    );
    const once = asked.length;
    await assertRefused(beginAt(server), Code.Unavailable, /cannot be asked now/);
    assert.equal(asked.length, once); // it is not asked again so soon
    await untilAskedAgain();
  }

  test('nothing inside the network is asked, and no other documents believed', async () => {
    const inside = `http://127.0.0.1:${port}/secret`;
    await assertAway(() => answerWith({ jwks_uri: inside }));
    assert.ok(!asked.some((url) => url.includes('secret')));
    await assertAway(() => answerWith({ jwks_uri: 'https://10.0.0.1/keys' }));
    await assertAway(() => answerWith({ issuer: `http://localhost:${port}/other` }));
    await assertAway(() => answerWith({ authorization_endpoint: 'javascript:alert(1)' }));
    await assertAway(() => answerWith({ token_endpoint: 'http://id.example/token' }));
    await assertAway(() => answerWith({}, []));
    await assertAway(() => {
      answer = (request, response) => response.writeHead(302, { location: '/secret' }).end();
    });
    assert.deepEqual(asked, [`localhost:${port}/realm/.well-known/openid-configuration`]);
    await assertAway(() => {
      answer = (request, response) => response.end(`{"a":"${'x'.repeat(300_000)}"}`);
    });
  });

  test('one that never answers is given up, and keeps nobody else waiting', async () => {
    answer = () => {};
    const began = performance.now();
    const refused = assertRefused(beginAt(server), Code.Unavailable, /cannot be asked now/);
    await lobbyOf(server).signIn({ displayName: 'Ada' });
    assert.ok(performance.now() - began < 4000);
    await refused;
    assert.ok(performance.now() - began < 30_000);
    await untilAskedAgain();
    answerWith({});
    const { authorizationUrl, state } = await beginAt(server);
    const url = new URL(authorizationUrl);
    assert.equal(url.origin + url.pathname, `http://localhost:${port}/authorize`);
    const { nonce, code_challenge: challenge, ...others } = Object.fromEntries(url.searchParams);
    assert.match(nonce, /^[\w-]{43}$/);
    assert.match(challenge, /^[\w-]{43}$/);
    assert.deepEqual(others, {
      response_type: 'code',
      scope: 'openid',
      client_id: 'tesela',
      redirect_uri: `http://localhost:${server.httpPort}/account/oidc`,
      state,
      code_challenge_method: 'S256',
    });
  });

  test('a secret of another size is refused', () =>
    assertRefused(
      clientOf(AccountService, server).beginOidc({ browserSecret: randomBytes(31) }),
      Code.InvalidArgument,
      /32 random bytes/,
    ));
});

test('without a provider nobody signs in elsewhere, and no http is taken for one', async (t) => {
  const server = await Server.start();
  t.after(() => server.dispose());
  await assertRefused(beginAt(server), Code.NotFound, /set no provider/);
  const page = await fetch(server.http);
  assert.doesNotMatch(await page.text(), /sign-in-with/);
  const { code, stderr } = await run(serverProgram, [
    ...['--oidc-issuer', 'http://id.example', '--oidc-client-id', 'tesela'],
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /is not an issuer/);
});
