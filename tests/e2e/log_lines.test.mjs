// What the log and the metrics answer about people and games: a sign-in, a stream, a refused call,
// a game that is played to its end, and a search; in both formats of the log.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { MatchmakingService } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { ownAdminOf } from './harness/admin.mjs';
import { azul, resign } from './harness/games.mjs';
import {
  bearer,
  clientOf,
  lobbyOf,
  newTable,
  signIn,
  transports,
  unknownId,
} from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

/** A line of each format: { level, message } and its fields, numbers as numbers. */
const readers = {
  json: JSON.parse,
  text: (line) => {
    const [, level, message, rest] = line.match(/^\S+ (\w+) (.*?)((?: [a-z_]+=\S+)*)$/);
    const fields = [...rest.matchAll(/ ([a-z_]+)=(\S+)/g)].map(([, name, value]) => [
      name,
      /^(seat|seats|bots|frames|seconds|ms|version)$/.test(name) ? Number(value) : value,
    ]);
    return { level, message, ...Object.fromEntries(fields) };
  },
};

/** The id that a refusal names its call by. */
function requestOf(error) {
  const [{ value }] = error.details.filter(({ type }) => type === 'google.rpc.RequestInfo');
  assert.equal(value[0], 10);
  return Buffer.from(value.subarray(2, 2 + value[1])).toString();
}

for (const [format, read] of Object.entries(readers)) {
  describe(`the log as ${format}`, () => {
    let server;
    before(async () => {
      server = await Server.start('--log-format', format, '--log-level', 'debug');
    });
    after(() => server.dispose());

    /** The first line with this message and these fields, as soon as it is there. */
    async function line(message, fields) {
      const wanted = Object.entries({ message, ...fields });
      let found;
      await until(
        () => {
          const lines = server.output.split('\n').slice(0, -1).map(read);
          found = lines.find((each) => wanted.every(([name, value]) => each[name] === value));
          return found !== undefined;
        },
        `${message} ${JSON.stringify(fields)}`,
      );
      return found;
    }

    test('a game from the sign-in to its end', async () => {
      const owner = await signIn(server, 'Ada');
      const { tableId } = await newTable(server, { size: 3, objective: 16 }, owner);
      const at = { table: tableId, player: owner.playerId };
      const player = await Player.join(server, tableId, { token: owner.token });
      let moves = 0;
      for (; !player.result; ++moves) await player.play();
      await player.stream.close();

      const address = '127.0.0.1';
      const signedIn = await line('player signed in', { player: owner.playerId });
      assert.deepEqual(
        [signedIn.level, signedIn.kind, signedIn.address],
        ['info', 'guest', address],
      );
      const made = await line('table made', { table: tableId });
      assert.deepEqual([made.game, made.owner, made.seats], ['2048', owner.playerId, 1]);
      const began = await line('stream began', at);
      assert.deepEqual([began.level, began.seat, began.address], ['debug', 0, address]);
      const over = await line('table ended', { table: tableId });
      assert.deepEqual([over.level, over.game, over.end], ['info', '2048', 'finished']);
      const ended = await line('stream ended', at);
      assert.deepEqual([ended.level, ended.seat, ended.address], ['info', 0, address]);
      assert.deepEqual([ended.frames, ended.reason], [moves, 'closed']);
      for (const { seconds } of [over, ended]) assert.ok(seconds > 0 && seconds < 60, `${seconds}`);
      assert.ok(!server.output.includes(owner.token.split('.')[2]));
      assert.doesNotMatch(server.output, /Ada/);
    });

    test('a stream that is sent away, and one that is cut', async () => {
      const { tableId, token, owner } = await newTable(server);
      const refused = await Stream.open(server, tableId, { token: `${token}x` });
      await refused.goodbye();
      const { player } = await line('stream ended', { table: tableId, reason: 'unauthenticated' });
      assert.equal(player, undefined);
      const cut = await Player.join(server, tableId, { token });
      cut.stream.cut();
      await line('stream ended', { table: tableId, player: owner.playerId, reason: 'cut' });
    });

    for (const transport of Object.keys(transports)) {
      test(`a refused call carries its id, over ${transport}`, async () => {
        const { tableId } = await newTable(server);
        const lobby = lobbyOf(server, transport);
        const refusal = await lobby.getTable({ tableId: unknownId(tableId) }).catch((e) => e);
        assert.equal(refusal.code, Code.NotFound);
        const { level, method, code, ms, address } = await line('call', {
          request: requestOf(refusal),
        });
        assert.equal(level, 'debug');
        assert.equal(method, '/tesela.lobby.v1.LobbyService/GetTable');
        assert.equal(code, 'not_found');
        assert.ok(ms >= 0 && ms < 10_000, `${ms}`);
        assert.equal(address, '127.0.0.1');
      });
    }
  });
}

