// Leaderboards, the daily games, and one's own games.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { azul, games } from '../harness/games.mjs';
import { bearer, config2048, lobbyOf, signIn } from '../harness/lobby.mjs';
import { ownerOf, played, playOut } from './page/played.mjs';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const options = ['--bot-pace', '0ms', '--bot-think', '5ms', '--rate-bots', 'yes'];

describeSite('climbing', { options }, (site) => {
  const rows = (page) => page.locator('tbody tr');

  test('the best scores of a configuration, page by page and around me', async () => {
    const config = config2048({ size: 2 });
    for (let n = 0; n < 24; n += 1) {
      await played(site.server, await signIn(site.server, `Guest ${n}`), '2048', { config });
    }
    const ada = await Visitor.arrive(await site.newPage());
    const { page } = ada;
    await played(site.server, await ownerOf(page), '2048', { config });
    await page.locator('nav a[href="/boards"]').click();
    await page.locator('input[name=board-game][value="2048"]').check();
    await page.getByText('No results yet').waitFor();
    await page.locator('summary').click();
    await page.locator('input[value=own]').check();
    await page.locator('.own select').nth(0).selectOption('2');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await rows(page).nth(19).waitFor();
    assert.equal(await rows(page).count(), 20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows(page).nth(24).waitFor();
    const points = await page.locator('tbody td.number b').allTextContents();
    const numbers = points.map((text) => Number(text.replace(/\D/g, '')));
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => b - a),
    );

    await page.locator('input[name=board-from][value=me]').check();
    await page.locator('tr.own', { hasText: 'Ada' }).waitFor();
    await page.locator('input[name=board-kind][value=day]').check();
    await page.locator('tr.own', { hasText: 'Ada' }).waitFor();
    await page.getByRole('button', { name: 'Previous day' }).click();
    await page.getByText('You’re not in this ranking yet').waitFor();
    site.browser.assertQuiet({ except: /status of 404/ });
    assert.match(page.url(), /\/boards\/2048\/day$/);
  });

  test('ratings with their uncertainty, and one’s own', async () => {
    const ada = await Visitor.arrive(await site.newPage(phone));
    const { page } = ada;
    await page.goto('/boards/azul');
    await page.getByText('You haven’t played a ranked game yet').waitFor();
    const request = { config: azul(2).config, options: { ranked: true } };
    await played(site.server, await ownerOf(page), 'azul', request);
    await page.reload();
    await page.getByText(/Your rating: [\d,]+ ± \d+/).waitFor();
    await page.getByText('Provisional: play 4 more different opponents to be listed.').waitFor();
    await rows(page).first().waitFor();
    assert.equal(await rows(page).count(), 1, 'the board has who has met five others, and bots');
    assert.match(await rows(page).locator('.number').first().textContent(), /± \d+/);
    const bot = rows(page).filter({ has: page.locator('.bot') });
    assert.equal(await bot.count(), 1, 'a bot has a face');
    assert.match(await bot.locator('th').textContent(), /Bot.*Nico$/, 'and the name of a person');
  });

  test('a best score leads to its replay', async () => {
    const owner = await signIn(site.server, 'Bea');
    await played(site.server, owner, 'samegame', {});
    const page = await site.newPage();
    await page.goto('/boards/samegame');
    await page.getByRole('link', { name: 'Replay of Bea' }).click();
    await page.getByRole('slider', { name: 'Move' }).waitFor();
  });

  test('the daily game: tried once, with a place on its board', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    const { page } = ada;
    await page.locator('nav a[href="/daily"]').click();
    const card = page.locator('section', {
      has: page.getByRole('heading', { name: '2048' }),
    });
    await card.getByText('Nobody has finished yet').waitFor();
    assert.match(await page.getByRole('timer').textContent(), /^\d+:\d\d/);
    await card.getByRole('button', { name: /^Play today/ }).click();
    await ada.atBoard();
    await ada.playOne('press');
    const tableId = new URL(page.url()).pathname.split('/')[2];

    await page.locator('a.home').click();
    await page.locator('nav a[href="/daily"]').click();
    await card.getByText('Your game is in progress').waitFor();
    await playOut(site.server, await ownerOf(page), '2048', tableId);
    await page.reload();
    await card.getByText('Today’s rank: 1').waitFor();
    await card.locator('tr.own', { hasText: 'Ada' }).waitFor();
    assert.equal(await card.getByRole('button').count(), 0);
    await page.goto(`/replay/${tableId}`);
    await page.getByText(/isn’t available yet/).waitFor();
    site.browser.assertQuiet({ except: /status of 400/ });
  });

  test('without a name the daily games are shown, and a name is all it takes', async () => {
    const page = await site.newPage({ ...phone, language: 'es-ES' });
    await page.goto('/daily');
    await page.getByRole('heading', { name: 'Reto diario' }).waitFor();
    await page.locator('#name').fill('Bea');
    await page.locator('form button').click();
    await page.getByRole('button', { name: 'Jugar el reto de hoy' }).first().waitFor();
  });

  test('one’s own games, running and finished, page by page', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    const { page } = ada;
    const owner = await ownerOf(page);
    await page.locator('nav a[href="/games"]').click();
    await page.getByText('You have no games in progress').waitFor();
    const config = config2048({ size: 2 });
    for (let n = 0; n < 21; n += 1) await played(site.server, owner, '2048', { config });
    await played(site.server, owner, 'azul');
    const lobby = lobbyOf(site.server);
    await lobby.createTable({ game: '2248' }, bearer(owner.token));
    await lobby.createTable({ game: 'azul', config: games.azul.config }, bearer(owner.token));

    await page.reload();
    const items = page.locator('li[data-table]');
    await items.nth(1).waitFor();
    assert.equal(await items.count(), 2);
    await page.getByText('1 of 2 seats taken').waitFor();
    await page.locator('input[name=which][value=finished]').check();
    await items.nth(19).waitFor();
    assert.equal(await items.count(), 20);
    assert.match(
      await items.first().textContent(),
      /Azul.*(Won|Place 2 of 2|Tied for first) · -?\d+ points?/,
    );
    await page.getByRole('button', { name: 'Show more' }).click();
    await items.nth(21).waitFor();
    await page.locator('main select').selectOption('azul');
    await items.nth(1).waitFor({ state: 'detached' });
    await items
      .first()
      .getByRole('link', { name: /^Replay/ })
      .click();
    await page.getByRole('slider', { name: 'Move' }).waitFor();
    await page.goBack();
    await items.first().waitFor();
    await items
      .first()
      .getByRole('link', { name: /^Verify/ })
      .click();
    await page.getByRole('heading', { name: 'This game was fair.' }).waitFor();
  });
});
