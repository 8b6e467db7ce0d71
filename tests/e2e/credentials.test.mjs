// How a player comes back to an account: by the recovery code, and by passkeys.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import {
  AccountService,
  CredentialKind,
  PasskeyPurpose,
} from './gen/tesela/account/v1/account_pb.js';
import { AccountKind } from './gen/tesela/admin/v1/admin_pb.js';
import { ownAdminOf } from './harness/admin.mjs';
import { Passkey } from './harness/accounts/authenticator.mjs';
import { databases, serverOn } from './harness/databases.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { run, Server, serverProgram } from './harness/server.mjs';

const { AlreadyExists, FailedPrecondition, InvalidArgument, NotFound } = Code;
const { PermissionDenied, ResourceExhausted, Unauthenticated } = Code;

const accountOf = (server) => clientOf(AccountService, server);
const look = (server, { token }) => accountOf(server).getAccount({}, bearer(token));
const makeCode = (server, { token }) => accountOf(server).makeRecoveryCode({}, bearer(token));
const signInByCode = async (server, code, more = {}) =>
  (await accountOf(server).signInWithCode({ code, ...more })).signedIn;
/** Signs in until that is refused: while a slow machine tries, one more is allowed every minute. */
const signInOn = async (server, code) => {
  for (let n = 0; n < 60; ++n) await signInByCode(server, code);
};
const nobodyHasIt = /Nobody has this recovery code/;

/** Another code with the same locator, the first three words. */
const otherWord = (word) => (word === 'babab' ? 'babad' : 'babab');
const otherSecret = (code) => code.replace(/\w+$/, otherWord);
const otherLocator = (code) => code.replace(/^\w+/, otherWord);

async function begin(server, purpose, ada) {
  return accountOf(server).beginPasskey({ purpose }, ada && bearer(ada.token));
}
const add = (server, ada, made, name = 'Laptop') =>
  accountOf(server).addPasskey({ ...made, name }, bearer(ada.token));

/** A passkey of the player, on the server's page. */
async function register(server, ada, name, algorithm) {
  const passkey = new Passkey(`http://localhost:${server.httpPort}`, algorithm);
  const made = passkey.make(await begin(server, PasskeyPurpose.REGISTER, ada));
  await add(server, ada, made, name);
  return passkey;
}

