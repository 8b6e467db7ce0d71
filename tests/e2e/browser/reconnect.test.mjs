// The line is cut in the middle of a move: what a player did is confirmed, once, or given back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { azul } from '../harness/games.mjs';
import { bearer, lobbyOf, signIn } from '../harness/lobby.mjs';
import { Player } from '../harness/player.mjs';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { lostServer } from './page/chromium.mjs';
import { GridVisitor } from './page/grid_visitor.mjs';
import { cutAtMove, cutsOf, giveScissors, setAway } from './page/scissors.mjs';
import { describeSite } from './page/site.mjs';

const still = { reducedMotion: 'reduce' };
/** How each game is begun and played, and how its board and number of moves are read. */
const games = {
  2248: {
    Visitor: GridVisitor,
    begin: (ada) => ada.start('2248', 8, 5),
    there: (ada) => ada.atBoard(),
    move: async (ada) => ada.draw(await ada.pair()),
    board: (ada) => ada.board(),
    moved: (ada) => ada.hasMoved(1),
  },
  Azul: {
    Visitor: AzulVisitor,
    begin: async (ada, server) => {
      const tableId = (await ada.createTable(2, { ticked: ['open'] })).split('/t/')[1];
      const { token } = await signIn(server, 'Bea');
      await lobbyOf(server).joinTable({ tableId }, bearer(token));
      const bea = await Player.join(server, tableId, { token });
      if (bea.turn.includes(bea.seat)) await bea.playBody(azul(2).choose(bea.view, 0));
      await bea.stream.close();
      await ada.offers().first().waitFor();
    },
    there: (ada) => ada.atTable(),
    move: (ada) => ada.place(),
    board: (ada) => ada.boards(),
    moved: (ada) =>
      ada.page.locator('.own :is(.line, .floor) .cell:not(.ghost) svg.piece').first().waitFor(),
  },
};

// Seats are filled through the lobby, without streams.
const options = ['--come-within', '0s'];
describeSite('the line is cut in the middle of a move', { options, except: lostServer }, (site) => {
  for (const [name, game] of Object.entries(games)) {
    /** Somebody whose stream can be cut, on the first move, and what the board is then. */
    async function begin() {
      const page = await site.newPage(still);
      await giveScissors(page);
      const ada = await game.Visitor.arrive(page);
      await game.begin(ada, site.server);
      return { ada, page, before: await game.board(ada) };
    }

    /** The same table in another window of the same player. */
    async function secondWindow({ page, ada }) {
      const second = Object.assign(new game.Visitor(await page.context().newPage()), {
        rows: ada.rows,
        columns: ada.columns,
      });
      await second.page.goto(page.url());
      await game.there(second);
      return second;
    }

    for (const when of ['before', 'after']) {
      test(`${name}: the line goes ${when} the move is sent, and it is played once`, async () => {
        const { ada, page, before } = await begin();
        await cutAtMove(page, when);
        await game.move(ada);
        await game.moved(ada);
        await page.locator('[data-phase=live]').waitFor();
        const board = await game.board(ada);
        assert.notDeepEqual(board, before);
        assert.equal(await cutsOf(page), 1);
        assert.equal(await page.locator('p.aside').textContent(), '');
        const second = await secondWindow({ page, ada });
        assert.deepEqual(await game.board(second), board);
      });
    }

    test(`${name}: a move for another board is given back, and the board is true`, async () => {
      const { ada, page, before } = await begin();
      await setAway(page, true);
      await cutAtMove(page, 'before');
      await game.move(ada);
      await page.getByText('Can’t reach the server. Your move will be sent.').first().waitFor();
      assert.deepEqual(await game.board(ada), before, 'nothing is shown before it is confirmed');

      const second = await secondWindow({ page, ada });
      await game.move(second);
      await game.moved(second);
      const after = await game.board(second);
      await setAway(page, false);
      await page.getByText('The board has changed in the meantime').waitFor();
      assert.deepEqual(await game.board(ada), after);
      assert.equal(await page.locator('.tile.drawn, .picked, .ghost').count(), 0);
    });
  }
});
