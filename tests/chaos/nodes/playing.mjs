// Players who play, and go on after whatever goes wrong, until all of them shall stop.
import { setTimeout as sleep } from 'node:timers/promises';
import { isTrouble } from './verdict.mjs';

const retryMs = 50;
const endTimeMaxMs = 60_000;

export class Playing {
  #isOver = false;
  #there = 0;

  /** Calls `player()` again and again until `end`. */
  async play(player) {
    ++this.#there;
    while (!this.#isOver) {
      try {
        await player();
      } catch (error) {
        if (!isTrouble(error)) throw error;
      }
      await sleep(retryMs);
    }
    --this.#there;
  }

  /** Resolves when nobody plays any more. `cut()` ends the streams there are. */
  async end(cut) {
    this.#isOver = true;
    const deadline = Date.now() + endTimeMaxMs;
    while (this.#there > 0) {
      if (Date.now() > deadline) throw new Error(`${this.#there} players have not stopped`);
      await cut(); // again, where somebody was just coming back
      await sleep(retryMs);
    }
  }
}
