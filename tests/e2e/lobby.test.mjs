// The lobby, the same over every way to reach it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Code, ConnectError } from '@connectrpc/connect';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { bearer, config2048, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { unpack } from './harness/stream.mjs';

let server;
before(async () => (server = await Server.start('--threads', '2')));
after(() => server.dispose());

function refused(code, sentence) {
  return (error) => {
    assert.ok(error instanceof ConnectError, `${error}`);
    assert.equal(Code[error.code], code);
    assert.match(error.rawMessage, sentence);
    return true;
  };
}

for (const transport of Object.keys(transports)) {
  describe(`over ${transport}`, () => {
    let lobby;
    before(() => (lobby = lobbyOf(server, transport)));

    async function guest(name = 'Ada') {
      const player = await lobby.signIn({ displayName: name });
      const make = async (config) =>
        (
          await lobby.createTable(
            { game: '2048', ...(config && { config: config2048(config) }) },
            bearer(player.token),
          )
        ).table;
      return { ...player, make };
    }

    test('a guest signs in and gets an id, a token and the name as it is shown', async () => {
      const first = await guest('  Grace Hopper ');
      const second = await guest('Grace Hopper');
      assert.equal(first.displayName, 'Grace Hopper');
      assert.notEqual(first.playerId, second.playerId);
      assert.equal(first.token.split('.').length, 3);
      assert.ok(timestampDate(first.expiresAt) > new Date());
    });

    test('a table without a configuration is the original game', async () => {
      const owner = await guest();
      const table = await owner.make();
      assert.match(table.tableId, /^[0-9a-z]{13}$/);
      assert.equal(table.game, '2048');
      assert.equal(table.state, TableState.IN_PLAY);
      assert.deepEqual(
        table.seats.map(({ seat, playerId, displayName }) => ({ seat, playerId, displayName })),
        [{ seat: 0, playerId: owner.playerId, displayName: 'Ada' }],
      );
      assert.ok(Math.abs(timestampDate(table.createdAt) - Date.now()) < 60_000);
      assert.equal(table.endedAt, undefined);
      assert.equal(table.result, undefined);
      const config = unpack(table.config);
      assert.equal(config.size, 4);
      assert.equal(config.startTiles, 2);
      assert.equal(config.objective, 2048);
      assert.deepEqual(
        config.weights.map((w) => [w.value, w.perMille]),
        [
          [2, 900],
          [4, 100],
        ],
      );
    });

    test('a list takes conditions on game, state and player, and all must hold', async () => {
      const owner = await guest();
      const running = await owner.make({ size: 2 });
      const ended = await owner.make({ size: 2 });
      const player = await Player.join(server, ended.tableId, { token: owner.token });
      await player.playToEnd();
      await player.stream.close();
      const list = async (filter) =>
        (await lobby.listTables({ filter: { playerId: owner.playerId, ...filter } })).tables
          .map((table) => table.tableId)
          .sort();
      assert.deepEqual(await list({}), [running.tableId, ended.tableId].sort());
      assert.deepEqual(await list({ state: TableState.IN_PLAY }), [running.tableId]);
      assert.deepEqual(await list({ state: TableState.OVER, game: '2048' }), [ended.tableId]);
      assert.deepEqual(await list({ game: 'azul' }), []);
      const over = (await lobby.getTable({ tableId: ended.tableId })).table;
      assert.equal(over.state, TableState.OVER);
      assert.equal(over.result.standings[0].points, player.view.score);
      assert.ok(timestampDate(over.endedAt) >= timestampDate(over.createdAt));
    });

    test('a watch shows what is there, then every change, until the caller hangs up', async () => {
      const owner = await guest();
      const first = await owner.make({ size: 2 });
      const hangUp = new AbortController();
      const changes = lobby
        .watchTables({ filter: { playerId: owner.playerId } }, { signal: hangUp.signal })
        [Symbol.asyncIterator]();
      const next = async () => (await changes.next()).value.table;
      assert.equal((await next()).tableId, first.tableId);
      await (await guest('Somebody else')).make();
      const second = await owner.make({ size: 2 });
      assert.equal((await next()).tableId, second.tableId);
      const player = await Player.join(server, second.tableId, { token: owner.token });
      await player.playToEnd();
      await player.stream.close();
      const over = await next();
      assert.equal(over.tableId, second.tableId);
      assert.equal(over.state, TableState.OVER);
      hangUp.abort();
      await assert.rejects(changes.next(), refused('Canceled', /./));
    });
  });
}

test('a player who signed in over one transport is known over the others', async () => {
  const { token, playerId } = await signIn(server);
  for (const transport of Object.keys(transports)) {
    const { table } = await lobbyOf(server, transport).createTable({ game: '2048' }, bearer(token));
    assert.equal(table.seats[0].playerId, playerId);
  }
});
