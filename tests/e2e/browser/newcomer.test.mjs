// Somebody who does not know Azul, and does what the page says: first what the tutorial asks for,
// then what the hints show. That is enough to beat a beginner.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';

const GAMES_MAX = 3;

class Newcomer extends AzulVisitor {
  coach() {
    return this.page.locator('.coach');
  }

  /** What the tutorial asks for now; empty when it is over. */
  async asked() {
    const [text = ''] = await this.coach().locator('.text').allTextContents();
    return text;
  }

  /** The lines that take what is in hand, as they are read out. "Tiles that don’t fit fall to the
   *  floor": whether some would is written beside the line. */
  async openLines() {
    return this.lines().evaluateAll((lines) =>
      lines.map((line, index) => {
        const label = line.querySelector('.visually-hidden').textContent;
        const held = label.match(/: (\d) of (\d) /);
        const free = held ? held[2] - held[1] : Number(label.match(/, (\d)/)[1]);
        return { index, free, begun: held !== null, costs: line.querySelector('.price') !== null };
      }),
    );
  }

  /** Takes tiles that `wanted({ free, begun, count })` a line, and puts them there. False when
   *  there are none. */
  async takeFor(wanted) {
    const offers = await this.offers().count();
    for (let index = 0; index < offers; index += 1) {
      const offer = this.offers().nth(index);
      const count = Number((await offer.getAttribute('aria-label')).match(/: (\d+) /)[1]);
      await offer.click();
      const line = (await this.openLines()).find((one) => !one.costs && wanted({ ...one, count }));
      if (line) {
        await this.lines().nth(line.index).click();
        return true;
      }
      await this.page.keyboard.press('Escape');
    }
    return false;
  }

  /** Does what the tutorial asks for, as far as that is possible. */
  async obey(text) {
    const fills = ({ free, count }) => free === count;
    const needed = ({ begun }) => begun;
    const fits = () => true;
    const wishes = [
      ...(/Fill a line|Play the round/.test(text) ? [fills] : []),
      ...(/a colour that you need/.test(text) ? [needed] : []),
      fits,
    ];
    for (const wish of wishes) if (await this.takeFor(wish)) return;
    await this.place(); // Nothing fits: what is cheapest falls to the floor.
  }

  async playTurn() {
    const text = await this.asked();
    if (/^That’s it/.test(text)) {
      await this.coach().getByRole('button', { name: 'Play on' }).click();
    } else if (text) {
      await this.obey(text);
      await this.page.locator('button[data-target]').first().waitFor({ state: 'detached' });
    } else await this.advisedOne();
  }

  /** Plays a game to its end; whether it was won. */
  async playGame() {
    const over = this.page.locator('.over.card h2');
    while (!(await over.count())) {
      if (await this.mayTake()) await this.playTurn();
      else await this.page.waitForTimeout(20);
    }
    return (await over.textContent()) === 'You won!';
  }
}

const options = ['--bot-pace', '0ms', '--bot-think', '50ms'];

describeSite('a newcomer', { options }, (site) => {
  test('beats a beginner of Azul within three games by what the page says alone', async () => {
    const small = { ...phone, viewport: { width: 375, height: 667 } };
    const page = await site.newPage({ ...small, newcomer: true, reducedMotion: 'reduce' });
    await page.addInitScript(() => localStorage.setItem('tesela.level.azul', '1'));
    const ada = new Newcomer(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Play now: Azul' }).click();
    const results = [];
    do {
      await ada.atTable();
      assert.match(await page.locator('.bar li:not(.own) .words').textContent(), /Beginner/);
      results.push(await ada.playGame());
      if (results.length === 1) assert.equal(await ada.asked(), '', 'the tutorial is done');
      if (!results.at(-1)) await page.getByRole('button', { name: /again|Rematch/ }).click();
    } while (!results.includes(true) && results.length < GAMES_MAX);
    console.log(`newcomer: won ${results.filter(Boolean).length} of ${results.length} games`);
    assert.ok(results.includes(true), `${results.length} games, none won`);
  });
});
