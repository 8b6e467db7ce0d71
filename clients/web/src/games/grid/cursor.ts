// Where the keys and the pointer are on a grid.

const STEPS: Record<string, [down: number, right: number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** The share of a cell, around its middle, in which a pointer that draws is on it: the corners are
 *  left out, so that a slanted line touches only the cells that it means. */
const REACH = 0.42;

/** The cell after an arrow key; undefined for another key. At the edge it stays. */
export function cursorAfter(
  key: string,
  cell: number,
  rows: number,
  columns: number,
): number | undefined {
  const step = STEPS[key];
  if (!step) return undefined;
  const row = Math.min(rows - 1, Math.max(0, Math.floor(cell / columns) + step[0]));
  const column = Math.min(columns - 1, Math.max(0, (cell % columns) + step[1]));
  return row * columns + column;
}

/** The cell of a picture under the pointer. `drawing` looks at the middle of the cells alone. */
export function cellUnder(
  { clientX, clientY }: PointerEvent,
  picture: HTMLElement,
  rows: number,
  columns: number,
  drawing = false,
): number | undefined {
  const { x, y, width, height } = picture.getBoundingClientRect();
  const right = ((clientX - x) / width) * columns;
  const down = ((clientY - y) / height) * rows;
  if (right < 0 || right >= columns || down < 0 || down >= rows) return undefined;
  const [column, row] = [Math.floor(right), Math.floor(down)];
  const off = Math.hypot(right - column - 0.5, down - row - 0.5);
  return drawing && off > REACH ? undefined : row * columns + column;
}
