// The screens around the tables are for everyone: by ear, by keyboard alone, on a phone, in dark
// and light, in both languages; and each has its form without a server.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { before, test } from 'node:test';
import { azul, games } from '../harness/games.mjs';
import { bearer, lobbyOf, signIn } from '../harness/lobby.mjs';
import { lostServer, shots } from './page/chromium.mjs';
import { inspect, looks } from './page/inspect.mjs';
import { ownerOf, played, playOut } from './page/played.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const options = ['--bot-pace', '0ms', '--bot-think', '5ms', '--rate-bots', 'yes'];

describeSite('around the tables', { options }, (site) => {
  before(() => mkdir(shots, { recursive: true }));

  /** Games of others and of the visitor: { tableId, azulId }. */
  async function peopled(page) {
    const { server } = site;
    const owner = await ownerOf(page);
    const lobby = lobbyOf(server);
    for (const name of ['Bea', 'Constantin', 'Dora']) {
      const other = await signIn(server, name);
      await played(server, other, '2048', {});
      const { table } = await lobby.createTable({ game: '2048', daily: true }, bearer(other.token));
      await playOut(server, other, '2048', table.tableId);
    }
    const { tableId } = await played(server, owner, '2048', {});
    const ranked = { config: azul(4).config, options: { ranked: true } };
    const bots = ['random', 'greedy', 'diagonal'].map((strategy) => ({
      strategy,
    }));
    const { tableId: azulId } = await played(server, owner, 'azul', {
      ...ranked,
      bots,
    });
    await lobby.createTable({ game: 'azul', config: games.azul.config }, bearer(owner.token));
    await lobby.createTable({ game: '2048', daily: true }, bearer(owner.token));
    return { tableId, azulId };
  }

  for (const look of looks) {
    test(`every screen, ${look.name}`, async () => {
      const page = await site.newPage({ ...look, reducedMotion: 'reduce' });
      const ada = await Visitor.arrive(page);
      await page.goto('/games');
      await page.locator('.box').waitFor();
      await inspect(ada, look, 'games-empty');
      const { tableId, azulId } = await peopled(page);

      await page.goto('/find');
      await page.locator('form.card').waitFor();
      await inspect(ada, look, 'find');
      await page.locator('input[name=players][value="4"]').check();
      await page.locator('form.card button.go').click();
      await page.locator('.stands', { hasText: /\w/ }).waitFor();
      await inspect(ada, look, 'searching');
      await page.locator('section.card button').click();
      await page.locator('summary').click();
      await page.locator('.party button').click();
      await page.locator('#party-link').waitFor();
      await inspect(ada, look, 'party');

      await page.goto('/daily');
      await page.locator('.mine a, .mine button').nth(2).waitFor();
      await inspect(ada, look, 'daily');
      for (const [path, line] of [
        ['azul', 2], // the bots; Ada has met too few to be listed
        ['2048', 3],
        ['2048/daily', 2],
      ]) {
        await page.goto(`/boards/${path}`);
        await page.locator('tbody tr').nth(line).waitFor();
        await inspect(ada, look, `boards-${path.replace('/', '-')}`);
      }
      await page.goto('/games');
      await page.locator('li[data-table]').nth(1).waitFor();
      await inspect(ada, look, 'games');
      await page.goto('/games/finished');
      await page.locator('li[data-table]').nth(1).waitFor();
      await inspect(ada, look, 'games-finished');
      for (const [name, path] of [
        ['replay', `/replay/${tableId}/20`],
        ['replay-azul', `/replay/${azulId}/40`],
      ]) {
        await page.goto(path);
        await page.locator('input[type=range]').waitFor();
        await page.locator('.board, .ring').first().waitFor();
        await inspect(ada, look, name);
      }
      await page.goto(`/proof/${tableId}`);
      await page.locator('.verdict').waitFor();
      await inspect(ada, look, 'proof');
      await page.goto('/party/nothing');
      await page.locator('main h1').waitFor();
      await inspect(ada, look, 'party-broken');
    });
  }

  test('with the keyboard alone: from the lobby to a replay and its proof', async () => {
    const page = await site.newPage();
    await Visitor.arrive(page);
    await played(site.server, await ownerOf(page), '2048');
    const keys = page.keyboard;
    const tabTo = async (pattern) => {
      for (let steps = 0; steps < 40; steps += 1) {
        await keys.press('Tab');
        const { name, ring } = await page.evaluate(() => {
          const { activeElement: element } = document;
          const shown = element.matches('[type=radio]') ? element.nextElementSibling : element;
          return {
            name:
              element.getAttribute('aria-label') ?? (element.value || element.textContent.trim()),
            ring: getComputedStyle(shown).outlineStyle !== 'none',
          };
        });
        if (pattern.test(name)) return assert.ok(ring, `${name} shows no focus`);
      }
      return assert.fail(`Tab does not reach ${pattern}`);
    };
    await page.locator('.home').focus();
    await tabTo(/^My games$/);
    await keys.press('Enter');
    await page.getByText('You have no games in progress').waitFor();
    await tabTo(/^running$/);
    await keys.press('ArrowRight');
    await page.locator('li[data-table]').waitFor();
    await tabTo(/^Replay/);
    await keys.press('Enter');
    const slider = page.getByRole('slider', { name: 'Move' });
    await slider.waitFor();
    await page.waitForFunction(() => document.querySelector('input[type=range]').max > 2);
    await page.locator('[role=gridcell]').first().waitFor(); // who draws the moves is there
    await keys.press('ArrowRight');
    await keys.press('ArrowRight');
    assert.equal(await slider.inputValue(), '2');
    assert.match(await page.locator('.said').textContent(), /^Moved /);
    await keys.press(' ');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await keys.press(' ');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await tabTo(/^Verify this game$/);
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'This game was fair.' }).waitFor();
  });

  test('without a server every screen says so, and comes back when asked', async () => {
    const page = await site.newPage();
    await Visitor.arrive(page);
    for (const path of ['/boards', '/daily', '/games', '/find']) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
    }
    for (const place of ['/boards', '/games', '/daily']) {
      await page.goto('/find');
      await page.locator('form.card').waitFor();
      await page.route('**/tesela.lobby.v1.*/**', (route) => route.abort());
      await page.locator(`nav a[href="${place}"]`).click();
      await page.getByText('Can’t reach the server.').first().waitFor();
      await page.unroute('**/tesela.lobby.v1.*/**');
      await page.getByRole('button', { name: 'Try again' }).first().click();
      const empty = {
        '/boards': /No results|Your rating|haven’t played/,
        '/games': /no games in progress/,
      };
      await page
        .getByText(empty[place] ?? /today|finished yet/)
        .first()
        .waitFor();
    }
    site.browser.assertQuiet({
      except: new RegExp(`${lostServer.source}|ERR_FAILED`),
    });
  });
});
