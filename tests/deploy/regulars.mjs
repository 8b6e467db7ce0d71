// Players who stay through restarts: they play until they are told to stop, and come back whenever
// the server was away.
import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../chaos/crash/dice.mjs';
import { Gambler } from '../chaos/crash/gambler.mjs';
import { signIn } from '../e2e/harness/lobby.mjs';
import { isForLater } from '../e2e/harness/stream.mjs';

const awayMs = 200;
// The container's limits hold its players too: below --shared-frame-rate, or they would offend.
const restMs = 20;

export class Regulars {
  #leaving = false;
  #played;
  gamblers = [];

  /** Seats `count` players, who begin at once. */
  static async sitDown(server, count) {
    const regulars = new Regulars();
    const dice = new Dice(1);
    for (let n = 0; n < count; ++n) {
      const owner = await signIn(server, `Regular ${n}`);
      regulars.gamblers.push(new Gambler(server, owner, dice.fork(n), { restMs }));
    }
    regulars.#played = Promise.all(regulars.gamblers.map((gambler) => regulars.#play(gambler)));
    // Whoever fails is heard of in `playOn` and `leave`.
    regulars.#played.catch(() => (regulars.#leaving = true));
    return regulars;
  }

  async #play(gambler) {
    while (!this.#leaving) {
      try {
        await gambler.playUntilCut();
      } catch (error) {
        if (!isForLater(error)) throw error;
      }
      await sleep(awayMs);
    }
  }

  /** Waits until each has `moves` more acknowledged. Returns how long it took, in ms. */
  async playOn(moves) {
    const begin = performance.now();
    const wanted = this.gamblers.map((gambler) => gambler.acknowledged + moves);
    const isShort = (gambler, n) => gambler.acknowledged < wanted[n];
    while (!this.#leaving && this.gamblers.some(isShort)) await sleep(5);
    if (this.#leaving) await this.#played;
    return performance.now() - begin;
  }

  /** Nobody comes back any more: resolves when the server has gone away. */
  async leave() {
    this.#leaving = true;
    await this.#played;
  }
}
