// Practice tables, over real sockets: moves are taken back with their dice, and nothing counts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@connectrpc/connect';
import { BoardKind, LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { UndoneSchema } from './gen/tesela/play/v1/course_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { azul, games, undo } from './harness/games.mjs';
import { assertTrue } from './harness/judges.mjs';
import { bearer, clientOf, lobbyOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertReason, assertRefused } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { subProtocols, unpack } from './harness/stream.mjs';

const movesMax = 5000;
const alone = Object.entries(games).filter(([, { seats }]) => seats === 1);
let server;
before(async () => (server = await Server.start('--threads', '2')));
after(() => server.dispose());

/** A table of one player: { tableId, owner, player }. */
async function seated(game, { config, options = { practice: true }, protocol, on = server }) {
  const owner = await signIn(on);
  const request = { game, config, options };
  const { table } = await lobbyOf(on).createTable(request, bearer(owner.token));
  const { tableId } = table;
  const player = await Player.join(on, tableId, { token: owner.token, protocol });
  return { tableId, owner, player };
}

/** Sends Undo, again while that is too soon. Returns the answer: { kind, value }. */
async function tryUndo(player) {
  for (;;) {
    const moveId = player.stream.play(undo, { atVersion: player.version });
    let frame;
    do frame = await player.step();
    while (frame.value.moveId !== moveId);
    if (frame.kind !== 'refusal' || frame.value.reason !== Reason.RATE_LIMITED) return frame;
    await sleep(50);
  }
}

/** Takes a move back. Returns the version whose position it is again. */
async function takeBack(player) {
  const { kind, value } = await tryUndo(player);
  assert.equal(kind, 'event', value.message);
  const body = unpack(value.body);
  assert.equal(body.$typeName, UndoneSchema.typeName);
  return body.toVersion;
}

/** What an event shows of a move: the stages and the position after it. */
const shown = ({ body }) => {
  const { stages, view } = unpack(body);
  return { stages, view };
};

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    for (const [game, { choose }] of alone) {
      test(`${game}: a move that is taken back brings position and dice back`, async () => {
        const { tableId, player } = await seated(game, { protocol });
        const watcher = await Player.join(server, tableId, { protocol });
        const at = new Map([[1n, player.view]]);
        const moves = new Map();
        for (let n = 0; n < 5; ++n) {
          const before = player.version;
          const body = choose(player.view, n);
          moves.set(before, { body, event: await player.playBody(body) });
          at.set(player.version, player.view);
        }
        // Twice back, the same moves again, and then all the way.
        for (const target of [5n, 4n]) {
          assert.equal(await takeBack(player), target);
          assert.deepEqual(player.view, at.get(target));
        }
        assert.equal(player.version, 8n);
        for (const then of [4n, 5n]) {
          const { body, event } = moves.get(then);
          assert.deepEqual(shown(await player.playBody(body)), shown(event), 'the same dice fall');
        }
        assert.deepEqual(player.view, at.get(6n));
        const line = [];
        for (let n = 0; n < 5; ++n) line.push(await takeBack(player));
        assert.deepEqual(line, [9n, 4n, 3n, 2n, 1n]);
        assert.deepEqual(player.view, at.get(1n));
        const none = await tryUndo(player);
        assertReason(none.value, Reason.ILLEGAL_MOVE, /no move to take back/);
        await watcher.reach(player.version);
        assert.deepEqual(watcher.view, player.view);
        assert.deepEqual(
          watcher.events.map(({ value }) => value),
          player.events.map(({ value }) => value),
        );
        // Another move goes another way.
        if (game === '2048' && player.view.legal.length > 1) {
          await player.play(player.view.legal[1]);
          assert.notDeepEqual(player.view, at.get(2n));
        }
        const late = await Player.join(server, tableId, { protocol });
        assert.deepEqual(late.view, player.view);
        await Promise.all([player, watcher, late].map(({ stream }) => stream.close()));
      });
    }
  });
}

for (const [game, { choose, config }] of alone) {
  test(`${game}: a practice game is true, and counts on no board`, async () => {
    const { tableId, owner, player } = await seated(game, { config });
    for (let n = 0; n < movesMax && !player.result; ++n) {
      await player.playBody(choose(player.view, game === '2248' ? 0 : n));
      if (n === 3 && !player.result) await takeBack(player);
    }
    assertReason((await tryUndo(player)).value, Reason.GAME_OVER, /The game is over/);
    await player.stream.close();
    const { commitment } = player.welcome;
    await assertTrue(server, tableId, { commitment, versions: player.version });
    for (const kind of [BoardKind.BEST, BoardKind.BEST_OF_DAY]) {
      const board = { kind, game, config };
      const request = { board, aroundMe: true };
      const boards = clientOf(LeaderboardService, server);
      assert.deepEqual((await boards.getBoard(request, bearer(owner.token))).entries, []);
    }
  });
}

test('a game for one that counts does not count after an undo', async () => {
  const { tableId, owner, player } = await seated('2048', { options: {} });
  const first = player.view;
  await player.play();
  assert.equal(player.seating.assisted, false);
  await takeBack(player);
  assert.deepEqual(player.view, first);
  assert.equal(player.seating.assisted, true);
  await server.kill();
  await server.start();
  await player.resume();
  const { table } = await lobbyOf(server).getTable({ tableId });
  assert.equal(table.assisted, true);
  await player.playToEnd();
  const { commitment } = player.welcome;
  await assertTrue(server, tableId, { commitment, versions: player.version });
  const board = { kind: BoardKind.BEST_OF_DAY, game: '2048' };
  const { entries } = await clientOf(LeaderboardService, server).getBoard({ board });
  assert.equal(entries.find(({ playerId }) => playerId === owner.playerId), undefined);
});

test('nowhere else a move is taken back', async () => {
  for (const request of [
    { game: '2048', daily: true },
    { game: 'azul', config: azul(2).config },
  ]) {
    const { token } = await signIn(server);
    const { tableId } = (await lobbyOf(server).createTable(request, bearer(token))).table;
    const player = await Player.join(server, tableId, { token });
    if (request.game === 'azul') {
      await lobbyOf(server).startTable({ tableId }, bearer(token));
      while (player.seating.waiting || !player.view) await player.step();
    }
    const { value } = await tryUndo(player);
    assertReason(value, Reason.NOT_PRACTICE, /only in a game for one/);
    await player.stream.close();
  }
  const lobby = lobbyOf(server);
  const { token } = await signIn(server);
  for (const request of [
    { game: 'azul', config: azul(2).config },
    { game: '2048', daily: true },
    { game: '2048', options: { ranked: true } },
  ]) {
    const options = { ...request.options, practice: true };
    await assertRefused(
      lobby.createTable({ ...request, options }, bearer(token)),
      Code.InvalidArgument,
      /practice|ranked/,
    );
  }
});
