// Tiles of a grid follow a stage. Boards are drawn as text: kinds, dots for empty cells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsOf, step, tilesOf, type Change } from '../src/games/grid/tiles.js';
import { previewOf, shortValue, valueOf } from '../src/games/g2248/value.js';
import type { Motion } from '@tesela/client/gen/game/v1/grid_pb.js';

const grid = (text: string): number[] =>
  text.split(/\s+/).map((kind) => (kind === '.' ? 0 : Number(kind)));

/** Motions written "from>to"; "from>>to" for partners of a merge. */
const motions = (ways: string): Motion[] =>
  ways.split(' ').map((way) => {
    const [from, to] = way.split(/>+/).map(Number);
    return { from: from!, to: to!, merged: way.includes('>>') } as Motion;
  });

const stage = (after: string, ways?: string) => ({
  cells: grid(after),
  motions: ways ? motions(ways) : [],
});

const told = ({ gone, moved, changed, born }: Change) => ({
  gone: gone.map(({ tile, to }) => `${tile.cell}>${to}`),
  moved: moved.map(({ tile, from }) => `${from}>${tile.cell}`),
  changed: changed.map(({ cell, kind }) => `${kind}@${cell}`),
  born: born.map(({ cell, kind }) => `${kind}@${cell}`),
});

test('a sum changes the last tile of a chain where it stands', () => {
  const before = tilesOf(grid('1 1 2 3'));
  const change = step(before, stage('1 1 3 3'));
  assert.deepEqual(told(change), { gone: [], moved: [], changed: ['3@2'], born: [] });
  assert.equal(change.tiles[2]?.id, before[2]?.id);
});

test('a chain goes into its last cell, which keeps its tile', () => {
  const before = tilesOf(grid('1 1 3 3'));
  const change = step(before, stage('. . 3 3', '0>>2 1>>2 2>>2'));
  assert.deepEqual(told(change), { gone: ['0>2', '1>2'], moved: [], changed: [], born: [] });
  assert.deepEqual(cellsOf(change.tiles, 4), grid('. . 3 3'));
});

test('a tile that falls keeps its identity', () => {
  const before = tilesOf(grid('5 . 6 .'));
  const change = step(before, stage('. 5 . 6', '0>1 2>3'));
  assert.deepEqual(told(change).moved, ['0>1', '2>3']);
  assert.deepEqual(
    change.tiles.map(({ id }) => id),
    before.map(({ id }) => id),
  );
});

test('what is removed goes where it stands, what is refilled is born', () => {
  const removed = step(tilesOf(grid('2 2 3 .')), stage('. . 3 .'));
  assert.deepEqual(told(removed).gone, ['0>0', '1>1']);
  const refilled = step(removed.tiles, stage('4 5 3 .'));
  assert.deepEqual(told(refilled).born, ['4@0', '5@1']);
});

test('a path is worth the smallest power of two that is at least its sum (R-2248-11)', () => {
  assert.equal(previewOf([1]), 2n);
  assert.equal(previewOf([1, 1]), 4n);
  assert.equal(previewOf([1, 1, 1]), 8n);
  assert.equal(previewOf([2, 2, 3, 4]), 32n);
  assert.equal(previewOf([59, 59]), 1n << 60n);
  assert.equal(previewOf([59, 59, 1]), 1n << 61n);
});

test('large values are short on a tile and exact in words', () => {
  assert.equal(shortValue(16), '65536');
  assert.equal(shortValue(17), '131K');
  assert.equal(shortValue(20), '1M');
  assert.equal(shortValue(60), '1E');
  assert.equal(valueOf(60), '1152921504606846976');
});
