// What binds the server to the dice of a game, computed here (engine/README.md, "Fair by proof").
import { fromBinary } from '@bufbuild/protobuf';
import { AzulConfigSchema } from '../../gen/tesela/game/v1/azul_pb.js';
import type { GameRecord } from '../../gen/tesela/lobby/v1/history_pb.js';
import type { Table } from '../../gen/tesela/lobby/v1/lobby_pb.js';
import { ContributionState } from '../../gen/tesela/play/v1/contribution_pb.js';

const utf8 = new TextEncoder();

/** The seats that a configuration gives a game. A game without a line here has one. */
const SEATS: Record<string, (config: Uint8Array) => number> = {
  azul: (config) => fromBinary(AzulConfigSchema, config).players ?? 2,
};

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
  if (seatCount !== (SEATS[table.game]?.(config) ?? 1) || seats.length !== seatCount) return false;
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
