// Handles, profiles, and who may see them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { AccountService } from './gen/tesela/account/v1/account_pb.js';
import { Audience, ProfileService } from './gen/tesela/account/v1/profile_pb.js';
import { Machine } from './harness/accounts/machine.mjs';
import { ownAdminOf } from './harness/admin.mjs';
import { databases, serverOn } from './harness/databases.mjs';
import { bearer, clientOf, lobbyOf, newTable, newTableOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';

const { AlreadyExists, FailedPrecondition, InvalidArgument, NotFound } = Code;
const { PermissionDenied, Unauthenticated } = Code;

const profilesOf = (server) => clientOf(ProfileService, server);
const claim = (server, { token }, handle) =>
  profilesOf(server).claimHandle({ handle }, bearer(token));
const profile = (server, who, viewer) =>
  profilesOf(server).getProfile(
    { who: { case: who.startsWith('@') ? 'handle' : 'playerId', value: who } },
    viewer && bearer(viewer.token),
  );
const setAudience = (server, { token }, audience) =>
  profilesOf(server).setAudience({ audience }, bearer(token));
const found = async (server, { token }, handlePrefix) =>
  (await profilesOf(server).findPlayers({ handlePrefix }, bearer(token))).players.map(
    ({ displayName }) => displayName,
  );

/** The title that a link to a player's page has where it is posted. */
const sharedTitle = async (server, handle) => {
  const page = await (await fetch(`${server.http}/${handle}`)).text();
  return page.match(/og:title" content="([^"]*)"/)[1];
};

/** A player whose account is kept. */
async function member(server, displayName) {
  const deviceSecret = randomBytes(16);
  const player = await lobbyOf(server).signIn({ displayName, deviceSecret });
  await clientOf(AccountService, server).makeRecoveryCode({}, bearer(player.token));
  return { ...player, deviceSecret };
}

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let database;
    let server;
    let ada;
    serverOn(start, async (...started) => {
      [server, database] = started;
      ada = await member(server, 'Ada');
      await claim(server, ada, '@Ada');
    });

    test('a handle is the name of one player, at once, with an old token too', async () => {
      const { displayName } = await claim(server, ada, '@Ada');
      assert.equal(displayName, '@Ada');
      const { tableId, token } = await newTableOf(server, { game: 'azul', config: undefined });
      const join = { tableId };
      const { table } = await lobbyOf(server).joinTable(join, bearer(ada.token));
      const seat = table.seats.find(({ playerId }) => playerId === ada.playerId);
      assert.equal(seat.displayName, '@Ada');
      const stream = await Player.join(server, tableId, { token });
      assert.deepEqual(
        stream.seating.seats.map((seat) => seat.displayName),
        ['Ada', '@Ada'],
      );
      const request = { deviceSecret: ada.deviceSecret };
      const renewed = await lobbyOf(server).renewToken(request, bearer(ada.token));
      const [, claims] = renewed.token.split('.');
      assert.equal(JSON.parse(Buffer.from(claims, 'base64url')).name, '@Ada');
    });

    test('what cannot be a handle is refused, and one is changed seldom', async () => {
      const bob = await member(server, 'Bob');
      await assertRefused(claim(server, await signIn(server), 'Eve'), PermissionDenied, /kept/);
      await assertRefused(claim(server, { token: '' }, 'Eve'), Unauthenticated, /sign in/);
      for (const like of ['ada', '@ADA', 'ａｄａ']) {
        await assertRefused(claim(server, bob, like), AlreadyExists, /Another player/, /^TAKEN$/);
      }
      for (const bad of ['ab', 'a b c', '1ab', 'admin', 'uct', 'x'.repeat(21), '😀😀😀']) {
        await assertRefused(claim(server, bob, bad), InvalidArgument, /handle|name/);
      }
      await claim(server, bob, 'Bob');
      await claim(server, bob, 'BOB');
      await assertRefused(claim(server, bob, 'Rob'), FailedPrecondition, /lately/, /^TOO_SOON$/);
      await assertRefused(signIn(server, '@Ada'), InvalidArgument, /begins with @/);
      assert.equal((await signIn(server, 'Ada')).displayName, 'Ada');
    });

    test('of two who want a handle at once one gets it', async () => {
      const players = await Promise.all(Array.from({ length: 3 }, () => member(server, 'Twin')));
      const claims = await Promise.allSettled(players.map((each) => claim(server, each, 'Twin')));
      assert.equal(claims.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const { reason } of claims.filter(({ status }) => status === 'rejected')) {
        assert.equal(reason.code, AlreadyExists);
      }
    });

    test('a profile shows best scores, and outlives a kill', async () => {
      const { tableId } = await newTable(server, { size: 3 }, ada);
      const player = await Player.join(server, tableId, { token: ada.token });
      await player.playToEnd();
      await server.kill();
      await server.start();
      for (const who of ['@ada', '@ADA', ada.playerId]) {
        const shown = await profile(server, who);
        assert.equal(shown.playerId, ada.playerId);
        assert.equal(shown.handle, 'Ada');
        assert.equal(shown.bot, false);
        assert.equal(shown.audience, Audience.EVERYBODY);
        const [best] = shown.bestScores;
        assert.equal(best.tableId, tableId);
        assert.equal(best.points, player.result.standings[0].points);
      }
      await assertRefused(profile(server, '@nobodyhasit'), NotFound, /no such player/);
      await assertRefused(profile(server, '@!'), NotFound, /Nobody/);
      await assertRefused(profile(server, 'zzz'), InvalidArgument, /player_id/);
    });

    test('a daily game begins a streak', async () => {
      const eve = await member(server, 'Eve');
      const { table } = await lobbyOf(server).createTable(
        { game: '2048', daily: true },
        bearer(eve.token),
      );
      const player = await Player.join(server, table.tableId, { token: eve.token });
      await player.playToEnd();
      const { dailyStreaks } = await profile(server, eve.playerId);
      assert.deepEqual(
        dailyStreaks.map(({ game, days }) => [game, days]),
        [['2048', 1]],
      );
    });

    test('who may see a profile may list its tables, and nobody else', async () => {
      const eve = await member(server, 'Eve');
      const stranger = await signIn(server, 'Stranger');
      await claim(server, eve, 'Evelyn');
      await newTable(server, {}, eve);
      const tablesFor = (viewer) =>
        lobbyOf(server).listTables(
          { filter: { playerId: eve.playerId } },
          viewer && bearer(viewer.token),
        );
      const watchFor = async (viewer) => {
        const request = { filter: { playerId: eve.playerId } };
        for await (const first of lobbyOf(server).watchTables(request, bearer(viewer.token))) {
          return first;
        }
      };
      assert.equal((await tablesFor()).tables.length, 1);
      assert.equal(await sharedTitle(server, '@EVELYN'), '@Evelyn');
      assert.equal(await sharedTitle(server, '@nobody-has-it'), 'Tesela');
      await setAudience(server, eve, Audience.PLAYERS);
      assert.equal(await sharedTitle(server, '@Evelyn'), 'Tesela');
      await assertRefused(profile(server, '@Evelyn'), PermissionDenied, /sign in/);
      await assertRefused(tablesFor(), PermissionDenied, /sign in/);
      assert.equal((await tablesFor(stranger)).tables.length, 1);
      assert.deepEqual(await found(server, stranger, 'eve'), ['@Evelyn']);
      await setAudience(server, eve, Audience.NOBODY);
      await assertRefused(profile(server, '@Evelyn', stranger), PermissionDenied, /nobody/);
      await assertRefused(tablesFor(stranger), PermissionDenied, /nobody/);
      await assertRefused(watchFor(stranger), PermissionDenied, /nobody/);
      assert.equal((await tablesFor(eve)).tables.length, 1);
      assert.equal((await profile(server, '@Evelyn', eve)).audience, Audience.NOBODY);
      assert.deepEqual(await found(server, stranger, 'eve'), []);
      await assertRefused(setAudience(server, eve, 7), InvalidArgument, /audience/);
      await assertRefused(found(server, { token: '' }, 'ada'), Unauthenticated, /sign in/);
      await assertRefused(found(server, eve, 'a'), InvalidArgument, /characters/);
      assert.deepEqual(await found(server, eve, '@AD'), ['@Ada']);
    });

    test('erasing takes the handle, and export shows the profile', async () => {
      const eve = await member(server, 'Eve');
      await claim(server, eve, 'Gone');
      const admin = await ownAdminOf(server);
      const { profile: exported } = await admin.exportPlayer({ playerId: eve.playerId });
      assert.equal(exported.handle, 'Gone');
      await database.run(server, "UPDATE handles SET created_ms = 0 WHERE handle = 'Gone'");
      await claim(server, eve, 'Anew');
      const { keptHandles } = await admin.exportPlayer({ playerId: eve.playerId });
      assert.deepEqual(
        keptHandles.map(({ handle }) => handle),
        ['Gone'],
      );
      assert.ok(timestampMs(keptHandles[0].keptUntil) > Date.now());
      await admin.erasePlayer({ playerId: eve.playerId });
      await assertRefused(profile(server, '@Gone'), NotFound, /no such player/);
      await assertRefused(profile(server, eve.playerId), NotFound, /no such player/);
      await claim(server, await member(server, 'Ed'), 'Gone');
    });
  });
}

