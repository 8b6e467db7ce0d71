// Takes pictures of every screen, at three sizes, in both themes and three languages, for people to
// look at: node gallery.mjs FOLDER [LOOK [SCENE]], LOOK and SCENE being parts of names, such as
// 320-dark-de. Tells where a page scrolls sideways, and where a text is cut.
// What is wrong beyond taste is found by the tests. A scene that fails is told and left out.
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { azul, games } from '../../harness/games.mjs';
import { bearer, lobbyOf, signIn } from '../../harness/lobby.mjs';
import { repository, Server } from '../../harness/server.mjs';
import { AzulVisitor } from '../page/azul_visitor.mjs';
import { Browser, desktop, phone } from '../page/chromium.mjs';
import { GridVisitor } from '../page/grid_visitor.mjs';
import { faults } from '../page/inspect.mjs';
import { ownerOf, played, playOut } from '../page/played.mjs';
import { peopleScenes } from './people_scenes.mjs';
import { rareScenes } from './rare_scenes.mjs';
import { Visitor } from '../page/visitor.mjs';

const [folder = 'shots', wantedLook = '', wantedScene = ''] = process.argv.slice(2);
const sizes = {
  1280: desktop,
  390: phone,
  320: { ...phone, viewport: { width: 320, height: 640 } },
};
const languages = { en: 'en-US', es: 'es-ES', de: 'de-DE' };
const looks = Object.entries(sizes).flatMap(([size, device]) =>
  ['light', 'dark'].flatMap((theme) =>
    Object.entries(languages).map(([short, language]) => ({
      name: `${size}-${theme}-${short}`,
      look: { ...device, theme, language },
      words: wordsOf(short),
    })),
  ),
);

/** What is pressed, as the page calls it. */
function wordsOf(language) {
  const read = (part) =>
    JSON.parse(
      readFileSync(path.join(repository, `clients/web/messages/${language}/${part}.json`), 'utf8'),
    );
  const [page, table, friends] = ['page', 'table', 'later/friends'].map(read);
  return {
    sit: page.waiting.takeSeat,
    hint: page.advice.ask,
    rules: read('later/learn').howTo,
    analyse: read('later/analysis').start,
    resign: table.resign.ask,
    playHere: table.playHere,
    moveWaits: page.table.moveWaits,
    path: read('g2248').maxPath,
    ready: read('find').ready,
    signOut: read('later/account').signOut,
    follow: friends.follow,
    unfollow: friends.unfollow,
    challenge: friends.send,
  };
}

/** One visit: its page, its words, and pictures of it. */
class Visit {
  constructor(server, browser, { name, look, words }, page) {
    Object.assign(this, { server, browser, name, look, words, page });
  }

  async picture(screen, options = {}) {
    await this.page.waitForTimeout(150);
    await this.page.evaluate(() => {
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
      return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => {});
    });
    const file = path.join(folder, `${screen}-${this.name}.png`);
    await this.page.screenshot({ path: file, ...options });
    for (const fault of await this.page.evaluate(faults)) console.log(`${file}: ${fault}`);
  }

  /** The same look of another's page. */
  on(page) {
    return Object.assign(Object.create(this), { page });
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  async play(game) {
    await this.page.goto('/');
    await new Visitor(this.page).playNow(game);
    await this.page.locator('[data-phase=live]').waitFor();
  }
}

/** Tables of others, who play and wait. */
async function people(server) {
  const lobby = lobbyOf(server);
  for (const [name, players, bots] of [
    ['Bea', 2, ['uct']],
    ['Constantin der Große', 4, ['greedy']],
    ['Dora', 3, []],
  ]) {
    const { token } = await signIn(server, name);
    const seats = bots.map((strategy) => ({ strategy }));
    const { config } = azul(players);
    await lobby.createTable({ game: 'azul', config, bots: seats }, bearer(token));
    await played(server, { token }, '2048', {});
    const { table } = await lobby.createTable({ game: '2048', daily: true }, bearer(token));
    await playOut(server, { token }, '2048', table.tableId);
  }
  const { token } = await signIn(server, 'Emil');
  await lobby.createTable({ game: '2248' }, bearer(token));
}

