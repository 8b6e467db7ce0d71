// The server's answer to the newest question; the answer before it stays until then.
import { failureOf, type Failure } from './failure.js';

export class Answer<Value> {
  value = $state.raw<Value>();
  failure = $state.raw<Failure>();
  /** Whether an answer is on its way. */
  pending = $state(false);
  #asked: AbortController | undefined;

  /** Asks; what was asked before is not heard any more. */
  async ask(question: (signal: AbortSignal) => Promise<Value>): Promise<void> {
    this.#asked?.abort();
    const asked = (this.#asked = new AbortController());
    this.pending = true;
    this.failure = undefined;
    try {
      const value = await question(asked.signal);
      if (this.#asked === asked) this.value = value;
    } catch (error) {
      if (this.#asked === asked) this.failure = failureOf(error);
    }
    if (this.#asked === asked) this.pending = false;
  }

  /** Asks what the answer before does not belong to. */
  async askAnew(question: (signal: AbortSignal) => Promise<Value>): Promise<void> {
    this.value = undefined;
    await this.ask(question);
  }

  /** For an $effect: asks now, and again every so many milliseconds while the page is in sight. */
  keepAsking(ask: () => Promise<void>, everyMs: number): () => void {
    void ask();
    const clock = setInterval(() => {
      if (document.visibilityState === 'visible') void ask();
    }, everyMs);
    return () => {
      clearInterval(clock);
      this.drop();
    };
  }

  /** Nobody waits any more. */
  drop(): void {
    this.#asked?.abort();
    this.#asked = undefined;
  }
}
