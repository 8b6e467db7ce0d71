// A person at a board of 2248 or SameGame: reads the cells, touches them by mouse.
import { Visitor } from './visitor.mjs';

export class GridVisitor extends Visitor {
  /** Chooses a game with a board of its own size, and starts it; returns its link. */
  async start(game, rows, columns, more = {}) {
    const { page } = this;
    await this.choose(game);
    await page.locator('input[name=size][value=own]').check();
    const numbers = page.locator('.options input[type=number]');
    await numbers.nth(0).fill(String(rows));
    await numbers.nth(1).fill(String(columns));
    if (more.third) await numbers.nth(2).fill(String(more.third));
    await page.locator('button.play').click();
    await this.atBoard();
    Object.assign(this, { rows, columns });
    return page.url();
  }

  /** The middle of a cell, in the page's coordinates. */
  async middle(cell) {
    const { x, y, width, height } = await this.page.locator('.picture').boundingBox();
    const [column, row] = [cell % this.columns, Math.floor(cell / this.columns)];
    return [x + ((column + 0.5) * width) / this.columns, y + ((row + 0.5) * height) / this.rows];
  }

  /** Draws through cells with the button held, and lets go unless told otherwise. */
  async draw(cells, { hold = false } = {}) {
    const { mouse } = this.page;
    await mouse.move(...(await this.middle(cells[0])));
    await mouse.down();
    for (const cell of cells.slice(1)) await mouse.move(...(await this.middle(cell)), { steps: 4 });
    if (!hold) await mouse.up();
  }

  async touch(cell) {
    await this.page.mouse.click(...(await this.middle(cell)));
  }

  areNeighbours(a, b) {
    const right = Math.abs((a % this.columns) - (b % this.columns));
    const down = Math.abs(Math.floor(a / this.columns) - Math.floor(b / this.columns));
    return a !== b && right <= 1 && down <= 1;
  }

  /** Two neighbouring cells of the same value; undefined when there are none. */
  async pair() {
    const board = await this.board();
    for (let a = 0; a < board.length; a += 1) {
      for (let b = a + 1; b < board.length; b += 1) {
        if (board[a] === board[b] && this.areNeighbours(a, b)) return [a, b];
      }
    }
    return undefined;
  }

  /** A cell of each group as it is read out: { cell, count, points }. */
  async groups() {
    const board = await this.board();
    return board.flatMap((text, cell) => {
      const found = text.match(/^(\d+) .*, (\d+) (points?|puntos?|Punkte?)$/);
      return found ? [{ cell, count: Number(found[1]), points: Number(found[2]) }] : [];
    });
  }

  /** Takes the largest group of SameGame. */
  async takeLargest() {
    const [largest] = (await this.groups()).sort((a, b) => b.count - a.count);
    const before = await this.moves();
    await this.touch(largest.cell);
    await this.hasMoved(before + 1);
  }

  async said() {
    return this.page.locator('.said').textContent();
  }

  /** What is in the box of the score: its label and its number. */
  async first() {
    const box = this.page.locator('dl > div').first();
    return [await box.locator('dt').textContent(), (await box.locator('dd').textContent()).trim()];
  }
}
