// The grade of a move, by its loss against the best.
import type { AnalysedMove } from '@tesela/client/gen/lobby/v1/history_pb.js';

export type Grade = 'inaccuracy' | 'mistake' | 'blunder';
export const GRADES: readonly Grade[] = ['inaccuracy', 'mistake', 'blunder'];

/** By how much less than the best a move was worth; undefined where it could not be judged. */
export function lostBy({ played, best }: AnalysedMove): number | undefined {
  const most = best[0]?.value;
  const value = played?.value;
  if (most === undefined || value === undefined) return undefined;
  // The best by tries is not always the best by value.
  return Math.max(0, most - value);
}

/** `mistake` is what the server calls one: half of it is an inaccuracy, twice of it a blunder. */
export function gradeOf(lost: number | undefined, mistake: number): Grade | undefined {
  if (lost === undefined || mistake <= 0 || lost < mistake / 2) return undefined;
  if (lost >= 2 * mistake) return 'blunder';
  return lost >= mistake ? 'mistake' : 'inaccuracy';
}
