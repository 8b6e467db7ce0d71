// The places of the table by the numbers of azul.proto, and what is printed on a board.

export const CENTRE = 20;
export const BAG = 21;
export const LID = 22;
/** The number of the starting-player marker among the pieces. */
export const MARKER = 6;
export const SIZE = 5;
/** What the spaces of the floor line cost. */
export const FLOOR_COSTS = [1, 1, 2, 2, 2, 3, 3];
/** What complete rows, columns and colours bring at the end. */
export const LINE_POINTS = { rows: 2, columns: 7, colours: 10 };

const onBoard = (seat: number, n: number): number => 100 * (seat + 1) + n;
export const linePlace = (seat: number, row: number, cell: number): number =>
  onBoard(seat, row * SIZE + cell);
export const wallPlace = (seat: number, cell: number): number => onBoard(seat, 25 + cell);
export const floorPlace = (seat: number, space: number): number => onBoard(seat, 50 + space);
export const handPlace = (seat: number): number => onBoard(seat, 60);

/** The colour that is printed on a cell of the wall. */
export const printedColour = (cell: number): number => {
  const row = Math.floor(cell / SIZE);
  return (((cell % SIZE) - row + SIZE) % SIZE) + 1;
};

/** What `count` pieces cost that come onto a floor line of `taken`. */
export const floorCost = (taken: number, count: number): number =>
  FLOOR_COSTS.slice(taken, taken + count).reduce((sum, cost) => sum + cost, 0);
