// The language of the page: the visitor's choice, else the browser's, else English.
import { recall, remember } from '../base/storage.js';

export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', es: 'Español' };
/** The same words in every language. A message with values in it is a function of them. */
export type Dictionary<Words> = Record<Language, Words>;

const isLanguage = (tag: string | undefined): tag is Language =>
  LANGUAGES.some((language) => language === tag);

function firstLanguage(): Language {
  const spoken = [recall('language'), ...navigator.languages.map((tag) => tag.split('-')[0])];
  return spoken.find(isLanguage) ?? 'en';
}

class I18n {
  #language = $state<Language>(firstLanguage());
  #numbers = $derived(new Intl.NumberFormat(this.#language));
  #days = $derived(new Intl.DateTimeFormat(this.#language, { dateStyle: 'medium' }));
  #moments = $derived(
    new Intl.DateTimeFormat(this.#language, { dateStyle: 'medium', timeStyle: 'short' }),
  );
  #datesUtc = $derived(
    new Intl.DateTimeFormat(this.#language, { dateStyle: 'long', timeZone: 'UTC' }),
  );
  #ages = $derived(new Intl.RelativeTimeFormat(this.#language, { numeric: 'auto' }));

  constructor() {
    document.documentElement.lang = this.#language;
  }

  get language(): Language {
    return this.#language;
  }

  set language(language: Language) {
    this.#language = language;
    document.documentElement.lang = language;
    remember('language', language);
  }

  words<Words>(dictionary: Dictionary<Words>): Words {
    return dictionary[this.#language];
  }

  number(value: number | bigint): string {
    return this.#numbers.format(value);
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
