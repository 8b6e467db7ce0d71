// Games in Chromium: by key, by finger, by button, and seen by somebody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

describeSite('a game in the browser', {}, (site) => {
  test('with the arrow keys to the end, and once more with the same options', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    const first = await ada.newGame({ size: 2 });
    await ada.playToTheEnd('press');
    assert.equal(await ada.page.locator('.over h2').textContent(), 'Game over');
    assert.equal((await ada.board()).includes('empty'), false);
    assert.deepEqual(await ada.drawn(), await ada.board());

    await ada.page.keyboard.press('Enter');
    await ada.page.waitForURL((url) => url.href !== first);
    await ada.atBoard();
    assert.equal((await ada.board()).length, 4);
    assert.equal(await ada.moves(), 0);
  });

  test('every game for one begins with its card and one click in the lobby', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    for (const game of ['2048', '2248', 'SameGame']) {
      await ada.playNow(game);
      await ada.atBoard();
      assert.equal(await ada.page.locator('h1').textContent(), game);
      await ada.page.locator('a.home').click();
    }
    await ada.page.locator('.mine li').nth(2).waitFor();
  });

  test('with swipes on a phone; the page does not scroll under the finger', async () => {
    const ada = await Visitor.arrive(await site.newPage(phone));
    await ada.newGame({ size: 3 });
    for (let move = 0; move < 8 && !(await ada.isOver()); move += 1) await ada.playOne('swipe');
    assert.equal(await ada.page.evaluate(() => scrollY), 0);
    assert.deepEqual(await ada.drawn(), await ada.board());
  });

  test('with the buttons and the letters', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 2 });
    await ada.playOne('type');
    await ada.playToTheEnd('tapButton');
  });

  test('letters do not play while a button or a field has the focus', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 4 });
    await ada.page.getByRole('button', { name: 'Link for spectators' }).click();
    for (const other of [
      ada.page.getByRole('button', { name: 'Copy' }),
      ada.page.locator('#share'),
    ]) {
      await other.focus();
      for (const letter of 'wasd') await ada.page.keyboard.press(letter);
    }
    await ada.page.waitForTimeout(200);
    assert.equal(await ada.moves(), 0);
    await ada.page.keyboard.press('Escape');
    await ada.page.locator('#board').focus();
    await ada.playOne('type');
  });

  test('a burst of keys loses none: the board is where the server says', async () => {
    const page = await site.newPage();
    const ada = await Visitor.arrive(page);
    await ada.newGame({ size: 8 });
    // What lies left in its row can go right: only the first move may be none.
    const burst = ['Left', 'Right', 'Left', 'Right', 'Left', 'Right'];
    const possible = (await ada.offered()).includes('Left') ? burst.length : burst.length - 1;
    for (const direction of burst) await ada.press(direction);
    await ada.hasMoved(possible);
    const [moves, board] = [await ada.moves(), await ada.board()];
    assert.equal(moves, possible);
    assert.deepEqual(await ada.drawn(), board);
    await page.reload();
    await ada.atBoard();
    assert.deepEqual(await ada.board(), board);
    assert.equal(await ada.moves(), moves);
  });

  test('a stranger with the link sees every move and cannot play', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    const link = await ada.newGame({ size: 4 });
    const bea = new Visitor(await site.newPage());
    await bea.page.goto(link);
    await bea.atBoard();
    await bea.page.locator('.watching', { hasText: 'watching Ada' }).waitFor();
    assert.equal(await bea.page.locator('.pad').count(), 0);
    for (let move = 0; move < 5; move += 1) {
      await ada.playOne('press');
      await bea.hasMoved(await ada.moves());
      assert.deepEqual(await bea.board(), await ada.board());
      assert.equal(await bea.score(), await ada.score());
    }
    await bea.press('Left');
    await bea.page.waitForTimeout(200);
    assert.deepEqual(await bea.drawn(), await ada.board());
  });

  test('the lobby shows a game while it is played, and leads back to it', async () => {
    const ada = await Visitor.arrive(await site.newPage(), 'Ada Lovelace');
    const bea = await Visitor.arrive(await site.newPage(), 'Bea');
    const link = await ada.newGame({ size: 5, objective: 64 });
    const seen = bea.page.locator('ul a', { hasText: 'Ada Lovelace' });
    await seen.filter({ hasText: '5 × 5' }).waitFor();

    await ada.playOne('press');
    const board = await ada.board();
    await ada.page.locator('a.home').click();
    await ada.page.locator('ul a', { hasText: 'Continue' }).first().click();
    await ada.atBoard();
    assert.equal(ada.page.url(), link);
    assert.deepEqual(await ada.board(), board);
  });

  test('a goal that is reached is told, and the game goes on', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 4, objective: 8 });
    while (!(await ada.page.locator('.reached').count())) await ada.playOne('press');
    assert.equal(await ada.isOver(), false);
    await ada.playOne('press');
  });

  test('options that make no game are turned down where they are wrong', async () => {
    const page = await site.newPage();
    const ada = await Visitor.arrive(page);
    const play = page.locator('button.play');
    const share = page.locator('.weight input').first();
    await ada.choose('2048');
    await page.locator('input[value=own]').check();
    await share.fill('800');
    await play.click();
    assert.match(await share.evaluate((field) => field.validationMessage), /900 of 1000/);
    assert.equal(new URL(page.url()).pathname, '/');

    await share.fill('900');
    await page.locator('.weight select').nth(1).selectOption('2');
    await play.click();
    await page.getByRole('alert').waitFor();
    site.browser.assertQuiet({ except: /status of 400/ });
    await page.locator('.weight select').nth(1).selectOption('8');
    await play.click();
    await page.locator('[role=gridcell]').first().waitFor();
  });

  test('a guest is asked before they sign out', async () => {
    const page = await site.newPage(phone);
    await Visitor.arrive(page, 'Maximiliana von Habsburg');
    await page.getByRole('link', { name: /^Playing as Maximiliana/ }).click();
    const leave = page.getByRole('button', { name: 'Sign out', exact: true });
    await leave.click();
    await page.getByRole('dialog').getByText('playing as a guest').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Maximiliana von Habsburg' }).waitFor();
    await leave.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#name').waitFor();
  });

  test('an unknown game and an unknown page say so and lead home', async () => {
    const ada = new Visitor(await site.newPage());
    await ada.page.goto('/t/0000000000000');
    await ada.page.getByRole('heading', { name: 'Game not found' }).waitFor();
    await ada.page.goto('/nowhere/at/all');
    await ada.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await ada.page.locator('main a').click();
    await ada.page.locator('#name').waitFor();
  });

  test('a token that the server does not take asks for a name again', async () => {
    const page = await site.newPage();
    const ada = await Visitor.arrive(page);
    await page.evaluate(() => {
      const player = JSON.parse(localStorage.getItem('tesela.player'));
      localStorage.setItem('tesela.player', JSON.stringify({ ...player, token: 'not.a.token' }));
    });
    await page.reload();
    await page.locator('button.play').click();
    await page.getByText('Your session has expired').waitFor();
    await page.locator('#name').waitFor();
    site.browser.assertQuiet({ except: /status of 401/ });
  });
});
