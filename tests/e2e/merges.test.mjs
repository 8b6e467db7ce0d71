// A guest moves into an account that there is already.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { AccountService } from './gen/tesela/account/v1/account_pb.js';
import { ActKind } from './gen/tesela/account/v1/conduct_pb.js';
import { ProfileService } from './gen/tesela/account/v1/profile_pb.js';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { moderatorOf, ownAdminOf } from './harness/admin.mjs';
import { databases, serverOn } from './harness/databases.mjs';
import { azul } from './harness/games.mjs';
import { lobbyFor, untilTooMany } from './harness/limited.mjs';
import { bearer, clientOf, lobbyOf, newTable, newTableOf, signIn } from './harness/lobby.mjs';
import { startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';
import { WallClock } from './harness/wall_clock.mjs';

const { InvalidArgument, PermissionDenied, Unauthenticated } = Code;

const accountOf = (server) => clientOf(AccountService, server);
const merge = (server, account, guest, more = {}) =>
  accountOf(server).mergeGuest({ guestToken: guest.token, ...more }, bearer(account.token));

/** A player whose account is kept. */
async function member(server, name) {
  const player = await signIn(server, name);
  await accountOf(server).makeRecoveryCode({}, bearer(player.token));
  return player;
}

/** A game of 2048 that the player has played to its end. */
async function finished(server, owner) {
  const { tableId, token } = await newTable(server, { size: 3 }, owner);
  const player = await Player.join(server, tableId, { token });
  await player.playToEnd();
  player.stream.cut();
  return tableId;
}

/** Who sits at a table, as others see it. */
const seatsOf = async (server, tableId) =>
  (await lobbyOf(server).getTable({ tableId })).table.seats.map(({ playerId }) => playerId);

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let server;
    serverOn(start, (started) => (server = started));

    test('what the guest has played is the account’s, told before, and play goes on', async () => {
      const ada = await member(server, 'Ada');
      const guest = await signIn(server, 'Visitor');
      const over = await finished(server, guest);
      const { tableId } = await newTable(server, {}, guest);
      const playing = await Player.join(server, tableId, { token: guest.token });
      await playing.playMoves(2);

      const told = await merge(server, ada, guest, { onlyLook: true });
      assert.deepEqual([told.guestName, told.games, told.gamesInPlay], ['Visitor', 2, 1]);
      assert.ok(told.scores > 0);
      assert.deepEqual(await seatsOf(server, over), [guest.playerId]);

      const moved = await merge(server, ada, guest);
      assert.deepEqual({ ...moved, $unknown: undefined }, { ...told, $unknown: undefined });
      assert.equal((await playing.stream.goodbye()).reconnect, false);
      assert.deepEqual(await seatsOf(server, over), [ada.playerId]);
      const own = await Player.join(server, tableId, { token: ada.token });
      assert.equal(own.seat, 0);
      assert.equal(own.seating.seats[0].displayName, 'Ada');
      await own.playMoves(2);
      own.stream.cut();

      const history = clientOf(HistoryService, server);
      const { record } = await history.getRecord({ tableId: over }, bearer(ada.token));
      assert.equal(record.table.seats[0].playerId, ada.playerId);
      const profiles = clientOf(ProfileService, server);
      const who = { case: 'playerId', value: ada.playerId };
      const { bestScores } = await profiles.getProfile({ who });
      assert.equal(bestScores.length, 1);

      await server.kill();
      await server.start();
      assert.deepEqual(await seatsOf(server, tableId), [ada.playerId]);
      const again = await Player.join(server, tableId, { token: ada.token });
      await again.playMoves(1);
      again.stream.cut();
      // The answer may have been lost.
      assert.equal((await merge(server, ada, guest)).games, 0);
      const call = accountOf(server).getAccount({}, bearer(guest.token));
      await assertRefused(call, Unauthenticated, /sign/i);

      const admin = await ownAdminOf(server);
      const tables = [];
      for (let pageToken = ''; ; ) {
        const page = await admin.exportPlayer({ playerId: ada.playerId, pageToken });
        tables.push(...page.tables.map(({ table }) => table.tableId));
        if (!(pageToken = page.nextPageToken)) break;
      }
      assert.deepEqual(tables.sort(), [over, tableId].sort());
      await admin.erasePlayer({ playerId: ada.playerId });
      const { table } = await lobbyOf(server).getTable({ tableId: over });
      assert.equal(table.seats[0].displayName, 'someone');
    });

    test('who has not both is refused', async () => {
      const ada = await member(server, 'Ada');
      const bob = await member(server, 'Bob');
      const guest = await signIn(server, 'Visitor');
      await assertRefused(merge(server, { token: '' }, guest), Unauthenticated, /sign in/);
      await assertRefused(merge(server, ada, { token: 'x' }), PermissionDenied, /guest_token/);
      await assertRefused(merge(server, ada, ada), InvalidArgument, /itself/);
      await assertRefused(merge(server, ada, bob), PermissionDenied, /Only a guest/);
      await assertRefused(merge(server, guest, await signIn(server)), PermissionDenied, /kept/);
      const current = { which: { case: 'current', value: true } };
      await accountOf(server).endSession(current, bearer(guest.token));
      await assertRefused(merge(server, ada, guest), PermissionDenied, /guest_token.*signed out/);
      const other = await signIn(server, 'Visitor');
      await merge(server, ada, other);
      await assertRefused(merge(server, bob, other), PermissionDenied, /guest_token/);
    });

    test('two calls at once move the guest once, to one account', async () => {
      const accounts = [await member(server, 'Ada'), await member(server, 'Bob')];
      const guest = await signIn(server, 'Visitor');
      const { tableId } = await newTable(server, {}, guest);
      const calls = [...accounts, ...accounts].map((account) => merge(server, account, guest));
      const done = (await Promise.allSettled(calls)).map(({ status }) => status === 'fulfilled');
      assert.deepEqual(done.slice(0, 2), done.slice(2));
      assert.notEqual(done[0], done[1]);
      const { playerId } = accounts[done.indexOf(true)];
      assert.deepEqual(await seatsOf(server, tableId), [playerId]);
    });
  });
}

