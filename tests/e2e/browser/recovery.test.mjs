// The server is killed in mid-game, and the page goes on where it was.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Server } from '../harness/server.mjs';
import { Browser, lostServer } from './chromium.mjs';
import { Visitor } from './visitor.mjs';

describe('the server goes away', { timeout: 240_000 }, () => {
  let server;
  let browser;
  before(async () => {
    server = await Server.start();
    browser = await Browser.launch(server);
  });
  afterEach(() => browser.assertQuiet({ except: lostServer }));
  after(async () => {
    await browser.close();
    await server.dispose();
  });

  const waiting = (ada) =>
    ada.page.locator('[data-phase=waiting], [data-phase=connecting]').waitFor();

  /** Lets `page` be cut off from the stream alone: while `window.cut` is set it finds no way in. */
  const makeCuttable = (page) =>
    page.addInitScript(() => {
      globalThis.WebSocket = class extends WebSocket {
        constructor(url, names) {
          super(globalThis.cut ? url.replace(/stream$/, 'no-way-in') : url, names);
        }
      };
    });

  test('after kill -9 and a restart the page goes on at the same board', async () => {
    const ada = await Visitor.arrive(await browser.newPage());
    await ada.newGame({ size: 4 });
    for (let move = 0; move < 6; move += 1) await ada.playOne('press');
    const [board, score] = [await ada.board(), await ada.score()];

    await server.kill();
    await waiting(ada);
    assert.deepEqual(await ada.drawn(), board);
    await server.start();
    await ada.atBoard();
    assert.deepEqual(await ada.board(), board);
    assert.equal(await ada.score(), score);
    await ada.playOne('press');
    assert.equal(await ada.moves(), 7);
  });

  test('a move that is made while the server is away is played when it is back, once', async () => {
    const ada = await Visitor.arrive(await browser.newPage());
    await ada.newGame({ size: 8 });
    await ada.playOne('press');
    const board = await ada.board();
    await server.kill();
    await waiting(ada);

    const [direction] = await ada.offered();
    await ada.press(direction);
    await ada.page.getByText('Your move is kept').waitFor();
    assert.deepEqual(await ada.drawn(), board, 'nothing is shown before it is confirmed');
    assert.equal(await ada.moves(), 1);

    await server.start();
    await ada.hasMoved(2);
    await ada.page.waitForTimeout(300);
    assert.equal(await ada.moves(), 2);
    assert.notDeepEqual(await ada.board(), board);
    assert.equal(await ada.page.locator('.aside').textContent(), '');
  });

  test('a move that was meant for another board comes back with a word', async () => {
    const page = await browser.newPage();
    await makeCuttable(page);
    const ada = await Visitor.arrive(page);
    const link = await ada.newGame({ size: 8 });
    const second = new Visitor(await page.context().newPage());
    await second.page.goto(link);
    await second.atBoard();

    await server.kill();
    await waiting(ada);
    await ada.press((await ada.offered())[0]);
    await page.getByText('Your move is kept').waitFor();
    await page.evaluate(() => (globalThis.cut = true));
    await server.start();
    await second.atBoard();
    await second.playOne('press');
    await page.evaluate(() => (globalThis.cut = false));
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('The board had changed in the meantime').waitFor();
    assert.equal(await ada.moves(), 1);
    assert.deepEqual(await ada.board(), await second.board());
    await ada.playOne('press');
  });

  test('a restart on purpose is announced, waited for and forgotten', async () => {
    const ada = await Visitor.arrive(await browser.newPage());
    await ada.newGame({ size: 4 });
    await ada.playOne('press');
    const exit = await server.terminate();
    assert.equal(exit.code, 0);
    await waiting(ada);
    await server.start();
    await ada.atBoard();
    await ada.playOne('press');
    assert.equal(await ada.moves(), 2);
  });

  test('the lobby says that nobody answers, and comes back by itself', async () => {
    const ada = await Visitor.arrive(await browser.newPage());
    await ada.page.getByText('Nothing yet').waitFor();
    await server.kill();
    await ada.page.getByText('The server cannot be reached').waitFor();
    await ada.page.locator('button.play').click();
    await ada.page.getByRole('alert').waitFor();
    await server.start();
    await ada.page.locator('.banner').waitFor({ state: 'detached' });
    await ada.page.locator('button.play').click();
    await ada.atBoard();
  });
});