const signInBy = async (server, passkey, { changed, ...more } = {}) => {
  const begun = await begin(server, PasskeyPurpose.SIGN_IN);
  const signed = { ...passkey.sign(begun, changed), ...more };
  return (await accountOf(server).signInWithPasskey(signed)).signedIn;
};

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let server;
    serverOn(start, (started) => (server = started));

    test('a guest becomes a member by a recovery code, and comes back by it', async () => {
      const { tableId, token, owner } = await newTable(server, { size: 3 });
      await (await Player.join(server, tableId, { token })).playToEnd();
      const { code, credential } = await makeCode(server, { token });
      assert.match(code, /^([a-z]{5}-){7}[a-z]{5}$/);
      assert.equal(credential.kind, CredentialKind.RECOVERY_CODE);
      assert.equal((await look(server, { token })).member, true);

      await server.kill();
      await server.start();
      const deviceSecret = randomBytes(16);
      const spoken = ` ${code.toUpperCase().replaceAll('-', '  ')}\n`;
      const back = await signInByCode(server, spoken, { device: 'Phone', deviceSecret });
      assert.equal(back.playerId, owner.playerId);
      assert.equal(back.displayName, owner.displayName);
      const filter = { playerId: back.playerId };
      const { tables } = await lobbyOf(server).listTables({ filter }, bearer(back.token));
      assert.deepEqual(
        tables.map((table) => table.tableId),
        [tableId],
      );
      const renewed = await lobbyOf(server).renewToken({ deviceSecret }, bearer(back.token));
      const account = await look(server, renewed);
      assert.deepEqual(
        account.sessions.map(({ device, current }) => [device, current]),
        [
          ['Phone', true],
          ['', false],
        ],
      );
      assert.ok(account.credentials[0].usedAt);
      const which = { case: 'allOthers', value: true };
      await accountOf(server).endSession({ which }, bearer(back.token));
      await assertRefused(look(server, { token }), Unauthenticated, /signed out/);
      assert.equal((await look(server, back)).sessions.length, 1);
    });

    test('a code that is wrong, unknown or replaced has one answer', async () => {
      const ada = await signIn(server);
      const { code: older } = await makeCode(server, ada);
      const { code } = await makeCode(server, ada);
      assert.equal((await look(server, ada)).credentials.length, 1);
      const sentences = new Set();
      for (const wrong of [otherSecret(code), otherLocator(code), older]) {
        const began = Date.now();
        await assertRefused(
          signInByCode(server, wrong).catch((error) => {
            sentences.add(error.rawMessage);
            throw error;
          }),
          PermissionDenied,
          nobodyHasIt,
        );
        assert.ok(Date.now() - began > 10, 'the hash was made');
      }
      assert.equal(sentences.size, 1);
      for (const nonsense of ['', 'lusab-babad', `${code}-lusab`, 'x'.repeat(40)]) {
        await assertRefused(signInByCode(server, nonsense), InvalidArgument, /not a recovery code/);
      }
      assert.equal((await signInByCode(server, code)).playerId, ada.playerId);
    });

    test('tries of one code are limited, right ones too', async () => {
      const ada = await signIn(server);
      const { code } = await makeCode(server, ada);
      for (let n = 0; n < 10; ++n) {
        await assertRefused(signInByCode(server, otherSecret(code)), PermissionDenied, nobodyHasIt);
      }
      await assertRefused(signInOn(server, code), ResourceExhausted, /Too many recovery codes/);
      const bob = await signIn(server, 'Bob');
      await signInByCode(server, (await makeCode(server, bob)).code);
    });

    test('the last credential is removed only by who says so', async () => {
      const ada = await signIn(server);
      const passkey = await register(server, ada, 'Laptop');
      const { credential, code } = await makeCode(server, ada);
      const { credentials } = await look(server, ada);
      assert.deepEqual(
        credentials.map(({ kind, name: called }) => [CredentialKind[kind], called]),
        [
          ['PASSKEY', 'Laptop'],
          ['RECOVERY_CODE', ''],
        ],
      );
      const call = (method, more) =>
        accountOf(server)[method]({ credentialId: passkey.id, ...more }, bearer(ada.token));
      await call('nameCredential', { name: ' Old  laptop ' });
      assert.equal((await look(server, ada)).credentials[0].name, 'Old laptop');
      await assertRefused(call('nameCredential', { name: '' }), InvalidArgument, /name is empty/);
      await call('removeCredential');
      await assertRefused(call('removeCredential'), NotFound, /no such credential/);
      await assertRefused(signInBy(server, passkey), PermissionDenied, /not known here/);
      const { credentialId } = credential;
      const last = call('removeCredential', { credentialId });
      await assertRefused(last, FailedPrecondition, /last way to come back/, /^LAST_CREDENTIAL$/);
      await signInByCode(server, code);
      await call('removeCredential', { credentialId, lastToo: true });
      assert.equal((await look(server, ada)).member, false);
      await assertRefused(signInByCode(server, code), PermissionDenied, nobodyHasIt);
      const bob = await signIn(server, 'Bob');
      const theirs = await register(server, bob);
      await assertRefused(
        call('removeCredential', { credentialId: theirs.id }),
        NotFound,
        /no such credential/,
      );
    });

    test('an operator exports sessions and credentials, and erases them', async () => {
      const ada = await lobbyOf(server).signIn({ displayName: 'Ada', device: 'Phone' });
      const passkey = await register(server, ada, 'Laptop');
      const { code } = await makeCode(server, ada);
      const operator = await ownAdminOf(server);
      const { playerId } = ada;
      const { account, sessions, credentials } = await operator.exportPlayer({ playerId });
      assert.equal(account.kind, AccountKind.MEMBER);
      assert.deepEqual(
        sessions.map(({ device }) => device),
        ['Phone'],
      );
      assert.deepEqual(
        credentials.map((one) => one.name),
        ['Laptop', ''],
      );
      await operator.erasePlayer({ playerId });
      const erased = await operator.exportPlayer({ playerId });
      assert.deepEqual([erased.sessions, erased.credentials], [[], []]);
      await assertRefused(look(server, ada), Unauthenticated, /not known here/);
      await assertRefused(signInByCode(server, code), PermissionDenied, nobodyHasIt);
      await assertRefused(signInBy(server, passkey), PermissionDenied, /not known here/);
    });

    test('passkeys are made, and sign in from anywhere', async () => {
      const ada = await signIn(server);
      const laptop = await register(server, ada, 'Laptop');
      const phone = await register(server, ada, 'Phone');
      const begun = await begin(server, PasskeyPurpose.REGISTER, ada);
      assert.equal(begun.rpId, 'localhost');
      assert.equal(begun.userName, 'Ada');
      assert.deepEqual(begun.algorithms, [-7, -8, -257]);
      assert.deepEqual(
        begun.knownIds.map((id) => Buffer.from(id)),
        [laptop.id, phone.id],
      );
      for (const passkey of [laptop, phone, laptop]) {
        passkey.uses += 1;
        const back = await signInBy(server, passkey, { device: 'Firefox' });
        assert.equal(back.playerId, ada.playerId);
        assert.equal((await look(server, back)).sessions[0].device, 'Firefox');
      }
      assert.equal((await look(server, ada)).sessions.length, 4);
    });

    test('a passkey may be of each of three algorithms', async () => {
      for (const algorithm of ['ES256', 'EdDSA', 'RS256']) {
        const ada = await signIn(server);
        const passkey = await register(server, ada, algorithm, algorithm);
        assert.equal((await signInBy(server, passkey)).playerId, ada.playerId);
      }
    });

    test('an answer to a challenge counts once', async () => {
      const ada = await signIn(server);
      const passkey = await register(server, ada);
      const signed = passkey.sign(await begin(server, PasskeyPurpose.SIGN_IN));
      await accountOf(server).signInWithPasskey(signed);
      const again = accountOf(server).signInWithPasskey(signed);
      await assertRefused(again, PermissionDenied, /used before/);
      const made = passkey.make(await begin(server, PasskeyPurpose.REGISTER, ada));
      await assertRefused(add(server, ada, made), AlreadyExists, /registered already/, /^TAKEN$/);
      const bob = await signIn(server, 'Bob');
      const taken = passkey.make(await begin(server, PasskeyPurpose.REGISTER, bob));
      await assertRefused(add(server, bob, taken), AlreadyExists, /registered already/);
    });

    test('a counter that goes back is refused', async () => {
      const ada = await signIn(server);
      const passkey = await register(server, ada);
      for (const uses of [5, 6]) {
        passkey.uses = uses;
        await signInBy(server, passkey);
      }
      for (const uses of [6, 3, 0]) {
        passkey.uses = uses;
        await assertRefused(signInBy(server, passkey), PermissionDenied, /counter went back/);
      }
      passkey.uses = 7;
      await signInBy(server, passkey);
    });
  });
}

