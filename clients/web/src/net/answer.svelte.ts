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

  /** Nobody waits any more. */
  drop(): void {
    this.#asked?.abort();
    this.#asked = undefined;
  }
}
