// Sessions: where a player is signed in, and that what is ended is refused, at every server.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { AccountService } from './gen/tesela/account/v1/account_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { databases, serverOn } from './harness/databases.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { startNode } from './harness/node.mjs';
import { come } from './harness/outside_bots.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { assertRefused, assertSentence } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';

const accountOf = (server, transport) => clientOf(AccountService, server, transport);
const deviceSecret = randomBytes(16);
const signedOut = /signed out/;

/** A guest on a named device, whose token can be renewed. */
const signInOn = (server, device, displayName = 'Ada') =>
  lobbyOf(server).signIn({ displayName, device, deviceSecret });

/** Whether a token is refused because its session has ended. */
const assertEnded = (server, token) =>
  assertRefused(
    accountOf(server).getAccount({}, bearer(token)),
    Code.Unauthenticated,
    signedOut,
    /^SESSION_ENDED$/,
  );

/** A token as versions without sessions made it. */
async function withoutSession(server, token) {
  const [header, payload] = token.split('.');
  const { sid, ...claims } = JSON.parse(Buffer.from(payload, 'base64url'));
  assert.ok(sid);
  const part = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const key = await readFile(path.join(server.data, 'token.key'));
  return `${part}.${createHmac('sha256', key).update(part).digest('base64url')}`;
}

/** A list of tables that is watched with a token: `first` is there, and `ended` is its error. */
function watch(server, token) {
  const stream = lobbyOf(server).watchTables({ filter: {} }, bearer(token));
  const messages = stream[Symbol.asyncIterator]();
  const first = messages.next();
  const ended = (async () => {
    await first;
    for (;;) if ((await messages.next()).done) return undefined;
  })().catch((error) => error);
  return { first, ended };
}

async function assertStreamEnds(player) {
  const goodbye = await player.stream.goodbye();
  assert.equal(Reason[goodbye.reason], 'UNAUTHENTICATED');
  assert.equal(goodbye.reconnect, false);
  assertSentence(goodbye.message, signedOut);
}

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let server;
    serverOn(start, (started) => (server = started));

    test('an account shows where it is signed in', async () => {
      const ada = await signInOn(server, '  Firefox on Linux ');
      for (const transport of ['gRPC', 'Connect with JSON']) {
        const account = await accountOf(server, transport).getAccount({}, bearer(ada.token));
        assert.equal(account.playerId, ada.playerId);
        assert.equal(account.displayName, 'Ada');
        assert.equal(account.member, false);
        assert.deepEqual(account.credentials, []);
        const [{ device, current, createdAt, seenAt }, ...others] = account.sessions;
        assert.deepEqual([device, current, others], ['Firefox on Linux', true, []]);
        assert.ok(Math.abs(Number(createdAt.seconds) - Date.now() / 1000) < 60);
        assert.deepEqual(seenAt, createdAt);
      }
      await assertRefused(accountOf(server).getAccount({}), Code.Unauthenticated, /sign in/);
      await assertRefused(signInOn(server, 'x'.repeat(65)), Code.InvalidArgument, /device/);
    });

    test('who signs out is refused everywhere at once, also after a kill', async () => {
      const { tableId, token: watcher } = await newTable(server);
      const ada = await signInOn(server, 'Phone');
      const seat = await Player.join(server, tableId, { token: ada.token });
      const list = watch(server, ada.token);
      const others = watch(server, watcher);
      await list.first;
      await others.first;
      const { ended } = await accountOf(server).endSession(
        { which: { case: 'current', value: true } },
        bearer(ada.token),
      );
      assert.equal(ended, 1);
      await assertEnded(server, ada.token);
      await assertStreamEnds(seat);
      await assertRefused(Promise.reject(await list.ended), Code.Unauthenticated, signedOut);
      await assertRefused(watch(server, ada.token).first, Code.Unauthenticated, signedOut);
      const renewal = lobbyOf(server).renewToken({ deviceSecret }, bearer(ada.token));
      await assertRefused(renewal, Code.Unauthenticated, signedOut, /^SESSION_ENDED$/);
      assert.equal(await Promise.race([others.ended, 'goes on']), 'goes on');
      await server.kill();
      await server.start();
      await assertEnded(server, ada.token);
      await accountOf(server).getAccount({}, bearer(watcher));
    });

    test('a remote bot ends with the session of its player', async (t) => {
      const ada = await signInOn(server, 'Bot');
      const bot = come(t, server, ada.token, `of-${name.toLowerCase()}`, () => undefined);
      assert.ok(await bot.accepted);
      const which = { case: 'current', value: true };
      await accountOf(server).endSession({ which }, bearer(ada.token));
      assert.equal(await bot.ended, Code.Unauthenticated);
    });

    test('nobody ends the session of somebody else', async () => {
      const [ada, bob] = [await signInOn(server, 'A'), await signInOn(server, 'B', 'Bob')];
      const { sessions } = await accountOf(server).getAccount({}, bearer(ada.token));
      const end = (which, token = bob.token) =>
        accountOf(server).endSession({ which }, bearer(token));
      const theirs = await end({ case: 'sessionId', value: sessions[0].sessionId });
      assert.equal(theirs.ended, 0);
      assert.equal((await end({ case: 'allOthers', value: true })).ended, 0);
      await accountOf(server).getAccount({}, bearer(ada.token));
      const nonsense = end({ case: 'sessionId', value: 'x' });
      await assertRefused(nonsense, Code.InvalidArgument, /session_id/);
      await assertRefused(end({ case: undefined }), Code.InvalidArgument, /which sessions/);
    });
  });
}