describe('who awaits and counts players', () => {
  let server;
  before(async () => {
    const limits = ['--live-tables-per-player', '2', '--live-tables-per-address', '3'];
    const proxied = ['--trusted-proxies', '127.0.0.0/8'];
    const held = ['--exempt-addresses', 'none', ...limits, ...proxied];
    server = await Server.start('--come-within', '700ms', ...held);
  });
  after(() => server.dispose());

  test('a guest’s live tables count for the address when they are the account’s', async () => {
    const ada = await member(server, 'Ada');
    const lobby = lobbyFor(server, '192.0.2.1');
    const make = ({ token }) =>
      untilTooMany(4, () =>
        lobby.createTable({ game: 'azul', bots: [{ strategy: 'greedy' }] }, bearer(token)),
      );
    const guests = [await signIn(server, 'Visitor'), await signIn(server, 'Visitor')];
    assert.equal((await make(guests[0])).done, 2);
    assert.equal((await make(guests[1])).done, 1);
    const { tables } = await lobby.listTables({ playerId: guests[0].playerId }, {});
    const streams = [];
    for (const { tableId } of tables) {
      streams.push(await Player.join(server, tableId, { token: guests[0].token }));
    }
    for (const guest of guests) await merge(server, ada, guest);
    const other = await make(await signIn(server, 'Visitor'));
    assert.equal(other.done, 0);
    assert.match(other.sentence, /Your address has 3 tables/);
    for (const { stream } of streams) stream.cut();
  });

  test('an account that does not come is stood up at the guest’s seat', async () => {
    const ada = await member(server, 'Ada');
    const host = await signIn(server, 'Hal');
    const guest = await signIn(server, 'Visitor');
    const lobby = lobbyFor(server, '192.0.2.2');
    const { table } = await lobby.createTable({ game: 'azul' }, bearer(host.token));
    const { tableId } = table;
    const hal = await Player.join(server, tableId, { token: host.token });
    await lobby.joinTable({ tableId }, bearer(guest.token));
    await merge(server, ada, guest);
    assert.deepEqual(await seatsOf(server, tableId), [host.playerId, ada.playerId]);
    const alone = async () => (await seatsOf(server, tableId)).length === 1;
    await until(alone, 'the free seat');
    hal.stream.cut();
  });

  test('a guest’s table is the account’s, also where both sit or the guest does not', async () => {
    const ada = await member(server, 'Ada');
    const guest = await signIn(server, 'Visitor');
    const bob = await signIn(server, 'Bob');
    for (const [n, watchOnly] of [true, false].entries()) {
      const lobby = lobbyFor(server, `192.0.2.${3 + n}`);
      const request = { game: 'azul', config: azul(3).config, watchOnly };
      const owner = watchOnly ? await signIn(server, 'Visitor') : guest;
      const { table } = await lobby.createTable(request, bearer(owner.token));
      const { tableId } = table;
      await lobby.joinTable({ tableId }, bearer(watchOnly ? bob.token : ada.token));
      if (!watchOnly) await lobby.joinTable({ tableId }, bearer(bob.token));
      const playing = await Player.join(server, tableId, { token: bob.token });
      await merge(server, ada, owner);
      await lobby.removePlayer({ tableId, playerId: bob.playerId }, bearer(ada.token));
      playing.stream.cut();
    }
  });

  test('an account that may not play takes no guest in', async () => {
    const ada = await member(server, 'Ada');
    const guest = await signIn(server, 'Visitor');
    const act = { playerId: ada.playerId, kind: ActKind.SUSPEND, operator: 'Otto' };
    const until = timestampFromMs(Date.now() + 3_600_000);
    const moderate = await moderatorOf(server);
    await moderate('actOnPlayer', { ...act, reason: 'Bots', until });
    const call = merge(server, ada, guest);
    await assertRefused(call, PermissionDenied, /suspended you/, /^SUSPENDED$/);
  });
});

