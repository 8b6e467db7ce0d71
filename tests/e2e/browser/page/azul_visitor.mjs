// A person at a table of Azul: reads offers and lines as a screen reader does.
import { Visitor } from './visitor.mjs';

export class AzulVisitor extends Visitor {
  /** Makes a table in the lobby, run as TableOptionsForm is told, and returns the link that lets
   *  others in. */
  async createTable(players = 2, options = {}) {
    const { page } = this;
    await this.choose('azul');
    await page.locator('input[name=opponents][value=friends]').check();
    await page.locator(`input[name=players][value="${players}"]`).check();
    await this.setOptions(options);
    await page.locator('button.play').click();
    await page.getByRole('heading', { name: /^(Waiting|Esperando|Warten)/ }).waitFor();
    return page.locator('#share').inputValue();
  }

  /** The seats as they stand above the table, one's own first. */
  async clocks() {
    return this.page.locator('.bar li').evaluateAll((seats) =>
      seats.map((seat) => {
        const text = seat.querySelector('.clock [aria-hidden]')?.textContent ?? '';
        const [seconds, minutes = 0] = text.split(':').map(Number).reverse();
        return {
          seconds: 60 * minutes + seconds,
          turn: seat.classList.contains('turn'),
          words: seat.querySelector('.words').textContent,
        };
      }),
    );
  }

  /** Gives the next seats of the own table to bots, of the strategy that is named or of the one
   *  that the page proposes. */
  async addBots(count, strategy) {
    const { page } = this;
    if (strategy) await page.locator('#strategy').selectOption(strategy);
    for (let added = 0; added < count; added += 1) {
      const taken = await page.locator('ol li:not(.free)').count();
      await page.getByRole('button', { name: /^(Add bot|Añadir bot|Bot hinzufügen)$/ }).click();
      await page.waitForFunction(
        (taken) => document.querySelectorAll('ol li:not(.free)').length !== taken,
        taken,
      );
    }
  }

  async atTable() {
    await this.page.locator('.azul .ring').waitFor();
    await this.page.locator('[data-phase=live]').waitFor();
  }

  offers() {
    return this.page.locator('button[data-offer]');
  }

  lines() {
    return this.page.locator('button.line[data-target]');
  }

  /** Whether it is this player's turn and the table is still. */
  async mayTake() {
    return (await this.offers().count()) > 0;
  }

  /** Takes what fills the uppermost line and puts it there, to end the game soon; without a line,
   *  to the floor. */
  async place() {
    const offers = await this.offers().count();
    for (let index = offers - 1; index >= 0; index -= 1) {
      await this.offers().nth(index).click();
      const lines = await this.lines().count();
      if (lines === 0 && index > 0) continue;
      const target = lines > 0 ? this.lines().first() : this.page.locator('button.floor');
      return target.click();
    }
  }

  /** Places tiles, and sees it confirmed. */
  async playOne() {
    await this.place();
    await this.page.locator('button[data-target]').first().waitFor({ state: 'detached' });
  }

  /** Plays what a bot advises, and sees it confirmed. */
  async advisedOne() {
    await this.hint();
    await this.page.locator('.ring button.advised').click();
    await this.page.locator('button.advised[data-target]').click();
    await this.page.locator('button[data-target]').first().waitFor({ state: 'detached' });
  }

  /** Every board as it stands: what is read out of each line, row of the wall and floor line. */
  async boards() {
    const boards = this.page.locator('.board');
    const seen = {};
    for (const board of await boards.all()) {
      const seat = await board.getAttribute('data-seat');
      seen[seat] = await board
        .locator('[data-place]:has(svg.piece)')
        .evaluateAll((cells) =>
          cells
            .filter((cell) => !cell.matches('header, .ghost') && !cell.querySelector('.printed'))
            .map((cell) => `${cell.dataset.place}:${cell.querySelector('svg').dataset.piece}`),
        );
    }
    return seen;
  }
}
