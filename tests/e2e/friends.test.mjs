// Following, blocking, and challenges.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { ChallengeState, Challengers, FriendService } from './gen/tesela/account/v1/friends_pb.js';
import { Audience, ProfileService } from './gen/tesela/account/v1/profile_pb.js';
import { MatchmakingService, Mode } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { Machine } from './harness/accounts/machine.mjs';
import { ownAdminOf } from './harness/admin.mjs';
import { databases, serverOn } from './harness/databases.mjs';
import { configOf } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';

const { AlreadyExists, FailedPrecondition, InvalidArgument, NotFound } = Code;
const { PermissionDenied, ResourceExhausted, Unauthenticated } = Code;

const HOUR_MS = 3_600_000;
const OPEN = ChallengeState.OPEN;
const forTwo = { game: 'azul', config: configOf('azul', { players: 2 }) };

/** Calls FriendService for a player: `of(server, player).follow(other)`. */
function of(server, { token = '' } = {}) {
  const client = clientOf(FriendService, server);
  const call = (method, request) => client[method](request, bearer(token));
  const whomOf = ({ playerId, handle }) => ({
    who: handle ? { case: 'handle', value: handle } : { case: 'playerId', value: playerId },
  });
  const about = (method) => (other) => call(method, { whom: whomOf(other) });
  const byId = (method) => (challengeId, more) => call(method, { challengeId, ...more });
  return {
    follow: about('follow'),
    unfollow: about('unfollow'),
    block: about('block'),
    unblock: about('unblock'),
    friends: () => call('listFriends', {}),
    take: (challengers) => call('setChallengers', { challengers }),
    challenge: async (other, request = forTwo) =>
      (await call('challenge', { ...request, ...(other && { whom: whomOf(other) }) })).challenge,
    get: async (id) => (await byId('getChallenge')(id)).challenge,
    accept: async (id, more) => (await byId('acceptChallenge')(id, more)).table,
    decline: byId('declineChallenge'),
    withdraw: byId('withdrawChallenge'),
    challenges: () => call('listChallenges', {}),
  };
}

const say = ({ stream }, text) =>
  stream.send({ case: 'say', value: { what: { case: 'text', value: text } } });

/** The next thing that is said at a table. */
async function heard(player) {
  for (;;) {
    const { kind, value } = await player.step();
    if (kind === 'said') return value.what.value;
  }
}

