// Advice in a sentence: who advises what, and what they expect of it.
import type { Message } from '@bufbuild/protobuf';
import { sentenceOf } from '../i18n/reasons.js';
import { words } from '../i18n/words.js';
import { botName } from '../net/strategies.svelte.js';
import { proposalText, type ProposalOf } from './proposal.js';
import type { Table } from './table.svelte.js';
import type { Advice } from './watcher.js';

/** By what the server says that a value counts; others are left out. */
const MEASURES: Readonly<Record<string, keyof ReturnType<typeof words>['advice']['values']>> = {
  'points at the end': 'pointsAtEnd',
  'points gained by tiling now': 'pointsByTiling',
  'tiles to the floor line': 'toFloor',
};

function expected({ value, measure }: Advice): string {
  const name = MEASURES[measure];
  if (!name || value === undefined) return '';
  return `, ${words().advice.values[name]({ count: Math.round(value) })}`;
}

/**
 * Empty while there is nothing to say. `propose` puts a move of the game into words; `say` does so
 * where the server does not tell what a move brings.
 */
export function adviceLine(
  table: Table,
  say: (move: Message) => string,
  propose?: ProposalOf,
): string {
  const { advice, asking, noAdvice } = table;
  if (asking) return words().advice.thinking;
  if (noAdvice) return sentenceOf(noAdvice);
  if (!advice) return '';
  const proposal = propose?.(advice.move, advice.gain, table.view);
  const what = proposal ? proposalText(proposal) : say(advice.move);
  return words().advice.says({ strategy: botName(advice.strategy), what }) + expected(advice);
}
