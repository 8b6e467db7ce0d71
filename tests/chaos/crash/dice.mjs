// Chance that can be repeated: splitmix32, from a seed that the test prints.

export class Dice {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** 0 ≤ x < 1. */
  next() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
  }

  between(min, max) {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  /** Dice of its own for the `n`-th user, so that who asks first changes nothing. */
  fork(n) {
    return new Dice(this.#state ^ Math.imul(n + 1, 0x9e3779b1));
  }
}