const idsOf = (list) => list.map(({ player, ...rest }) => (player ?? rest).playerId);
const takesNone = (call) => assertRefused(call, PermissionDenied, /takes no challenges of yours/);

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let server;
    serverOn(start, (started) => (server = started));
    const players = (...names) => Promise.all(names.map((each) => signIn(server, each)));

    test('who is followed is listed, with whether they are there and what they play', async () => {
      const [ada, bob, cem] = await players('Ada', 'Bob', 'Cem');
      await of(server, ada).follow(cem);
      await of(server, ada).follow(bob);
      await of(server, ada).follow(bob);
      let { follows } = await of(server, ada).friends();
      assert.deepEqual(idsOf(follows), [bob.playerId, cem.playerId]);
      assert.ok(follows.every(({ here, tableId }) => !here && !tableId));
      await of(server, bob).challenges();
      const { tableId } = await newTable(server, { size: 4 }, bob);
      await lobbyOf(server).createTable(
        { game: '2048', options: { inviteOnly: true } },
        bearer(cem.token),
      );
      await server.kill();
      await server.start();
      ({ follows } = await of(server, ada).friends());
      assert.deepEqual(
        follows.map((each) => [each.player.displayName, each.here, each.tableId, each.game]),
        [
          ['Bob', true, tableId, '2048'],
          ['Cem', false, '', ''],
        ],
      );
      assert.deepEqual((await of(server, bob).friends()).follows, [], 'nobody is told');
      const audience = { audience: Audience.NOBODY };
      await clientOf(ProfileService, server).setAudience(audience, bearer(bob.token));
      ({ follows } = await of(server, ada).friends());
      assert.deepEqual([follows[0].here, follows[0].tableId], [false, '']);
      await of(server, ada).unfollow(bob);
      await of(server, ada).unfollow(bob);
      assert.deepEqual(idsOf((await of(server, ada).friends()).follows), [cem.playerId]);
    });

    test('what is nobody else is refused, and who is not signed in', async () => {
      const [ada] = await players('Ada');
      await assertRefused(of(server).follow(ada), Unauthenticated, /sign in/);
      await assertRefused(of(server, ada).follow(ada), InvalidArgument, /another player/);
      await assertRefused(of(server, ada).follow({ playerId: 'x' }), InvalidArgument, /Say whom/);
      const unknown = { playerId: ada.playerId.replace(/.$/, (d) => (d === '0' ? '1' : '0')) };
      for (const each of ['follow', 'block', 'challenge']) {
        await assertRefused(of(server, ada)[each](unknown), NotFound, /no such player/);
        await assertRefused(of(server, ada)[each]({ handle: '@nobody' }), NotFound, /handle/);
      }
      await assertRefused(of(server, ada).take(0), InvalidArgument, /must be one of/);
    });

    test('a challenge outlives a kill, and both sit at its table', async () => {
      const [ada, bob, eve] = await players('Ada', 'Bob', 'Eve');
      const { challengeId, state } = await of(server, ada).challenge(bob);
      assert.equal(state, OPEN);
      await server.kill();
      await server.start();
      const [shown] = (await of(server, bob).challenges()).toMe;
      assert.equal(shown.challengeId, challengeId);
      assert.equal(shown.from.displayName, 'Ada');
      assert.ok(Number(shown.expiresAt.seconds - shown.createdAt.seconds) === 7 * 24 * 3600);
      await assertRefused(of(server, eve).get(challengeId), NotFound, /no such challenge/);
      await assertRefused(of(server, eve).accept(challengeId), NotFound, /no such challenge/);
      await assertRefused(of(server, eve).decline(challengeId), NotFound, /no such challenge/);
      await assertRefused(of(server, ada).accept(challengeId), NotFound, /no such challenge/);
      const table = await of(server, bob).accept(challengeId);
      assert.equal(table.state, TableState.IN_PLAY);
      assert.deepEqual(
        table.seats.map(({ playerId }) => playerId).sort(),
        [ada.playerId, bob.playerId].sort(),
      );
      assert.equal((await of(server, bob).accept(challengeId)).tableId, table.tableId, 'again');
      const [mine] = (await of(server, ada).challenges()).fromMe;
      assert.deepEqual([mine.state, mine.tableId], [ChallengeState.ACCEPTED, table.tableId]);
      assert.deepEqual((await of(server, bob).challenges()).toMe, []);
      await assertRefused(
        of(server, ada).withdraw(challengeId),
        AlreadyExists,
        /answered/,
        /TAKEN/,
      );
      await assertRefused(of(server, bob).decline(challengeId), AlreadyExists, /answered/, /TAKEN/);
      const player = await Player.join(server, table.tableId, { token: ada.token });
      assert.equal(player.seating.seats.length, 2);
      player.stream.cut();
    });

    test('of many who accept a link at once one plays, at one table', async () => {
      const [ada, ...others] = await players('Ada', 'Bob', 'Cem', 'Dan', 'Eve');
      const { challengeId, to } = await of(server, ada).challenge();
      assert.equal(to, undefined);
      assert.equal((await of(server).get(challengeId)).from.displayName, 'Ada', 'to a stranger');
      const calls = others.flatMap((each) => [each, each]);
      const tries = await Promise.allSettled(
        calls.map((each) => of(server, each).accept(challengeId, { contributeLater: true })),
      );
      const made = tries.filter(({ status }) => status === 'fulfilled');
      const tables = new Set(made.map(({ value }) => value.tableId));
      assert.equal(tables.size, 1);
      assert.ok(made.length <= 2, 'the two calls of one player');
      for (const { reason } of tries.filter(({ status }) => status === 'rejected')) {
        assert.equal(reason.code, AlreadyExists, reason.message);
      }
      const { state, tableId } = await of(server).get(challengeId);
      assert.deepEqual([state, tableId], [ChallengeState.ACCEPTED, ''], 'the table is theirs');
      const own = { filter: { playerId: ada.playerId } };
      assert.equal((await lobbyOf(server).listTables(own, bearer(ada.token))).tables.length, 1);
    });

    test('a challenge is declined, withdrawn, and made once', async () => {
      const [ada, bob] = await players('Ada', 'Bob');
      const first = await of(server, ada).challenge(bob);
      await assertRefused(of(server, ada).challenge(bob), AlreadyExists, /already/, /^TAKEN$/);
      await of(server, bob).decline(first.challengeId);
      await of(server, bob).decline(first.challengeId);
      await assertRefused(of(server, bob).accept(first.challengeId), AlreadyExists, /answered/);
      const second = await of(server, ada).challenge(bob);
      await of(server, bob).withdraw(second.challengeId);
      assert.equal((await of(server, bob).challenges()).toMe.length, 1, 'it is not his');
      await of(server, ada).withdraw(second.challengeId);
      await of(server, ada).withdraw(second.challengeId);
      await assertRefused(of(server, bob).accept(second.challengeId), NotFound, /withdrawn/);
      assert.deepEqual(
        (await of(server, ada).challenges()).fromMe.map(({ state }) => state),
        [ChallengeState.DECLINED],
      );
    });

    test('what cannot be a game for two is refused before anybody is asked', async () => {
      const [ada, bob] = await players('Ada', 'Bob');
      const asks = (request) => of(server, ada).challenge(bob, request);
      await assertRefused(asks({ game: '2048' }), InvalidArgument, /for two; this one is for 1/);
      const four = { game: 'azul', config: configOf('azul', { players: 4 }) };
      await assertRefused(asks(four), InvalidArgument, /for two; this one is for 4/);
      await assertRefused(asks({ game: 'chess' }), InvalidArgument, /chess/);
      const options = { clock: { moveMs: 5 } };
      await assertRefused(asks({ ...forTwo, options }), InvalidArgument, /move_ms/);
      const practice = { practice: true };
      await assertRefused(asks({ ...forTwo, options: practice }), InvalidArgument, /practice/);
      assert.deepEqual((await of(server, ada).challenges()).fromMe, []);
    });

    test('a quick game begins only while the challenger is there', async () => {
      const [ada, bob] = await players('Ada', 'Bob');
      const quick = { ...forTwo, options: { clock: { moveMs: 30_000 } } };
      const { challengeId } = await of(server, ada).challenge(bob, quick);
      const early = of(server, bob).accept(challengeId);
      await assertRefused(early, FailedPrecondition, /Ada is not there now/, /^TOO_SOON$/);
      await of(server, ada).friends();
      assert.ok((await of(server, bob).accept(challengeId)).tableId);
      const byDays = { ...forTwo, options: { clock: { moveMs: 24 * HOUR_MS }, ranked: true } };
      const slow = await of(server, bob).challenge(ada, byDays);
      const table = await of(server, ada).accept(slow.challengeId);
      assert.equal(table.options.ranked, true);
      assert.equal(table.options.clock.moveMs, 24 * HOUR_MS);
    });

    test('who is blocked learns nothing, and challenges no more', async () => {
      const [ada, bob, shy] = await players('Ada', 'Bob', 'Shy');
      const toAda = await of(server, bob).challenge(ada);
      const toBob = await of(server, ada).challenge(bob);
      await of(server, ada).follow(bob);
      await of(server, bob).follow(ada);
      await of(server, ada).challenges();
      await of(server, ada).block(bob);
      const lists = await of(server, ada).friends();
      assert.deepEqual([idsOf(lists.follows), idsOf(lists.blocked)], [[], [bob.playerId]]);
      // As it looks when somebody is not there, declines, and takes no challenges.
      const [seen] = (await of(server, bob).friends()).follows;
      assert.deepEqual([seen.player.playerId, seen.here], [ada.playerId, false]);
      const [declined] = (await of(server, bob).challenges()).fromMe;
      assert.equal(declined.challengeId, toAda.challengeId);
      assert.equal(declined.state, ChallengeState.DECLINED);
      await assertRefused(of(server, bob).accept(toBob.challengeId), NotFound, /no such/);
      await takesNone(of(server, bob).challenge(ada));
      await of(server, shy).take(Challengers.NOBODY);
      await takesNone(of(server, bob).challenge(shy));
      const own = of(server, ada).challenge(bob);
      await assertRefused(own, PermissionDenied, /You block this player/);
      const link = await of(server, ada).challenge();
      await assertRefused(of(server, bob).accept(link.challengeId), NotFound, /no such/);
      await of(server, ada).unblock(bob);
      assert.ok(await of(server, bob).challenge(ada));
    });

    test('one may take the challenges of those alone whom one follows', async () => {
      const [ada, bob] = await players('Ada', 'Bob');
      await of(server, ada).take(Challengers.FOLLOWED);
      assert.equal((await of(server, ada).friends()).challengers, Challengers.FOLLOWED);
      await takesNone(of(server, bob).challenge(ada));
      await of(server, ada).follow(bob);
      assert.ok(await of(server, bob).challenge(ada));
    });

    test('a player has twenty open challenges, and withdrawn ones make room', async () => {
      const [ada] = await players('Ada');
      const made = [];
      for (let i = 0; i < 20; ++i) made.push(await of(server, ada).challenge());
      await assertRefused(of(server, ada).challenge(), ResourceExhausted, /20 open challenges/);
      await of(server, ada).withdraw(made[0].challengeId);
      assert.ok(await of(server, ada).challenge());
      assert.equal((await of(server, ada).challenges()).fromMe.length, 20);
    });

    test('at a table who is blocked is not heard, and plays on', async () => {
      const [ada, bob] = await players('Ada', 'Bob');
      const { challengeId } = await of(server, ada).challenge(bob);
      const { tableId } = await of(server, bob).accept(challengeId);
      await of(server, ada).block(bob);
      const listener = await Player.join(server, tableId, { token: ada.token });
      const speaker = await Player.join(server, tableId, { token: bob.token });
      say(speaker, 'hey');
      assert.equal(await heard(speaker), 'hey');
      say(listener, 'hello');
      assert.equal(await heard(listener), 'hello', 'and not what came before');
      assert.equal(await heard(speaker), 'hello');
      listener.stream.cut();
      speaker.stream.cut();
    });

    test('the matchmaker seats nobody with whom they block', async () => {
      const [ada, bob, cem] = await players('Ada', 'Bob', 'Cem');
      await of(server, ada).block(bob);
      const request = { ...forTwo, mode: Mode.CASUAL };
      const found = async ({ token }) => {
        const stream = clientOf(MatchmakingService, server).find(request, bearer(token));
        for await (const { update } of stream) {
          if (update.case === 'matched') return update.value.table;
        }
        return undefined;
      };
      // Ada and Bob have waited longest, and at the same rating.
      const searches = [ada, bob].map((each) => found(each).catch(() => undefined));
      const early = await Promise.race([...searches, new Promise((go) => setTimeout(go, 2500))]);
      assert.equal(early, undefined);
      const table = await Promise.race([...searches, found(cem)]);
      const ids = table.seats.map(({ playerId }) => playerId);
      assert.ok(ids.includes(cem.playerId));
    });

    test('the terminal program does the same', async () => {
      const [ada, bob] = await players('Ada', 'Bob');
      const machine = await Machine.of(server, 'state', ada);
      const says = (...args) => machine.says(['friends', ...args]);
      await says('follow', bob.playerId);
      const made = await says('challenge', 'azul', '--to', bob.playerId, '--move-time', '120min');
      const [, id] = made.match(/^challenge {2}([\w-]{22}) {2}azul: Ada to Bob, open until /);
      await says('take', 'nobody');
      assert.match(await says(), new RegExp(`^follows    Bob .*\nchallenge  ${id}`));
      await says('withdraw', id);
      const back = await of(server, bob).challenge();
      assert.match(await says('accept', back.challengeId), /^Play with: tesela play azul --table /);
      await says('block', bob.playerId);
      assert.match(await says(), /^blocks     Bob/);
    });

    test('export has all of it, and erasing leaves none', async () => {
      const [ada, bob] = await players('Ada', 'Bob');
      await of(server, ada).follow(bob);
      await of(server, bob).block(await signIn(server, 'Eve'));
      const { challengeId } = await of(server, ada).challenge(bob);
      const admin = await ownAdminOf(server);
      const { friends } = await admin.exportPlayer({ playerId: ada.playerId });
      assert.deepEqual(idsOf(friends.lists.follows), [bob.playerId]);
      assert.equal(friends.challenges.fromMe[0].challengeId, challengeId);
      await admin.erasePlayer({ playerId: bob.playerId });
      assert.deepEqual((await of(server, ada).friends()).follows, []);
      assert.deepEqual((await of(server, ada).challenges()).fromMe, []);
    });
  });
}

