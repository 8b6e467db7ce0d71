// A fifth game in the page that ships, which knows nothing of it: in Chromium, by mouse and keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../e2e/browser/page/site.mjs';
import { Visitor } from '../e2e/browser/page/visitor.mjs';

const CONFIG = 'type.googleapis.com/tesela.fifth_game.v1.LightsOutConfig';
const COLUMNS = 5;

class GridPlayer extends Visitor {
  /** Makes a table of the game as the visitor, and goes there. */
  async start(server, movesMax = 50) {
    const player = await this.page.evaluate(() => localStorage.getItem('tesela.player'));
    const response = await fetch(`${server.http}/tesela.lobby.v1.LobbyService/CreateTable`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${JSON.parse(player).token}`,
      },
      body: JSON.stringify({ game: 'lights_out', config: { '@type': CONFIG, movesMax } }),
    });
    const { table } = await response.json();
    await this.page.goto(`/t/${table.tableId}`);
    await this.atBoard();
    return table.tableId;
  }

  async touch(cell) {
    const { x, y, width, height } = await this.page.locator('.picture').boundingBox();
    const [column, row] = [cell % COLUMNS, Math.floor(cell / COLUMNS)];
    const side = [width / COLUMNS, height / COLUMNS];
    await this.page.mouse.click(x + (column + 0.5) * side[0], y + (row + 0.5) * side[1]);
  }

  /** Waits until so many moves are left. */
  async left(moves) {
    const words = new RegExp(`^\\s*Moves left\\s*${moves}\\s*$`);
    await this.page.locator('dl > div', { hasText: words }).waitFor();
  }

  /** The cells that differ from `before`. */
  async changed(before) {
    const now = await this.board();
    return now.flatMap((text, cell) => (text === before[cell] ? [] : [cell]));
  }
}

describeSite('a game that the page does not know', {}, (site) => {
  const arrive = async (options) => GridPlayer.arrive(await site.newPage(options));

  test('is played by mouse and by keys, and drawn as it stands', async () => {
    const ada = await arrive();
    await ada.start(site.server);
    assert.equal(await ada.page.title(), 'Lights out · Tesela');
    const first = await ada.board();
    assert.ok(first.every((text) => ['on', 'off'].includes(text)));
    await ada.touch(12);
    await ada.left(49);
    assert.deepEqual(await ada.changed(first), [7, 11, 12, 13, 17]);

    const second = await ada.board();
    await ada.page.keyboard.press('ArrowLeft');
    await ada.page.keyboard.press('Enter');
    await ada.left(48);
    assert.deepEqual(await ada.changed(second), [6, 10, 11, 12, 16]);
    await ada.page.waitForFunction(() => document.getAnimations().length === 0);
    const lit = (await ada.board()).filter((text) => text === 'on').length;
    assert.equal(await ada.page.locator('.tile[data-kind="2"]').count(), lit);
  });

  test('stands in the lobby, and is begun there by its usual rules', async () => {
    const ada = await arrive();
    await ada.page.getByRole('button', { name: 'Play now: Lights out' }).click();
    await ada.atBoard();
    assert.equal(await ada.page.title(), 'Lights out · Tesela');
    assert.equal((await ada.board()).length, COLUMNS * COLUMNS);
  });

  test('a bot points at a cell, Enter plays it, and others watch', async () => {
    const ada = await arrive({ reducedMotion: 'reduce' });
    const tableId = await ada.start(site.server);
    const grace = await GridPlayer.arrive(await site.newPage(), 'Grace');
    await grace.page.goto(`/t/${tableId}`);
    await grace.atBoard();
    await ada.hint();
    await ada.page.getByText(/A move in row [1-5], column [1-5]/).waitFor();
    await ada.page.keyboard.press('Enter');
    await ada.left(49);
    await grace.left(49);
    assert.deepEqual(await grace.board(), await ada.board());
  });

  test('a finished game is shown again', async () => {
    const ada = await arrive({ reducedMotion: 'reduce' });
    const tableId = await ada.start(site.server, 1);
    await ada.touch(0);
    await ada.page.locator('.over.card', { hasText: 'no move is left' }).waitFor();
    const end = await ada.board();
    await ada.page.goto(`/replay/${tableId}/2`);
    await ada.left(0);
    assert.deepEqual(await ada.board(), end);
    await ada.page.locator('input[type=range]').fill('0');
    await ada.left(1);
    assert.deepEqual(await ada.changed(end), [0, 1, 5]);
  });
});
