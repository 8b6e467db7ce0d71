/** One timer that is started anew or cancelled as a whole: it never fires twice for one start. */
export class Wait {
  #timer: ReturnType<typeof setTimeout> | undefined;

  start(ms: number, then: () => void): void {
    this.cancel();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      then();
    }, ms);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
