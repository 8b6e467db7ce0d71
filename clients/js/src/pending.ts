/** An answer that one caller at a time waits for. */
export class Pending<Value> {
  #resolve: ((value: Value) => void) | undefined;
  #reject: ((why: unknown) => void) | undefined;

  get awaited(): boolean {
    return this.#resolve !== undefined;
  }

  wait(): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  resolve(value: Value): void {
    this.#resolve?.(value);
    this.#resolve = this.#reject = undefined;
  }

  reject(why: unknown): void {
    this.#reject?.(why);
    this.#resolve = this.#reject = undefined;
  }
}
