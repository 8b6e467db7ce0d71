// Tiles with an identity on a grid, and what one stage of a move did to them. The stage says where
// every tile went; nothing here knows a rule.
import type { Motion } from '@tesela/client/gen/game/v1/grid_pb.js';

/** The largest exponent with colours of its own; higher tiles share the last. */
export const COLOURS_MAX = 17;

/** A tile on the board. `id` stays while it moves or changes its kind. */
export interface Tile {
  readonly id: number;
  /** What its cell holds: an exponent, a colour. */
  readonly kind: number;
  readonly cell: number;
}

/** What the stages of all games on a grid have. */
export interface GridStage {
  readonly cells: readonly number[];
  readonly motions: readonly Motion[];
}

/** What one stage changed, from the tiles before it to `tiles`. */
export interface Change {
  tiles: Tile[];
  /** Tiles that are no more, and where they went in: their own cell when nowhere. */
  gone: { tile: Tile; to: number }[];
  moved: { tile: Tile; from: number }[];
  changed: Tile[];
  born: Tile[];
}

let lastId = 0;
const newTile = (kind: number, cell: number): Tile => ({ id: ++lastId, kind, cell });

export const tilesOf = (cells: readonly number[]): Tile[] =>
  cells.flatMap((kind, cell) => (kind ? [newTile(kind, cell)] : []));

export function cellsOf(tiles: readonly Tile[], count: number): number[] {
  const cells = new Array<number>(count).fill(0);
  for (const tile of tiles) cells[tile.cell] = tile.kind;
  return cells;
}

function follow(tile: Tile, stage: GridStage, motion: Motion | undefined, change: Change): void {
  const cell = motion?.to ?? tile.cell;
  const kind = stage.cells[cell] ?? 0;
  const swallowed = motion?.merged && motion.to !== motion.from;
  if (swallowed || kind === 0) {
    change.gone.push({ tile, to: cell });
    return;
  }
  const after = { ...tile, cell, kind };
  change.tiles.push(after);
  if (cell !== tile.cell) change.moved.push({ tile: after, from: tile.cell });
  if (kind !== tile.kind) change.changed.push(after);
}

/** Follows every tile through one stage. */
export function step(before: readonly Tile[], stage: GridStage): Change {
  const change: Change = { tiles: [], gone: [], moved: [], changed: [], born: [] };
  const motions = new Map(stage.motions.map((motion) => [motion.from, motion]));
  for (const tile of before) follow(tile, stage, motions.get(tile.cell), change);
  const held = new Set(change.tiles.map(({ cell }) => cell));
  for (const tile of tilesOf(stage.cells)) if (!held.has(tile.cell)) change.born.push(tile);
  change.tiles.push(...change.born);
  return change;
}

/** Where a cell lies, as a transform of something that is as large as a cell. */
export function at(cell: number, columns: number): string {
  const steps = (count: number) => `calc(${count} * (100% + var(--gap)))`;
  return `translate(${steps(cell % columns)}, ${steps(Math.floor(cell / columns))})`;
}
