// Seats without a stream: who sits down and does not come keeps nobody from playing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { azul } from './harness/games.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { subProtocols } from './harness/stream.mjs';

let server;
before(async () => (server = await Server.start('--come-within', '700ms')));
after(() => server.dispose());

/** A table of a new player, who is there. */
async function host(name, seats, protocol) {
  const { token } = await signIn(server, name);
  const request = { game: 'azul', config: azul(seats).config, options: { ranked: true } };
  const { table } = await lobbyOf(server).createTable(request, bearer(token));
  const player = await Player.join(server, table.tableId, { token, protocol });
  return { tableId: table.tableId, token, player };
}

const sitDown = ({ tableId }, { token }) => lobbyOf(server).joinTable({ tableId }, bearer(token));

async function untilSeated({ player }, count) {
  while (player.seating.seats.length !== count) await player.step();
}

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    test('a guest who sits down everywhere and comes nowhere takes no table', async () => {
      const names = ['Ann', 'Ben', 'Cyd'];
      const hosts = await Promise.all(names.map((name) => host(name, 2, protocol)));
      const stranger = await signIn(server, 'Zed');
      for (const at of hosts) {
        const { table } = await sitDown(at, stranger);
        assert.equal(table.state, TableState.OPEN);
        await untilSeated(at, 2);
        assert.ok(at.player.seating.waiting);
      }
      for (const at of hosts) await untilSeated(at, 1);
      const again = () => sitDown(hosts[0], stranger);
      await assertRefused(again, Code.ResourceExhausted, /did not come in time: open the table/);
      // Whoever comes, plays: another one, and the stranger too.
      for (const [n, guest] of [await signIn(server, 'Dan'), stranger].entries()) {
        const { tableId, player } = hosts[n];
        const comer = await Player.join(server, tableId, { token: guest.token, protocol });
        assert.equal((await sitDown(hosts[n], guest)).table.state, TableState.IN_PLAY);
        await Promise.all([comer.reach(1n), player.reach(1n)]);
        comer.stream.cut();
      }
      for (const { player } of hosts) player.stream.cut();
    });
  });
}
