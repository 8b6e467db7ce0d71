// An operator at the console.
import assert from 'node:assert/strict';
import { Visitor } from './visitor.mjs';

/** An operator, who has a keyboard alone. */
export class Operator extends Visitor {
  static async arrive(page, token) {
    const operator = new Operator(page);
    await page.goto('/admin');
    await operator.fill('Token', token);
    await operator.fill('Your name', 'Otto');
    await page.keyboard.press('Enter');
    await operator.at('Players');
    return operator;
  }

  /** Waits for a screen by its heading. */
  async at(heading) {
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }

  async #reach(element) {
    await element.waitFor();
    for (let tabs = 0; tabs < 80; ++tabs) {
      if (await element.evaluate((node) => node === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    assert.fail(`${element} cannot be reached by keyboard`);
  }

  /** Writes into a field in place of what is there. */
  async fill(label, text) {
    await this.#reach(this.page.getByLabel(label));
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Chooses from a list by the first letters. */
  async choose(label, letters) {
    await this.#reach(this.page.getByRole('combobox', { name: label, exact: true }));
    await this.page.keyboard.type(letters);
  }

  async press(role, name) {
    const named = this.page.getByRole(role, { name, exact: typeof name === 'string' });
    await this.#reach(named.first());
    await this.page.keyboard.press('Enter');
  }

  /** Waits for what the page tells of the last act. */
  async told(text) {
    await this.page.getByRole('status').filter({ hasText: text }).waitFor();
  }
}
