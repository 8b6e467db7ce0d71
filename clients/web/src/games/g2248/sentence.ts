// A move in one sentence, for screen readers.
import {
  Game2248Outcome as Outcome,
  type Game2248Event,
  type Game2248View,
} from '@tesela/client/gen/game/v1/g2248_pb.js';
import { gridWords as grid, words2248 as words } from '../../i18n/words.js';

export function sentenceOf({ move, stages, view }: Game2248Event): string {
  if (!move || !view) return '';
  const points = stages.reduce((sum, stage) => sum + stage.points, 0n);
  const count = move.move.case === 'chain' ? move.move.value.cells.length : 0;
  const what = count > 0 ? words().joined({ count, value: String(points) }) : words().collapsed;
  const reached = stages.some((stage) => stage.goalReached)
    ? ` ${words().goalReached({ goal: String(view.goal) })}.`
    : '';
  const end = endOf(view);
  return `${what}, ${grid().scoreIs({ score: view.score })}.${reached}${end && ` ${end}.`}`;
}

/** How the game ended; empty while it is played. */
export function endOf({ outcome, goal, goalReached }: Game2248View): string {
  if (outcome !== Outcome.OVER) return '';
  return goalReached ? words().overReached({ goal }) : words().over;
}