test('the days of both make one daily streak', async (t) => {
  const clock = await WallClock.make();
  const server = await Server.startProgram(clock.program);
  t.after(async () => {
    await server.dispose();
    await clock.dispose();
  });
  const playDaily = async ({ token }) => {
    const request = { game: '2048', daily: true };
    const { table } = await lobbyOf(server).createTable(request, bearer(token));
    const player = await Player.join(server, table.tableId, { token });
    await player.playToEnd();
    player.stream.cut();
  };
  const who = ({ playerId }) => ({ who: { case: 'playerId', value: playerId } });
  const streakOf = async (player) => {
    const { dailyStreaks } = await clientOf(ProfileService, server).getProfile(who(player));
    return dailyStreaks.map(({ days }) => days);
  };
  const ada = await member(server, 'Ada');
  await playDaily(ada);
  await clock.setOff(24 * 3_600_000);
  const guest = await signIn(server, 'Visitor');
  await playDaily(guest);
  assert.deepEqual([await streakOf(ada), await streakOf(guest)], [[1], [1]]);
  await merge(server, ada, guest);
  assert.deepEqual(await streakOf(ada), [2]);
});

test('a table in play at another server has the account at its seat within a second', async () => {
  const postgres = await Postgres.start();
  const servers = [await startNode(postgres), await startNode(postgres)];
  const [here, there] = servers;
  const ada = await member(there, 'Ada');
  const guest = await signIn(here, 'Visitor');
  const bob = await signIn(here, 'Bob');
  const { config } = azul(2);
  const { tableId } = await newTableOf(here, { game: 'azul', config, owner: guest });
  await lobbyOf(here).joinTable({ tableId }, bearer(bob.token));
  const players = [];
  for (const { token } of [guest, bob]) players.push(await Player.join(here, tableId, { token }));
  await players[1].reach(1n);

  await merge(there, ada, guest);
  await until(async () => {
    while (players[1].seating.seats[0].displayName !== 'Ada') await players[1].step();
    return true;
  }, 'the new name');
  const own = await Player.join(there, tableId, { token: ada.token });
  assert.equal(own.seat, 0);
  const both = [own, players[1]];
  for (let n = 0; n < 4; ++n) {
    const mover = both.find(({ seat, turn }) => turn.includes(seat));
    const { version } = await mover.playBody(azul(2).choose(mover.view, 0));
    for (const player of both) await player.reach(version);
  }
  for (const { stream } of [own, ...players]) stream.cut();
  await Promise.all(servers.map((server) => server.dispose()));
  await postgres.dispose();
});
