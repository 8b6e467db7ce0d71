// Writes values into messages, as a language writes them.

/** Numbers are written as the language does; texts stay as they are, see `isolated`. */
export type Value = string | number | bigint;
/** What a plural form is chosen by. */
export type Count = number | bigint;

type Forms = Partial<Record<Intl.LDMLPluralRule, () => string>> & { other: () => string };

/** Letters that are written from right to left. */
const FROM_THE_RIGHT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The text as it stands in a sentence. The name of a player may be in any script: without the
 *  marks around it (FSI, PDI), letters from the right would take what stands beside them along. */
export const isolated = (text: string): string =>
  FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text;

/** A number with a minus sign that is as wide as its digits. */
export const withMinus = (number: string): string => number.replace('-', '−');

/** What a time is told in, and how many seconds that is. */
const UNITS = [
  { unit: 'day', size: 86_400 },
  { unit: 'hour', size: 3600 },
  { unit: 'minute', size: 60 },
  { unit: 'second', size: 1 },
] as const;

/** "3 days 4 hr", "5 hr 41 min", "2 min", "42 sec": a time in a sentence, where that of a clock
 *  reads badly. */
export function spanText(language: string, ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const amounts = UNITS.map(({ unit, size }, index) => {
    const larger = UNITS[index - 1]?.size ?? Infinity;
    return { unit, amount: Math.floor((seconds % larger) / size) };
  });
  const first = amounts.findIndex(({ amount }) => amount > 0);
  return amounts
    .slice(first, first < 0 ? undefined : first + 2)
    .filter(({ amount }) => amount > 0 || first < 0)
    .map(({ unit, amount }) => {
      const unitDisplay = unit === 'day' ? 'long' : 'short';
      return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(amount);
    })
    .join(' ');
}

export interface Writer {
  text(value: Value): string;
  plural(count: Count, forms: Forms): string;
}

export function writer(language: string): Writer {
  const numbers = new Intl.NumberFormat(language);
  const rules = new Intl.PluralRules(language);
  return {
    text: (value) =>
      typeof value === 'string' ? isolated(value) : withMinus(numbers.format(value)),
    plural: (count, forms) => (forms[rules.select(Number(count))] ?? forms.other)(),
  };
}
