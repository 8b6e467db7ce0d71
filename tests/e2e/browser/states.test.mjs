// What the page says of a table is true in states that are easily forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { lostServer } from './page/chromium.mjs';
import { GridVisitor } from './page/grid_visitor.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const options = ['--bot-pace', '0ms'];
const except = new RegExp(`${lostServer.source}|ERR_INTERNET_DISCONNECTED`);
/** How far the board is from the left of the page, and what stands beside it from the right. */
const edgesOf = (page) =>
  page.evaluate(() => {
    const board = document.querySelector('.board').getBoundingClientRect();
    const side = document.querySelector('.play .side').getBoundingClientRect();
    return { left: board.left, right: document.documentElement.clientWidth - side.right };
  });

describeSite('true states', { options, except }, (site) => {
  test('SameGame: the penalty is counted once, in the points and in words', async () => {
    const ada = await GridVisitor.arrive(await site.newPage({ reducedMotion: 'reduce' }));
    await ada.start('samegame', 4, 4, { third: 5 });
    while (!(await ada.isOver())) await ada.takeLargest();
    const line = await ada.page.locator('.over > p').textContent();
    const score = (await ada.first())[1];
    // A tile is read out as "red, no group".
    const left = (await ada.board()).filter((text) => text.includes(', '));
    assert.equal(left.length, await ada.page.locator('.tile').count());
    const countOf = (text) => left.filter((other) => other === text).length;
    const penalty = [...new Set(left)].reduce((sum, text) => sum + (countOf(text) - 2) ** 2, 0);
    assert.ok(line.startsWith(`${score} point`), `${line}, ${score}`);
    if (left.length === 0) assert.match(line, /bonus/);
    else if (penalty === 0) assert.doesNotMatch(line, /including|bonus/);
    else assert.match(line, new RegExp(`including −${penalty} for ${left.length} tiles? left`));
    // In play it says what the end would bring; after it, what it has brought.
    const fact = ada.page.locator('dl > div').nth(1);
    assert.equal(await fact.locator('dt').textContent(), 'At the end');
    const brought = left.length === 0 ? '+1,000' : penalty === 0 ? '0' : `−${penalty}`;
    assert.equal((await fact.locator('dd').textContent()).trim(), brought);
    assert.equal(
      await ada.page.getByRole('button', { name: 'Link for spectators' }).count(),
      0,
      'there is nothing to watch any more',
    );
  });

  test('a move that was taken back is no move', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 4, ticked: ['practice'] });
    await ada.playOne('press');
    await ada.playOne('press');
    await ada.page.getByRole('button', { name: 'Undo' }).click();
    await ada.page.waitForFunction(
      () => document.querySelector('dl > div:nth-child(3) dd').textContent.trim() === '1',
    );
    await ada.page.reload();
    await ada.atBoard();
    assert.equal(await ada.moves(), 1);
    await ada.playOne('press');
    assert.equal(await ada.moves(), 2);
  });

  test('Azul: a move without a line is said to wait, and is played on return', async () => {
    const page = await site.newPage({ reducedMotion: 'reduce' });
    const ada = await AzulVisitor.arrive(page);
    await ada.playNow('Azul');
    await ada.atTable();
    await ada.offers().first().waitFor();
    await page.context().setOffline(true);
    await ada.place();
    const now = page.locator('.status .now');
    await now.getByText('Can’t reach the server. Your move will be sent').waitFor();
    assert.equal(await ada.mayTake(), false, 'no second move is offered meanwhile');
    await page.context().setOffline(false);
    await page.locator('[data-phase=live]').waitFor();
    await page.locator('.log li', { hasText: /^You: / }).waitFor();
    await ada.offers().first().waitFor();
    await now.getByText('Your turn. Choose tiles').waitFor();
  });

  test('who watches is not counted among those who watch', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    const link = await ada.newGame({ size: 4 });
    const bea = new Visitor(await site.newPage());
    await bea.page.goto(link);
    await bea.atBoard();
    await ada.page.getByText('1 spectator').waitFor();
    assert.equal(await bea.page.locator('.spectators').count(), 0);
  });

  test('no hint is offered where it would be refused', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.page.locator('nav a[href="/daily"]').click();
    await ada.page
      .getByRole('button', { name: /^Play today/ })
      .first()
      .click();
    await ada.atBoard();
    await ada.page.waitForTimeout(500);
    for (const name of ['Hint', 'Autoplay']) {
      assert.equal(await ada.page.getByRole('button', { name }).count(), 0, name);
    }
  });

  test('a player who has resigned keeps the board and has no clock any more', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(), 'Ada');
    const link = await ada.createTable(3, { clock: 'own', gameMinutes: 5 });
    await ada.addBots(1);
    const bea = new AzulVisitor(await site.newPage());
    await bea.page.goto(link);
    await bea.page.locator('#name').fill('Bea');
    await bea.page.keyboard.press('Enter');
    await ada.atTable();
    await bea.atTable();
    await ada.page.getByRole('button', { name: 'Resign', exact: true }).first().click();
    await ada.page.locator('dialog[open] .button:not(.primary)').click();
    const seat = bea.page.locator('.bar li[data-presence=resigned]');
    await seat.waitFor();
    assert.equal(await seat.locator('.clock').count(), 0);
    assert.equal(await bea.page.locator('.board h2', { hasText: 'Ada' }).count(), 1);
    assert.equal(await bea.page.locator('.board h2:has-text("Ada") .bot').count(), 0);
  });

  for (const height of [640, 720, 900]) {
    test(`2048 stands in the middle of the page, ${height} pixels high`, async () => {
      const page = await site.newPage({ viewport: { width: 1280, height } });
      const ada = await Visitor.arrive(page);
      await ada.newGame({ size: 4 });
      const { left, right } = await edgesOf(page);
      assert.ok(Math.abs(left - right) <= 2, `${left} on the left, ${right} on the right`);
    });
  }

  for (const game of ['2248', 'samegame']) {
    test(`${game} stands in the middle of the page`, async () => {
      const page = await site.newPage({ viewport: { width: 1280, height: 720 } });
      const ada = await GridVisitor.arrive(page);
      await ada.start(game, 8, 5);
      const { left, right } = await edgesOf(page);
      assert.ok(Math.abs(left - right) <= 2, `${left} on the left, ${right} on the right`);
    });
  }
});
