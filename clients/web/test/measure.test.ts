// What the values of a bot count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureOf, partOf } from '../src/table/measure.js';

test('of two players the share of the others left behind is the chance to win', () => {
  assert.equal(measureOf('share of the others left behind', 2), 'chance');
  assert.equal(measureOf('share of the others left behind', 3), 'share');
});

test('a measure that the page does not know says something beside the best alone', () => {
  assert.equal(measureOf('points at the end', 1), 'points');
  assert.equal(measureOf('worth of the boards ahead', 1), 'worth');
  assert.equal(measureOf('a measure of tomorrow', 1), 'worth');
});

test('without a measure nothing is judged', () => {
  assert.equal(measureOf('', 2), undefined);
  assert.equal(measureOf(undefined, 2), undefined);
});

test('where even the best move loses, no other is a part of it', () => {
  assert.equal(partOf(99, 100), 0.99);
  assert.equal(partOf(0, 0), 0);
});
