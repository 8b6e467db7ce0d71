// Takes pictures of every screen, on a desktop and a phone, light in English and dark in Spanish,
// to be looked at by people: node gallery.mjs FOLDER [LOOK [SCENE]]
// What is wrong beyond taste is found by the tests. A scene that fails is told and left out.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { azul, games } from '../../harness/games.mjs';
import { bearer, lobbyOf, signIn } from '../../harness/lobby.mjs';
import { Server } from '../../harness/server.mjs';
import { AzulVisitor } from '../page/azul_visitor.mjs';
import { Browser, desktop, phone } from '../page/chromium.mjs';
import { GridVisitor } from '../page/grid_visitor.mjs';
import { ownerOf, played, playOut } from '../page/played.mjs';
import { rareScenes } from './rare_scenes.mjs';
import { Visitor } from '../page/visitor.mjs';

const [folder = 'shots', wantedLook = '', wantedScene = ''] = process.argv.slice(2);
const looks = {
  'desktop-light': { ...desktop, language: 'en-US' },
  'phone-light': { ...phone, language: 'en-US' },
  'desktop-dark': { ...desktop, theme: 'dark', language: 'es-ES' },
  'phone-dark': { ...phone, theme: 'dark', language: 'es-ES' },
};
const words = {
  'en-US': {
    sit: 'Take a seat',
    rules: 'How to play',
    analyse: 'Analyse this game',
    resign: 'Resign',
    path: 'Biggest tile',
    playHere: 'Play here',
    best: 'Best moves',
    hint: 'Hint',
    moves: 'Moves',
  },
  'es-ES': {
    sit: 'Sentarse',
    rules: 'Cómo se juega',
    analyse: 'Analizar la partida',
    resign: 'Abandonar',
    path: 'La ficha más grande',
    playHere: 'Jugar aquí',
    best: 'Mejores jugadas',
    hint: 'Pista',
    moves: 'Jugadas',
  },
};

/** One visit: its page, its words, and pictures of it. */
class Visit {
  constructor(server, browser, name, look, page) {
    Object.assign(this, { server, browser, name, look, page, words: words[look.language] });
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
    await page.locator('select.field').last().selectOption('fast');
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
    await page.locator('.analysis progress').waitFor({ state: 'detached', timeout: 120_000 });
    await page.locator('.analysis .marks button').first().click();
    await page.locator('.analysis summary').click();
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
      await page.locator('.analysis progress').waitFor({ state: 'detached', timeout: 60_000 });
      await picture(`analysis-${game}`, { fullPage: true });
    }
  },

  async find({ page, picture }) {
    await Visitor.arrive(page);
    await page.goto('/find');
    await page.locator('form.card').waitFor();
    await picture('find', { fullPage: true });
    await page.locator('form.card button.go').click();
    await page.locator('.stands', { hasText: /\w/ }).waitFor();
    await picture('searching');
    await page.locator('section.card button').click();
    await page.locator('summary').click();
    await page.locator('.party button').click();
    await page.locator('#party-link').waitFor();
    await picture('party', { fullPage: true });
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
    const bots = ['random', 'greedy', 'diagonal'].map((strategy) => ({ strategy }));
    const options = { ranked: true };
    await played(server, owner, 'azul', { config: azul(4).config, options, bots });
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

  async several({ page, picture, visit, another }) {
    const ada = await AzulVisitor.arrive(page);
    await ada.createTable(2, { clock: 'calm' });
    const link = await page.locator('#share').inputValue();
    const bea = await AzulVisitor.arrive(await another(), 'Bea');
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Take a seat', exact: true }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    const head = page.locator('#talk .head');
    if ((await head.getAttribute('aria-expanded')) === 'false') {
      await (visit.look.isMobile ? page.locator('.bar button') : head).click();
    }
    await page.locator('#talk-body').getByRole('button').first().waitFor();
    await picture('chat');
    if (visit.look.isMobile) await page.locator('[aria-controls=talk-body]').click();
    const watcher = await another(visit.look);
    await watcher.goto(page.url());
    await watcher.locator('.ring').waitFor();
    await watcher.waitForTimeout(500);
    await watcher.screenshot({
      path: path.join(folder, `spectator-${visit.name}.png`),
      fullPage: true,
    });
    await bea.page.context().close();
    await page.locator('.away').waitFor({ timeout: 20_000 });
    await picture('away');
  },
};

await mkdir(folder, { recursive: true });
const options = ['--bot-pace', '0ms', '--bot-think', '50ms', '--rate-bots', 'yes'];
const server = await Server.start(...options, '--claim-after', '4s');
const browser = await Browser.launch(server);
try {
  await people(server);
  for (const [name, look] of Object.entries(looks)) {
    if (!name.includes(wantedLook)) continue;
    for (const [scene, act] of Object.entries(scenes)) {
      if (!scene.includes(wantedScene)) continue;
      // Games that are played elsewhere at once end at once.
      const still = scene.endsWith('Over') ? { reducedMotion: 'reduce' } : {};
      const newcomer = scene === 'tutorials';
      const page = await browser.newPage({ ...look, ...still, newcomer });
      const visit = new Visit(server, browser, name, look, page);
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