const scenes = {
  ...rareScenes,
  ...peopleScenes,

  async start({ page, picture }) {
    await page.goto('/');
    await page.locator('.games-now button').first().waitFor();
    await picture('sign-in', { fullPage: true });
  },

  async lobby({ page, picture, visit }) {
    await AzulVisitor.arrive(page);
    for (const game of ['Azul', '2048']) await visit.play(game);
    await page.goto('/');
    await page.locator('.lists a').nth(2).waitFor();
    await picture('lobby', { fullPage: true });
    const ada = new AzulVisitor(page);
    await ada.choose('azul');
    await page.locator('input[name=opponents][value=friends]').check();
    await page.locator('.options summary').click();
    await picture('lobby-friends', { fullPage: true });
    await ada.choose('2048');
    await page.locator('input[value=own]').check();
    await picture('lobby-2048', { fullPage: true });
  },

  async waiting({ page, picture }) {
    const ada = await AzulVisitor.arrive(page);
    await ada.createTable(3);
    await ada.addBots(1);
    await picture('waiting', { fullPage: true });
  },

  async tutorials({ page, picture, visit, newcomer }) {
    await newcomer();
    for (const game of ['Azul', '2048', '2248', 'SameGame']) {
      await visit.play(game);
      await page.locator('.coach').waitFor();
      await page.waitForTimeout(3000);
      await picture(`coach-${game.toLowerCase()}`);
      await visit.button(visit.words.rules).click();
      await page.locator('dialog[open] .rule').first().waitFor();
      await picture(`rules-${game.toLowerCase()}`);
      await page.keyboard.press('Escape');
    }
  },

  async azul({ page, picture, visit }) {
    const ada = await AzulVisitor.arrive(page);
    await visit.play('Azul');
    await ada.atTable();
    for (let moves = 0; moves < 5;) {
      if (await ada.mayTake()) {
        await ada.place();
        moves += 1;
      } else await page.waitForTimeout(50);
    }
    await ada.offers().first().waitFor({ timeout: 30_000 });
    await picture('azul-two', { fullPage: true });
    await page.getByRole('button', { name: visit.words.hint, exact: true }).click();
    await page.locator('.ring .advised').first().waitFor();
    await picture('azul-hint');
    await ada.offers().last().click();
    await picture('azul-picked');
    await page.keyboard.press('Escape');
    const log = page.locator('#log .head');
    if ((await log.getAttribute('aria-expanded')) === 'false') await log.click();
    await picture('azul-log');
    if (visit.look.isMobile) await log.click();
    const over = page.locator('.round-over');
    while (!(await over.count())) {
      if (await ada.mayTake()) await ada.place();
      else await page.waitForTimeout(50);
    }
    await picture('azul-round-over');
  },

  async four({ page, picture, visit }) {
    const ada = await AzulVisitor.arrive(page);
    await ada.choose('azul');
    await page.locator('input[name=players][value="4"]').check();
    await page.locator('button.play').click();
    await ada.atTable();
    await page.locator('select', { has: page.locator('option[value=fast]') }).selectOption('fast');
    for (let moves = 0; moves < 7;) {
      if (await ada.mayTake()) {
        await ada.place();
        moves += 1;
      } else await page.waitForTimeout(50);
    }
    await ada.offers().first().waitFor({ timeout: 30_000 });
    await picture('azul-four', { fullPage: true });
    await page.locator('.boards .board:not(.own)').first().click();
    await page.locator('dialog[open] .board').waitFor();
    await picture('azul-close-up');
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await visit.button(visit.words.resign).first().click();
    await picture('resign');
  },

  async azulOver({ page, picture, visit, server }) {
    const ada = await AzulVisitor.arrive(page);
    await visit.play('Azul');
    await ada.atTable();
    const tableId = new URL(page.url()).pathname.split('/')[2];
    await playOut(server, await ownerOf(page), 'azul', tableId);
    await visit.button(visit.words.playHere).click();
    await page.locator('.over.card').waitFor();
    await picture('azul-over', { fullPage: true });
    await page.goto(`/replay/${tableId}/12`);
    await page.locator('input[type=range]').waitFor();
    await picture('replay-azul', { fullPage: true });
    await visit.button(visit.words.analyse).click();
    await page.locator('.analysis progress').waitFor();
    await page.locator('.analysis progress').waitFor({ state: 'detached', timeout: 300_000 });
    await page.locator('.marks button').first().click();
    await page.locator('.analysis details').evaluate((best) => (best.open = true));
    await picture('analysis-azul', { fullPage: true });
  },

  async grids({ page, picture, visit }) {
    const grid = await GridVisitor.arrive(page);
    await visit.play('2048');
    for (let moves = 0; moves < 60; moves += 1) await grid.playOne('press');
    await picture('2048');
    await visit.play('2248');
    Object.assign(grid, { rows: 8, columns: 5 });
    for (let moves = 0; moves < 6; moves += 1) {
      const pair = await grid.pair();
      if (!pair) break;
      await grid.draw(pair);
      await grid.hasMoved(moves + 1);
    }
    await grid.askBot(visit.words.path);
    await page.locator('.tile.last').waitFor();
    await picture('2248');
    await visit.play('SameGame');
    Object.assign(grid, { rows: 15, columns: 15 });
    for (let moves = 0; moves < 12; moves += 1) await grid.takeLargest();
    const [group] = (await grid.groups()).sort((a, b) => b.count - a.count);
    await page.mouse.move(...(await grid.middle(group.cell)));
    await picture('samegame');
  },

  async gridsOver({ page, picture, visit, server }) {
    await GridVisitor.arrive(page);
    for (const game of ['2048', '2248', 'samegame']) {
      const owner = await ownerOf(page);
      const { table } = await lobbyOf(server).createTable(
        { game, config: games[game].config },
        bearer(owner.token),
      );
      await page.goto(`/t/${table.tableId}`);
      await page.locator('[data-phase=live]').waitFor();
      await playOut(server, owner, game, table.tableId);
      await visit.button(visit.words.playHere).click();
      await page.locator('.over.card').waitFor();
      await page.waitForTimeout(700);
      await picture(`${game}-over`, { fullPage: true });
      await page.goto(`/replay/${table.tableId}/3`);
      await visit.button(visit.words.analyse).click();
      await page.locator('.analysis progress').waitFor({ state: 'detached', timeout: 300_000 });
      await picture(`analysis-${game}`, { fullPage: true });
    }
  },

  async around({ page, picture, server }) {
    await Visitor.arrive(page);
    await page.goto('/daily');
    await page.locator('.mine a, .mine button').nth(2).waitFor();
    await picture('daily', { fullPage: true });
    await page.locator('.mine button').nth(1).click();
    await page.locator('[data-phase=live]').waitFor();
    await picture('daily-table', { fullPage: true });
    const owner = await ownerOf(page);
    const { tableId } = await played(server, owner, '2048', {});
    const bots = ['random', 'greedy', 'diagonal'].map((strategy) => ({
      strategy,
    }));
    const options = { ranked: true };
    await played(server, owner, 'azul', {
      config: azul(4).config,
      options,
      bots,
    });
    for (const board of ['azul', '2048', '2048/daily']) {
      await page.goto(`/boards/${board}`);
      await page.locator('tbody tr').nth(2).waitFor();
      await picture(`boards-${board.replace('/', '-')}`, { fullPage: true });
    }
    await page.goto('/games');
    await page.locator('li[data-table]').first().waitFor();
    await picture('games', { fullPage: true });
    await page.goto('/games/finished');
    await page.locator('li[data-table]').nth(1).waitFor();
    await picture('games-finished', { fullPage: true });
    await page.goto(`/replay/${tableId}/20`);
    await page.locator('input[type=range]').waitFor();
    await picture('replay-2048', { fullPage: true });
    await page.goto(`/proof/${tableId}`);
    await page.locator('.verdict').waitFor();
    await picture('proof', { fullPage: true });
    await page.goto('/t/0000000000000');
    await page.locator('main h1:not(.visually-hidden)').waitFor();
    await picture('missing');
  },
};

