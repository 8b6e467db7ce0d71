// Takes the pictures that the documents show, in clients/web/pictures: games against bots, until a
// board is worth looking at. Run by hand, when the page has changed: node pictures.mjs [NAME …]
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { bearer, lobbyOf, signIn } from '../../harness/lobby.mjs';
import { azul } from '../../harness/games.mjs';
import { repository, Server } from '../../harness/server.mjs';
import { AzulVisitor } from '../page/azul_visitor.mjs';
import { Browser, phone } from '../page/chromium.mjs';
import { GridVisitor } from '../page/grid_visitor.mjs';

const folder = path.join(repository, 'clients/web/pictures');
const sharp = { ...phone, deviceScaleFactor: 2 };

/** Plays until the board is filled, and stops with tiles in hand. */
async function playAzul(ada, movesMin, displaysMin) {
  for (let moves = 0; !(await ada.isOver());) {
    if (!(await ada.mayTake())) {
      await ada.page.waitForTimeout(20);
      continue;
    }
    if (moves >= movesMin && (await ada.page.locator('.display svg').count()) >= displaysMin) break;
    await ada.advisedOne();
    moves += 1;
  }
  await ada.offers().first().click();
  await ada.page.evaluate(() => document.activeElement.blur());
}

/** Others, who play and wait. */
async function peopleTheLobby(server) {
  const seats = [
    ['Bea', azul(2), [{ strategy: 'uct' }]],
    ['Constantin', azul(4), [{ strategy: 'greedy' }]],
    ['Dora', azul(3), []],
  ];
  for (const [name, { config }, bots] of seats) {
    const { token } = await signIn(server, name);
    await lobbyOf(server).createTable({ game: 'azul', config, bots }, bearer(token));
  }
  const { token } = await signIn(server, 'Emil');
  await lobbyOf(server).createTable({ game: '2248' }, bearer(token));
}

const pictures = {
  lobby: [
    { theme: 'dark' },
    async (ada) => {
      for (const game of ['Azul', '2048']) {
        await ada.playNow(game);
        await ada.page.locator('[data-phase=live]').waitFor();
        await ada.page.locator('a.home').click();
      }
      await ada.page.locator('.mine li').nth(1).waitFor();
      await ada.page.evaluate(() => document.activeElement.blur());
    },
  ],
  azul: [
    {},
    async (ada) => {
      await ada.createTable(2);
      await ada.addBots(1, 'greedy');
      await ada.atTable();
      await playAzul(ada, 16, 8);
    },
  ],
  'azul-phone': [
    { ...sharp, theme: 'dark' },
    async (ada) => {
      await ada.createTable(4);
      await ada.addBots(1, 'greedy');
      await ada.addBots(1, 'uct');
      await ada.addBots(1, 'novice');
      await ada.atTable();
      await playAzul(ada, 9, 16);
    },
  ],
  2248: [
    sharp,
    async (ada) => {
      const grid = Object.assign(new GridVisitor(ada.page), {
        rows: 8,
        columns: 5,
      });
      await ada.playNow('2248');
      await ada.page.locator('#board').waitFor();
      for (let moves = 0; moves < 7; moves += 1) {
        await ada.askBot('Biggest beside its match');
        await ada.page.locator('.tile.last').waitFor();
        await ada.page.keyboard.press('Enter');
        await grid.hasMoved(moves + 1);
      }
      await ada.askBot('Biggest tile');
      await ada.page.locator('.tile.last').waitFor();
    },
  ],
  2048: [
    phone,
    async (ada) => {
      await ada.playNow('2048');
      await ada.page.locator('#board').waitFor();
      const board = new GridVisitor(ada.page);
      for (let moves = 0; moves < 60; moves += 1) await board.playOne('press');
    },
  ],
  samegame: [
    phone,
    async (ada) => {
      const grid = Object.assign(new GridVisitor(ada.page), { rows: 10, columns: 8 });
      await grid.start('samegame', 10, 8);
      for (let moves = 0; moves < 6; moves += 1) await grid.takeLargest();
    },
  ],
};
const wanted = process.argv.slice(2);

const server = await Server.start('--bot-pace', '0ms', '--bot-think', '30ms');
const browser = await Browser.launch(server);
try {
  await mkdir(folder, { recursive: true });
  await peopleTheLobby(server);
  for (const [name, [look, prepare]] of Object.entries(pictures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await browser.newPage({ ...look, reducedMotion: 'reduce' });
    await prepare(await AzulVisitor.arrive(page, 'Ada'));
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.dispose();
}
