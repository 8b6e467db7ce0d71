// Advice in a sentence: who advises what, and what they expect of it.
import type { Message } from '@bufbuild/protobuf';
import { i18n } from '../i18n/i18n.svelte.js';
import { sentenceOf } from '../i18n/reasons.js';
import { words } from '../i18n/words.js';
import type { Advice, Table } from './table.svelte.js';

function expected({ value, measure }: Advice): string {
  const write = words().advice.values[measure];
  return write && value !== undefined ? `, ${write(i18n.number(Math.round(value)))}` : '';
}

/** Empty while there is nothing to say. `say` puts a move of the game into words. */
export function adviceLine(table: Table, say: (move: Message) => string): string {
  const { advice, asking, noAdvice } = table;
  if (asking) return words().advice.thinking;
  if (noAdvice) return sentenceOf(noAdvice);
  return advice ? words().advice.says(advice.strategy, say(advice.move)) + expected(advice) : '';
}
