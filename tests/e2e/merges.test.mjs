// A guest moves into an account that there is already.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { AccountService } from './gen/tesela/account/v1/account_pb.js';
import { ProfileService } from './gen/tesela/account/v1/profile_pb.js';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { ownAdminOf } from './harness/admin.mjs';
import { databases } from './harness/databases.mjs';
import { azul } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, newTable, newTableOf, signIn } from './harness/lobby.mjs';
import { startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

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
    let database;
    let server;
    before(async () => {
      database = await start();
      server = await Server.start(...database.options);
    });
    after(async () => {
      await server.dispose();
      await database.dispose();
    });

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
