// Giving up, over real sockets: who does ranks last, and is played for where others play on.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { ResignedSchema } from './gen/tesela/play/v1/course_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { azul, games, resign } from './harness/games.mjs';
import { assertTrue } from './harness/judges.mjs';
import { bearer, clientOf, lobbyOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertReason } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { subProtocols, unpack } from './harness/stream.mjs';

let server;
before(async () => (server = await Server.start('--threads', '2', '--bot-pace', '0ms')));
after(() => server.dispose());

/** A table of Azul, people on every seat: { tableId, guests, players }, in the order of seats. */
async function seated(seats, { options = {}, protocol, on = server } = {}) {
  const guests = [];
  for (let n = 0; n < seats; ++n) guests.push(await signIn(on, `Guest ${n}`));
  const request = { game: 'azul', config: azul(seats).config, options };
  const { table } = await lobbyOf(on).createTable(request, bearer(guests[0].token));
  const { tableId } = table;
  for (const { token } of guests.slice(1)) {
    await lobbyOf(on).joinTable({ tableId }, bearer(token));
  }
  const join = ({ token }) => Player.join(on, tableId, { token, protocol });
  return { tableId, guests, players: await Promise.all(guests.map(join)) };
}

/** Plays `count` moves of people, or all there are; strategies play theirs. */
async function playOn(players, count = Infinity) {
  const [leader] = players;
  for (let n = 0; n < count && !leader.result; ++n) {
    const { version } = leader;
    const seat = leader.seating.seats[leader.turn[0]];
    if (!seat.strategy) {
      const mover = players.find((player) => player.seat === seat.seat);
      await mover.playBody(azul().choose(leader.view, n));
    }
    for (const player of players) await player.reach(version + 1n);
  }
}

/** Gives up, and everybody hears of it, also of who plays on. */
async function giveUp(player, players) {
  const event = await player.playBody(resign, {});
  assert.equal(unpack(event.body).$typeName, ResignedSchema.typeName);
  assert.equal(event.seat, player.seat);
  for (const other of players) {
    await other.reach(event.version);
    while (!other.result && !other.seating.seats[player.seat].resigned) await other.step();
  }
  return event;
}

/** Sends a move that must be refused. */
async function assertRefused(player, body, reason, meaning) {
  const moveId = player.stream.play(body);
  for (;;) {
    const { kind, value } = await player.step();
    assert.notEqual(value.moveId === moveId && kind, 'event', 'the move was played');
    if (kind === 'refusal') return assertReason(value, reason, meaning);
  }
}

/** The game of a player who has seen its end is true. */
function assertBelieved({ server: on, tableId, version, welcome: { commitment } }) {
  return assertTrue(on, tableId, { commitment, versions: version });
}

const close = (players) => Promise.all(players.map(({ stream }) => stream.close()));

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    for (const waits of [false, true]) {
      test(`who gives up a game of two has lost it, ${waits ? 'not ' : ''}on turn`, async () => {
        const { tableId, players } = await seated(2, { protocol });
        const watcher = await Player.join(server, tableId, { protocol });
        await playOn(players, 6);
        const { view, version } = players[0];
        const loser = players.find(({ seat, turn }) => turn.includes(seat) !== waits);
        const event = await giveUp(loser, [...players, watcher]);
        assert.equal(event.version, version + 1n);
        assert.deepEqual(event.turn.seats, []);
        for (const { seat, rank, resigned, points } of event.result.standings) {
          assert.deepEqual([rank, resigned], seat === loser.seat ? [2, true] : [1, false]);
          assert.equal(Number(points), view.table.boards[seat].score, 'the points as they stand');
        }
        await watcher.reach(event.version);
        for (const each of [...players, watcher]) assert.deepEqual(each.result, event.result);
        const { table } = await lobbyOf(server).getTable({ tableId });
        assert.equal(table.state, TableState.OVER);
        assert.deepEqual(table.result, event.result);
        await assertBelieved(players[0]);
        await assertRefused(players[0], resign, Reason.GAME_OVER, /over|given up/);
        await close([...players, watcher]);
      });
    }

    test('in a game of four a strategy plays on, and who gave up ranks last', async () => {
      const { tableId, guests, players } = await seated(4, { protocol });
      await playOn(players, 5);
      const [, first, second] = players;
      await giveUp(first, players);
      await playOn(players, 9);
      await giveUp(second, players);
      for (const { seat, strategy, bot, resigned } of players[0].seating.seats) {
        const gone = seat === first.seat || seat === second.seat;
        assert.deepEqual([strategy, bot, resigned], [gone ? 'safe' : '', false, gone]);
      }

      // There is no way back to the seat: by a move, by the lobby, by a new stream.
      const move = azul().choose(players[0].view, 0);
      await assertRefused(first, move, Reason.GAME_OVER, /You have given up this game/);
      await assertRefused(first, resign, Reason.GAME_OVER, /You have given up this game/);
      await lobbyOf(server).joinTable({ tableId }, bearer(guests[1].token));
      await first.stream.close();
      await first.resume();
      assert.equal(first.seating.seats[first.seat].strategy, 'safe');
      assert.equal(first.seating.seats[first.seat].resigned, true);

      const { version } = players[0];
      for (const player of players) await player.reach(version);
      await playOn(players);
      const { standings } = players[0].result;
      assert.deepEqual([standings[first.seat].rank, standings[second.seat].rank], [4, 3]);
      assert.deepEqual(
        standings.map(({ resigned }) => resigned),
        standings.map(({ seat }) => seat === first.seat || seat === second.seat),
      );
      const afterwards = players[0].events.filter(
        ({ seat, version: at }) => seat === second.seat && at > version,
      );
      assert.ok(afterwards.length > 0);
      assert.ok(afterwards.every(({ strategy }) => strategy === 'safe'));
      await assertBelieved(players[0]);
      await close(players);
    });
  });
}

