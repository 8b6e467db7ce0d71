// What the browser computes of a game's dice, against the vectors of the second verifier.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commitmentOf, gameSeedOf, hex } from '../src/proof.js';

interface Vector {
  kind: string;
  serverSeed: string;
  game: string;
  config: string;
  seats: number;
  commitment: string;
  contributions: { seat: number; bytes: string }[];
  seed: string;
}

const file = new URL('../../../tests/verify/fair_vectors.jsonl', import.meta.url);
const vectors = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));

test('a commitment binds to seed, game, configuration and seats', async () => {
  const commitments = vectors.filter(({ kind }) => kind === 'commitment');
  assert.ok(commitments.length > 0);
  for (const { serverSeed, game, config, seats, commitment } of commitments) {
    const computed = await commitmentOf(bytesOf(serverSeed), game, bytesOf(config), seats);
    assert.equal(hex(computed), commitment);
  }
});

test('the seed of the dice is mixed of the seed and what the players added', async () => {
  const seeds = vectors.filter(({ kind }) => kind === 'seed');
  assert.ok(seeds.length > 0);
  for (const { serverSeed, contributions, seed } of seeds) {
    const added = contributions.map(({ seat, bytes }) => ({ seat, bytes: bytesOf(bytes) }));
    assert.equal(hex(await gameSeedOf(bytesOf(serverSeed), added)), seed);
  }
});
