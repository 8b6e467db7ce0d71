// How time is written, and when it is short.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clockText, shortMs, untilNextText } from '../src/base/clock_text.js';

describe('clock text', () => {
  test('is as exact as is worth knowing', () => {
    const texts: [number, string][] = [
      [0, '0.0'],
      [9_449, '9.4'],
      [10_000, '0:10'],
      [41_001, '0:42'],
      [245_000, '4:05'],
      [3_723_000, '1:02:03'],
      [273_600_000, '3 d 04 h'],
    ];
    for (const [leftMs, text] of texts) assert.equal(clockText(leftMs), text);
  });

  test('is another one when it was said to be, and the same just before', () => {
    for (const leftMs of [300, 9_999, 10_500, 11_000, 59_000.3, 65_000, 3_600_500]) {
      const wait = untilNextText(leftMs);
      assert.notEqual(clockText(leftMs - wait), clockText(leftMs), `${leftMs}`);
      if (wait > 2) assert.equal(clockText(leftMs - wait + 2), clockText(leftMs), `${leftMs}`);
    }
  });
});

describe('short time', () => {
  test('is a third of all, but not less than 5 seconds and not more than 20', () => {
    assert.equal(shortMs({ moveMs: 30_000, gameMs: 0 }), 10_000);
    assert.equal(shortMs({ moveMs: 3_000, gameMs: 0 }), 5_000);
    assert.equal(shortMs({ moveMs: 0, gameMs: 300_000 }), 20_000);
    assert.equal(shortMs({ moveMs: 0, gameMs: 0 }), 20_000);
  });
});