describe('on three servers of one database', () => {
  let postgres;
  const servers = [];
  before(async () => {
    postgres = await Postgres.start();
    for (let n = 0; n < 3; ++n) servers.push(await startNode(postgres));
  });
  after(async () => {
    for (const server of servers) await server.dispose();
    await postgres.dispose();
  });

  test('a challenge that is accepted at all of them at once has one table', async () => {
    const ada = await signIn(servers[0], 'Ada');
    const others = await Promise.all(servers.map((server, n) => signIn(server, `Guest ${n}`)));
    const { challengeId } = await of(servers[0], ada).challenge();
    const tries = await Promise.allSettled(
      servers.map((server, n) => of(server, others[n]).accept(challengeId)),
    );
    const [made, ...more] = tries.filter(({ status }) => status === 'fulfilled');
    assert.deepEqual(more, []);
    const winner = others[tries.indexOf(made)];
    for (const server of servers) {
      const again = await of(server, winner).accept(challengeId);
      assert.equal(again.tableId, made.value.tableId);
    }
    await of(servers[1], winner).block(ada);
    const join = (server, { token }) => Player.join(server, made.value.tableId, { token });
    const listener = await join(servers[1], winner);
    const speaker = await join(servers[2], ada);
    say(speaker, 'hey');
    assert.equal(await heard(speaker), 'hey');
    say(listener, 'hello');
    assert.equal(await heard(listener), 'hello');
    listener.stream.cut();
    speaker.stream.cut();
    await of(servers[2], ada).friends();
    await of(servers[0], others[0]).follow(ada);
    const [followed] = (await of(servers[1], others[0]).friends()).follows;
    assert.deepEqual([followed.here, followed.tableId], [true, made.value.tableId]);
  });
});