describe('at the usual level', () => {
  let server;
  before(async () => (server = await Server.start()));
  after(() => server.dispose());
  const count = (name, labels) => counter(server, `tesela_${name}`, labels);

  test('a move writes nothing, and calls that end well neither', async () => {
    const { tableId, token } = await newTable(server);
    const player = await Player.join(server, tableId, { token });
    const before = server.output;
    await player.playMoves(20);
    await lobbyOf(server).getTable({ tableId });
    await player.stream.close();
    await until(() => server.output.length > before.length, 'the end of the stream');
    assert.match(server.output.slice(before.length), /^\S+ info stream ended .* frames=20 .*\n$/);
  });

  test('people, calls and games are counted', async () => {
    const online = (who) => count('online', { who });
    const guests = await count('sign_ins_total', { kind: 'guest' });
    const resigned = await count('games_ended_total', { game: '2048', end: 'resigned' });
    const { tableId, token } = await newTable(server);
    assert.equal(await count('sign_ins_total', { kind: 'guest' }), guests + 1);
    const player = await Player.join(server, tableId, { token });
    const spectator = await Player.join(server, tableId, {});
    assert.deepEqual([await online('player'), await online('spectator')], [1, 1]);
    await player.playBody(resign, {});
    await until(
      async () =>
        (await count('games_ended_total', { game: '2048', end: 'resigned' })) === resigned + 1,
      'the end of the game',
    );
    await Promise.all([player, spectator].map(({ stream }) => stream.close()));
    await until(
      async () => (await online('player')) + (await online('spectator')) === 0,
      'the end of the streams',
    );
    const method = '/tesela.lobby.v1.LobbyService/CreateTable';
    assert.equal(
      await count('rpc_seconds_count', { method }),
      await count('rpcs_total', { method }),
    );
  });

  test('bots that play are counted, and a table that the operator closes', async () => {
    const owner = await signIn(server);
    const request = {
      game: 'azul',
      config: azul(2).config,
      bots: [{ strategy: 'random' }],
    };
    const { table } = await lobbyOf(server).createTable(request, bearer(owner.token));
    const player = await Player.join(server, table.tableId, { token: owner.token });
    await until(async () => (await count('online', { who: 'bot' })) === 1, 'the bot');
    assert.match(
      server.output,
      new RegExp(`table made table=${table.tableId} game=azul .* bots=1`),
    );
    await (await ownAdminOf(server)).closeTable({ tableId: table.tableId, reason: 'A test' });
    await player.stream.goodbye();
    const ended = new RegExp(`table ended table=${table.tableId} game=azul end=closed seconds=`);
    assert.match(server.output, ended);
    assert.equal(await count('games_ended_total', { game: 'azul', end: 'closed' }), 1);
    await until(async () => (await count('online', { who: 'bot' })) === 0, 'the end of the bot');
  });

  test('searches are counted while they wait, and how long they did', async () => {
    const matched = await count('search_wait_seconds_count');
    const [ada, ben] = [await signIn(server), await signIn(server)];
    const find = async ({ token }) => {
      const service = clientOf(MatchmakingService, server);
      for await (const { update } of service.find({ game: 'azul' }, bearer(token))) {
        if (update.case === 'matched') return update.value;
      }
      return undefined;
    };
    const first = find(ada);
    await until(async () => (await count('searches_waiting')) === 1, 'the search');
    await Promise.all([first, find(ben)]);
    await until(async () => (await count('searches_waiting')) === 0, 'the end of the searches');
    assert.equal(await count('search_wait_seconds_count'), matched + 2);
  });
});
