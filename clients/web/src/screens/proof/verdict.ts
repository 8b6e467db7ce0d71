// Whether a game was fair: the server's verdict, and this browser's own.
import type { GameRecord, VerifyResponse } from '@tesela/client/gen/lobby/v1/history_pb.js';
import { commitmentNoted, contributionNoted, type Noted } from '../../table/promises.js';
import {
  canCheck,
  commitmentOf,
  gameSeedOf,
  sameBytes,
  SEED_BYTES,
  shownHolds,
} from '@tesela/client';
import { history } from '../../net/services.js';

/** Undefined: it could not be checked. */
export type Held = boolean | undefined;

export interface Verdict {
  record: GameRecord;
  server: VerifyResponse;
  /** What this browser noted at the table, and whether it is the promise of the record. */
  noted: Noted | undefined;
  promiseHeld: Held;
  /** SHA-256 of the seed, computed here; undefined where a browser may not. */
  commitment: Uint8Array | undefined;
  seedHeld: Held;
  /** What this browser added, and whether the record has it. */
  own: Uint8Array | undefined;
  ownHeld: Held;
  /** The seed of the dice, mixed here. */
  gameSeed: Uint8Array | undefined;
  diceHeld: Held;
  /** The configuration and the seats that the record shows are those of its hashes. */
  shownHeld: Held;
  /** Own bytes came after the promise that this browser had noted. */
  ownAfterPromise: boolean;
}

/** Asks the server, and computes what can be computed here. */
export async function verdictOf(tableId: string, signal: AbortSignal): Promise<Verdict> {
  const [{ record }, server] = await Promise.all([
    history.getRecord({ tableId }, { signal }),
    history.verify({ tableId }, { signal }),
  ]);
  if (!record) throw new Error('The server sent no record.');
  const promised = record.table?.commitment ?? new Uint8Array();
  const noted = commitmentNoted(tableId);
  const own = contributionNoted(tableId);
  const [commitment, gameSeed] = await computed(record);
  return {
    record,
    server,
    noted,
    promiseHeld: noted && sameBytes(noted.commitment, promised),
    commitment,
    seedHeld: commitment && sameBytes(commitment, promised),
    own,
    ownHeld: own && record.contributions.some(({ bytes }) => sameBytes(bytes, own)),
    gameSeed,
    diceHeld: gameSeed && sameBytes(gameSeed, record.gameSeed),
    shownHeld: shownHolds(record),
    ownAfterPromise: own !== undefined && noted !== undefined && noted.before,
  };
}

async function computed({ table, serverSeed, config, contributions }: GameRecord) {
  if (!canCheck() || !table || serverSeed.length !== SEED_BYTES) return [];
  return Promise.all([
    commitmentOf(serverSeed, table.game, config, table.seatCount),
    gameSeedOf(serverSeed, contributions),
  ]);
}

/** Of all that was checked; undefined when this browser could check nothing of the dice. */
export function fairness(verdict: Verdict): Held {
  const { server, promiseHeld, seedHeld, ownHeld, diceHeld, shownHeld } = verdict;
  const held = [server.ok, promiseHeld, seedHeld, ownHeld, diceHeld, shownHeld];
  if (held.includes(false)) return false;
  return seedHeld && diceHeld;
}
