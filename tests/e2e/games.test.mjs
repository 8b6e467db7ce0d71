// Every game over the stream, by clients that know no rules: made in the lobby, joined, played,
// watched, left and resumed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AzulMoveSchema, AzulOutcome } from './gen/tesela/game/v1/azul_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { azul, games } from './harness/games.mjs';
import { bearer, lobbyOf, newTableOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { pack, subProtocols, unpack } from './harness/stream.mjs';

const movesMax = 400; // a game of 2248 may go on for long
let server;
before(async () => (server = await Server.start('--threads', '2')));
after(() => server.dispose());

/** A table with somebody on every seat: { tableId, players, watcher }. */
async function seated(game, { seats, config }, { protocol, on = server } = {}) {
  const { tableId, token } = await newTableOf(on, { game, config });
  const tokens = [token];
  for (let seat = 1; seat < seats; ++seat) {
    const guest = await signIn(on, `Guest ${seat}`);
    await lobbyOf(on).joinTable({ tableId }, bearer(guest.token));
    tokens.push(guest.token);
  }
  const players = await Promise.all(
    tokens.map((each) => Player.join(on, tableId, { protocol, token: each })),
  );
  return { tableId, players, watcher: await Player.join(on, tableId, { protocol }) };
}

/** Plays up to `count` moves, each by the seat whose turn it is. */
async function playMoves(players, choose, count) {
  for (let n = 0; n < count && !players[0].result; ++n) {
    const mover = players[players[0].turn[0]];
    await mover.playBody(choose(mover.view, n));
    for (const player of players) await player.reach(mover.version);
  }
}

const close = (...players) => Promise.all(players.map(({ stream }) => stream.close()));

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    for (const [game, each] of Object.entries({ ...games, 'azul for four': azul(4) })) {
      const name = game.split(' ')[0];
      test(`${game} is played to its end and watched`, async () => {
        const { tableId, players, watcher } = await seated(name, each, { protocol });
        assert.deepEqual(
          players.map(({ seat }) => seat),
          players.map((_, seat) => seat),
        );
        await playMoves(players, each.choose, movesMax);
        const { table } = await lobbyOf(server).getTable({ tableId });
        if (name !== '2248' || players[0].result) {
          assert.equal(table.state, TableState.OVER);
          assert.equal(players[0].result.standings.length, each.seats);
          assert.deepEqual(players[0].turn, []);
          assert.deepEqual(table.result, players[0].result);
        }
        await watcher.reach(players[0].version);
        for (const player of players) {
          assert.deepEqual(
            player.events.map((e) => e.bytes),
            watcher.events.map((e) => e.bytes),
          );
        }
        await close(watcher, ...players);
      });

      test(`${game} is left and resumed`, async () => {
        const { tableId, players, watcher } = await seated(name, each, { protocol });
        await playMoves(players, each.choose, 2);
        await watcher.reach(players[0].version);
        watcher.stream.cut();
        await playMoves(players, each.choose, 6);
        await watcher.resume();
        assert.equal(watcher.welcome.resumed, true);
        assert.deepEqual(
          watcher.events.map((e) => e.bytes),
          players[0].events.map((e) => e.bytes),
        );
        const late = await Player.join(server, tableId, { protocol });
        assert.deepEqual(late.view, players[0].view);
        assert.deepEqual(late.turn, players[0].turn);
        await close(watcher, late, ...players);
      });
    }
  });
}

test('azul ends when no tile has reached a wall for three rounds', async () => {
  const toTheFloor = ({ offers: [{ source, colour }] }) =>
    pack(AzulMoveSchema, { source, colour, target: { case: 'floor', value: true } });
  for (const seats of [2, 4]) {
    const { tableId, players, watcher } = await seated('azul', azul(seats));
    const { table: begun } = await lobbyOf(server).getTable({ tableId });
    assert.equal(unpack(begun.config).untiledRoundsMax, 3);
    assert.equal(players[0].view.untiledRounds, 0);
    await playMoves(players, toTheFloor, movesMax);
    const { view, result } = players[0];
    assert.equal(view.outcome, AzulOutcome.NO_TILING);
    assert.equal(view.round, 3);
    assert.equal(view.untiledRounds, 3);
    assert.deepEqual(
      result.standings.map(({ rank }) => rank),
      Array(seats).fill(1),
    );
    const { table } = await lobbyOf(server).getTable({ tableId });
    assert.equal(table.state, TableState.OVER);
    await close(watcher, ...players);
  }
});

test('every game comes back as it was after a kill -9', async () => {
  const own = await Server.start();
  try {
    const tables = await Promise.all(
      Object.entries(games).map(async ([game, each]) => {
        const { players } = await seated(game, each, { on: own });
        await playMoves(players, each.choose, 8);
        return { players, choose: each.choose };
      }),
    );
    await own.kill();
    await own.start();
    for (const { players, choose } of tables) {
      const views = players.map(({ view }) => view);
      for (const player of players) {
        player.view = undefined;
        player.version = 0n;
        await player.resume();
      }
      assert.deepEqual(
        players.map(({ view }) => view),
        views,
      );
      const { version } = players[0];
      await playMoves(players, choose, 1);
      if (!players[0].result) assert.equal(players[0].version, version + 1n);
      await close(...players);
    }
  } finally {
    await own.dispose();
  }
});

test('a restart forgets nobody who took a seat', async () => {
  const own = await Server.start();
  try {
    const { tableId, token } = await newTableOf(own, { game: 'azul', config: azul(3).config });
    const grace = await signIn(own, 'Grace');
    await lobbyOf(own).joinTable({ tableId }, bearer(grace.token));
    await own.kill();
    await own.start();
    const ada = await Player.join(own, tableId, { token });
    assert.deepEqual(
      ada.seating.seats.map(({ displayName }) => displayName),
      ['Ada', 'Grace'],
    );
    assert.equal(ada.seating.waiting, true);
    const edsger = await signIn(own, 'Edsger');
    await lobbyOf(own).joinTable({ tableId }, bearer(edsger.token));
    await ada.step();
    assert.equal(ada.seating.waiting, false);
    await close(ada);
  } finally {
    await own.dispose();
  }
});

test('a stage of every game carries what a client draws', async () => {
  for (const [game, each] of Object.entries(games)) {
    const { players } = await seated(game, each);
    await playMoves(players, each.choose, 3);
    for (const event of players[0].events) {
      const { stages, view } = unpack(event.body);
      assert.ok(stages.length > 0, `${game}: a move has stages`);
      const last = stages.at(-1);
      assert.deepEqual(last.table ?? last.cells, view.table ?? view.cells);
    }
    await close(...players);
  }
});
