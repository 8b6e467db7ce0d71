// A newcomer is led through a first game by what the page says, and finds the rules at every table.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import axe from 'axe-core';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone, shots } from './page/chromium.mjs';
import { GridVisitor } from './page/grid_visitor.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

describeSite('a newcomer learns', { options: ['--bot-pace', '0ms'] }, (site) => {
  before(() => mkdir(shots, { recursive: true }));

  const newcomer = { newcomer: true, reducedMotion: 'reduce' };
  const coach = (page) => page.locator('.coach');
  const told = (page, text) => page.locator('.coach .text').filter({ hasText: text });
  const says = (page, text) => told(page, text).waitFor();

  /** What the coach covers of these, and which of them do not fit on the screen. */
  const hidden = (page, ...selectors) =>
    page.evaluate((selectors) => {
      const coach = document.querySelector('.coach').getBoundingClientRect();
      return selectors.filter((selector) => {
        const { top, bottom, left, right } = document
          .querySelector(selector)
          .getBoundingClientRect();
        const beside = bottom <= coach.top || top >= coach.bottom;
        const under = !beside && left < coach.right && right > coach.left;
        return under || top < 0 || bottom > innerHeight + 1;
      });
    }, selectors);

  async function begin(page, game) {
    await page.goto('/');
    const now = page.getByRole('button', { name: `Play now: ${game}` });
    await now.or(page.locator('button.play')).first().waitFor();
    await ((await now.isVisible()) ? now.click() : new Visitor(page).playNow(game));
    await page.locator('[data-phase=live]').waitFor();
  }

  test('2048: the tutorial is done by doing what it says', async () => {
    const page = await site.newPage({ ...newcomer, ...phone });
    await begin(page, '2048');
    const ada = new Visitor(page);
    await says(page, 'swipe over the board');
    await page.screenshot({ path: path.join(shots, 'coach-2048-phone.png') });
    await ada.playOne('swipe');
    await says(page, 'Bring two equal tiles together'); // Whatever the first move has merged.
    while (!(await told(page, 'That’s it!').count())) await ada.playOne('press');
    assert.ok((await ada.board()).some((value) => Number(value) >= 16));
    await ada.playOne('press');
    await coach(page).waitFor({ state: 'hidden' });
    await page.reload();
    await ada.atBoard();
    assert.equal(await coach(page).count(), 0, 'it is shown once');
  });

  test('2248: one lucky path is one step', async () => {
    const page = await site.newPage(newcomer);
    await begin(page, '2248');
    const ada = new GridVisitor(page);
    await says(page, 'over two equal neighbours');
    await ada.askBot('Biggest tile');
    await page.locator('.tile.drawn').nth(2).waitFor();
    await page.keyboard.press('Enter');
    await ada.hasMoved(1);
    await says(page, 'Now a longer one');
  });

  test('2248: the tutorial is done by doing what it says', async () => {
    const page = await site.newPage(newcomer);
    await begin(page, '2248');
    const ada = new GridVisitor(page);
    [ada.rows, ada.columns] = [8, 5];
    await says(page, 'over two equal neighbours');
    await ada.draw(await ada.pair());
    await says(page, 'Now a longer one');
    await page.screenshot({ path: path.join(shots, 'coach-2248.png') });
  });

  test('SameGame: the tutorial is done by doing what it says', async () => {
    const page = await site.newPage(newcomer);
    await begin(page, 'SameGame');
    const ada = new GridVisitor(page);
    [ada.rows, ada.columns] = [15, 15];
    await says(page, 'then click it to remove it');
    await ada.takeLargest();
    while (!(await told(page, 'That’s it!').count())) await ada.takeLargest();
  });

  test('Azul: take, place, fill, and see the round', async () => {
    const page = await site.newPage(newcomer);
    await begin(page, 'Azul');
    const ada = new AzulVisitor(page);
    await says(page, 'Take tiles');
    await ada.offers().first().waitFor();
    await page.screenshot({ path: path.join(shots, 'coach-azul.png') });
    await ada.offers().first().click();
    await says(page, 'Now click a line');
    await ada.lines().first().click();
    await says(page, 'last move is marked');
    assert.ok((await page.locator('.last').count()) > 0, 'and so it is');
    while (!(await told(page, 'That’s it!').count())) {
      if (await ada.mayTake()) await ada.playOne();
    }
    assert.match(await page.locator('.status .small').textContent(), /Round 2/);
  });

  const landscape = { ...phone, viewport: { width: 844, height: 390 } };
  for (const look of [{ ...phone, viewport: { width: 375, height: 667 } }, landscape]) {
    const { width, height } = look.viewport;
    test(`${width} × ${height}: the coach covers nothing that it speaks of`, async () => {
      const page = await site.newPage({ ...newcomer, ...look });
      await begin(page, '2048');
      await says(page, 'swipe');
      assert.deepEqual(await hidden(page, '#board'), []);
      await page.goto('/');
      await begin(page, 'Azul');
      const ada = new AzulVisitor(page);
      await says(page, 'tap a colour');
      await ada.offers().first().waitFor();
      assert.deepEqual(await hidden(page, '.ring'), []);
      await ada.offers().first().tap();
      await says(page, 'Now tap a line');
      assert.deepEqual(await hidden(page, '.ring', '.board.own'), []);
      await ada.lines().first().tap();
      await says(page, 'last move is marked');
      assert.deepEqual(await hidden(page, '.ring'), []);
      const scored = told(page, /tile in row \d scored \d|No line was full/);
      while (!(await scored.count())) if (await ada.mayTake()) await ada.playOne();
      assert.deepEqual(await hidden(page, '.board.own'), []);
    });
  }

  test('where time runs nobody is taught', async () => {
    const page = await site.newPage(newcomer);
    const ada = await AzulVisitor.arrive(page);
    await ada.createTable(2, { clock: 'quick' });
    await ada.addBots(1);
    await ada.atTable();
    await page.getByText('1 min + 5 s').waitFor();
    assert.equal(await coach(page).count(), 0);
  });

  test('who knows the game skips the tutorial with one tap', async () => {
    const page = await site.newPage({ ...newcomer, ...phone });
    await begin(page, 'Azul');
    await coach(page).getByRole('button', { name: 'Skip tutorial' }).tap();
    assert.equal(await coach(page).count(), 0);
    await page.goto('/');
    await new Visitor(page).playNow('Azul');
    await new AzulVisitor(page).atTable();
    assert.equal(await coach(page).count(), 0);
  });

  test('on the narrowest phone no picture of the rules lies over its text or itself', async () => {
    const page = await site.newPage({ ...phone, viewport: { width: 320, height: 568 } });
    const ada = await Visitor.arrive(page);
    for (const game of ['Azul', '2048', '2248', 'SameGame']) {
      await page.goto('/');
      await ada.playNow(game);
      await page.getByRole('button', { name: 'How to play' }).click();
      await page.locator('dialog[open] .rule').first().waitFor();
      const over = await page.locator('dialog[open] .rule').evaluateAll(
        (rules) =>
          rules.filter((rule) => {
            const text = rule.querySelector('p').getBoundingClientRect().left;
            const cells = [...rule.querySelectorAll('.picture-of > *')];
            return cells.some((cell) => {
              const range = document.createRange();
              range.selectNodeContents(cell);
              const written = range.getBoundingClientRect();
              const { right, width } = cell.getBoundingClientRect();
              const wide = cell.matches('.number') && written.width > width;
              return wide || Math.max(right, written.right) > text;
            });
          }).length,
      );
      assert.equal(over, 0, `${game}: ${over} pictures over their text or themselves`);
    }
  });

  for (const [game, facts] of [
    ['Azul', ['7 for each column', 'costs a point']],
    ['2048', ['merge into their sum']],
    ['2248', ['2 + 2 + 4 = 8', '2,248 is a score']],
    ['SameGame', ['(n − 2)²', '1,000 points']],
  ]) {
    test(`${game}: the rules are at the table, with pictures`, async () => {
      const page = await site.newPage({ theme: 'dark' });
      await (await Visitor.arrive(page)).playNow(game);
      await page.getByRole('button', { name: 'How to play' }).click();
      const dialog = page.locator('dialog[open]');
      for (const fact of facts) await dialog.getByText(fact).waitFor();
      assert.ok((await dialog.locator('.picture-of').count()) >= 3);
      await page.screenshot({ path: path.join(shots, `rules-${game.toLowerCase()}.png`) });
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
      );
      await dialog.getByRole('button', { name: 'Got it' }).click();
      await dialog.waitFor({ state: 'detached' });
    });
  }
});
