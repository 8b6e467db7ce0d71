// Every screen at every size: nothing scrolls sideways, no text is cut, a table is seen at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phone } from './page/chromium.mjs';
import { faults } from './page/inspect.mjs';
import { ownerOf, played } from './page/played.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

/** Words are longest in German. At 200 % a page has half of the pixels of its window. */
const sizes = [
  {
    name: '1280 × 800',
    viewport: { width: 1280, height: 800 },
    language: 'de-DE',
  },
  {
    name: '1280 × 800 at 200 %',
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
  },
  { name: '844 × 390', ...phone, viewport: { width: 844, height: 390 } },
  { name: '390 × 844', ...phone, language: 'es-ES' },
  {
    name: '375 × 667',
    ...phone,
    viewport: { width: 375, height: 667 },
    language: 'es-ES',
  },
  {
    name: '320 × 640',
    ...phone,
    viewport: { width: 320, height: 640 },
    language: 'de-DE',
  },
];
const screens = ['/', '/daily', '/find', '/games', '/friends', '/account', '/boards/azul'];
const games = ['Azul', '2048', '2248', 'SameGame'];

const options = ['--bot-pace', '0ms', '--bot-think', '5ms'];

describeSite('every size', { options }, (site) => {
  for (const { name, ...look } of sizes) {
    test(name, async () => {
      const page = await site.newPage({ reducedMotion: 'reduce', ...look });
      await Visitor.arrive(page);
      const fits = async (what) => assert.deepEqual(await page.evaluate(faults), [], what);
      for (const screen of screens) {
        await page.goto(screen);
        await page.locator('main h1').first().waitFor({ state: 'attached' });
        await page.waitForTimeout(300); // What is there has come.
        await fits(screen);
      }
      for (const game of games) {
        await page.goto('/');
        await new Visitor(page).playNow(game);
        await page.locator('[data-phase=live]').waitFor();
        await page.locator('.ring, #board').first().waitFor();
        await fits(game);
        const below = await page.evaluate(
          () => document.documentElement.scrollHeight - innerHeight,
        );
        if (look.viewport.width === 1280) assert.ok(below <= 0, `${game}: ${below} pixels below`);
      }
      const { tableId } = await played(site.server, await ownerOf(page), '2048', {});
      for (const screen of [`/t/${tableId}`, `/replay/${tableId}`, `/proof/${tableId}`]) {
        await page.goto(screen);
        await page.locator('.over.card, input[type=range], .verdict').first().waitFor();
        await fits(screen);
      }
    });
  }
});
