// A player's board of Azul in small: the pattern lines, and the wall.
import { isMessage } from '@bufbuild/protobuf';
import { AzulViewSchema } from '@tesela/client/gen/game/v1/azul_pb.js';
import type { PictureOf, Square } from '../../table/picture.js';
import { printedColour, SIZE } from './places.js';

/** Between the lines and the wall. */
const GAP = 0.5;

export const pictureOf: PictureOf = (view, seat) => {
  const board = isMessage(view, AzulViewSchema) ? view.table?.boards[seat] : undefined;
  if (!board) return undefined;
  const squares: Square[] = [];
  for (let y = 0; y < SIZE; y += 1) {
    for (let cell = 0; cell <= y; cell += 1) {
      const held = cell < board.lineCounts[y]!;
      squares.push({ x: SIZE - 1 - cell, y, ...(held ? { piece: board.lineColours[y]! } : {}) });
    }
    for (let column = 0; column < SIZE; column += 1) {
      const cell = y * SIZE + column;
      const piece = board.wall[cell] || printedColour(cell);
      squares.push({ x: SIZE + GAP + column, y, piece, faint: !board.wall[cell] });
    }
  }
  return { width: 2 * SIZE + GAP, height: SIZE, squares };
};
