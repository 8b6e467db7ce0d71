// The board as tiles with an identity, and what a move's stages did to them. The stages say where
// every tile went; nothing here knows a rule.
import {
  Game2048StageKind as StageKind,
  type Game2048Stage as Stage,
} from '@tesela/client/gen/game/v1/g2048_pb.js';

/** A tile on the board. `id` stays while it slides; a merge makes a new tile. */
export interface Tile {
  readonly id: number;
  readonly exponent: number;
  readonly cell: number;
}

export interface Slide {
  tile: Tile;
  from: number;
  to: number;
}

export interface Merge {
  /** The tile that both became, in the cell where it ends up. */
  tile: Tile;
  partners: Tile[];
}

/** What one move changed, from the board before it to `tiles`. */
export interface Change {
  tiles: Tile[];
  /** Every tile that ends in another cell, and both partners of every merge. */
  slides: Slide[];
  merges: Merge[];
  spawns: Tile[];
  points: bigint;
}

let lastId = 0;
const newTile = (exponent: number, cell: number): Tile => ({ id: ++lastId, exponent, cell });

export function tilesOf(cells: readonly number[]): Tile[] {
  return cells.flatMap((exponent, cell) => (exponent ? [newTile(exponent, cell)] : []));
}

export function cellsOf(tiles: readonly Tile[], count: number): number[] {
  const cells = new Array<number>(count).fill(0);
  for (const tile of tiles) cells[tile.cell] = tile.exponent;
  return cells;
}

/** A tile on its way through the stages of one move. */
interface Traveller {
  tile: Tile;
  cell: number;
  /** Set on a tile that a merge of this move made. */
  partners?: Traveller[];
}

function slideStage(board: Map<number, Traveller>, stage: Stage): void {
  const moving = stage.motions.flatMap(({ from, to }) => {
    const traveller = board.get(from);
    return traveller ? [{ traveller, from, to }] : [];
  });
  for (const { from } of moving) board.delete(from);
  for (const { traveller, to } of moving) {
    traveller.cell = to;
    board.set(to, traveller);
  }
}

function mergeStage(board: Map<number, Traveller>, stage: Stage): void {
  const partnersOf = new Map<number, Traveller[]>();
  for (const { from, to } of stage.motions) {
    const partner = board.get(from);
    if (!partner) continue;
    board.delete(from);
    partnersOf.set(to, [...(partnersOf.get(to) ?? []), partner]);
  }
  for (const [cell, partners] of partnersOf) {
    const tile = newTile(stage.cells[cell] ?? 0, cell);
    board.set(cell, { tile, cell, partners });
  }
}

/** Follows every tile of `before` through the stages. Slides are joined to one way a tile, so
 *  that the eye sees one gesture; merges pop where they end up. */
export function follow(before: readonly Tile[], stages: readonly Stage[]): Change {
  const board = new Map<number, Traveller>();
  for (const tile of before) board.set(tile.cell, { tile, cell: tile.cell });
  const change: Change = { tiles: [], slides: [], merges: [], spawns: [], points: 0n };

  for (const stage of stages) {
    change.points += stage.points;
    if (stage.kind === StageKind.SLIDE) slideStage(board, stage);
    if (stage.kind === StageKind.MERGE) mergeStage(board, stage);
    if (stage.spawned !== undefined) {
      const tile = newTile(stage.cells[stage.spawned] ?? 0, stage.spawned);
      board.set(tile.cell, { tile, cell: tile.cell });
      change.spawns.push(tile);
    }
  }
  for (const traveller of board.values()) settle(traveller, change);
  return change;
}

function settle({ tile, cell, partners }: Traveller, change: Change): void {
  const settled = { ...tile, cell };
  change.tiles.push(settled);
  if (!partners) {
    if (cell !== tile.cell) change.slides.push({ tile, from: tile.cell, to: cell });
    return;
  }
  for (const partner of partners) {
    change.slides.push({ tile: partner.tile, from: partner.tile.cell, to: cell });
  }
  change.merges.push({ tile: settled, partners: partners.map((partner) => partner.tile) });
}
