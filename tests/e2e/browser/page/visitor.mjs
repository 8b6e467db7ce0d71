// A person at the page: reads it as a screen reader does, and does what a person does.
import assert from 'node:assert/strict';

export const directions = ['Left', 'Down', 'Right', 'Up'];

export class Visitor {
  constructor(page) {
    this.page = page;
  }

  /** Opens the page and signs in. */
  static async arrive(page, name = 'Ada') {
    const visitor = new this(page);
    await page.goto('/');
    await page.locator('#name').fill(name);
    await page.locator('form button').click();
    await page.locator('.games').waitFor();
    return visitor;
  }

  /** Chooses a game in the lobby. */
  async choose(game) {
    await this.page.locator(`input[name=game][value="${game}"]`).check();
  }

  /** Begins a game by its title, as it is set in the lobby. */
  async playNow(title) {
    await this.choose(title.toLowerCase());
    await this.page.locator('button.play').click();
  }

  /** Chooses how the new table is run: { clock, gameMinutes, moveSeconds, talk } and the names of
   *  what is ticked in `ticked`. */
  async setOptions({ clock, gameMinutes, moveSeconds, talk, ticked = [] }) {
    const { page } = this;
    if (clock) await page.locator('select[name=clock]').selectOption(clock);
    const numbers = page.locator('.options .own input[type=number]');
    if (gameMinutes !== undefined) await numbers.nth(0).fill(String(gameMinutes));
    if (moveSeconds !== undefined) await numbers.nth(2).fill(String(moveSeconds));
    const hidden = ticked.filter((name) => name !== 'practice');
    if (talk || hidden.length > 0) await page.locator('.options summary').click();
    if (talk) await page.locator('select[name=talk]').selectOption(talk);
    for (const name of ticked) await page.locator(`input[name="${name}"]`).check();
  }

  /** Chooses the options and starts a game of 2048; returns its link. */
  async newGame({ size = 4, objective = 2048, ...options } = {}) {
    const { page } = this;
    await this.choose('2048');
    await page.locator('input[value=own]').check();
    await page.locator('.own select').nth(0).selectOption(String(size));
    await page.locator('.own select').nth(1).selectOption(String(objective));
    await this.setOptions(options);
    await page.locator('button.play').click();
    await this.atBoard();
    return page.url();
  }

  /** Waits until the board is there and the line stands. */
  async atBoard() {
    await this.page.locator('[role=gridcell]').first().waitFor();
    await this.page.locator('[data-phase=live]').waitFor();
  }

  /** The board row by row, as it is read out: '2', '4', 'empty'. */
  async board() {
    return this.page.locator('[role=gridcell]').allTextContents();
  }

  /** The values that are drawn, by place: what a pair of eyes sees once the motions have ended. */
  async drawn() {
    return this.page.evaluate(async () => {
      const moving = document
        .getAnimations()
        .filter((motion) => motion.effect.target.closest('.picture'));
      await Promise.all(moving.map((motion) => motion.finished.catch(() => {})));
      const cells = [...document.querySelectorAll('.picture .cell')].map((cell) => {
        const { x, y } = cell.getBoundingClientRect();
        return { x, y, text: 'empty' };
      });
      for (const tile of document.querySelectorAll('.picture .tile')) {
        const { x, y } = tile.getBoundingClientRect();
        cells.find((cell) => Math.hypot(cell.x - x, cell.y - y) < 2).text = tile.textContent;
      }
      return cells.map((cell) => cell.text);
    });
  }

  async moves() {
    const text = await this.page.locator('dl > div:nth-child(3) dd').textContent();
    return Number(text.replace(/\D/g, ''));
  }

  async score() {
    const text = await this.page.locator('dl > div:nth-child(1) dd').textContent();
    return Number(text.replace(/\D/g, ''));
  }

  async isOver() {
    return (await this.page.locator('.over.card').count()) > 0;
  }

  /** Waits until the game has had this many moves. */
  async hasMoved(count) {
    await this.page.waitForFunction(
      (wanted) =>
        Number(document.querySelector('dl > div:nth-child(3) dd').textContent.replace(/\D/g, '')) >=
        wanted,
      count,
    );
  }

  /** Clicks a button that asks a bot, and agrees to the price where it is told. */
  async askBot(name) {
    await this.page.getByRole('button', { name }).click();
    const agree = this.page.getByRole('button', { name: /^(Show hint|Ver pista|Tipp zeigen)$/ });
    if (await agree.isVisible()) await agree.click();
  }

  /** Asks a bot, and waits until what it advises is marked. */
  async hint() {
    await this.askBot(/^(Hint|Pista|Tipp)$/);
    await this.page.locator('.advised').first().waitFor();
  }

  async press(direction) {
    await this.page.keyboard.press(`Arrow${direction}`);
  }

  async type(direction) {
    await this.page.keyboard.press({ Left: 'a', Right: 'd', Up: 'w', Down: 's' }[direction]);
  }

  async tapButton(direction) {
    await this.page.locator(`.pad .${direction.toLowerCase()}`).click();
  }

  /** A finger over the middle of the board. */
  async swipe(direction) {
    const touch = (this.touch ??= await this.page.context().newCDPSession(this.page));
    const box = await this.page.locator('#board').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const [dx, dy] = {
      Left: [-1, 0],
      Right: [1, 0],
      Up: [0, -1],
      Down: [0, 1],
    }[direction];
    const at = (way) => ({
      touchPoints: [{ x: x + dx * way, y: y + dy * way }],
    });
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      ...at(0),
    });
    for (const way of [15, 30, 60, 90]) {
      await touch.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        ...at(way),
      });
    }
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchEnd',
      touchPoints: [],
    });
  }

  /** The moves that the page offers: the buttons that are not greyed. */
  async offered() {
    return this.page
      .locator('.pad button:not([aria-disabled=true])')
      .evaluateAll((buttons) =>
        buttons
          .map((button) =>
            button.className.split(' ').find((name) => /^(left|right|up|down)$/.test(name)),
          )
          .map((name) => name[0].toUpperCase() + name.slice(1)),
      );
  }

  /** Plays one move that is possible with `act` (press, type, swipe, tapButton), and sees it
   *  confirmed. */
  async playOne(act) {
    const possible = await this.offered();
    const direction = directions.find((wanted) => possible.includes(wanted));
    assert.ok(direction, 'no move is offered');
    const before = await this.moves();
    await this[act](direction);
    await this.hasMoved(before + 1);
    assert.equal(await this.moves(), before + 1);
    return direction;
  }

  async playToTheEnd(act) {
    while (!(await this.isOver())) await this.playOne(act);
  }

  /** How far the page can be scrolled sideways. */
  async sidewaysScroll() {
    return this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  }
}
