// Connections that pass by here, which can be interrupted: what either side sends is held back, and
// comes later, or all of them are cut.
import { setTimeout as sleep } from 'node:timers/promises';

export class Line {
  #sockets = new Set();
  #held; // what to send after `release`; none: nothing is held back
  /** How long what either side sends is held back. */
  delayMs = 0;

  /** Passes on what `one` and `other` send to each other. */
  join(one, other) {
    this.#forward(one, other);
    this.#forward(other, one);
  }

  hold() {
    this.#held ??= [];
  }

  /** Sends what was held back, in its order. */
  release() {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const send of held) send();
  }

  /** Cuts all connections. */
  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(from, to) {
    this.#sockets.add(from);
    let sent = Promise.resolve();
    const pass = (send) => {
      if (this.#held) {
        this.#held.push(() => pass(send));
        return;
      }
      sent = sent.then(async () => {
        if (this.delayMs) await sleep(this.delayMs);
        send();
      });
    };
    from.on('data', (bytes) => {
      pass(() => {
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.on('error', () => {}); // `close` follows
    from.on('close', () => {
      this.#sockets.delete(from);
      pass(() => to.destroySoon()); // not before what was written is sent
    });
  }
}
