// Whose turn it is, wherever the player is on the page: lists, title, icon and navigation.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { bearer, config2048, lobbyOf, signIn } from '../harness/lobby.mjs';
import { Player } from '../harness/player.mjs';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { desktop, phone, shots } from './page/chromium.mjs';
import { ownerOf, played } from './page/played.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const still = { reducedMotion: 'reduce' };
const HOUR_MS = 3_600_000;

// Some seats are filled through the lobby, without streams.
const options = ['--bot-pace', '0ms', '--come-within', '0s'];
describeSite('whose turn it is', { options }, (site) => {
  before(() => mkdir(shots, { recursive: true }));

  const arrive = async (name, options) =>
    AzulVisitor.arrive(await site.newPage({ ...still, ...options }), name);
  const icon = (page) => page.locator('link[rel=icon]').getAttribute('href');
  const group = (page, name) => page.locator(`[data-group=${name}] li[data-table]`);

  /** A table of Azul at which both sit: who moves first, and the other. */
  async function couple() {
    const [ada, bea] = [await arrive('Ada'), await arrive('Bea')];
    const link = await ada.createTable(2);
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Take a seat', exact: true }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    const begins = (who) => who.offers().first().waitFor().then(() => who, () => {});
    const first = await Promise.race([begins(ada), begins(bea)]);
    return first === ada ? [ada, bea, 'Ada'] : [bea, ada, 'Bea'];
  }

  test('the list, the title, the icon and the navigation say whose turn it is', async () => {
    const [ada, bea, first] = await couple();
    assert.match(await icon(ada.page), /icon-turn\.svg$/);

    await bea.page.locator('a.home').click();
    await bea.page.goto('/games');
    await group(bea.page, 'waiting').getByText(`${first} to move`).waitFor();
    assert.equal(await group(bea.page, 'turn').count(), 0);
    assert.match(await icon(bea.page), /icon\.svg$/);

    await ada.playOne();
    await ada.page.goto('/');
    await bea.page.reload();
    await group(bea.page, 'turn').getByText('Your turn').waitFor();
    await bea.page.waitForFunction(() => document.title.startsWith('(1) '));
    assert.match(await icon(bea.page), /icon-turn\.svg$/);
    await bea.page.locator('nav .mark', { hasText: '1' }).waitFor();
    await bea.page.locator('nav').getByText('1 game is waiting for your move').waitFor();

    await bea.page.locator('a.home').click();
    await bea.page.locator('.mine li.turn', { hasText: 'Your turn' }).waitFor();
    const banner = bea.page.getByRole('link', { name: /^Your turn.*Return$/ });
    for (const place of ['/daily', '/boards', '/find']) {
      await bea.page.locator(`nav a[href="${place}"]`).click();
      await banner.waitFor();
    }
    await banner.click();
    await bea.atTable();
    assert.equal(await banner.count(), 0, 'not at the table itself');
    await bea.page.locator('a.home').click();
    await banner.waitFor(); // Nobody has moved.

    await bea.page.locator('.mine li.turn a').click();
    await bea.atTable();
    await bea.page.waitForFunction(() => document.title.startsWith('● Your turn'));
    await bea.playOne();
    await bea.page.waitForFunction(() => document.title.startsWith('Azul'));
    assert.match(await icon(bea.page), /icon\.svg$/);
  });

  test('to look is seen by nobody else: no spectator, and no window is closed', async () => {
    const [ada, bea] = await couple();
    const other = await ada.page.context().newPage();
    await other.goto('/games');
    await group(other, 'turn').first().waitFor();
    await ada.playOne();
    await bea.offers().first().waitFor();
    assert.equal(await ada.page.getByText('playing in another window').count(), 0);
    assert.equal(await bea.page.locator('.spectators').count(), 0);
  });

  for (const [name, look] of [
    ['desktop-light', desktop],
    ['phone-dark', { ...phone, theme: 'dark' }],
  ]) {
    test(`what waits comes first, and pictures are of the real position, ${name}`, async () => {
      const ada = await arrive('Ada', look);
      const { page } = ada;
      const owner = await ownerOf(page);
      const lobby = lobbyOf(site.server);
      const header = bearer(owner.token);
      const bea = await signIn(site.server, 'Bea');
      await played(site.server, owner, 'samegame', {});
      const solo = await lobby.createTable({ game: '2048' }, header);
      await lobby.createTable({ game: 'samegame' }, header);
      await lobby.createTable({ game: '2248' }, header);
      // Who begins is drawn by lot.
      const turns = { turn: [], waiting: [] };
      while (turns.turn.length === 0 || turns.waiting.length === 0) {
        const { tableId } = (await lobby.createTable({ game: 'azul' }, header)).table;
        await lobby.joinTable({ tableId }, bearer(bea.token));
        const seen = await Player.join(site.server, tableId, bea);
        turns[seen.turn.includes(seen.seat) ? 'waiting' : 'turn'].push(tableId);
        await seen.stream.close();
      }

      await page.goto('/games');
      await group(page, 'alone').nth(2).waitFor();
      const groups = await page
        .locator('[data-group]')
        .evaluateAll((all) => all.map((one) => one.dataset.group));
      assert.deepEqual(groups, ['turn', 'waiting', 'alone']);
      for (const name of ['turn', 'waiting']) {
        const listed = await group(page, name).evaluateAll((rows) =>
          rows.map((row) => row.dataset.table),
        );
        assert.deepEqual(listed.sort(), turns[name].sort());
      }
      const row = page.locator(`li[data-table="${solo.table.tableId}"]`);
      for (const one of await page.locator('li[data-table]').all()) {
        await one.scrollIntoViewIfNeeded(); // Only what is seen is looked at.
        await one.locator('svg.position').waitFor();
      }

      const player = await Player.join(site.server, solo.table.tableId, owner);
      const tiles = player.view.cells.filter(Boolean).map((exponent) => String(exponent));
      await player.stream.close();
      const drawn = await row
        .locator('svg.position path[data-colour]')
        .evaluateAll((paths) =>
          paths.flatMap((one) =>
            Array.from(one.getAttribute('d').matchAll(/M/g), () => one.dataset.colour),
          ),
        );
      assert.deepEqual(drawn.sort(), tiles.sort());
      await page.screenshot({ path: path.join(shots, `games-turns-${name}.png`), fullPage: true });

      await page.locator('input[name=which][value=finished]').check();
      await page.locator('li[data-table] svg.position').waitFor();
      await page.goto('/');
      await page.locator('.mine li').nth(4).waitFor();
      await page.locator('.finished li').waitFor();
      await page.screenshot({ path: path.join(shots, `lobby-turns-${name}.png`), fullPage: true });
    });
  }

  test('who leaves a game with a clock is told at once how long it waits', async () => {
    const [ada, bea] = [await arrive('Ada'), await arrive('Bea', phone)];
    const link = await ada.createTable(2, { clock: 'move' });
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Take a seat', exact: true }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    await Promise.race([ada, bea].map((one) => one.offers().first().waitFor()));
    const first = (await ada.mayTake()) ? ada : bea;
    await first.page.locator('a.home').click();
    const banner = first.page.getByRole('link', { name: /^Your turn.*Return$/ });
    await banner.getByText(/^0:[12]\d$/).waitFor();
    assert.equal(await first.sidewaysScroll(), 0);
    await banner.click();
    await first.place();
    await first.page.locator('button[data-target]').first().waitFor({ state: 'detached' });
    await first.page.goto('/');
    await first.page.locator('.games').waitFor();
    assert.equal(await banner.count(), 0, 'who has moved is not called');
  });

  test('beside games that are over it is not said that there are none', async () => {
    const page = await site.newPage(still);
    await Visitor.arrive(page);
    await page.getByText('No games yet').waitFor();
    await played(site.server, await ownerOf(page), 'samegame', {});
    await page.locator('.finished li').waitFor();
    await page.locator('.mine', { hasText: 'No game in progress.' }).waitFor();
  });

  test('who has left a game does not stand under those who play', async () => {
    const lobby = lobbyOf(site.server);
    const [gone, there] = [await signIn(site.server, 'Gone'), await signIn(site.server, 'There')];
    const config = config2048({ size: 3 });
    await lobby.createTable({ game: '2048', config }, bearer(gone.token));
    const { table } = await lobby.createTable({ game: '2048', config }, bearer(there.token));
    const bots = [{ strategy: 'greedy' }];
    await lobby.createTable({ game: 'azul', bots }, bearer(gone.token));
    const player = await Player.join(site.server, table.tableId, there);
    const page = await site.newPage(still);
    await page.clock.install({ time: Date.now() + HOUR_MS });
    const ada = await Visitor.arrive(page);
    await page.getByRole('heading', { name: 'Live games' }).waitFor();
    await page.locator('.playing li', { hasText: 'There' }).waitFor();
    assert.equal(await page.locator('.playing li', { hasText: 'Gone' }).count(), 0);
    await player.stream.close();
    assert.equal(await ada.sidewaysScroll(), 0);
  });

  test('a game for one that was left is not under those that go on', async () => {
    const page = await site.newPage(still);
    const ada = await Visitor.arrive(page);
    await ada.newGame({ size: 3 });
    await ada.playOne('press');
    await page.clock.install({ time: Date.now() + 30 * HOUR_MS });
    await page.goto('/games');
    await group(page, 'left').first().waitFor();
    assert.equal(await group(page, 'alone').count(), 0);
  });
});
