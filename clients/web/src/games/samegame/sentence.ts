// A move in one sentence, for those who hear the game.
import {
  SameGameOutcome as Outcome,
  type SameGameEvent,
  type SameGameView,
} from '../../gen/tesela/game/v1/samegame_pb.js';
import { i18n } from '../../i18n/i18n.svelte.js';
import { words as grid } from '../grid/words.js';
import { words } from './words.js';

export const colourName = (colour: number): string => words().colours[colour] ?? '';

/** `before` is the board that the move was made on. */
export function sentenceOf({ stages, view }: SameGameEvent, before: readonly number[]): string {
  const [removal] = stages;
  if (!removal || !view) return '';
  const colour = colourName(before[removal.removed[0] ?? 0] ?? 0);
  const what = words().removed(removal.removed.length, colour, i18n.number(removal.points));
  const end = endOf(view);
  return `${what}, ${grid().scoreIs(i18n.number(view.score))}.${end && ` ${end}.`}`;
}

/** How the game ended; empty while it is played. */
export function endOf({ outcome }: SameGameView): string {
  if (outcome === Outcome.CLEARED) return words().cleared;
  return outcome === Outcome.STUCK ? words().stuck : '';
}
