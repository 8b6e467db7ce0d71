// The measures of strategies' values, by the server's words.

/** `chance`: to win. `worth` says something beside the best move of the position alone. */
export type Measure = 'chance' | 'share' | 'points' | 'doublings' | 'worth';

const MEASURES: Readonly<Record<string, Measure>> = {
  'share of the others left behind': 'share',
  'points at the end': 'points',
  'doublings to come': 'doublings',
};

/** The measure that the server names, in a game for so many; undefined where nothing is judged. */
export function measureOf(name: string | undefined, seats: number): Measure | undefined {
  if (!name) return undefined;
  const measure = MEASURES[name] ?? 'worth';
  return measure === 'share' && seats === 2 ? 'chance' : measure;
}

/** A value as a part of the best of its position; 0 where even that one loses. */
export const partOf = (value: number, best: number): number => (best > 0 ? value / best : 0);
