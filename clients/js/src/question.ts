// A question to a strategy, from the moment it is asked until it is answered or given up: one at a
// time, and not more often than the server answers.
import { Reason, type Hint, type Refusal } from './gen/tesela/play/v1/play_pb.js';
import { Wait } from './wait.js';

interface Asked {
  readonly hintId: string;
  readonly strategy: string;
}

export interface QuestionOptions {
  /** Hands the question to the server. */
  send: (question: Asked) => void;
  newId: () => string;
  /** From one question to the next, in milliseconds. */
  askEvery: number;
  /** How often the same question is asked again after a "not now". */
  againMax: number;
}

export class Question {
  readonly #options: QuestionOptions;
  readonly #wait = new Wait();
  #asked: Asked | undefined;
  #again = 0;
  #lastAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  /** False while another one waits for its answer. */
  ask(strategy: string): boolean {
    if (this.#asked) return false;
    this.#asked = { hintId: this.#options.newId(), strategy };
    this.#again = 0;
    this.#sendWhenAllowed();
    return true;
  }

  /** Whether this is the answer that was waited for. */
  isAnsweredBy({ hintId }: Hint): boolean {
    return hintId === this.#asked?.hintId && this.drop();
  }

  /** Whether this refusal is the end of the question; a "not now" is not. */
  isEndedBy({ moveId, reason }: Refusal): boolean {
    if (!this.#asked || moveId !== this.#asked.hintId) return false;
    const later = reason === Reason.RATE_LIMITED || reason === Reason.BUSY;
    if (!later || this.#again >= this.#options.againMax) return this.drop();
    this.#again += 1;
    this.#sendWhenAllowed();
    return false;
  }

  /** Waits for no answer any more; false when none was waited for. */
  drop(): boolean {
    const asked = this.#asked !== undefined;
    this.#asked = undefined;
    this.#wait.cancel();
    return asked;
  }

  #sendWhenAllowed(): void {
    const wait = this.#lastAtMs + this.#options.askEvery - performance.now();
    if (wait > 0) return this.#wait.start(wait, () => this.#send());
    this.#send();
  }

  #send(): void {
    if (!this.#asked) return;
    this.#lastAtMs = performance.now();
    this.#options.send(this.#asked);
  }
}
