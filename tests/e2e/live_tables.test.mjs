// How many live tables a player and an address may have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MatchmakingService } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { azul, resign } from './harness/games.mjs';
import { lobbyFor, untilTooMany, withServer } from './harness/limited.mjs';
import { bearer, clientOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';

withServer(
  [
    ...['--live-tables-per-player', '2', '--live-tables-per-address', '3'],
    ...['--trusted-proxies', '127.0.0.0/8'],
  ],
  (given) => {
    const make = (address, { token }) =>
      untilTooMany(4, () =>
        lobbyFor(given.server, address).createTable({ game: '2048' }, bearer(token)),
      );

    test('a player and an address have so many live tables, and are told the number', async () => {
      const [ada, bea, cyd] = await Promise.all(
        ['Ada', 'Bea', 'Cyd'].map((name) => signIn(given.server, name)),
      );
      const player = await make('192.0.2.1', ada);
      assert.equal(player.done, 2);
      assert.match(player.sentence, /You have 2 tables.*as many as one player may/);
      const address = await make('192.0.2.1', bea);
      assert.equal(address.done, 1);
      assert.match(address.sentence, /Your address has 3 tables.*as many as one address may/);
      // Who searches would have one more.
      const search = clientOf(MatchmakingService, given.server).find(
        { game: 'azul' },
        bearer(ada.token),
      );
      await assert.rejects(search[Symbol.asyncIterator]().next(), /You have 2 tables/);
      assert.equal((await make('192.0.2.2', cyd)).done, 2);
    });

    test('sitting down counts until the seat is left', async () => {
      const host = await signIn(given.server, 'Hal');
      const guest = await signIn(given.server, 'Gus');
      const open = async (address) => {
        const lobby = lobbyFor(given.server, address);
        const { table } = await lobby.createTable({ game: 'azul' }, bearer(host.token));
        return table.tableId;
      };
      const tables = [await open('192.0.2.4'), await open('192.0.2.5')];
      const other = await signIn(given.server, 'Ian');
      const { table } = await lobbyFor(given.server, '192.0.2.6').createTable(
        { game: 'azul', config: azul(3).config },
        bearer(other.token),
      );
      tables.push(table.tableId);
      const lobby = lobbyFor(given.server, '192.0.2.7');
      const sitDown = (tableId) => lobby.joinTable({ tableId }, bearer(guest.token));
      await sitDown(tables[2]);
      await sitDown(tables[0]);
      await sitDown(tables[0]); // once more is the same seat
      await assert.rejects(sitDown(tables[1]), /You have 2 tables.*sat down at.*leave a seat/);
      const make = lobby.createTable({ game: '2048' }, bearer(guest.token));
      await assert.rejects(make, /You have 2 tables/);
      await lobby.freeSeat({ tableId: tables[2], seat: 1 }, bearer(guest.token));
      await sitDown(tables[1]);
    });

    test('a game that is over makes room', async () => {
      const eve = await signIn(given.server, 'Eve');
      const address = '192.0.2.3';
      const { table } = await lobbyFor(given.server, address).createTable(
        { game: '2048' },
        bearer(eve.token),
      );
      assert.equal((await make(address, eve)).done, 1);
      const player = await Player.join(given.server, table.tableId, { token: eve.token });
      await player.playBody(resign, {});
      assert.equal((await make(address, eve)).done, 1);
    });
  },
);