await mkdir(folder, { recursive: true });
const options = ['--bot-pace', '0ms', '--bot-think', '50ms', '--rate-bots', 'yes'];
const server = await Server.start(...options, '--claim-after', '4s');
const browser = await Browser.launch(server);
try {
  await people(server);
  for (const one of looks) {
    const { name, look } = one;
    if (!name.includes(wantedLook)) continue;
    for (const [scene, act] of Object.entries(scenes)) {
      if (!scene.includes(wantedScene)) continue;
      // Games that are played elsewhere at once end at once.
      const still = scene.endsWith('Over') ? { reducedMotion: 'reduce' } : {};
      const newcomer = scene === 'tutorials';
      const page = await browser.newPage({ ...look, ...still, newcomer });
      const visit = new Visit(server, browser, one, page);
      const others = [];
      const another = async (how = {}) => {
        others.push(await browser.newPage({ ...how }));
        return others.at(-1);
      };
      try {
        await act({
          page,
          server,
          visit,
          another,
          picture: (...what) => visit.picture(...what),
          newcomer: () => Visitor.arrive(page),
        });
        console.log(`${name} ${scene}`);
      } catch (error) {
        console.log(`${name} ${scene}: ${error.message.split('\n')[0]}`);
        await visit.picture(`failed-${scene}`).catch(() => {});
        process.exitCode = 1;
      }
      for (const one of [page, ...others]) await one.context().close();
    }
  }
} finally {
  await browser.close();
  await server.dispose();
}
