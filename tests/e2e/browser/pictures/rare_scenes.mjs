// Scenes of the gallery that few visitors see: nothing there yet, doors that are shut, questions,
// a line that is down, and the end of a daily game.
import { azul } from '../../harness/games.mjs';
import { bearer, lobbyOf, signIn } from '../../harness/lobby.mjs';
import { AzulVisitor } from '../page/azul_visitor.mjs';
import { ownerOf, playOut } from '../page/played.mjs';
import { Visitor } from '../page/visitor.mjs';

const TABLE = { game: 'azul', config: azul(2).config };

export const rareScenes = {
  async empty({ page, picture }) {
    await Visitor.arrive(page);
    for (const [name, place] of [
      ['games', '/games'],
      ['games-finished', '/games/finished'],
      ['boards', '/boards/samegame/daily'],
    ]) {
      await page.goto(place);
      await page.locator('main h1').first().waitFor();
      await page.waitForTimeout(500); // What is there has come.
      await picture(`empty-${name}`, { fullPage: true });
    }
  },

  async doors({ page, picture, server }) {
    const { token } = await signIn(server, 'Bea');
    const lobby = lobbyOf(server);
    const make = async (request) => (await lobby.createTable(request, bearer(token))).table.tableId;
    const spectatorsOff = { spectatorsOff: true };
    const doors = {
      private: await make({ ...TABLE, options: { inviteOnly: true } }),
      free: await make({ ...TABLE, options: spectatorsOff }),
      full: await make({
        ...TABLE,
        options: spectatorsOff,
        bots: [{ strategy: 'greedy' }],
      }),
      daily: await make({ game: 'samegame', daily: true }),
    };
    await Visitor.arrive(page);
    for (const [name, tableId] of Object.entries(doors)) {
      await page.goto(`/t/${tableId}`);
      await page.locator('main h1:not(.visually-hidden)').waitFor();
      await picture(`door-${name}`, { fullPage: true });
    }
    for (const [name, place] of [
      ['party-broken', '/party/nothing'],
      ['page-unknown', '/nowhere/at/all'],
    ]) {
      await page.goto(place);
      await page.locator('main h1').first().waitFor();
      await picture(name);
    }
  },

  async states({ page, picture, visit }) {
    const ada = await AzulVisitor.arrive(page);
    await page.locator('header .player').click();
    await visit.button(visit.words.signOut).click();
    await page.locator('dialog[open]').waitFor();
    await picture('sign-out');
    await page.keyboard.press('Escape');
    await page.goto('/');
    await ada.choose('azul');
    await page.locator('input[name=opponents][value=people]').check();
    await picture('lobby-people', { fullPage: true });
    await visit.play('Azul');
    await ada.offers().first().waitFor({ timeout: 30_000 });
    await page.context().setOffline(true);
    await ada.place();
    await page.getByText(visit.words.moveWaits).first().waitFor();
    await page.waitForTimeout(700); // Where it comes up by itself, it has.
    await picture('offline-move');
    await page.context().setOffline(false);
    await page.locator('[data-phase=live]').waitFor({ timeout: 30_000 });
    const second = await page.context().newPage();
    await second.goto(page.url());
    await page.locator('.notice').waitFor();
    await picture('elsewhere');
    await second.close();
  },

  /** At the end of a try at the daily game. */
  async dailyOver({ page, picture, visit, server }) {
    await Visitor.arrive(page);
    await page.goto('/daily');
    await page.locator('.mine button').first().click();
    await page.locator('[data-phase=live]').waitFor();
    const tableId = new URL(page.url()).pathname.split('/')[2];
    await playOut(server, await ownerOf(page), '2048', tableId);
    await visit.button(visit.words.playHere).click();
    await page.locator('.over.card .rank').waitFor();
    await picture('daily-over', { fullPage: true });
    await page.goto('/daily');
    await page.locator('.mine b').first().waitFor();
    await picture('daily-played', { fullPage: true });
  },
};
