// Answers of the server as screens show them: with the sentence of the call that failed.
import { sentenceOf } from './calls.svelte.js';

/** One answer. What was there stays while a later call fails. */
export class Answer<T> {
  value = $state.raw<T>();
  failure = $state('');
  #asked = 0;

  constructor(private readonly ask: () => Promise<T>) {
    void this.load();
  }

  readonly load = async (): Promise<void> => {
    const asked = ++this.#asked;
    const isLast = () => asked === this.#asked;
    try {
      const value = await this.ask();
      if (isLast()) [this.value, this.failure] = [value, ''];
    } catch (error) {
      if (isLast()) this.failure = sentenceOf(error);
    }
  };
}

export interface Page<T> {
  rows: T[];
  nextPageToken: string;
}

/** A list that comes a page at a time. */
export class Pages<T> {
  rows = $state.raw<T[]>([]);
  next = $state('');
  failure = $state('');
  loaded = $state(false);
  #asked = 0;

  constructor(private readonly ask: (pageToken: string) => Promise<Page<T>>) {
    void this.load();
  }

  /** From the first page on. */
  readonly load = (): Promise<void> => this.#add([], '');
  readonly more = (): Promise<void> => this.#add(this.rows, this.next);

  async #add(before: T[], pageToken: string): Promise<void> {
    const asked = ++this.#asked;
    const isLast = () => asked === this.#asked;
    try {
      const page = await this.ask(pageToken);
      if (!isLast()) return;
      [this.rows, this.next] = [[...before, ...page.rows], page.nextPageToken];
      [this.failure, this.loaded] = ['', true];
    } catch (error) {
      if (isLast()) this.failure = sentenceOf(error);
    }
  }
}
