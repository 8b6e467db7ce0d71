// What the others do is seen: marked, told, counted, at a pace that one can follow.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { desktop, phone, shots } from './page/chromium.mjs';
import { countFrames } from './page/count_frames.mjs';
import { longAzul, ownerOf } from './page/played.mjs';
import { describeSite } from './page/site.mjs';

describeSite('what others do is seen', { options: ['--bot-pace', '0ms'] }, (site) => {
  before(() => mkdir(shots, { recursive: true }));

  /** At a table of Azul against one bot, on one's own turn. */
  async function begin(options = {}) {
    const ada = await AzulVisitor.arrive(await site.newPage(options), 'Ada');
    await ada.choose('azul');
    await ada.page.locator('select[name=level]').selectOption('2');
    await ada.page.locator('button.play').click();
    await ada.atTable();
    return ada;
  }

  const picture = (ada, name) =>
    ada.page.screenshot({ path: path.join(shots, `watching-${name}.png`) });

  test('the last move of the bot stays marked until the player has moved', async () => {
    const ada = await begin();
    await ada.offers().first().waitFor();
    await ada.playOne();
    await ada.offers().first().waitFor({ timeout: 20_000 });
    const marks = ada.page.locator('.board:not(.own) .cell.last, .display.last, .centre.last');
    assert.ok((await marks.count()) >= 2, 'where it took and where it placed');
    assert.equal(await ada.page.locator('.board.own .cell.last').count(), 0);
    await ada.page.waitForTimeout(1500);
    assert.ok((await marks.count()) >= 2, 'the mark stays');
    await picture(ada, 'marks');
    await ada.place();
    await ada.page.waitForFunction(() => document.querySelectorAll('.last').length === 0);
  });

  test('the log tells every move, leads to its position, and reads what was before', async () => {
    const ada = await begin({ reducedMotion: 'reduce' });
    for (let move = 0; move < 3; move += 1) {
      await ada.offers().first().waitFor();
      await ada.playOne();
    }
    await ada.offers().first().waitFor();
    const lines = ada.page.locator('.log li');
    const own = lines.filter({ hasText: /^You: \d / });
    assert.equal(await own.count(), 3);
    const told = await lines.allTextContents();
    assert.ok(told.length >= 6, told.join('\n'));
    await ada.page.reload();
    await ada.atTable();
    const same = async (page, list) => {
      await page.waitForFunction(
        (count) => document.querySelectorAll('.log li').length >= count,
        list.length,
      );
      // The bot may have begun before the page was there to see it.
      return (await page.locator('.log li').allTextContents()).slice(-list.length);
    };
    assert.deepEqual(await same(ada.page, told), told, 'after a reload');
    const ben = await site.newPage({ reducedMotion: 'reduce' });
    await ben.goto(ada.page.url());
    const seen = await same(ben, told);
    assert.equal(seen.length, told.length, 'for who watches');
    assert.ok(!seen.some((line) => line.includes('You')), seen.join('\n'));
    await ben.close();
    await own.first().locator('a').click();
    await ada.page.waitForURL(/\/replay\/[^/]+\/\d+$/);
    await ada.page.getByRole('slider', { name: 'Move' }).waitFor();
  });

  test('on a phone the log is a sheet over the page: nothing moves', async () => {
    const ada = await begin({ ...phone, reducedMotion: 'reduce' });
    await ada.offers().first().waitFor();
    await ada.playOne();
    await ada.offers().first().waitFor();
    const head = ada.page.locator('#log .head');
    assert.equal(await head.getAttribute('aria-expanded'), 'false');
    await head.scrollIntoViewIfNeeded();
    const places = () =>
      ada.page
        .locator('.board, .ring, .bar')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
    const before = await places();
    await head.tap();
    await ada.page.locator('.log li', { hasText: /^You: \d / }).waitFor();
    assert.deepEqual(await places(), before);
    const sheet = await ada.page.locator('#log').boundingBox();
    const bar = await ada.page.locator('.bar').boundingBox();
    assert.ok(bar.y >= 0 && bar.y + bar.height <= sheet.y, 'the seats stay in sight');
    assert.ok(sheet.y + sheet.height <= phone.viewport.height + 1, 'it lies within the page');
    await picture(ada, 'log-phone');
    await head.tap();
    await ada.page.locator('.log li').first().waitFor({ state: 'detached' });
  });

  test('the log of a long game is read a part at a time, below which the lines stay', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(), 'Ada');
    const { page } = ada;
    const { tableId, version, others } = await longAzul(site.server, await ownerOf(page), 450);
    await page.addInitScript(countFrames);
    await page.goto(`/t/${tableId}`);
    await ada.atTable();
    const lines = page.locator('.log li a');
    const earlier = page.getByRole('button', { name: 'Show earlier moves' });
    let top;
    for (const part of [1, 2, 3]) {
      if (part > 1) await earlier.scrollIntoViewIfNeeded();
      const place = await top?.boundingBox();
      if (part > 1) await earlier.click(); // The first part is there without.
      const first = version - 100 * part + 1;
      await page.locator(`.log li a[href$="/${first}"]`).first().waitFor();
      const told = await lines.evaluateAll((links) =>
        links.map(({ pathname }) => Number(pathname.split('/').at(-1))),
      );
      assert.deepEqual(
        [...new Set(told)],
        Array.from({ length: 100 * part }, (_, n) => first + n),
      );
      const { asked, frames } = await page.evaluate(() => globalThis.replayed);
      assert.equal(asked.length, part);
      assert.equal(frames, 101 * part, 'a position, and the events that are told');
      if (place) assert.ok(Math.abs((await top.boundingBox()).y - place.y) < 2, 'the line stays');
      top = await lines.first().elementHandle();
    }

    // There is room for no more.
    await earlier.click();
    const rest = page.getByRole('link', { name: 'Show earlier moves' });
    await rest.waitFor();
    assert.equal(await lines.count(), 400);
    const oldest = await lines.first().getAttribute('href');
    assert.equal(await rest.getAttribute('href'), oldest);
    await rest.click();
    await page.waitForURL((url) => url.pathname === oldest);
    await page.getByRole('slider', { name: 'Move' }).waitFor();
    await Promise.all(others.map(({ stream }) => stream.close()));
  });

  test('a round ends with the points of each before the next one is dealt', async () => {
    const ada = await begin();
    await ada.page.getByLabel('Bot speed').selectOption('fast');
    const over = ada.page.locator('.round-over');
    while (!(await over.count())) if (await ada.mayTake()) await ada.place();
    await over.getByText('Round 1 over').waitFor();
    assert.equal(await over.locator('li').count(), 2);
    for (const gain of await over.locator('b').allTextContents()) {
      assert.match(gain, /^([+−][1-9]\d*|0)$/);
    }
    await picture(ada, 'round-over');
    await ada.page.keyboard.press('Shift');
    await over.waitFor({ state: 'detached' });
    await ada.page.locator('.log li', { hasText: 'Round 1 over · You ' }).waitFor();
  });

  test('bots are followed at the pace that was chosen, and Skip ends it at once', async () => {
    const ada = await begin();
    await ada.page.getByLabel('Bot speed').selectOption('slow');
    await ada.offers().first().waitFor();
    await ada.playOne();
    const skip = ada.page.getByRole('button', { name: 'Skip' });
    await skip.waitFor();
    const from = Date.now();
    await ada.offers().first().waitFor();
    const slow = Date.now() - from;
    assert.ok(slow > 1500, `only ${slow} ms`);
    await ada.playOne();
    await ada.page.locator('.said', { hasText: /^(?!You)/ }).waitFor();
    await skip.click();
    assert.ok(await ada.mayTake(), 'Skip ends it at once');
    await ada.page.reload();
    await ada.atTable();
    assert.equal(await ada.page.getByLabel('Bot speed').inputValue(), 'slow');
  });

  for (const [name, look] of [
    ['desktop', desktop],
    ['phone', phone],
  ]) {
    test(`a touch enlarges the board of an opponent, ${name}`, async () => {
      const ada = await AzulVisitor.arrive(await site.newPage({ ...look, theme: 'dark' }), 'Ada');
      await ada.choose('azul');
      await ada.page.locator('input[name=players][value="4"]').check();
      await ada.page.locator('button.play').click();
      await ada.atTable();
      const board = ada.page.locator('.boards .board:not(.own)').first();
      const small = (await board.boundingBox()).width;
      await ada.offers().first().waitFor({ timeout: 30_000 });
      await board.click();
      const large = ada.page.locator('dialog[open] .board');
      await large.waitFor();
      assert.ok((await large.boundingBox()).width > 1.5 * small);
      const ground = await large
        .locator('.line .cell')
        .first()
        .evaluate((cell) => getComputedStyle(cell).backgroundColor);
      assert.notEqual(ground, 'rgba(0, 0, 0, 0)', 'empty cells are seen');
      await picture(ada, `enlarged-${name}`);
      await ada.page.keyboard.press('Escape');
      await large.waitFor({ state: 'detached' });
      await picture(ada, `four-${name}`);
    });
  }

  test('two players: both boards are equally large where they fit', async () => {
    const ada = await begin({ viewport: { width: 1440, height: 900 } });
    const widths = await ada.page
      .locator('.boards > .board')
      .evaluateAll((boards) => boards.map((board) => board.getBoundingClientRect().width));
    assert.equal(widths.length, 2);
    assert.ok(Math.abs(widths[0] - widths[1]) < 2, widths.join(' and '));
    await picture(ada, 'two-wide');
  });
});