describe('what a passkey must not be:', () => {
  let server;
  let ada;
  let bob;
  let passkey;
  before(async () => {
    server = await Server.start();
    ada = await signIn(server);
    bob = await signIn(server, 'Bob');
    passkey = await register(server, ada);
  });
  after(() => server.dispose());

  const challenge = Buffer.from('not one').toString('base64url');
  const wrong = {
    'used on another page': [{ origin: 'http://localhost:1' }, /not http:\/\/localhost/],
    'used in a frame of another page': [{ crossOrigin: true }, /not http:\/\/localhost/],
    'used below another page': [{ topOrigin: 'https://a.example' }, /not http:\/\/localhost/],
    'of another site': [{ site: 'example.org' }, /another site/],
    'asked for something else': [{ type: 'payment.get' }, /asked for something else/],
    'touched by nobody': [{ flags: 0x40 }, /without anybody/],
    'an answer to no challenge': [{ challenge }, /not this server's/],
  };
  for (const [what, [changed, meaning]] of Object.entries(wrong)) {
    test(`${what}, to sign in`, () =>
      assertRefused(signInBy(server, passkey, { changed }), PermissionDenied, meaning));
    test(`${what}, to register`, async () => {
      const fresh = new Passkey(passkey.origin);
      const made = fresh.make(await begin(server, PasskeyPurpose.REGISTER, ada), changed);
      await assertRefused(add(server, ada, made), PermissionDenied, meaning);
    });
  }

  test("another player's, or signed with another key", async () => {
    const userHandle = (await begin(server, PasskeyPurpose.REGISTER, bob)).userHandle;
    const theirs = signInBy(server, passkey, { userHandle });
    await assertRefused(theirs, PermissionDenied, /another player's/);
    const without = signInBy(server, passkey, { userHandle: Buffer.alloc(0) });
    await assertRefused(without, PermissionDenied, /another player's/);
    const forger = new Passkey(passkey.origin);
    Object.assign(forger, { id: passkey.id, userHandle: passkey.userHandle });
    await assertRefused(signInBy(server, forger), PermissionDenied, /not this passkey's/);
    const unknown = new Passkey(passkey.origin);
    await assertRefused(signInBy(server, unknown), PermissionDenied, /not known here/);
  });

  test('an answer to a challenge of somebody else, or for something else', async () => {
    const begun = await begin(server, PasskeyPurpose.REGISTER, ada);
    const made = new Passkey(passkey.origin).make(begun);
    await assertRefused(add(server, bob, made), PermissionDenied, /for something else/);
    const signed = accountOf(server).signInWithPasskey(passkey.sign(begun));
    await assertRefused(signed, PermissionDenied, /for something else/);
    const toSignIn = await begin(server, PasskeyPurpose.SIGN_IN);
    const registered = add(server, ada, new Passkey(passkey.origin).make(toSignIn));
    await assertRefused(registered, PermissionDenied, /for something else/);
  });

  test('nonsense', async () => {
    const { clientDataJson, authenticatorData } = passkey.make(
      await begin(server, PasskeyPurpose.REGISTER, ada),
    );
    const bytes = Buffer.from('{');
    const noData = add(server, ada, { clientDataJson, authenticatorData: bytes });
    await assertRefused(noData, InvalidArgument, /cannot be read/);
    const cut = { clientDataJson, authenticatorData: authenticatorData.subarray(0, 100) };
    await assertRefused(add(server, ada, cut), InvalidArgument, /cannot be read/);
    const noClient = add(server, ada, { clientDataJson: bytes, authenticatorData });
    await assertRefused(noClient, InvalidArgument, /cannot be read/);
    await assertRefused(begin(server, 0), InvalidArgument, /purpose/);
    await assertRefused(begin(server, PasskeyPurpose.REGISTER), Unauthenticated, /sign in/);
  });
});

test('sign-ins by credentials are charged to their address', async (t) => {
  const server = await Server.start('--exempt-addresses', 'none', '--sign-in-rate', '13');
  t.after(() => server.dispose());
  const ada = await signIn(server);
  const { code } = await makeCode(server, ada);
  for (let n = 0; n < 10; ++n) {
    const wrong = code.replace(/^\w+/, `baba${'bdfghjklmn'[n]}`);
    await assertRefused(signInByCode(server, wrong), PermissionDenied, nobodyHasIt);
  }
  await assertRefused(signInOn(server, code), ResourceExhausted, /Too many recovery codes/);
  const passkey = await register(server, ada);
  const spent = async () => {
    for (let n = 0; n < 60; ++n) await signInBy(server, passkey);
  };
  await assertRefused(spent(), ResourceExhausted, /signed in from your address/);
});

test('the token key is replaced while nobody is signed out', async (t) => {
  const server = await Server.start('--token-ttl', '1h');
  t.after(() => server.dispose());
  const { data } = server;
  const rotate = (...args) => run(serverProgram, ['rotate', 'token', '--data', data, ...args]);
  const startAgain = async () => {
    await server.terminate();
    await server.start();
  };
  const isOut = (who) => assertRefused(look(server, who), Unauthenticated, /sign in again/);
  const ada = await signIn(server);
  assert.equal((await rotate()).code, 0);
  await startAgain();
  assert.equal((await look(server, ada)).playerId, ada.playerId);
  const bob = await signIn(server);
  const tooSoon = await rotate();
  assert.equal(tooSoon.code, 1);
  assert.match(tooSoon.stderr, /former\.key goes when a server starts --token-ttl after/);

  const former = path.join(data, 'former.key');
  const hourAgo = new Date(Date.now() - 3_601_000);
  await utimes(former, hourAgo, hourAgo);
  await startAgain();
  assert.equal((await look(server, bob)).playerId, bob.playerId);
  await isOut(ada);
  assert.equal((await rotate()).code, 0);
  await startAgain();
  assert.equal((await look(server, bob)).playerId, bob.playerId);

  assert.equal((await rotate('--at-once')).code, 0);
  await startAgain();
  await isOut(bob);
  const none = await run(serverProgram, ['rotate', 'token', '--data', path.join(data, 'none')]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /none\/token\.key: No such file/);
});
