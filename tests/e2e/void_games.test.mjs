// What operators take back: games, which then count for nobody, and sessions.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { ActKind, ConductService } from './gen/tesela/account/v1/conduct_pb.js';
import { LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { moderatorOf } from './harness/admin.mjs';
import { databases, serverOn } from './harness/databases.mjs';
import { azul, resign } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertReason, assertRefused } from './harness/refusals.mjs';

const inAnHour = () => timestampFromMs(Date.now() + 3_600_000);
const why = { operator: 'Otto', reason: 'Insults' };

/** Ada and Bob at a ranked game of Azul. */
async function rankedGame(server) {
  const [ada, bob] = [await signIn(server, 'Ada'), await signIn(server, 'Bob')];
  const request = { game: 'azul', config: azul(2).config, options: { ranked: true } };
  const { tableId } = (await lobbyOf(server).createTable(request, bearer(ada.token))).table;
  await lobbyOf(server).joinTable({ tableId }, bearer(bob.token));
  const players = [
    await Player.join(server, tableId, { token: ada.token }),
    await Player.join(server, tableId, { token: bob.token }),
  ];
  return { tableId, ada, bob, players };
}

const actsOf = async (server, { token }) =>
  (await clientOf(ConductService, server).getConduct({}, bearer(token))).acts;

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let server;
    serverOn(start, (started) => (server = started));

    test('a void game counts for nobody, is told, and counts again', async () => {
      const { tableId, ada, bob, players } = await rankedGame(server);
      const ratings = async () => {
        const boards = clientOf(LeaderboardService, server);
        const of = ({ playerId }) => boards.getRating({ game: 'azul', playerId });
        const both = await Promise.all([ada, bob].map(of));
        return both.map(({ rating }) => [rating.shown, rating.games]);
      };
      const moderate = await moderatorOf(server);
      const request = { tableId, playerId: ada.playerId, ...why };
      const { FailedPrecondition } = Code;
      await assertRefused(moderate('voidGame', request), FailedPrecondition, /that is over/);
      const before = await ratings();
      for (let n = 0; n < 2; ++n) {
        const mover = players[players[0].turn[0]];
        await mover.playBody(azul(2).choose(mover.view, 0));
        await Promise.all(players.map((player) => player.reach(mover.version)));
      }
      await players[1].playBody(resign, {});
      const counted = await ratings();
      assert.ok(counted[0][0] > before[0][0] && counted[1][0] < before[1][0]);

      const stranger = { ...request, playerId: (await signIn(server, 'Eve')).playerId };
      await assertRefused(moderate('voidGame', stranger), Code.InvalidArgument, /no seat/);
      const { act } = await moderate('voidGame', request);
      assert.deepEqual([act.before, act.after], ['counts', 'void']);
      assertReason(await players[1].stream.goodbye(), Reason.TABLE_CLOSED, /void: Insults\.$/);
      assert.deepEqual((await moderate('voidGame', request)).act.act.actId, act.act.actId);
      assert.deepEqual(
        (await ratings()).map(([rating]) => rating),
        before.map(([rating]) => rating),
      );
      const { table } = await lobbyOf(server).getTable({ tableId }, bearer(ada.token));
      assert.deepEqual([table.state, table.result], [TableState.CLOSED, undefined]);
      const [mine] = await actsOf(server, ada);
      assert.deepEqual([mine.tableId, mine.inForce], [tableId, true]);
      assert.deepEqual(await actsOf(server, bob), []);

      await server.kill();
      await server.start();
      await moderate('undoAct', { actId: act.act.actId, ...why });
      assert.deepEqual(await ratings(), counted);
      const again = await lobbyOf(server).getTable({ tableId }, bearer(ada.token));
      assert.equal(again.table.state, TableState.OVER);
    });

    test('a player whose sessions an operator ends has to sign in again', async () => {
      const ada = await signIn(server, 'Ada');
      const moderate = await moderatorOf(server);
      const request = { playerId: ada.playerId, kind: ActKind.END_SESSIONS, ...why };
      const lasting = moderate('actOnPlayer', { ...request, until: inAnHour() });
      await assertRefused(lasting, Code.InvalidArgument, /no end/);
      assert.equal((await moderate('actOnPlayer', request)).endedSessions, 1);
      await assertRefused(actsOf(server, ada), Code.Unauthenticated, /signed out/);
    });
  });
}
