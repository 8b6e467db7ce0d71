// The language of the page: the visitor's choice, else the browser's, else English.
import { recall, remember } from '../base/storage.js';
import {
  CATALOGUES,
  LANGUAGES,
  LATER,
  type Language,
  type Later,
  type Messages,
} from '../gen/messages/index.js';
import { isolated, spanText, withMinus } from './writer.js';

const isLanguage = (tag: string | undefined): tag is Language =>
  LANGUAGES.some((language) => language === tag);

function firstLanguage(): Language {
  const spoken = [recall('language'), ...navigator.languages.map((tag) => tag.split('-')[0])];
  return spoken.find(isLanguage) ?? 'en';
}

class I18n {
  #language = $state<Language>(firstLanguage());
  #messages = $state.raw<Messages>();
  #numbers = $derived(new Intl.NumberFormat(this.#language));
  #days = $derived(new Intl.DateTimeFormat(this.#language, { dateStyle: 'medium' }));
  #moments = $derived(
    new Intl.DateTimeFormat(this.#language, { dateStyle: 'medium', timeStyle: 'short' }),
  );
  #datesUtc = $derived(
    new Intl.DateTimeFormat(this.#language, { dateStyle: 'long', timeZone: 'UTC' }),
  );
  #lists = $derived(new Intl.ListFormat(this.#language));
  #ages = $derived(new Intl.RelativeTimeFormat(this.#language, { numeric: 'auto' }));

  get language(): Language {
    return this.#language;
  }

  /** Fetches the messages of the language of now: before anything is drawn. */
  async begin(): Promise<void> {
    await this.#fetch(this.#language);
  }

  /** The visitor chooses a language. What is drawn changes when its messages are there. */
  async choose(language: Language): Promise<void> {
    await this.#fetch(language);
    remember('language', language);
  }

  /** The messages in the language of now. */
  get messages(): Messages {
    if (!this.#messages) throw new Error('The messages are fetched before anything is drawn.');
    return this.#messages;
  }

  /** The messages that few visits need, in the language of now. */
  async later(): Promise<Later> {
    return (await LATER[this.#language]()).messages;
  }

  async #fetch(language: Language): Promise<void> {
    const { messages } = await CATALOGUES[language]();
    this.#messages = messages;
    this.#language = language;
    document.documentElement.lang = language;
  }

  /** "1,234", "−5". */
  number(value: number | bigint): string {
    return withMinus(this.#numbers.format(value));
  }

  /** "Ada, Bea and Cem". */
  list(names: readonly string[]): string {
    return this.#lists.format(names.map(isolated));
  }

  /** "Nov 21, 2026", where the visitor is. */
  day(date: Date): string {
    return this.#days.format(date);
  }

  /** "Nov 21, 2026, 3:04 PM", where the visitor is. */
  moment(date: Date): string {
    return this.#moments.format(date);
  }

  /** "November 21, 2026" for "2026-11-21". */
  dateOf(date: string): string {
    return this.#datesUtc.format(new Date(`${date}T00:00:00Z`));
  }

  /** "5 hr 41 min", "42 sec": how long something takes. */
  span(ms: number): string {
    return spanText(this.#language, ms);
  }

  /** "now", "5 minutes ago": in whole units. */
  ago(date: Date, now: Date): string {
    const minutes = Math.max(0, Math.floor((now.getTime() - date.getTime()) / 60_000));
    if (minutes === 0) return this.#ages.format(0, 'second');
    if (minutes < 60) return this.#ages.format(-minutes, 'minute');
    const hours = Math.floor(minutes / 60);
    return hours < 24
      ? this.#ages.format(-hours, 'hour')
      : this.#ages.format(-Math.floor(hours / 24), 'day');
  }
}

export const i18n = new I18n();
