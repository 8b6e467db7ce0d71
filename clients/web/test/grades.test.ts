// How moves are graded in an analysis.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { AnalysedMoveSchema } from '@tesela/client/gen/lobby/v1/history_pb.js';
import { gradeOf, lostBy } from '../src/screens/replay/grades.js';

const moveOf = (played: number | undefined, ...best: (number | undefined)[]) =>
  create(AnalysedMoveSchema, {
    played: played === undefined ? {} : { value: played },
    best: best.map((value) => (value === undefined ? {} : { value })),
  });

test('what is lost is the difference to the best, and never below nothing', () => {
  assert.equal(lostBy(moveOf(0.25, 0.75, 0.5)), 0.5);
  assert.equal(lostBy(moveOf(0.8, 0.75)), 0);
});

test('what could not be judged has lost nothing that is known', () => {
  assert.equal(lostBy(moveOf(undefined, 0.75)), undefined);
  assert.equal(lostBy(moveOf(0.5, undefined)), undefined);
  assert.equal(lostBy(moveOf(0.5)), undefined);
  assert.equal(gradeOf(undefined, 0.1), undefined);
});

test('half a mistake is an inaccuracy, twice one a blunder', () => {
  const grades = [0, 0.04, 0.05, 0.09, 0.1, 0.19, 0.2, 1].map((lost) => gradeOf(lost, 0.1));
  const [fine, small, bad, worst] = [undefined, 'inaccuracy', 'mistake', 'blunder'];
  assert.deepEqual(grades, [fine, fine, small, small, bad, bad, worst, worst]);
  assert.equal(gradeOf(5, 0), undefined, 'without a measure there are no mistakes');
});
