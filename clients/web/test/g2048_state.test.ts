// The board follows the stages of a move. Boards are drawn as text: values, dots for empty cells.
import { create } from '@bufbuild/protobuf';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Game2048StageKind as Kind,
  Game2048StageSchema,
  type Game2048Stage,
} from '@tesela/client/gen/game/v1/g2048_pb.js';
import { cellsOf, follow, tilesOf, type Change, type Tile } from '../src/games/g2048/state.js';

const grid = (text: string): number[] =>
  text.split(/\s+/).map((value) => (value === '.' ? 0 : Math.log2(Number(value))));

const drawn = (cells: readonly number[]): string =>
  cells.map((exponent) => (exponent ? String(2 ** exponent) : '.')).join(' ');

/** A stage whose motions are written "from>to from>to …". */
function stage(kind: Kind, after: string, ways: string, points = 0): Game2048Stage {
  const merged = kind === Kind.MERGE;
  const motions = ways.split(' ').map((way) => {
    const [from, to] = way.split('>').map(Number);
    return { from: from!, to: to!, merged };
  });
  return create(Game2048StageSchema, { kind, cells: grid(after), motions, points: BigInt(points) });
}

const spawn = (after: string, spawned: number): Game2048Stage =>
  create(Game2048StageSchema, { kind: Kind.SPAWN, cells: grid(after), spawned });

const slidesOf = ({ slides }: Change) =>
  slides.map(({ tile, from, to }) => `${2 ** tile.exponent} ${from}>${to}`).sort();

/** Tiles as "value@cell". */
const placed = (tiles: readonly Tile[]) =>
  tiles.map(({ exponent, cell }) => `${2 ** exponent}@${cell}`).sort();

test('partners of a merge slide from where they stood to where the new tile ends', () => {
  const change = follow(tilesOf(grid('2 . 2 4')), [
    stage(Kind.SLIDE, '2 2 4 .', '2>1 3>2'),
    stage(Kind.MERGE, '4 . 4 .', '0>0 1>0', 4),
    stage(Kind.SLIDE, '4 4 . .', '2>1'),
    spawn('4 4 . 2', 3),
  ]);
  assert.equal(drawn(cellsOf(change.tiles, 4)), '4 4 . 2');
  assert.deepEqual(slidesOf(change), ['2 0>0', '2 2>0', '4 3>1']);
  assert.deepEqual(placed(change.merges.map(({ tile }) => tile)), ['4@0']);
  assert.deepEqual(placed(change.spawns), ['2@3']);
  assert.equal(change.points, 4n);
});

test('a merged tile that slides on pops where it ends up', () => {
  const change = follow(tilesOf(grid('2 2 4 4')), [
    stage(Kind.MERGE, '4 . 8 .', '0>0 1>0 2>2 3>2', 12),
    stage(Kind.SLIDE, '4 8 . .', '2>1'),
    spawn('4 8 2 .', 2),
  ]);
  assert.equal(drawn(cellsOf(change.tiles, 4)), '4 8 2 .');
  assert.deepEqual(slidesOf(change), ['2 0>0', '2 1>0', '4 2>1', '4 3>1']);
  assert.deepEqual(placed(change.merges.map(({ tile }) => tile)), ['4@0', '8@1']);
});

test('a tile that stays keeps its identity and does not slide', () => {
  const before = tilesOf(grid('4 . 2 .'));
  const change = follow(before, [stage(Kind.SLIDE, '4 2 . .', '2>1'), spawn('4 2 . 2', 3)]);
  assert.deepEqual(slidesOf(change), ['2 2>1']);
  assert.equal(change.tiles.find(({ cell }) => cell === 0)?.id, before[0]?.id);
  assert.equal(change.tiles.find(({ cell }) => cell === 1)?.id, before[1]?.id);
});

test('a row of tiles moves up together without losing one', () => {
  const change = follow(tilesOf(grid('. 2 4 8')), [
    stage(Kind.SLIDE, '2 4 8 .', '1>0 2>1 3>2'),
    spawn('2 4 8 2', 3),
  ]);
  assert.equal(drawn(cellsOf(change.tiles, 4)), '2 4 8 2');
});
