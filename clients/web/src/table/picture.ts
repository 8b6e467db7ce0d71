// A position as a small picture: coloured squares on a ground. Lists draw it as SVG, the card that
// is shared on a canvas.
import type { Message } from '@bufbuild/protobuf';

export interface Square {
  /** In sides of a square, from the upper left. */
  x: number;
  y: number;
  /** The colour of a value (tiles.css, data-colour), or of a piece (data-piece). Neither: empty. */
  colour?: number;
  piece?: number;
  text?: string;
  /** Whether it is only outlined: a place for this piece. */
  faint?: boolean;
}

export interface Picture {
  /** In sides of a square. */
  width: number;
  height: number;
  squares: readonly Square[];
}

/** The position as a seat sees it; undefined for another game's. */
export type PictureOf = (view: Message, seat: number) => Picture | undefined;

/** A full grid, cell by cell; `look` says what a cell holds. */
export function gridPicture(
  cells: readonly number[],
  columns: number,
  look: (cell: number) => Partial<Square>,
): Picture {
  const squares = cells.map((cell, index) => ({
    x: index % columns,
    y: Math.floor(index / columns),
    ...(cell ? look(cell) : {}),
  }));
  return { width: columns, height: cells.length / columns, squares };
}
