// A move in one sentence, for screen readers: "Moved left, merged 4 and 4 to 8, new 2 in row 1,
// column 3, score 12."
import {
  Direction,
  Game2048Outcome as Outcome,
  Game2048StageKind as StageKind,
  type Game2048Event,
  type Game2048Stage,
  type Game2048View,
} from '@tesela/client/gen/game/v1/g2048_pb.js';
import { gridWords as grid, words2048 as words } from '../../i18n/words.js';

/** Tile values are written as on the tiles, without separators. */
export const valueOf = (exponent: number): string => String(2 ** exponent);

/** "left": where the tiles are moved. */
export const towardsOf = (direction: Direction): string => {
  const name = DIRECTIONS[direction];
  return name ? words().towards[name] : '';
};

/** "Left": what a button is called. */
export const directionName = (direction: Direction): string => {
  const name = DIRECTIONS[direction];
  return name ? words().directions[name] : '';
};

const DIRECTIONS = {
  [Direction.UNSPECIFIED]: undefined,
  [Direction.LEFT]: 'left',
  [Direction.RIGHT]: 'right',
  [Direction.UP]: 'up',
  [Direction.DOWN]: 'down',
} as const;

function mergesOf(stage: Game2048Stage): string[] {
  const cells = new Set(stage.motions.filter(({ merged }) => merged).map(({ to }) => to));
  return [...cells].map((cell) => {
    const exponent = stage.cells[cell] ?? 1;
    return words().merged({ value: valueOf(exponent - 1), sum: valueOf(exponent) });
  });
}

function spawnOf(stage: Game2048Stage, size: number): string[] {
  const cell = stage.spawned;
  if (cell === undefined) return [];
  const value = valueOf(stage.cells[cell] ?? 1);
  return [words().spawned({ value, row: Math.floor(cell / size) + 1, column: (cell % size) + 1 })];
}

export function sentenceOf(event: Game2048Event): string {
  const { move, stages, view } = event;
  if (!move || !view) return '';
  const parts = [words().moved({ towards: towardsOf(move.direction) })];
  for (const stage of stages) {
    if (stage.kind === StageKind.MERGE) parts.push(...mergesOf(stage));
    parts.push(...spawnOf(stage, view.size));
  }
  parts.push(grid().scoreIs({ score: view.score }));
  const end = endOf(view);
  return `${parts.join(', ')}.${end && ` ${end}`}`;
}

/** How the game ended; empty while it is played. */
export function endOf({ outcome, objective, objectiveReached }: Game2048View): string {
  if (outcome === Outcome.WON) return words().won;
  if (outcome !== Outcome.LOST) return '';
  return objectiveReached ? words().lostReached({ value: String(objective) }) : words().lost;
}
