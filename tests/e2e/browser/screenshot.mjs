// Takes clients/web/screenshot.png: plays games by a simple strategy (into a corner) until a board
// is worth looking at, and keeps the picture of it in mid-game. Run by hand: node screenshot.mjs
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { repository, Server } from '../harness/server.mjs';
import { Browser, shots } from './chromium.mjs';
import { Visitor } from './visitor.mjs';

const largestMin = 256;
const kindsMin = 8;
const gamesMax = 100;
const preference = ['Down', 'Left', 'Right', 'Up'];
const target = path.join(repository, 'clients/web/screenshot.png');

/** Plays until the board has large tiles of many kinds and room to go on; false when it never
 *  had. */
async function reach(player) {
  while (!(await player.isOver())) {
    const possible = await player.offered();
    const direction = preference.find((name) => possible.includes(name));
    if (!direction) continue;
    const before = await player.moves();
    await player.press(direction);
    await player.hasMoved(before + 1);
    const values = (await player.board()).map(Number);
    const tiles = values.filter((value) => !Number.isNaN(value));
    const room = values.length - tiles.length;
    if (Math.max(...tiles) >= largestMin && new Set(tiles).size >= kindsMin && room >= 2)
      return true;
  }
  return false;
}

await mkdir(shots, { recursive: true });
const server = await Server.start();
const browser = await Browser.launch(server);
try {
  const player = await Visitor.arrive(await browser.newPage(), 'Ada');
  for (let game = 1; game <= gamesMax; game += 1) {
    await player.page.goto('/');
    await player.page.locator('button.play').click();
    await player.atBoard();
    if (!(await reach(player))) continue;
    await player.drawn();
    await player.page.evaluate(() => document.activeElement.blur());
    await player.page.screenshot({ path: target });
    console.log(`game ${game}, move ${await player.moves()}: ${target}`);
    break;
  }
} finally {
  await browser.close();
  await server.dispose();
}
