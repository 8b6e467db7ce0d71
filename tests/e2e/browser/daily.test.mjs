// The daily game at its table: what it is, who may see it, what giving up means, and what it has
// brought.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { desktop, phone, shots } from './page/chromium.mjs';
import { ownerOf, playOut } from './page/played.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const still = { reducedMotion: 'reduce' };

describeSite('the daily game', { options: ['--bot-think', '5ms'] }, (site) => {
  before(() => mkdir(shots, { recursive: true }));

  /** Ada at her try at the daily game of 2048. */
  async function begin(look = {}) {
    const ada = await Visitor.arrive(await site.newPage({ ...still, ...look }));
    await ada.page.goto('/daily');
    const card = ada.page.locator('section', {
      has: ada.page.getByRole('heading', { name: '2048' }),
    });
    await card.locator('button.primary').click();
    await ada.atBoard();
    const tableId = new URL(ada.page.url()).pathname.split('/')[2];
    return { ada, page: ada.page, tableId };
  }

  for (const [name, look] of [
    ['desktop-dark', { ...desktop, theme: 'dark' }],
    ['phone-light', phone],
  ]) {
    test(`says what it is and how long it counts, and offers no help, ${name}`, async () => {
      const { ada, page } = await begin(look);
      const note = page.locator('.daily');
      await note.getByText(/^Daily game, /).waitFor();
      await note
        .getByText(/^Finish within \d+\s(hr|min|sec)(\s\d+\s(min|sec))? for it to count$/)
        .waitFor();
      await page.getByText('Nobody can watch this game or its replay').waitFor();
      assert.equal(await page.getByText('Ranked', { exact: true }).count(), 0, 'no rating changes');
      assert.equal(
        await page.getByRole('button', { name: 'Link for spectators' }).count(),
        0,
        'no link for spectators',
      );
      for (const help of [/^Hint$/, /^Autoplay$/, /^Ask a bot/]) {
        assert.equal(await page.getByRole('button', { name: help }).count(), 0);
      }
      assert.equal(await page.getByLabel('Ask a bot').count(), 0);
      assert.equal(await ada.sidewaysScroll(), 0);
      await page.screenshot({ path: path.join(shots, `daily-${name}.png`) });
    });
  }

  test('a spectator is told why not yet, and where to play it', async () => {
    const { page: adas } = await begin();
    const page = await site.newPage(still);
    await page.goto(new URL(adas.url()).pathname);
    await page.getByRole('heading', { name: 'You can’t watch this game yet' }).waitFor();
    await page.getByText(/once the day is over, in \d+\s(hr|min|sec)/).waitFor();
    await page.screenshot({ path: path.join(shots, 'daily-refused.png') });
    await page.getByRole('link', { name: 'Play today’s game' }).click();
    await page.getByRole('heading', { name: 'Daily games' }).waitFor();
  });

  test('giving up says that it was the only try and will not count, which is so', async () => {
    const { ada, page } = await begin();
    while ((await ada.score()) === 0) await ada.playOne('press');
    await page.getByRole('button', { name: 'Resign' }).click();
    const question = page.locator('dialog[open]', { hasText: 'your only try today' });
    await question.getByText(/doesn’t count in the ranking/).waitFor();
    await question.getByRole('button', { name: 'Resign' }).click();
    const over = page.locator('.over.card', { hasText: 'You resigned' });
    await over.getByText('Resigned: it doesn’t count').waitFor();
    assert.equal(await over.getByText(/Streak|^Rank/).count(), 0);
    await page.goto('/boards/2048/daily');
    await page.getByText('No results yet').waitFor();
  });

  test('afterwards: rank, streak, and a text to share without spoilers', async () => {
    const { page, tableId } = await begin({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { result } = await playOut(site.server, await ownerOf(page), '2048', tableId);
    await page.getByRole('button', { name: 'Play here' }).click();
    const over = page.locator('.over.card');
    await over.getByText('Rank 1 today').waitFor();
    await over.getByText('Streak: day 1').waitFor();
    assert.equal(await page.getByRole('link', { name: /Watch replay|Verify/ }).count(), 0);
    await over.getByRole('button', { name: 'Share result' }).click();
    await over.getByText('Copied').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const lines = text.split('\n');
    assert.match(lines[0], /^Tesela · Daily 2048, .+ \d{4}$/);
    const points = Number(result.standings[0].points).toLocaleString('en');
    assert.equal(lines[1], `${points} points · Rank 1 today`);
    assert.equal(lines[2], 'Streak: day 1');
    assert.equal(lines[3], `${site.server.http}/daily`);
    assert.equal(lines.length, 4);
    assert.equal(await over.getByRole('button', { name: 'Share picture' }).count(), 0);
    await page.screenshot({ path: path.join(shots, 'daily-over.png') });

    assert.equal(await page.getByRole('button', { name: 'New game' }).count(), 0);
    const board = page.url();
    await page.goto('/daily');
    const card = page.locator('section', { has: page.getByRole('heading', { name: '2048' }) });
    await card.getByText('Streak: day 1').waitFor();
    await page.goto(board);

    await over.getByRole('button', { name: 'Play another game' }).click();
    await page.waitForURL((url) => !url.pathname.includes(tableId));
    await page.locator('[data-phase=live]').waitFor();
    assert.equal(await page.locator('.daily').count(), 0);
  });
});
