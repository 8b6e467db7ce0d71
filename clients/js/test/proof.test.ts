// What the browser computes of a game's dice, against the vectors of the second verifier.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import {
  ContributionSchema,
  GameRecordSchema,
  type GameRecord,
} from '../src/gen/tesela/lobby/v1/history_pb.js';
import { SeatOccupantSchema } from '../src/gen/tesela/play/v1/play_pb.js';
import { ContributionState } from '../src/gen/tesela/play/v1/contribution_pb.js';
import {
  commitmentOf,
  gameSeedOf,
  hasStates,
  hex,
  isConfigOf,
  sameBytes,
  shownHolds,
} from '../src/proof.js';

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

/** A game of four, in which two have added to the dice. */
function record(): GameRecord {
  const url = new URL('../../../tests/verify/records/azul_4_players.json', import.meta.url);
  const file = JSON.parse(readFileSync(url, 'utf8')) as Vector;
  const config = bytesOf(file.config);
  const contributions = file.contributions.map(({ seat, bytes }) => ({
    seat,
    bytes: bytesOf(bytes),
  }));
  return create(GameRecordSchema, {
    table: {
      game: file.game,
      config: { typeUrl: 'type.googleapis.com/tesela.game.v1.AzulConfig', value: config },
      seatCount: file.seats,
      seats: Array.from({ length: file.seats }, (_, seat) => ({
        seat,
        contribution: contributions.some((one) => one.seat === seat)
          ? ContributionState.AFTER_COMMITMENT
          : ContributionState.UNSPECIFIED,
      })),
      commitment: bytesOf(file.commitment),
    },
    serverSeed: bytesOf(file.serverSeed),
    contributions,
    config,
  });
}

/** What the page computes by itself. */
async function holds({ gameSeed, ...all }: GameRecord): Promise<boolean> {
  const { table, serverSeed, config, contributions } = all;
  const commitment = await commitmentOf(serverSeed, table!.game, config, table!.seatCount);
  const mixed = await gameSeedOf(serverSeed, contributions);
  return (
    sameBytes(commitment, table!.commitment) &&
    sameBytes(mixed, gameSeed) &&
    shownHolds({ gameSeed, ...all })
  );
}

const flip = (bytes: Uint8Array) => (bytes[0]! ^= 1);

test('whatever of a record is altered that the page checks, it notices', async () => {
  const honest = record();
  honest.gameSeed = await gameSeedOf(honest.serverSeed, honest.contributions);
  assert.ok(await holds(honest));
  const forgeries: Record<string, (record: GameRecord) => unknown> = {
    game: ({ table }) => (table!.game = '2048'),
    type: ({ table }) => (table!.config!.typeUrl = 'example.org/tesela.game.v1.AzulConfig'),
    'type of another game': ({ table }) =>
      (table!.config!.typeUrl = 'type.googleapis.com/tesela.game.v1.SameGameConfig'),
    shown: ({ table }) => flip(table!.config!.value),
    config: ({ config }) => flip(config),
    'seat count': ({ table }) => (table!.seatCount += 256),
    'as many seats': ({ table }) => {
      table!.seatCount += 256;
      for (let seat = table!.seats.length; seat < table!.seatCount; seat += 1)
        table!.seats.push(create(SeatOccupantSchema, { seat }));
    },
    'a seat': ({ table }) => table!.seats.pop(),
    'another seat': ({ table }) => (table!.seats[0]!.seat = 1),
    commitment: ({ table }) => flip(table!.commitment),
    'server seed': ({ serverSeed }) => flip(serverSeed),
    'game seed': ({ gameSeed }) => flip(gameSeed),
    contribution: ({ contributions }) => flip(contributions[0]!.bytes),
    'no contribution': ({ contributions }) => contributions.pop(),
    'whose contribution': ({ contributions }) => (contributions[0]!.seat = 0),
    'who added': ({ table }) => (table!.seats[0]!.contribution = ContributionState.WITH_SEAT),
    'who did not': ({ table }) => (table!.seats[1]!.contribution = ContributionState.WITHHELD),
  };
  for (const [what, forge] of Object.entries(forgeries)) {
    const forged = structuredClone(honest);
    forge(forged);
    assert.ok(!(await holds(forged)), what);
  }
});

test('a contribution is that of a player at the table, once, and said to be added', async () => {
  const forgeries: Record<string, (record: GameRecord) => unknown> = {
    'of a seat beyond the table': ({ contributions }) => add(contributions, 4),
    'of a seat 256 further': ({ contributions }) => (contributions[1]!.seat += 256),
    'of a bot': ({ table }) => (table!.seats[1]!.bot = true),
    twice: ({ contributions }) => add(contributions, 3),
    'longer than one may be': ({ contributions }) =>
      (contributions[0]!.bytes = new Uint8Array(256 + 16)),
  };
  for (const states of [true, false]) {
    const honest = record();
    if (!states)
      for (const seat of honest.table!.seats) seat.contribution = ContributionState.UNSPECIFIED;
    assert.ok(shownHolds(honest));
    assert.equal(hasStates(honest.table!), states);
    for (const [what, forge] of Object.entries(forgeries)) {
      const forged = structuredClone(honest);
      forge(forged);
      // The operator mixes the dice anew.
      forged.gameSeed = await gameSeedOf(forged.serverSeed, forged.contributions);
      assert.ok(!(await holds(forged)), what);
    }
  }
  const unsaid = record();
  unsaid.contributions = [];
  add(unsaid.contributions, 2);
  assert.ok(!shownHolds(unsaid), 'not said to be added');
});

test('the message of a configuration is the game’s by its name', () => {
  const url = (name: string) => `type.googleapis.com/tesela.game.v1.${name}Config`;
  for (const [game, name] of [
    ['2048', 'Game2048'],
    ['samegame', 'SameGame'],
    ['nine_holes', 'NineHoles'],
  ] as const) {
    assert.ok(isConfigOf(game, url(name)));
    assert.ok(!isConfigOf(game, url('Azul')));
  }
});

function add(contributions: GameRecord['contributions'], seat: number) {
  contributions.push(create(ContributionSchema, { seat, bytes: new Uint8Array(4) }));
}
