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
  const says = (page, text) => coach(page).getByText(text).waitFor();

  async function begin(page, game) {
    await page.goto('/');
    await page.getByRole('button', { name: `Play now: ${game}` }).click();
    await page.locator('[data-phase=live]').waitFor();
  }

  test('2048: the tutorial is done by doing what it says', async () => {
    const page = await site.newPage({ ...newcomer, ...phone });
    await begin(page, '2048');
    const ada = new Visitor(page);
    await says(page, 'Slide the tiles');
    await page.screenshot({ path: path.join(shots, 'coach-2048-phone.png') });
    await ada.playOne('swipe');
    // The second, where the first move has merged by chance.
    await says(page, /Bring two equal tiles together|Keep your largest tile in a corner/);
    while (!(await coach(page).getByText('That’s it!').count())) await ada.playOne('press');
    assert.ok((await ada.board()).some((value) => Number(value) >= 16));
    await coach(page).getByRole('button', { name: 'Play on' }).click();
    await page.reload();
    await ada.atBoard();
    assert.equal(await coach(page).count(), 0, 'it is shown once');
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
    await says(page, 'Tap a group of one colour');
    await ada.takeLargest();
    while (!(await coach(page).getByText('That’s it!').count())) await ada.takeLargest();
  });

  test('Azul: take, place, fill, and see the round', async () => {
    const page = await site.newPage(newcomer);
    await begin(page, 'Azul');
    const ada = new AzulVisitor(page);
    await says(page, 'Take tiles');
    await ada.offers().first().waitFor();
    await page.screenshot({ path: path.join(shots, 'coach-azul.png') });
    await ada.offers().first().click();
    await says(page, 'Now tap a line');
    await ada.lines().first().click();
    await says(page, 'last move is marked');
    while (!(await coach(page).getByText('That’s it!').count())) {
      if (await ada.mayTake()) await ada.playOne();
    }
    assert.match(await page.locator('.status .small').textContent(), /Round 2/);
  });

  test('who knows the game skips the tutorial with one tap', async () => {
    const page = await site.newPage({ ...newcomer, ...phone });
    await begin(page, 'Azul');
    await coach(page).getByRole('button', { name: 'Skip tutorial' }).tap();
    assert.equal(await coach(page).count(), 0);
    await page.goto('/');
    await page.getByRole('button', { name: 'Play now: Azul' }).click();
    await new AzulVisitor(page).atTable();
    assert.equal(await coach(page).count(), 0);
  });

  test('on the narrowest phone no picture of the rules lies over its text', async () => {
    const page = await site.newPage({ ...phone, viewport: { width: 320, height: 568 } });
    await Visitor.arrive(page);
    for (const game of ['Azul', '2048', '2248', 'SameGame']) {
      await page.goto('/');
      await page.getByRole('button', { name: `Play now: ${game}` }).click();
      await page.getByRole('button', { name: 'How to play' }).click();
      await page.locator('dialog[open] .rule').first().waitFor();
      const over = await page.locator('dialog[open] .rule').evaluateAll((rules) =>
        rules.filter((rule) => {
          const text = rule.querySelector('p').getBoundingClientRect().left;
          const cells = [...rule.querySelectorAll('.picture-of > *')];
          const ends = cells.map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return Math.max(
              cell.getBoundingClientRect().right,
              range.getBoundingClientRect().right,
            );
          });
          return Math.max(...ends) > text;
        }).length,
      );
      assert.equal(over, 0, `${game}: ${over} pictures over their text`);
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
      await Visitor.arrive(page);
      await page.getByRole('button', { name: `Play now: ${game}` }).click();
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
