// Sounds and vibration: off until they are turned on, one switch for both, and remembered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { GridVisitor } from './page/grid_visitor.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

/** Writes down every tone that begins, and every vibration. */
function listen() {
  globalThis.tones = [];
  globalThis.vibrations = [];
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...when) {
    tones.push(Math.round(this.frequency.value));
    return start.apply(this, when);
  };
  navigator.vibrate = (pattern) => vibrations.push(pattern);
}

describeSite('sounds', { options: ['--bot-pace', '0ms'] }, (site) => {
  const heard = (page) => page.evaluate(() => tones.length);
  const sounded = (page, count = 1) =>
    page.waitForFunction((count) => tones.length >= count, count);
  const silence = (page) => page.evaluate(() => (tones.length = vibrations.length = 0));

  async function arrive(visitor, { on = true, ...options } = {}) {
    const page = await site.newPage(options);
    await page.addInitScript(listen);
    const ada = await visitor.arrive(page);
    if (on) await page.getByRole('button', { name: 'Sound off: turn it on' }).click();
    return ada;
  }

  test('a first visit is silent, and so is less motion', async () => {
    for (const reducedMotion of ['no-preference', 'reduce']) {
      const ada = await arrive(Visitor, { on: false, reducedMotion });
      await ada.newGame({ size: 3 });
      for (let move = 0; move < 5; move += 1) await ada.playOne('press');
      assert.equal(await heard(ada.page), 0);
      assert.deepEqual(await ada.page.evaluate(() => vibrations), []);
    }
  });

  test('the switch is heard, remembered, and mutes everything', async () => {
    const ada = await arrive(Visitor);
    const { page } = ada;
    await sounded(page);
    await page.reload();
    const button = page.getByRole('button', { name: 'Sound on: turn it off' });
    await button.waitFor();
    await ada.newGame({ size: 3 });
    await silence(page);
    await ada.playOne('press');
    await sounded(page);
    await button.click();
    await silence(page);
    await ada.playOne('press');
    await page.waitForTimeout(100);
    assert.equal(await heard(page), 0);
  });

  test('2048: a larger merge sounds higher, and a phone is felt', async () => {
    const ada = await arrive(Visitor, phone);
    await ada.newGame({ size: 4 });
    const { page } = ada;
    await silence(page);
    // The highest of each gain: 16 points are one merge, or two of 8 that sound like 8.
    const pitches = new Map();
    const distinct = () => new Set(pitches.values()).size;
    while (distinct() < 3 && !(await ada.isOver())) {
      await page.evaluate(() => (tones.length = 0));
      const before = await ada.score();
      await ada.playOne('tapButton');
      const gained = (await ada.score()) - before;
      await sounded(page);
      const [pitch] = await page.evaluate(() => tones);
      if ([4, 8, 16].includes(gained)) {
        pitches.set(gained, Math.max(pitch, pitches.get(gained) ?? 0));
      }
    }
    const rising = [...pitches].sort((a, b) => a[0] - b[0]).map(([, pitch]) => pitch);
    assert.deepEqual(
      rising,
      rising.toSorted((a, b) => a - b),
    );
    assert.equal(distinct(), 3, rising.join(' '));
    assert.ok((await page.evaluate(() => vibrations.length)) > 0);
  });

  test('SameGame and 2248 sound too', async () => {
    const ada = await arrive(GridVisitor);
    await ada.start('samegame', 8, 8, { third: 3 });
    await silence(ada.page);
    await ada.takeLargest();
    await sounded(ada.page, 3);
    await ada.page.locator('a.home').click();
    await ada.start('2248', 6, 5);
    await silence(ada.page);
    await ada.draw(await ada.pair());
    await ada.hasMoved(1);
    await sounded(ada.page, 3);
  });

  test('Azul: taking, placing, and that it is one’s turn', async () => {
    const still = { reducedMotion: 'reduce' };
    const [ada, bea] = [await arrive(AzulVisitor, still), await arrive(AzulVisitor, still)];
    const link = await ada.createTable(2);
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Take a seat', exact: true }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    await bea.page.mouse.click(5, 5); // Browsers allow no sound before the page was touched.
    // Who begins is drawn by lot.
    const first = await Promise.any(
      [ada, bea].map((player) =>
        player
          .offers()
          .first()
          .waitFor()
          .then(() => player),
      ),
    );
    const second = first === ada ? bea : ada;
    await Promise.all([ada, bea].map(({ page }) => silence(page)));
    await first.playOne();
    await sounded(first.page, 3); // take, and both tones of place
    await second.page.waitForFunction(() => tones.includes(659) && tones.includes(880));
  });

  test('time that gets short, and a win', async () => {
    const still = { reducedMotion: 'reduce' };
    const [ada, bea] = [await arrive(AzulVisitor, still), await arrive(AzulVisitor, still)];
    const link = await ada.createTable(2, { clock: 'own', gameMinutes: 0, moveSeconds: 10 });
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Take a seat', exact: true }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    await bea.page.mouse.click(5, 5);
    await ada.page.locator('.bar li.turn').waitFor();
    const begins = (await ada.page.locator('.bar li.own.turn').count()) > 0;
    const [first, second] = begins ? [ada, bea] : [bea, ada];
    // Two tones of one pitch, besides that of the turn.
    await first.page.waitForFunction(() => {
      const [high, turns] = [880, 659].map((pitch) => tones.filter((tone) => tone === pitch));
      return high.length - turns.length === 2;
    });
    await second.page.getByRole('button', { name: 'Resign', exact: true }).first().click();
    const question = second.page.locator('dialog[open]');
    await question.getByRole('button', { name: 'Resign', exact: true }).click();
    await first.page.waitForFunction(() =>
      [523, 659, 784, 1047].every((pitch) => tones.includes(pitch)),
    );
  });
});
