// 2248 and SameGame in Chromium, from the lobby to the end: by mouse, by finger, by keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phone } from './page/chromium.mjs';
import { GridVisitor } from './page/grid_visitor.mjs';
import { describeSite } from './page/site.mjs';

describeSite('2248 and SameGame in the browser', {}, (site) => {
  const still = { reducedMotion: 'reduce' };
  const arrive = async (options) => GridVisitor.arrive(await site.newPage(options));

  /** What is drawn agrees with what is read out. */
  async function assertDrawn(ada) {
    const drawn = await ada.drawn();
    assert.deepEqual(drawn, await ada.board());
  }

  test('2248: paths are drawn to the end of the game', async () => {
    const ada = await arrive(still);
    await ada.start('2248', 3, 3);
    for (let pair; (pair = await ada.pair());) {
      const moves = await ada.moves();
      await ada.draw(pair);
      await ada.hasMoved(moves + 1);
    }
    await ada.page.locator('.over.card').waitFor();
    assert.match(await ada.page.locator('.over h2').textContent(), /^No more moves/);
    assert.match(await ada.said(), /No more moves/);
  });

  test('2248: the value of a path is shown and the total hides; Escape drops it', async () => {
    const ada = await arrive(still);
    await ada.start('2248', 8, 5);
    const pair = await ada.pair();
    const value = Number((await ada.board())[pair[0]]);
    await ada.draw(pair, { hold: true });
    assert.deepEqual(await ada.first(), ['Path', String(2 * value)]);
    await ada.page.mouse.move(...(await ada.middle(pair[0])), { steps: 4 });
    assert.deepEqual(await ada.first(), ['Path', String(value)], 'a step back');
    await ada.page.keyboard.press('Escape');
    assert.deepEqual(await ada.first(), ['Score', '0']);
    await ada.page.mouse.up();
    assert.equal(await ada.moves(), 0);
  });

  test('2248: taps build a path, and a tap on its last cell plays it', async () => {
    const ada = await arrive(phone);
    await ada.start('2248', 6, 4);
    const pair = await ada.pair();
    const value = Number((await ada.board())[pair[0]]);
    for (const cell of [...pair, pair[1]]) {
      await ada.page.touchscreen.tap(...(await ada.middle(cell)));
    }
    await ada.hasMoved(1);
    assert.deepEqual(await ada.first(), ['Score', String(2 * value)]);
    await ada.page.waitForFunction(() => document.getAnimations().length === 0);
    await assertDrawn(ada);
  });

  test('2248: keys alone draw a path, take back, play it and collapse equals', async () => {
    const ada = await arrive(still);
    await ada.start('2248', 8, 5);
    const keys = ada.page.keyboard;
    const goTo = async (from, to) => {
      const right = (to % 5) - (from % 5);
      const down = Math.floor(to / 5) - Math.floor(from / 5);
      for (let n = Math.abs(down); n > 0; n -= 1)
        await keys.press(down > 0 ? 'ArrowDown' : 'ArrowUp');
      for (let n = Math.abs(right); n > 0; n -= 1) {
        await keys.press(right > 0 ? 'ArrowRight' : 'ArrowLeft');
      }
    };
    const [a, b] = await ada.pair();
    await goTo(0, a);
    await keys.press('Space');
    assert.match(await ada.said(), /^Path from \d+$/);
    await goTo(a, b);
    await keys.press('Space');
    assert.match(await ada.said(), /^\d+ added, path worth \d+$/);
    await keys.press('Backspace');
    await keys.press('Space');
    await keys.press('Enter');
    await ada.hasMoved(1);
    assert.match(await ada.said(), /^2 tiles became \d+, score \d+\./);
    const score = await ada.score();
    await keys.press('c');
    await keys.press('c');
    await ada.hasMoved(2);
    assert.equal(await ada.score(), score, 'the booster scores nothing');
    assert.match(await ada.said(), /^Equal tiles merged/);
  });

  test('2248: what the booster makes is shown before; practice takes it back', async () => {
    const ada = await arrive(still);
    await ada.choose('2248');
    await ada.setOptions({ ticked: ['practice'] });
    await ada.page.locator('button.play').click();
    await ada.atBoard();
    const button = (name) => ada.page.getByRole('button', { name, exact: true });
    const before = await ada.board();
    await button('Merge equals').click();
    const text = await ada.page
      .getByText(/marked tiles become/)
      .first()
      .textContent();
    assert.equal(await ada.page.locator('.tile.merged').count(), Number(text.match(/\d+/)[0]));
    await button('Cancel').click();
    assert.equal(await ada.page.locator('.tile.merged').count(), 0);
    assert.equal(await ada.moves(), 0);
    await button('Merge equals').click();
    await button('Merge now').click();
    await ada.hasMoved(1);
    assert.notDeepEqual(await ada.board(), before);
    await button('Undo').click();
    await ada.page.locator('[role=gridcell]').first().waitFor();
    await ada.page.waitForFunction(
      (before) =>
        [...document.querySelectorAll('[role=gridcell]')].every(
          ({ textContent }, cell) => textContent === before[cell],
        ),
      before,
    );
  });

  test('2248: the booster is a button, and a key finishes its motion at once', async () => {
    const ada = await arrive();
    await ada.start('2248', 8, 5);
    await ada.page.getByRole('button', { name: 'Merge equals' }).click();
    await ada.page.getByRole('button', { name: 'Merge now' }).click();
    // The mark of the tiles fades by a transition, which is none of the motion.
    const moving = () =>
      document
        .getAnimations()
        .filter((animation) => !(animation instanceof CSSTransition))
        .filter(({ effect }) => effect.target.closest('[data-id]')).length;
    await ada.page.waitForFunction(moving);
    await ada.page.keyboard.press('ArrowDown');
    assert.equal(await ada.page.evaluate(moving), 0);
    await assertDrawn(ada);
  });

  test('2048: a new game begins at once, and the old one waits', async () => {
    const ada = await arrive(still);
    await ada.playNow('2048');
    await ada.atBoard();
    await ada.playOne('press');
    const old = ada.page.url();
    await ada.page.getByRole('button', { name: 'New game' }).click();
    await ada.page.waitForURL((url) => url.href !== old);
    await ada.atBoard();
    assert.equal(await ada.moves(), 0);
    await ada.page.goto(old);
    await ada.atBoard();
    assert.equal(await ada.moves(), 1);
  });

  test('SameGame: groups are taken to the end of the game', async () => {
    const ada = await arrive(still);
    await ada.start('samegame', 6, 5, { third: 3 });
    const second = ada.page.locator('dl > div').nth(1);
    await second.filter({ hasText: 'Tiles left' }).waitFor();
    for (let groups; (groups = await ada.groups()).length > 0;) {
      const moves = await ada.moves();
      await ada.touch(groups.at(-1).cell);
      await ada.hasMoved(moves + 1);
      const left = (await ada.board()).filter((text) => text !== 'empty').length;
      const label = await second.locator('dt').textContent();
      if (await ada.isOver()) assert.equal(label, 'At the end');
      else assert.equal(label, left <= 6 ? 'If you stop now' : 'Tiles left');
    }
    await ada.page.locator('.over.card').waitFor();
    assert.match(
      await ada.page.locator('.over > p').textContent(),
      /^−?[\d,]+ points? in \d+ moves(, including .+)?$/,
    );
  });

  test('SameGame: a group is shown with its points before it is taken', async () => {
    const ada = await arrive();
    await ada.start('samegame', 10, 10, { third: 3 });
    const [largest] = (await ada.groups()).sort((a, b) => b.count - a.count);
    await ada.page.mouse.move(...(await ada.middle(largest.cell)));
    assert.deepEqual(await ada.first(), [`${largest.count} tiles`, `+${largest.points}`]);
    assert.equal(await ada.page.locator('.tile.looked').count(), largest.count);
    await ada.touch(largest.cell);
    await ada.hasMoved(1);
    assert.match(
      await ada.said(),
      new RegExp(`^${largest.count} \\w+ tiles removed, ${largest.points} points?`),
    );
    await ada.page.waitForFunction(() => document.getAnimations().length === 0);
    const tiles = (await ada.board()).filter((text) => text !== 'empty').length;
    assert.equal(await ada.page.locator('.tile').count(), tiles);
  });

  test('SameGame: a mouse that rests takes nothing that it has not been shown', async () => {
    const ada = await arrive(still);
    await ada.start('samegame', 8, 8, { third: 2 });
    const [largest] = (await ada.groups()).sort((a, b) => b.count - a.count);
    const { mouse } = ada.page;
    await mouse.move(...(await ada.middle(largest.cell)));
    const press = async () => {
      await mouse.down();
      await mouse.up();
    };
    await press();
    await ada.hasMoved(1);
    const under = (await ada.board())[largest.cell];
    await press();
    assert.equal(await ada.moves(), 1);
    if (!/^\d/.test(under)) return; // No group has fallen there.
    assert.match((await ada.first())[0], /^\d+ tiles$/);
    await press();
    await ada.hasMoved(2);
  });

  test('SameGame: a finger looks, slides away to let go, and takes with a second tap', async () => {
    const ada = await arrive(phone);
    await ada.start('samegame', 8, 8, { third: 3 });
    const [largest] = (await ada.groups()).sort((a, b) => b.count - a.count);
    const touch = await ada.page.context().newCDPSession(ada.page);
    const finger = async (type, at) => {
      const touchPoints = at ? [{ x: at[0], y: at[1] }] : [];
      await touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await finger('touchStart', await ada.middle(largest.cell));
    assert.match((await ada.first())[0], /^\d+ tiles$/);
    await finger('touchMove', [8, 8]);
    await finger('touchEnd');
    assert.equal((await ada.first())[0], 'Score');
    assert.equal(await ada.moves(), 0);
    for (let tap = 0; tap < 2; tap += 1) {
      assert.equal(await ada.moves(), 0);
      await finger('touchStart', await ada.middle(largest.cell));
      await finger('touchEnd');
    }
    await ada.hasMoved(1);
  });

  test('SameGame: keys alone look and take', async () => {
    const ada = await arrive(still);
    await ada.start('samegame', 6, 6, { third: 2 });
    const keys = ada.page.keyboard;
    const [{ cell, count }] = await ada.groups();
    for (let row = 0; row < Math.floor(cell / 6); row += 1) await keys.press('ArrowDown');
    for (let column = 0; column < cell % 6; column += 1) await keys.press('ArrowRight');
    if (cell === 0) {
      await keys.press('ArrowRight');
      await keys.press('ArrowLeft');
    }
    assert.equal(
      await ada.page.locator('#board').getAttribute('aria-activedescendant'),
      `cell-${cell}`,
    );
    assert.equal(await ada.page.locator('.tile.looked').count(), count);
    await keys.press('Enter');
    await ada.hasMoved(1);
  });
});