test('a token from before sessions is accepted, and gets one with its renewal', async (t) => {
  const server = await Server.start();
  t.after(() => server.dispose());
  const ada = await signInOn(server, 'Phone');
  const old = await withoutSession(server, ada.token);
  const before = await accountOf(server).getAccount({}, bearer(old));
  assert.deepEqual(
    before.sessions.map(({ current }) => current),
    [false],
  );
  const signOut = (token) =>
    accountOf(server).endSession({ which: { case: 'current', value: true } }, bearer(token));
  await assertRefused(signOut(old), Code.PermissionDenied, /renew it/);
  const { token } = await lobbyOf(server).renewToken({ deviceSecret }, bearer(old));
  assert.equal((await accountOf(server).getAccount({}, bearer(token))).sessions.length, 2);
  await signOut(token);
  await assertEnded(server, token);
  await accountOf(server).getAccount({}, bearer(ada.token));
});

describe('with three servers', () => {
  let postgres;
  const servers = [];
  before(async () => {
    postgres = await Postgres.start();
    for (let n = 0; n < 3; ++n) servers.push(await startNode(postgres));
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.dispose()));
    await postgres.dispose();
  });

  test('an ended session is refused within a second at each, streams included', async () => {
    for (let round = 0; round < 5; ++round) {
      const ada = await signInOn(servers[0], 'Phone');
      const seats = [];
      const lists = [];
      for (const server of servers) {
        // The table of each server, so that no stream is relayed, and one that is.
        const { tableId } = await newTable(server);
        seats.push(await Player.join(server, tableId, { token: ada.token }));
        lists.push(watch(server, ada.token));
        await lists.at(-1).first;
      }
      const { tableId } = await newTable(servers[1]);
      seats.push(await Player.join(servers[2], tableId, { token: ada.token }));
      const asked = Date.now();
      await accountOf(servers[round % 3]).endSession(
        { which: { case: 'current', value: true } },
        bearer(ada.token),
      );
      await assertEnded(servers[round % 3], ada.token);
      const acknowledged = Date.now();
      await Promise.all([
        ...seats.map(assertStreamEnds),
        ...lists.map(async ({ ended }) =>
          assertRefused(Promise.reject(await ended), Code.Unauthenticated, signedOut),
        ),
      ]);
      const late = Date.now() - acknowledged;
      for (const server of servers) await assertEnded(server, ada.token);
      assert.ok(late < 1000, `${late} ms after the answer, ${Date.now() - asked} in all`);
    }
  });

  test('a server that starts later knows of it', async () => {
    const ada = await signIn(servers[0]);
    await accountOf(servers[1]).endSession(
      { which: { case: 'current', value: true } },
      bearer(ada.token),
    );
    const late = await startNode(postgres);
    await assertEnded(late, ada.token);
    await late.dispose();
  });
});
