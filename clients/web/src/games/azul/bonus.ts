// Which lines of a wall a bonus of the server counts, so that they can be shown.
import { AzulBonusKind as Bonus } from '@tesela/client/gen/game/v1/azul_pb.js';
import { printedColour, SIZE } from './places.js';

const CELLS = Array.from({ length: SIZE * SIZE }, (_, cell) => cell);

/** The number of the line, 0 to 4, that a cell belongs to. */
const LINE_OF: Record<Bonus, (cell: number) => number> = {
  [Bonus.UNSPECIFIED]: () => -1,
  [Bonus.ROWS]: (cell) => Math.floor(cell / SIZE),
  [Bonus.COLUMNS]: (cell) => cell % SIZE,
  [Bonus.COLOURS]: (cell) => printedColour(cell) - 1,
};

/** The complete lines of a wall, each as its cells. */
export const completeLines = (bonus: Bonus, wall: readonly number[]): number[][] =>
  Array.from({ length: SIZE }, (_, line) =>
    CELLS.filter((cell) => LINE_OF[bonus](cell) === line),
  ).filter((cells) => cells.length > 0 && cells.every((cell) => wall[cell]));
