// What binds the server to the dice of a game, computed here (engine/README.md, "Fair by proof").
import type { GameRecord } from '../../gen/tesela/lobby/v1/history_pb.js';
import { ContributionState } from '../../gen/tesela/play/v1/contribution_pb.js';

const utf8 = new TextEncoder();

/** The message of each game's configuration. */
const CONFIGS: Record<string, string> = {
  '2048': 'tesela.game.v1.Game2048Config',
  '2248': 'tesela.game.v1.Game2248Config',
  samegame: 'tesela.game.v1.SameGameConfig',
  azul: 'tesela.game.v1.AzulConfig',
};

const ENCODING = 1;
export const SEED_BYTES = 32;

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

/** What a record shows beside what its hashes cover: the configuration, and who has added to the
 *  dice. A record from before contributions had a state says nothing of them. */
export function shownHolds({ table, config, contributions }: GameRecord): boolean {
  if (!table?.config || !sameBytes(table.config.value, config)) return false;
  if (table.config.typeUrl !== `type.googleapis.com/${CONFIGS[table.game]}`) return false;
  const { seats, seatCount } = table;
  if (seats.length !== seatCount || seats.some(({ seat }, index) => seat !== index)) return false;
  if (seats.every(({ contribution }) => contribution === ContributionState.UNSPECIFIED))
    return true;
  return seats.every(({ seat, contribution }) => {
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
