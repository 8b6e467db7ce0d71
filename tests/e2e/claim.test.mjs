// Players who do not come back, over real sockets: the others need not wait for them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { ResignedSchema } from './gen/tesela/play/v1/course_pb.js';
import { ClaimWish } from './gen/tesela/play/v1/claim_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { azul } from './harness/games.mjs';
import { assertTrue } from './harness/judges.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertReason } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { subProtocols, unpack } from './harness/stream.mjs';

const CLAIM_AFTER_MS = 400;
let server;
before(
  async () =>
    (server = await Server.start('--bot-pace', '0ms', '--claim-after', `${CLAIM_AFTER_MS}ms`)),
);
after(() => server.dispose());

/** Ada and Bob at a table of two, in the order of seats. Ada knows that Bob is here. */
async function couple(protocol) {
  const guests = [await signIn(server, 'Ada'), await signIn(server, 'Bob')];
  const request = { game: 'azul', config: azul(2).config };
  const { table } = await lobbyOf(server).createTable(request, bearer(guests[0].token));
  const { tableId } = table;
  await lobbyOf(server).joinTable({ tableId }, bearer(guests[1].token));
  const join = ({ token }) => Player.join(server, tableId, { token, protocol });
  const [ada, bob] = await Promise.all(guests.map(join));
  while (!ada.seating.seats[bob.seat].connected) await ada.step();
  return { tableId, ada, bob };
}

function claim(player, seat, wish) {
  const claimId = randomUUID();
  player.stream.send({ case: 'claim', value: { claimId, seat, wish } });
  return claimId;
}

/** What comes next of one of these kinds. */
async function next(player, ...kinds) {
  for (;;) {
    const step = await player.step();
    if (kinds.includes(step.kind)) return step;
  }
}

/** Bob is gone, and Ada knows it. */
async function gone({ ada, bob }) {
  await bob.stream.close();
  while (ada.seating.seats[bob.seat].connected) await ada.step();
  assert.equal(ada.seating.claimAfterMs, CLAIM_AFTER_MS);
}

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    test('who stays away has lost when it is claimed, and the record is true', async () => {
      const at = await couple(protocol);
      const { tableId, ada, bob } = at;
      const early = claim(ada, bob.seat, ClaimWish.RESIGNATION);
      const refused = await next(ada, 'refusal');
      assert.equal(refused.value.moveId, early);
      assertReason(refused.value, Reason.NOT_AWAY, /Bob is here/);
      await gone(at);
      await sleep(CLAIM_AFTER_MS);
      claim(ada, bob.seat, ClaimWish.RESIGNATION);
      const { value: event } = await next(ada, 'event');
      assert.equal(event.seat, bob.seat);
      const body = unpack(event.body);
      assert.equal(body.$typeName, ResignedSchema.typeName);
      assert.equal(body.claimedBy, ada.seat);
      for (const { seat, rank, resigned } of event.result.standings) {
        assert.deepEqual([rank, resigned], seat === bob.seat ? [2, true] : [1, false]);
      }
      const { table } = await lobbyOf(server).getTable({ tableId });
      assert.equal(table.state, TableState.OVER);
      const { commitment } = ada.welcome;
      await assertTrue(server, tableId, { commitment, versions: event.version });
      await ada.stream.close();
    });
  });
}
