// How games end: best score and record, rank, games in a row, full colours, and a card to share.
import assert from 'node:assert/strict';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { config2048, signIn } from '../harness/lobby.mjs';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { desktop, phone, shots } from './page/chromium.mjs';
import { ownerOf, played, playOut } from './page/played.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const still = { reducedMotion: 'reduce' };
const options = ['--bot-pace', '0ms', '--bot-think', '5ms', '--rate-bots', 'yes'];

describeSite('endings', { options }, (site) => {
  before(() => mkdir(shots, { recursive: true }));

  const over = (page) => page.locator('.over.card');
  const numberIn = (text) => Number(text.replace(/\D/g, ''));

  for (const [name, look] of [
    ['desktop-light', desktop],
    ['phone-dark', { ...phone, theme: 'dark' }],
  ]) {
    test(`a game for one: best score, rank, record and its places, ${name}`, async () => {
      // Others stand on the board of this size, so that there are places to climb.
      const config = config2048({ size: 3 });
      for (let n = 0; n < 4; n += 1) {
        await played(site.server, await signIn(site.server, `Guest ${n}`), '2048', { config });
      }
      const ada = await Visitor.arrive(await site.newPage({ ...still, ...look }));
      const { page } = ada;
      await ada.newGame({ size: 3 });
      let best = 0;
      let records = 0;
      let place = 0;
      for (let game = 0; game < 30 && records === 0; game += 1) {
        await page.waitForTimeout(300); // What stood on the board before has been asked for.
        const tableId = new URL(page.url()).pathname.split('/')[2];
        if (game === 0) {
          // Without a plan, so that one with a plan is better soon.
          await playOut(site.server, await ownerOf(page), '2048', tableId);
          await page.locator('button', { hasText: 'Play here' }).click();
        } else await ada.playToTheEnd('press');
        const rank = over(page).getByText(/^Rank \d+/);
        await rank.waitFor();
        const [now, climbed = 0] = (await rank.textContent()).match(/\d+/g).map(Number);
        assert.equal(climbed, place > 0 ? place - now : 0, 'the places it has risen by');
        place = now;
        const score = await ada.score();
        if (game > 0 && score > best) {
          await over(page).getByText('New personal best!').waitFor();
          records += 1;
        } else {
          assert.equal(await over(page).getByText('New personal best!').count(), 0);
          const said = await over(page)
            .getByText(/^Your best: /)
            .textContent();
          best = Math.max(best, score);
          assert.equal(numberIn(said), best);
        }
        if (records === 0) {
          await over(page).getByRole('button', { name: 'Play again' }).click();
          await page.waitForURL((url) => !url.pathname.includes(tableId));
          await ada.atBoard();
          const fact = page.locator('dl > div', { has: page.getByText('Best', { exact: true }) });
          await fact.getByText(best.toLocaleString('en'), { exact: true }).waitFor();
        }
      }
      assert.equal(records, 1, 'one of thirty games was the best');
      await page.screenshot({ path: path.join(shots, `ending-2048-${name}.png`), fullPage: true });
      const filter = await page
        .locator('.picture')
        .evaluate((picture) => getComputedStyle(picture).filter);
      assert.equal(filter, 'none', 'the board keeps its colours');
    });
  }

  for (const language of ['es-ES', 'de-DE']) {
    test(`Azul: the end fits on the narrowest phone, ${language}`, async () => {
      const narrow = { ...phone, viewport: { width: 320, height: 640 }, language };
      const page = await site.newPage({ ...still, ...narrow });
      const ada = await AzulVisitor.arrive(page, 'Maximiliano');
      await ada.choose('azul');
      await page.locator('button.play').click();
      await ada.atTable();
      const tableId = new URL(page.url()).pathname.split('/')[2];
      await playOut(site.server, await ownerOf(page), 'azul', tableId);
      await page.getByRole('button', { name: /^(Jugar aquí|Hier spielen)$/ }).click();
      await over(page).waitFor();
      const box = await over(page).locator('table').boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 320, `${box.width} pixels`);
      assert.equal(await ada.sidewaysScroll(), 0);
      await page.goto(`/replay/${tableId}`);
      const play = await page.locator('.acts .play').boundingBox();
      assert.ok(play.width >= 40, `a button of ${play.width} pixels`);
    });
  }

  test('with hints it says that the game does not count', async () => {
    const ada = await Visitor.arrive(await site.newPage(still));
    await ada.newGame({ size: 2 });
    await ada.hint();
    await ada.playToTheEnd('press');
    await over(ada.page).getByText('Played with hints').waitFor();
    assert.equal(await over(ada.page).getByText(/^Rank/).count(), 0);
  });

  test('the card is drawn in the page, the boards in their colours, and saved', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const ada = await AzulVisitor.arrive(await site.newPage({ ...still, permissions }));
    const { page } = ada;
    await page.evaluate(() => localStorage.setItem('tesela.level.azul', '1'));
    await page.reload();
    await ada.playNow('Azul');
    await ada.atTable();
    const tableId = new URL(page.url()).pathname.split('/')[2];
    await playOut(site.server, await ownerOf(page), 'azul', tableId);
    await page.locator('button', { hasText: 'Play here' }).click();
    await over(page).getByRole('button', { name: 'Share result' }).click();
    await over(page).getByText('Copied').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(text.split('\n').at(-1), `${site.server.http}/replay/${tableId}`);
    const saved = page.waitForEvent('download');
    await over(page).getByRole('button', { name: 'Share picture' }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), 'tesela.png');
    assert.ok((await stat(await download.path())).size > 10_000);
    await page.locator('canvas.drawn').waitFor();
    const colours = await page.locator('canvas').evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(500, 40, 660, 540);
      const seen = new Map();
      for (let at = 0; at < data.length; at += 4) {
        const key = data.slice(at, at + 3).join(' ');
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      return [...seen.values()].filter((count) => count > 1000).length;
    });
    assert.ok(colours >= 6, `${colours} colours that cover something`);
    await download.saveAs(path.join(shots, 'card-azul.png'));
    await page.screenshot({ path: path.join(shots, 'ending-azul.png'), fullPage: true });
  });
});
