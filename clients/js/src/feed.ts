// What one reader has not read yet, in order.

/** Above it, a reader is given the newest alone. */
const WAITING_MAX = 1024;

/** Values for one `for await`. */
export class Feed<Value> implements AsyncIterableIterator<Value> {
  #waiting: Value[] = [];
  #wake: (() => void) | undefined;
  #over = false;
  #failure: unknown;
  readonly #read: (value: Value) => void;
  readonly #left: (feed: Feed<Value>) => void;

  /** `read`: its reader has got a value; `left`: its reader has gone. */
  constructor(read: (value: Value) => void, left: (feed: Feed<Value>) => void) {
    this.#read = read;
    this.#left = left;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** `instead`: what a reader gets who is too far behind for `value`. */
  put(value: Value, instead?: () => Value): void {
    if (instead && this.#waiting.length >= WAITING_MAX) this.#waiting = [instead()];
    else this.#waiting.push(value);
    this.#wake?.();
  }

  /** Throws after what waits. */
  fail(why: unknown): void {
    this.#failure = why;
    this.end();
  }

  /** Ends after what waits. */
  end(): void {
    this.#over = true;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Value>> {
    while (this.#waiting.length === 0 && !this.#over) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const [value] = this.#waiting.splice(0, 1);
    if (value !== undefined) {
      this.#read(value);
      return { done: false, value };
    }
    this.#left(this);
    if (this.#failure !== undefined) throw this.#failure;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Value>> {
    this.end();
    this.#waiting = [];
    this.#left(this);
    return { done: true, value: undefined };
  }
}
