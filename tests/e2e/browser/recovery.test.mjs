// The server is killed in mid-game, and the page goes on where it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../harness/database.mjs';
import { numberOf } from '../harness/postgres.mjs';
import { until } from '../harness/until.mjs';
import { lostServer } from './page/chromium.mjs';
import { ownerOf, played } from './page/played.mjs';
import { giveScissors, setAway } from './page/scissors.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

describeSite('the server goes away', { except: lostServer }, (site) => {
  const waiting = (ada) =>
    ada.page.locator('[data-phase=waiting], [data-phase=connecting]').waitFor();

  test('after kill -9 and a restart the page goes on at the same board', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 4 });
    for (let move = 0; move < 6; move += 1) await ada.playOne('press');
    const [board, score] = [await ada.board(), await ada.score()];

    await site.server.kill();
    await waiting(ada);
    assert.deepEqual(await ada.drawn(), board);
    await site.server.start();
    await ada.atBoard();
    assert.deepEqual(await ada.board(), board);
    assert.equal(await ada.score(), score);
    await ada.playOne('press');
    assert.equal(await ada.moves(), 7);
  });

  test('of keys pressed while the server is away one is played when it is back, once', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 8 });
    await ada.playOne('press');
    const board = await ada.board();
    await site.server.kill();
    await waiting(ada);

    for (const direction of ['Left', 'Right', 'Up', 'Down']) await ada.press(direction);
    await ada.page.getByText('Your move will be sent').waitFor();
    assert.deepEqual(await ada.drawn(), board, 'nothing is shown before it is confirmed');
    assert.equal(await ada.moves(), 1);

    await site.server.start();
    await ada.hasMoved(2);
    await ada.page.waitForTimeout(1000);
    assert.equal(await ada.moves(), 2);
    assert.notDeepEqual(await ada.board(), board);
    assert.equal(await ada.page.locator('.aside').textContent(), '');
  });

  test('a move that was meant for another board comes back with a word', async () => {
    const page = await site.newPage();
    await giveScissors(page);
    const ada = await Visitor.arrive(page);
    const link = await ada.newGame({ size: 8 });
    await site.server.kill();
    await waiting(ada);
    await ada.press((await ada.offered())[0]);
    await page.getByText('Your move will be sent').waitFor();
    await setAway(page, true);
    await site.server.start();
    const second = new Visitor(await page.context().newPage());
    await second.page.goto(link);
    await second.atBoard();
    await second.playOne('press');
    const board = await second.board();
    await setAway(page, false);
    // Unless it has come back by itself.
    const retry = page.getByRole('button', { name: 'Retry now' });
    await retry.click({ timeout: 2000 }).catch(() => {});
    await page.getByText('The board has changed in the meantime').waitFor();
    assert.equal(await ada.moves(), 1);
    assert.deepEqual(await ada.board(), board);
    await ada.playOne('press');
  });

  test('a restart on purpose is announced, waited for and forgotten', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 4 });
    await ada.playOne('press');
    const exit = await site.server.terminate();
    assert.equal(exit.code, 0);
    await waiting(ada);
    await site.server.start();
    await ada.atBoard();
    await ada.playOne('press');
    assert.equal(await ada.moves(), 2);
  });

  test('the lobby says that nobody answers, and comes back by itself', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.page.getByText('No games yet').waitFor();
    await ada.choose('2048');
    await site.server.kill();
    await ada.page.getByText('Can’t reach the server').waitFor();
    await ada.page.locator('button.play').click();
    await ada.page.getByRole('alert').waitFor();
    await site.server.start();
    await ada.page.locator('.banner').waitFor({ state: 'detached' });
    await ada.page.locator('button.play').click();
    await ada.atBoard();
  });

  test('a call at which the server fails has a name, by which the log has it', async () => {
    const { server } = site;
    const { page } = await Visitor.arrive(await site.newPage());
    const { tableId } = await played(server, await ownerOf(page), '2048');
    await server.terminate();
    await server.start(); // what was played is compacted
    await server.terminate();
    const damaged = `table_id = ${numberOf(tableId)} AND version = 3`;
    await sql(server.data, `DELETE FROM events WHERE ${damaged}`);
    await server.start();
    await page.goto(`/proof/${tableId}`);
    const alert = page.getByRole('alert').filter({ hasText: 'Tell the operator: ' });
    const [, request] = (await alert.textContent()).match(/Tell the operator: (\w{13})/);
    assert.match(server.output, new RegExp(`error call failed .*request=${request}`));
    site.browser.assertQuiet({ except: new RegExp(`status of 500|${lostServer.source}`) });
  });

  test('without a server finished games are shown, and none that goes on', async () => {
    const page = await site.newPage({ language: 'es-ES' });
    const ada = await Visitor.arrive(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const { tableId, events } = await played(site.server, await ownerOf(page), '2048');
    await page.goto(`/replay/${tableId}`);
    const keptGames = async () => (await (await caches.open('games')).keys()).length;
    await until(() => page.evaluate(keptGames), 'the game that was shown');
    await page.goto('/');
    const link = await ada.newGame({ size: 4 });
    await ada.playOne('press');
    await page.goto('/games/finished');
    await page.locator('[data-table]').waitFor();

    await site.server.kill();
    await page.reload();
    await page.getByText('Estas partidas se pueden ver sin él.').waitFor();
    await page.getByRole('link', { name: /^Repetición/ }).click();
    await page.locator('[role=gridcell]').first().waitFor();
    const { version } = events.at(-1);
    assert.equal(await page.locator('input[type=range]').getAttribute('max'), `${version - 1n}`);
    await page.goto('/');
    await page.getByText('No se puede conectar con el servidor.').first().waitFor();
    await page.goto(link);
    await waiting(ada);
    assert.equal(await page.locator('[role=gridcell]').count(), 0);
    await site.server.start();
    await ada.atBoard(); // By itself.
    assert.equal(await ada.moves(), 1);

    const kept = await page.evaluate(async () => {
      const caches = await Promise.all((await self.caches.keys()).map((n) => self.caches.open(n)));
      const requests = await Promise.all(caches.map((cache) => cache.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    const named = kept.filter((name) => !name.startsWith('/assets/')).sort();
    assert.deepEqual(named, ['/', `/games/${tableId}`, '/icon.svg', '/theme.js']);
    await page.getByRole('link', { name: /^Juegas como/ }).click();
    await page.getByRole('button', { name: 'Cerrar sesión', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cerrar sesión' }).click();
    await page.locator('#name').waitFor();
    assert.equal(await page.evaluate(keptGames), 0);
  });
});