test('the terminal program keeps an account, comes back to it elsewhere, and leaves', async (t) => {
  const server = await Server.start();
  t.after(() => server.dispose());
  const ada = await signIn(server, 'Ada');
  const { tableId } = await newTable(server, { size: 3 }, ada);
  await (await Player.join(server, tableId, { token: ada.token })).playToEnd();
  const here = await Machine.of(server, 'here', ada);
  const there = await Machine.of(server, 'there');
  assert.match(await here.says(['account']), /^Ada {2}\(\w{13}, a guest's/);
  await here.assertFails(['account', 'sign-out'], /Ada is signed in here, and would be lost/);
  await here.assertFails(['account', 'handle', 'Ada_1'], /Only an account that is kept/);
  const code = (await here.says(['account', 'code'])).trim();
  assert.match(code, /^([a-z]{5}-){7}[a-z]{5}$/);
  assert.equal(await here.says(['account', 'handle', 'Ada_1']), 'You are @Ada_1.\n');

  const comeBack = ['account', 'sign-in'];
  await there.assertFails(comeBack, /Nobody has this recovery code/, `${code.slice(0, -5)}babab`);
  assert.equal(await there.says(comeBack, code), 'Signed in as @Ada_1.\n');
  const shown = new RegExp(`^@Ada_1 .*\nbest score +2048 .* table ${tableId}\n$`);
  assert.match(await there.says(['profile']), shown);
  const stranger = await Machine.of(server, 'elsewhere', await signIn(server, 'Eve'));
  assert.match(await stranger.says(['profile', '@ada_1']), shown);
  await there.assertFails(['account', 'audience', 'friends'], /say everybody, players or nobody/);
  await there.says(['account', 'audience', 'nobody']);
  await stranger.assertFails(['profile', '@Ada_1'], /nobody/);

  assert.match(await there.says(['account']), /^signed in +tesela, seen .* \(here\)$/m);
  assert.equal(await there.says(['account', 'sign-out', '--others']), 'Signed out: 1.\n');
  await here.assertFails(['account'], /signed out/);
  assert.equal(await there.says(['account', 'sign-out']), 'Signed out: 1.\n');
  await there.assertFails(['account'], /sign/);
});