test('only who plays gives up, and only while there is a game', async () => {
  const { tableId, players } = await seated(3);
  const watcher = await Player.join(server, tableId);
  await assertRefused(watcher, resign, Reason.NOT_SEATED, /only a seated player/);
  await close([...players, watcher]);
  const owner = await signIn(server);
  const request = { game: 'azul', config: azul(2).config };
  const { table } = await lobbyOf(server).createTable(request, bearer(owner.token));
  const early = await Player.join(server, table.tableId, { token: owner.token });
  await assertRefused(early, resign, Reason.NOT_STARTED, /when every seat is taken/);
  await close([early]);
});

for (const [game, { seats, choose }] of Object.entries(games)) {
  if (seats > 1) continue;
  // On the boards of the default: the small ones may be over within three moves.
  test(`${game}: who plays alone and gives up keeps the points`, async () => {
    const owner = await signIn(server);
    const { table } = await lobbyOf(server).createTable({ game }, bearer(owner.token));
    const { tableId } = table;
    const player = await Player.join(server, tableId, { token: owner.token });
    for (let n = 0; n < 3; ++n) await player.playBody(choose(player.view, n));
    const score = Number(player.view.score);
    const { result } = await giveUp(player, [player]);
    const [{ rank, resigned, points }] = result.standings;
    assert.deepEqual([rank, resigned], [1, true]);
    if (game !== 'samegame') assert.equal(Number(points), score);
    await assertBelieved(player);
    await close([player]);
  });
}

test('a ranked game that is given up moves the ratings', async () => {
  const { guests, players } = await seated(2, { options: { ranked: true } });
  await playOn(players, 4);
  await giveUp(players[0], players);
  const boards = clientOf(LeaderboardService, server);
  const [lost, won] = await Promise.all(
    guests.map(({ playerId }) => boards.getRating({ game: 'azul', playerId })),
  );
  assert.deepEqual([lost.rating.games, won.rating.games], [1, 1]);
  assert.ok(lost.rating.shown < 1000 && won.rating.shown > lost.rating.shown);
  await close(players);
});

test('under a clock nobody waits for who has given up', async () => {
  const options = { clock: { moveMs: 60_000, gameMs: 600_000 } };
  const { players } = await seated(3, { options });
  const gone = players.find(({ seat, turn }) => turn.includes(seat));
  const begin = performance.now();
  await giveUp(gone, players);
  for (const player of players) await player.reach(3n);
  assert.ok(performance.now() - begin < 5000);
  const [, move] = players[0].events;
  assert.deepEqual([move.seat, move.strategy, move.timedOut], [gone.seat, 'safe', false]);
  const others = players.filter((player) => player !== gone);
  await playOn([...others, gone]);
  await assertBelieved(players[0]);
  await close(players);
});

test('after a kill -9 who gave up has still done so', async () => {
  const own = await Server.start('--bot-pace', '0ms');
  try {
    const { players } = await seated(3, { on: own });
    await playOn(players, 4);
    await giveUp(players[1], players);
    await own.kill();
    await own.start();
    for (const player of players) await player.resume();
    for (const { seating } of players) {
      assert.equal(seating.seats[1].resigned, true);
      assert.equal(seating.seats[1].strategy, 'safe');
    }
    await assertRefused(players[1], resign, Reason.GAME_OVER, /You have given up this game/);
    const { version } = players.toSorted((a, b) => Number(b.version - a.version))[0];
    for (const player of players) await player.reach(version);
    await playOn(players);
    assert.equal(players[0].result.standings[1].rank, 3);
    await assertBelieved(players[0]);
    await close(players);
  } finally {
    await own.dispose();
  }
});
