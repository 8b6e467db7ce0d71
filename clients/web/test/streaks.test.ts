// Days and wins in a row, and how a table stands to its player.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { TableSchema, TableState, type Table } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { daysInARow, winsInARow } from '../src/table/streaks.js';
import { groupOf, isSociable, type Stand } from '../src/table/stand.js';

const table = (fields: MessageInitShape<typeof TableSchema>): Table => create(TableSchema, fields);

const HOUR_MS = 3_600_000;
const at = (text: string) => timestampFromMs(Date.parse(text));

/** A try at the daily game of a day, ended on it unless told otherwise. */
const tried = (dailyDate: string, ended = `${dailyDate}T12:00:00Z`) =>
  table({ dailyDate, endedAt: at(ended) });

describe('days in a row', () => {
  test('are counted back from the day until one is missing', () => {
    const tables = [tried('2026-03-02'), tried('2026-03-01'), tried('2026-02-28')];
    assert.equal(daysInARow([...tables, tried('2026-02-26')], '2026-03-02'), 3);
  });

  test('do not count a try that ended after its day', () => {
    const late = tried('2026-03-01', '2026-03-02T00:00:00Z');
    assert.equal(daysInARow([tried('2026-03-02'), late], '2026-03-02'), 1);
  });

  test('do not count a try that was given up', () => {
    const result = { standings: [{ seat: 0, rank: 1, resigned: true }] };
    const given = table({ dailyDate: '2026-03-02', endedAt: at('2026-03-02T12:00:00Z'), result });
    assert.equal(daysInARow([given, tried('2026-03-01')], '2026-03-02'), 0);
  });

  test('are none without a try on the day', () => {
    assert.equal(daysInARow([tried('2026-03-01')], '2026-03-02'), 0);
  });

  test('leave other games out', () => {
    assert.equal(daysInARow([table({ endedAt: at('2026-03-02T12:00:00Z') })], '2026-03-02'), 0);
  });
});

describe('wins in a row', () => {
  const ended = (rank: number, other: { strategy?: string; resigned?: boolean } = {}) =>
    table({
      seats: [
        { seat: 0, playerId: 'bea', strategy: other.strategy ?? '' },
        { seat: 1, playerId: 'ada' },
      ],
      result: {
        standings: [
          { seat: 0, rank: 3 - rank, resigned: other.resigned ?? false },
          { seat: 1, rank },
        ],
      },
    });

  test('end at the newest game that was not won', () => {
    assert.equal(winsInARow([ended(1), ended(1), ended(2), ended(1)], 'ada'), 2);
  });

  test('neither count nor end at a game that bots finished for somebody', () => {
    assert.equal(winsInARow([ended(1), ended(1, { strategy: 'random' }), ended(1)], 'ada'), 2);
  });

  test('count a game that the other has given up', () => {
    const resigned = ended(1, { strategy: 'random', resigned: true });
    assert.equal(winsInARow([resigned, ended(1)], 'ada'), 2);
  });
});

describe('a running game', () => {
  const now = Date.parse('2026-03-02T12:00:00Z');
  const stand = (fields: Partial<Stand>): Stand => ({
    view: undefined,
    turn: [],
    movedAtMs: now,
    leftMs: undefined,
    attended: false,
    ...fields,
  });
  const several = table({
    state: TableState.IN_PLAY,
    seatCount: 2,
    seats: [
      { seat: 0, playerId: 'ada' },
      { seat: 1, playerId: 'bea' },
    ],
  });
  const alone = table({
    state: TableState.IN_PLAY,
    seatCount: 1,
    seats: [{ seat: 0, playerId: 'ada' }],
    createdAt: timestampFromMs(now - 48 * HOUR_MS),
  });

  test('waits for whom it names', () => {
    assert.equal(groupOf(several, 'bea', stand({ turn: [1] }), now), 'turn');
    assert.equal(groupOf(several, 'ada', stand({ turn: [1] }), now), 'waiting');
  });

  test('waits for others while nobody knows', () => {
    assert.equal(groupOf(several, 'ada', undefined, now), 'waiting');
    assert.equal(
      groupOf(table({ state: TableState.OPEN, seatCount: 1 }), 'ada', undefined, now),
      'waiting',
    );
  });

  test('for one is left when nothing has happened for a day', () => {
    assert.equal(groupOf(alone, 'ada', undefined, now), 'left');
    assert.equal(groupOf(alone, 'ada', stand({ movedAtMs: now - 23 * HOUR_MS }), now), 'alone');
    assert.equal(groupOf(alone, 'ada', stand({ movedAtMs: now - 25 * HOUR_MS }), now), 'left');
  });

  test('is sociable with two people, and not against bots', () => {
    assert.equal(isSociable(several), true);
    const bot = { seat: 1, playerId: 'bot', bot: true, strategy: 'greedy' };
    assert.equal(isSociable(table({ seats: [{ seat: 0, playerId: 'ada' }, bot] })), false);
  });
});
