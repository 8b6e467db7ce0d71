// Writes values into messages, as a language writes them.

/** Texts stay as they are; numbers are written as the language does. */
export type Value = string | number | bigint;
/** What a plural form is chosen by. */
export type Count = number | bigint;

type Forms = Partial<Record<Intl.LDMLPluralRule, () => string>> & { other: () => string };

export interface Writer {
  text(value: Value): string;
  plural(count: Count, forms: Forms): string;
}

export function writer(language: string): Writer {
  const numbers = new Intl.NumberFormat(language);
  const rules = new Intl.PluralRules(language);
  return {
    text: (value) => (typeof value === 'string' ? value : numbers.format(value)),
    plural: (count, forms) => (forms[rules.select(Number(count))] ?? forms.other)(),
  };
}
