// Coming, going and staying: private tables, presence, other windows, rematches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { lostServer } from './page/chromium.mjs';
import { cut, giveScissors, setAway } from './page/scissors.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const still = { reducedMotion: 'reduce' };

describeSite('people at tables', { options: ['--bot-pace', '20ms'] }, (site) => {
  const arrive = async (name, options) =>
    AzulVisitor.arrive(await site.newPage({ ...still, ...options }), name);
  const button = ({ page }, name) => page.getByRole('button', { name, exact: true });
  const invitation = ({ page }) => page.locator('#share').inputValue();

  async function join(visitor, link) {
    await visitor.page.goto(link);
    await button(visitor, 'Take a seat').click();
  }

  /** Ada and Bea at a table with these options. */
  async function couple(options = {}) {
    const [ada, bea] = [await arrive('Ada'), await arrive('Bea')];
    await ada.createTable(2, options);
    await join(bea, await invitation(ada));
    await Promise.all([ada.atTable(), bea.atTable()]);
    return { ada, bea };
  }

  test('a table of friends is listed for nobody, and opens with its invitation', async () => {
    const cyd = await arrive('Cyd');
    const ada = await arrive('Ada');
    const link = await ada.createTable(2);
    assert.match(link, /#.{22}$/);
    const plain = ada.page.url();
    const open = await arrive('Dan');
    await open.createTable(2, { ticked: ['open'] });
    await button(cyd, 'Join Dan’s table').waitFor();
    assert.equal(await button(cyd, 'Join Ada’s table').count(), 0);
    const bea = new AzulVisitor(await site.newPage(still));
    await bea.page.goto(plain);
    await bea.page.getByRole('heading', { name: 'This table is private' }).waitFor();
    await bea.page.goto(link);
    await bea.page.locator('#name').fill('Bea');
    await bea.page.keyboard.press('Enter');
    await Promise.all([ada.atTable(), bea.atTable()]);
    await bea.page.reload();
    await bea.atTable();
  });

  test('a table without spectators lets a player in, and shows others who sits there', async () => {
    const ada = await arrive('Ada');
    const link = await ada.createTable(2, { ticked: ['players-only'] });
    const bea = await arrive('Bea');
    await bea.page.goto(link);
    await bea.page.getByRole('heading', { name: 'No spectators at this table' }).waitFor();
    await bea.page.getByText('Ada').waitFor();
    await button(bea, 'Take a seat').click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    assert.equal(
      await ada.page.getByRole('button', { name: 'Link for spectators' }).count(),
      0,
      'nobody is invited to watch',
    );
    const cleo = new AzulVisitor(await site.newPage(still));
    await cleo.page.goto(link);
    await cleo.page.getByText('All seats are taken').waitFor();
  });

  test('who made the table removes a guest, who is told', async () => {
    const [ada, bea] = [await arrive('Ada'), await arrive('Bea')];
    await ada.createTable(3);
    await join(bea, await invitation(ada));
    await button(ada, 'Remove Bea').click();
    await bea.page.getByRole('heading', { name: 'You’ve been removed' }).waitFor();
    await ada.page.waitForFunction(() => document.querySelectorAll('li.free').length === 2);
    assert.equal(await ada.page.locator('.remove').count(), 0);
    site.browser.assertQuiet({ except: /status of 403/ }); // of the dice of who was removed
  });

  test('who made the table adds bots, removes one, and begins', async () => {
    const ada = await arrive('Ada');
    await ada.createTable(4);
    await ada.addBots(2);
    await ada.page.locator('.remove').first().click();
    await ada.page.waitForFunction(() => document.querySelectorAll('li.free').length === 2);
    await button(ada, 'Start now').click();
    await ada.atTable();
    assert.equal(await ada.page.locator('.bar li[data-presence=bot]').count(), 3);
  });

  test('who leaves a table that waits is gone from it', async () => {
    const [ada, bea] = [await arrive('Ada'), await arrive('Bea')];
    await ada.createTable(3);
    await join(bea, await invitation(ada));
    await ada.page.locator('ol li', { hasText: 'Bea' }).waitFor();
    await button(bea, 'Leave table').click();
    await bea.page.locator('.games').waitFor();
    await ada.page.locator('ol li', { hasText: 'Bea' }).waitFor({ state: 'detached' });
  });

  test('who closes the page is away, and back again with it', async () => {
    const { ada, bea } = await couple();
    const link = bea.page.url();
    const chip = ada.page.locator('.bar li:not(.own)');
    await bea.page.goto('/');
    await chip.filter({ hasText: 'away' }).waitFor();
    await bea.page.goto(link);
    await bea.atTable();
    await ada.page.locator('.bar li:not(.own)[data-presence=here]').waitFor();
  });

  test('another window takes the game over, and the first takes it back', async () => {
    const { ada } = await couple();
    const other = new AzulVisitor(await ada.page.context().newPage());
    await other.page.goto(ada.page.url());
    await other.atTable();
    const notice = ada.page.locator('.notice', {
      hasText: 'You’re playing in another window',
    });
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Play here' }).click();
    await notice.waitFor({ state: 'detached' });
    await ada.atTable();
    await other.page.locator('.notice').waitFor();
    assert.equal(await other.page.locator('[inert] .azul').count(), 1);
  });

  test('at the end the points are counted out, and a rematch is played by both', async () => {
    const { ada, bea } = await couple({ ticked: ['ranked'] });
    const players = [ada, bea];
    while (!(await ada.isOver())) {
      for (const player of players) {
        if (!(await player.mayTake())) continue;
        assert.equal(await button(player, 'Hint').count(), 0, 'a ranked game has none');
        await player.playOne();
      }
    }
    await bea.page.locator('.over.card').waitFor();
    const cells = await ada.page
      .locator('.over tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)),
      );
    for (const row of cells) {
      const [wall, ...gains] = row.map((text) => Number(text.match(/^[+−–]?\d*/)[0]) || 0);
      const total = Number(row.at(-1).match(/\d+/)[0]);
      assert.equal(wall + gains.slice(0, 3).reduce((sum, gain) => sum + gain, 0), total);
    }
    await ada.page.locator('.over .rating').nth(1).waitFor();
    const ratings = await ada.page.locator('.over .rating').allTextContents();
    // Who share the victory both gain: more is known of them.
    const shared = (await ada.page.locator('.over tbody tr.first').count()) > 1;
    assert.match(ratings[0], /^rating \+\d+, now [\d,]+$/);
    assert.match(ratings[1], shared ? /^rating \+\d+, now [\d,]+$/ : /^rating −\d+, now [\d,]+$/);

    await button(ada, 'Rematch').click();
    await ada.page.getByRole('heading', { name: 'Waiting for players' }).waitFor();
    await bea.page.getByText('Ada wants a rematch').waitFor();
    await button(bea, 'Accept rematch').click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    assert.equal(ada.page.url(), bea.page.url());
  });
});

describeSite('giving up and taking back', { options: ['--bot-pace', '20ms'] }, (site) => {
  const dialog = ({ page }) => page.locator('dialog[open]');

  async function giveUp(visitor, sure) {
    await visitor.page.getByRole('button', { name: 'Resign', exact: true }).first().click();
    await dialog(visitor)
      .getByRole('button', { name: sure ? 'Resign' : 'Keep playing' })
      .click();
  }

  test('who gives up is asked first, comes last, and everybody is told', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(still), 'Ada');
    const bea = await AzulVisitor.arrive(await site.newPage(still), 'Bea');
    const link = await ada.createTable(3);
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Take a seat' }).click();
    await ada.page.locator('ol li', { hasText: 'Bea' }).waitFor();
    await ada.addBots(1);
    await Promise.all([ada.atTable(), bea.atTable()]);
    await giveUp(ada, false);
    assert.equal(await ada.page.locator('[data-presence=resigned]').count(), 0);
    await giveUp(ada, true);
    await ada.page.locator('.bar li.own[data-presence=resigned]').waitFor();
    await bea.page.locator('.bar li', { hasText: 'Ada' }).filter({ hasText: 'resigned' }).waitFor();
    await bea.page.locator('.news', { hasText: 'Ada resigned' }).waitFor();
    await giveUp(bea, true);
    await bea.page.locator('.over.card').waitFor();
    const ranks = await bea.page.locator('.over tbody tr').allTextContents();
    assert.match(ranks[1], /2\..*Bea.*resigned/s);
    assert.match(ranks[2], /3\..*Ada.*resigned/s);
  });

  test('a game for one that is given up is over with its points', async () => {
    const ada = await Visitor.arrive(await site.newPage(still));
    await ada.newGame({ size: 4 });
    for (let move = 0; move < 5; move += 1) await ada.playOne('press');
    const score = await ada.score();
    await giveUp(ada, true);
    await ada.page.locator('.over.card', { hasText: 'You resigned' }).waitFor();
    assert.equal(await ada.score(), score);
  });

  test('at a practice table a move is taken back, by button and by key', async () => {
    const ada = await Visitor.arrive(await site.newPage(still));
    await ada.newGame({ size: 4, ticked: ['practice'] });
    const boards = [await ada.board()];
    for (let move = 0; move < 3; move += 1) {
      await ada.playOne('press');
      boards.push(await ada.board());
    }
    const isBoard = (board) =>
      ada.page.waitForFunction((wanted) => {
        const cells = [...document.querySelectorAll('[role=gridcell]')];
        return cells.map((cell) => cell.textContent).join() === wanted;
      }, board.join());
    await ada.page.getByRole('button', { name: 'Undo' }).click();
    await isBoard(boards[2]);
    await ada.page.locator('.news', { hasText: 'taken back' }).waitFor();
    await ada.page.locator('#board').focus();
    await ada.page.keyboard.press('z');
    await isBoard(boards[1]);
    assert.deepEqual(await ada.drawn(), boards[1]);
    await ada.page.keyboard.press('z');
    await isBoard(boards[0]);
    await ada.playOne('press');
  });

  test('a game for one is taken back too, and then does not count', async () => {
    const ada = await Visitor.arrive(await site.newPage(still));
    await ada.newGame({ size: 4 });
    const board = await ada.board();
    await ada.playOne('press');
    const undo = ada.page.getByRole('button', { name: 'Undo' });
    const ask = ada.page.getByRole('dialog', { name: 'Undo your last move?' });
    await undo.click();
    await ask.getByText('won’t count in the rankings').waitFor();
    await ask.getByRole('button', { name: 'Not now' }).click();
    assert.equal(await ada.moves(), 1);
    await undo.click();
    await ask.getByRole('button', { name: 'Undo' }).click();
    await ada.page.getByText('Played with hints or undo').waitFor();
    assert.deepEqual(await ada.board(), board);
    await ada.playOne('press');
    await undo.click();
    await ada.page.waitForFunction(() => document.querySelectorAll('dialog[open]').length === 0);
    await ada.page.locator('.news', { hasText: 'taken back' }).waitFor();
  });

  test('who has begun another game is not asked by the old one to come along', async () => {
    const ada = await Visitor.arrive(await site.newPage(still));
    await ada.playNow('Azul');
    await new AzulVisitor(ada.page).atTable();
    const old = ada.page.url();
    await giveUp(ada, true);
    await ada.page.getByRole('button', { name: 'Play again' }).click();
    await ada.page.waitForURL((url) => url.href !== old);
    const next = ada.page.url();
    await new AzulVisitor(ada.page).atTable();
    await ada.page.goto(old);
    await ada.page.locator('.over.card').getByRole('button', { name: 'Continue' }).click();
    await ada.page.waitForURL(next);
  });

  test('in a game of several nothing is taken back', async () => {
    const ada = await Visitor.arrive(await site.newPage(still));
    await ada.playNow('Azul');
    await new AzulVisitor(ada.page).atTable();
    assert.equal(await ada.page.getByRole('button', { name: 'Undo' }).count(), 0);
  });
});

const options = ['--come-within', '1s'];
describeSite('a seat and no stream', { options, except: lostServer }, (site) => {
  test('who was away when the last seat was taken reads that the own one is lost', async () => {
    const arrive = async (name) => AzulVisitor.arrive(await site.newPage(still), name);
    const sit = ({ page }) => page.getByRole('button', { name: 'Take a seat' }).click();
    const page = await site.newPage(still);
    await giveScissors(page);
    const [ada, bea, cyd] = [
      await arrive('Ada'),
      await AzulVisitor.arrive(page, 'Bea'),
      await arrive('Cyd'),
    ];
    const link = await ada.createTable(3);
    const seat = ada.page.locator('ol li', { hasText: 'Bea' });
    await page.goto(link);
    await sit(bea);
    await seat.waitFor();
    await setAway(page, true);
    await cut(page);
    await seat.filter({ hasText: 'away' }).waitFor();
    await cyd.page.goto(link);
    await sit(cyd);
    await seat.waitFor({ state: 'detached' });
    await setAway(page, false);
    await page.getByText('You were away and have lost your seat.').waitFor();
    await sit(bea);
    await Promise.all([ada, bea, cyd].map((visitor) => visitor.atTable()));
  });
});
