// Stages of Azul as pictures. Motions are written "piece from>to", n times with "n*".
import { create } from '@bufbuild/protobuf';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framesOf, type Frame } from '../src/games/azul/frames.js';
import { marksLeft } from '../src/games/azul/marks.js';
import {
  CENTRE,
  floorCost,
  floorPlace,
  handPlace,
  LID,
  linePlace,
  wallPlace,
} from '../src/games/azul/places.js';
import {
  AzulBonusKind,
  AzulEventSchema,
  AzulStageKind as Kind,
  AzulStageSchema,
  AzulTableSchema,
  type AzulStage,
  type AzulTable,
} from '@tesela/client/gen/game/v1/azul_pb.js';

const RED = 3;
const BLUE = 1;

const table = (...scores: number[]): AzulTable =>
  create(AzulTableSchema, { boards: scores.map((score) => ({ score })) });

/** A table as it lies, with one seat and this wall: a digit is a colour, a dot an empty cell. */
const walled = (score: number, ...rows: string[]): AzulTable =>
  create(AzulTableSchema, {
    boards: [{ score, wall: [...rows.join('')].map((cell) => Number(cell.replace('.', '0'))) }],
  });

type Fields = Partial<Pick<AzulStage, 'seat' | 'table' | 'points' | 'tiled' | 'bonus'>>;

function stage(kind: Kind, ways: readonly [number, number, number, number][], fields: Fields = {}) {
  const motions = ways.map(([count, piece, from, to]) => ({ count, piece, from, to }));
  const { table: after = table(0, 0), seat = 0, ...rest } = fields;
  return create(AzulStageSchema, { kind, motions, seat, table: after, ...rest } as AzulStage);
}

const ways = ({ flights }: Frame) => flights.map(({ piece, from, to }) => `${piece} ${from}>${to}`);
const scores = (frame: Frame) => frame.table.boards.map(({ score }) => score);

test('tiles fly from their display to the line without a stop in the hand', () => {
  const hand = handPlace(0);
  const [frame, ...more] = framesOf(table(0, 0), [
    stage(Kind.TAKE, [
      [2, RED, 4, hand],
      [2, BLUE, 4, CENTRE],
    ]),
    stage(Kind.PLACE, [[1, RED, hand, linePlace(0, 0, 0)]]),
    stage(Kind.OVERFLOW, [[1, RED, hand, floorPlace(0, 0)]]),
  ]);
  assert.equal(more.length, 0);
  assert.deepEqual(ways(frame!), [
    `${BLUE} 4>${CENTRE}`,
    `${BLUE} 4>${CENTRE}`,
    `${RED} 4>${linePlace(0, 0, 0)}`,
    `${RED} 4>${floorPlace(0, 0)}`,
  ]);
});

test('a marker that finds no space on the floor line ends in the hand', () => {
  const hand = handPlace(1);
  const [frame] = framesOf(table(0, 0), [
    stage(
      Kind.TAKE,
      [
        [1, 6, CENTRE, hand],
        [1, RED, CENTRE, hand],
      ],
      { seat: 1 },
    ),
    stage(Kind.OVERFLOW, [[1, RED, hand, LID]], { seat: 1 }),
  ]);
  assert.deepEqual(ways(frame!), [`6 ${CENTRE}>${hand}`, `${RED} ${CENTRE}>${LID}`]);
});

test('all seats tile their first row together, then the second, and keep what is theirs', () => {
  const tile = (seat: number, tiled: number, after: AzulTable, points: number) =>
    stage(Kind.TILE, [[1, RED, linePlace(seat, 0, 0), wallPlace(seat, tiled)]], {
      seat,
      table: after,
      tiled,
      points,
    });
  const frames = framesOf(table(0, 0), [
    tile(0, 2, table(1, 0), 1),
    tile(0, 8, table(3, 0), 2),
    tile(1, 2, table(3, 5), 5),
  ]);
  assert.deepEqual(frames.map(scores), [
    [1, 5],
    [3, 5],
  ]);
  assert.deepEqual(
    frames.map(({ gains }) => gains.map(({ seat, points }) => `${seat}:${points}`)),
    [['0:1', '1:5'], ['0:2']],
  );
});

test('bonuses are counted kind by kind, and the end itself is no picture', () => {
  const bonus = (seat: number, kind: AzulBonusKind, after: AzulTable) =>
    stage(Kind.BONUS, [], { seat, bonus: kind, table: after, points: 2 });
  const frames = framesOf(table(0, 0), [
    bonus(0, AzulBonusKind.ROWS, table(2, 0)),
    bonus(1, AzulBonusKind.ROWS, table(2, 2)),
    bonus(1, AzulBonusKind.COLOURS, table(2, 12)),
    stage(Kind.FINAL, []),
  ]);
  assert.deepEqual(frames.map(scores), [
    [2, 2],
    [2, 12],
  ]);
});

test('each complete line is lit and written on its own, with its share of the bonus', () => {
  const wall = ['12345', '51234', '.5123', '..512', '...51'];
  const count = (bonus: AzulBonusKind, points: number) => {
    const after = walled(20 + points, ...wall);
    const [frame] = framesOf(walled(20, ...wall), [
      stage(Kind.BONUS, [], { bonus, table: after, points }),
    ]);
    return frame!.gains.map(({ points, at, cells, after }) => ({ points, at, cells, after }));
  };
  const places = (...cells: number[]) => cells.map((cell) => wallPlace(0, cell));
  assert.deepEqual(count(AzulBonusKind.ROWS, 4), [
    { points: 2, at: wallPlace(0, 4), cells: places(0, 1, 2, 3, 4), after: 0 },
    { points: 2, at: wallPlace(0, 9), cells: places(5, 6, 7, 8, 9), after: 1 },
  ]);
  assert.deepEqual(
    count(AzulBonusKind.COLUMNS, 14).map(({ at }) => at),
    places(23, 24),
  );
  assert.deepEqual(
    count(AzulBonusKind.COLOURS, 20).map(({ cells }) => cells),
    [places(0, 6, 12, 18, 24), places(4, 5, 11, 17, 23)],
  );
});

test('the floor line costs 1, 1, 2, 2, 2, 3, 3, and nothing beyond', () => {
  assert.equal(floorCost(0, 7), 14);
  assert.equal(floorCost(2, 2), 4);
  assert.equal(floorCost(6, 5), 3);
  assert.equal(floorCost(7, 2), 0);
});

test('what is marked is not marked any more when its tile has gone', () => {
  const placed = linePlace(1, 4, 0);
  const marks = new Map([[1, [placed, linePlace(1, 0, 0), floorPlace(1, 0)]]]);
  const stages = [
    stage(Kind.TILE, [[1, RED, linePlace(1, 0, 0), wallPlace(1, 2)]], { seat: 1 }),
    stage(Kind.PENALTY, [[1, BLUE, floorPlace(1, 0), LID]], { seat: 1 }),
  ];
  assert.deepEqual(marksLeft(marks, create(AzulEventSchema, { stages })), new Map([[1, [placed]]]));
  assert.equal(marksLeft(marks, create(AzulEventSchema)), marks);
});
