// Texts are counted as the server counts them (shown_text in server/codec).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { characters } from '../src/base/characters.js';

test('characters are code points in normal form C, without spaces that do not count', () => {
  const counts: [string, number][] = [
    ['', 0],
    ['Ada', 3],
    ['  Ada \u3000 Lovelace ', 12],
    ['e\u0301', 1],
    ['\u{1F3B2}'.repeat(24), 24],
    ['\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', 5],
  ];
  for (const [text, count] of counts) assert.equal(characters(text), count, text);
});
