// What binds the server to the dice of a game, computed here (engine/README.md, "Fair by proof").
import type { GameRecord } from './gen/tesela/lobby/v1/history_pb.js';
import type { Table } from './gen/tesela/lobby/v1/lobby_pb.js';
import { ContributionState } from './gen/tesela/play/v1/contribution_pb.js';
import { seatsOf } from './games.js';

const utf8 = new TextEncoder();

/** Whether a configuration is the game's, by the name of its message: Game2048Config of 2048,
 *  SameGameConfig of samegame. */
export function isConfigOf(game: string, typeUrl: string): boolean {
  const [, name] = /^type\.googleapis\.com\/tesela\.game\.v1\.(\w+)Config$/.exec(typeUrl) ?? [];
  const expected = game.replaceAll('_', '').replace(/^(?=\d)/, 'game');
  return name?.toLowerCase() === expected;
}

const ENCODING = 1;
export const SEED_BYTES = 32;
const CONTRIBUTION_BYTES_MAX = 64;

export interface Added {
  seat: number;
  bytes: Uint8Array;
}

const joined = (parts: readonly (Uint8Array | string | number)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    parts.flatMap((part) => {
      if (typeof part === 'number') return [part];
      return [...(typeof part === 'string' ? utf8.encode(part) : part)];
    }),
  );

/** The length in four bytes, the most significant first, and the bytes. */
function measured(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(4 + bytes.length);
  new DataView(out.buffer).setUint32(0, bytes.length);
  out.set(bytes, 4);
  return out;
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** Browsers compute hashes only on pages that came over a line nobody could change. */
export const canCheck = (): boolean => globalThis.crypto?.subtle !== undefined;

export const commitmentOf = (
  serverSeed: Uint8Array,
  game: string,
  config: Uint8Array,
  seats: number,
): Promise<Uint8Array> =>
  sha256(
    joined([
      'tesela.commitment',
      ENCODING,
      serverSeed,
      measured(utf8.encode(game)),
      measured(config),
      seats,
    ]),
  );

/** `added` in the order of seats. */
export const gameSeedOf = (serverSeed: Uint8Array, added: readonly Added[]): Promise<Uint8Array> =>
  sha256(
    joined([
      'tesela.seed',
      ENCODING,
      serverSeed,
      ...added.flatMap(({ seat, bytes }) => [seat, bytes.length, bytes]),
    ]),
  );

/** What a record shows beside what its hashes cover: the configuration, the seats, and who has
 *  added to the dice. Seats and lengths are one byte in the hashes: larger ones do not hold. */
export function shownHolds({ table, config, contributions }: GameRecord): boolean {
  if (!table?.config || !sameBytes(table.config.value, config)) return false;
  if (!isConfigOf(table.game, table.config.typeUrl)) return false;
  const { seats, seatCount } = table;
  if (seatCount !== seatsOf(table.game, config) || seats.length !== seatCount) return false;
  if (seats.some(({ seat }, index) => seat !== index)) return false;
  return contributionsHold(table, contributions) && statesHold(table, contributions);
}

/** Whether each contribution is that of a player at the table, in the order of the seats. */
const contributionsHold = ({ seats }: Table, contributions: readonly Added[]): boolean =>
  contributions.every(({ seat, bytes }, index) => {
    const before = contributions[index - 1];
    const ordered = !before || before.seat < seat;
    return ordered && seats[seat]?.bot === false && bytes.length <= CONTRIBUTION_BYTES_MAX;
  });

/** Whether a record says how its contributions came. One from before they had a state does not. */
export const hasStates = ({ seats }: Table): boolean =>
  seats.some(({ contribution }) => contribution !== ContributionState.UNSPECIFIED);

/** Whether the states of the seats agree with the contributions. */
function statesHold(table: Table, contributions: readonly Added[]): boolean {
  if (!hasStates(table)) return true;
  return table.seats.every(({ seat, contribution }) => {
    const added = contributions.some((one) => one.seat === seat);
    const saysAdded =
      contribution === ContributionState.AFTER_COMMITMENT ||
      contribution === ContributionState.WITH_SEAT;
    return saysAdded === added && contribution !== ContributionState.AWAITED;
  });
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** What a check of a record found. */
export interface Verdict {
  readonly ok: boolean;
  /** What does not hold; empty when all does. */
  readonly broken: readonly string[];
  /** What the check does not cover: the server's word alone, or `tesela verify`'s. */
  readonly notCovered: readonly string[];
}

/** Checks what binds the server to the dice of a finished game. It knows no rule: that the moves
 *  lead to the result is checked by `tesela verify` and HistoryService.Verify.
 *  @param promised what Table.commitment was while the game was played, where the caller noted it
 *  @param added what the caller added to the dice */
export async function verify(
  record: GameRecord,
  { promised, added }: { promised?: Uint8Array; added?: Uint8Array } = {},
): Promise<Verdict> {
  const { table, serverSeed, config, contributions, gameSeed } = record;
  if (!table || serverSeed.length !== SEED_BYTES) {
    return {
      ok: false,
      broken: ['The record shows no seed: the game is not over.'],
      notCovered: [],
    };
  }
  const commitment = await commitmentOf(serverSeed, table.game, config, table.seatCount);
  const mixed = await gameSeedOf(serverSeed, contributions);
  const shown = contributions.some(({ bytes }) => added && sameBytes(bytes, added));
  const checks: [boolean, string][] = [
    [sameBytes(commitment, table.commitment), 'The seed is not the one that was promised.'],
    [!promised || sameBytes(promised, table.commitment), 'The promise of the record is another.'],
    [sameBytes(mixed, gameSeed), 'The dice do not follow from the seeds.'],
    [!added || shown, 'What you added to the dice is not in the record.'],
    [shownHolds(record), 'The record shows another configuration or other seats than were used.'],
  ];
  const broken = checks.filter(([holds]) => !holds).map(([, sentence]) => sentence);
  const notCovered = ['moves', 'table.result', 'table.created_at', 'table.ended_at'];
  if (!promised) notCovered.push('table.commitment');
  return { ok: broken.length === 0, broken, notCovered };
}
