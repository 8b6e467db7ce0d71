// A move in one sentence, for screen readers.
import {
  SameGameOutcome as Outcome,
  type SameGameEvent,
  type SameGameView,
} from '@tesela/client/gen/game/v1/samegame_pb.js';
import { gridWords as grid, sameGameWords as words } from '../../i18n/words.js';

export const colourName = (colour: number): string => words().colours[colour] ?? '';

/** `before` is the board that the move was made on. */
export function sentenceOf({ stages, view }: SameGameEvent, before: readonly number[]): string {
  const [removal] = stages;
  if (!removal || !view) return '';
  const colour = colourName(before[removal.removed[0] ?? 0] ?? 0);
  const what = words().removed({
    count: removal.removed.length,
    colour,
    points: grid().points({ count: removal.points }),
  });
  const end = endOf(view);
  return `${what}, ${grid().scoreIs({ score: view.score })}.${end && ` ${end}.`}`;
}

/** How the game ended; empty while it is played. */
export function endOf({ outcome }: SameGameView): string {
  if (outcome === Outcome.CLEARED) return words().cleared;
  return outcome === Outcome.STUCK ? words().stuck : '';
}

/** What the game came to, the bonus or the penalty at the end included. */
export function finalLineOf({ score, finalBonus, cells }: SameGameView, moves: bigint): string {
  const total = grid().finalScore({
    score: grid().points({ count: score }),
    moves: grid().inMoves({ count: moves }),
  });
  const left = cells.filter(Boolean).length;
  if (finalBonus > 0n) return `${total}, ${words().bonusOf({ points: finalBonus })}`;
  if (finalBonus === 0n) return total;
  return `${total}, ${words().penaltyOf({ points: -finalBonus, count: left })}`;
}
