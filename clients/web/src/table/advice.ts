// Advice in words: the strategy, its move, the expected value, and alternatives.
import type { Message } from '@bufbuild/protobuf';
import { i18n } from '../i18n/i18n.svelte.js';
import { sentenceOf } from '../i18n/reasons.js';
import { words } from '../i18n/words.js';
import { botName } from '../net/strategies.svelte.js';
import type { AdvisedMove, Advice } from './hint.svelte.js';
import { measureOf, partOf } from './measure.js';
import { proposalText, type ProposalOf } from './proposal.js';
import type { Table } from './table.svelte.js';

/** By what the server says that a value counts, those that are a number of things. */
const COUNTS: Readonly<Record<string, 'pointsAtEnd' | 'pointsByTiling' | 'toFloor'>> = {
  'points at the end': 'pointsAtEnd',
  'points gained by tiling now': 'pointsByTiling',
  'tiles to the floor line': 'toFloor',
};
/** Those that say something beside the best move alone. */
const RELATIVE = ['worth of the boards ahead', 'doublings to come'];
/** From this part of the best on the difference says nothing. */
const AS_GOOD = 0.9995;

/** A move of the game in words. */
export type SayMove = (move: Message) => string;

const percent = (value: number, digits: number): string =>
  new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: digits }).format(
    value,
  );

/** What is expected of a move; empty for measures that say nothing to a player. */
function expected(advice: Advice, of: AdvisedMove, seats: number): string {
  const { measure } = advice;
  const { value } = of;
  if (value === undefined) return '';
  const texts = words().advice.values;
  const count = COUNTS[measure];
  if (count) return texts[count]({ count: Math.round(value) });
  switch (measureOf(measure, seats)) {
    case 'chance':
      return texts.chance({ chance: percent(value, 0) });
    case 'share':
      return texts.share({ share: percent(value, 0) });
    default:
      return RELATIVE.includes(measure) && of !== advice
        ? beside(partOf(value, advice.value ?? 0))
        : '';
  }
}

/** A move beside the best one, of which it is worth this part. */
function beside(part: number): string {
  const { worth, asGood } = words().advice.values;
  return part >= AS_GOOD ? asGood : worth({ part: percent(part, 1) });
}

function textOf(table: Table, { move, gain }: AdvisedMove, say: SayMove, propose?: ProposalOf) {
  const proposal = propose?.(move, gain, table.view);
  return proposal ? proposalText(proposal) : say(move);
}

/**
 * Empty while there is nothing to say. `propose` puts a move of the game into words; `say` does so
 * where the server does not tell what a move brings.
 */
export function adviceLine(table: Table, say: SayMove, propose?: ProposalOf): string {
  const { advice, asking, refused, named } = table.hint;
  if (asking) return words().advice.thinking;
  if (refused) return sentenceOf(refused);
  if (!advice) return '';
  const what = textOf(table, advice, say, propose);
  const { best, says, rated } = words().advice;
  const line = named ? says({ strategy: botName(advice.strategy), what }) : best({ what });
  const worth = expected(advice, advice, table.seating?.seatCount ?? 1);
  return worth ? rated({ line, worth }) : line;
}

/** The next best move of a hint, and what is expected of it. */
export interface Alternative {
  readonly of: AdvisedMove;
  readonly text: string;
  readonly worth: string;
}

export function alternativesOf(table: Table, say: SayMove, propose?: ProposalOf): Alternative[] {
  const { advice } = table.hint;
  if (!advice) return [];
  const seats = table.seating?.seatCount ?? 1;
  return advice.alternatives.map((of) => ({
    of,
    text: textOf(table, of, say, propose),
    worth: expected(advice, of, seats),
  }));
}
