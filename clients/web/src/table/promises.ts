// What this browser has noted about the dice of its games, so that it need not believe anybody
// later: the commitment as it was shown first, and the player's contribution.
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { recall, remember } from '../base/storage.js';

/** The newest tables that are remembered. */
const TABLES_MAX = 200;
const KEY = 'promises';

/** As it is stored: bytes in base 64. */
interface Note {
  commitment?: string;
  /** The table's version when the commitment was noted: 0 and 1 are before the first move. */
  version?: number;
  /** When, Unix time in milliseconds. */
  atMs?: number;
  contribution?: string;
  /** The commitment stood here when the contribution was sent. */
  contributedAfter?: boolean;
}

export interface Noted {
  commitment: Uint8Array;
  /** Whether no move had been made yet. */
  inTime: boolean;
  /** Whether it was noted before the player of this browser added to the dice. */
  before: boolean;
  at: Date;
}

function notes(): Record<string, Note> {
  try {
    return JSON.parse(recall(KEY) ?? '{}') as Record<string, Note>;
  } catch {
    return {};
  }
}

function note(tableId: string, more: Note): void {
  const all = notes();
  const { [tableId]: before, ...others } = all;
  const newest = Object.entries(others).slice(1 - TABLES_MAX);
  remember(
    KEY,
    JSON.stringify({ ...Object.fromEntries(newest), [tableId]: { ...before, ...more } }),
  );
}

/** Notes the commitment of a table, unless it was noted before. */
export function noteCommitment(tableId: string, commitment: Uint8Array, version: bigint): void {
  if (commitment.length === 0 || notes()[tableId]?.commitment) return;
  const at = { version: Number(version), atMs: Date.now() };
  note(tableId, { commitment: base64Encode(commitment), ...at });
}

/** Notes what the player of this browser has added to the dice of a table. */
export function noteContribution(tableId: string, contribution: Uint8Array): void {
  const contributedAfter = notes()[tableId]?.commitment !== undefined;
  note(tableId, { contribution: base64Encode(contribution), contributedAfter });
}

export function commitmentNoted(tableId: string): Noted | undefined {
  const { commitment, version = 0, atMs = 0, contributedAfter } = notes()[tableId] ?? {};
  if (!commitment) return undefined;
  return {
    commitment: base64Decode(commitment),
    inTime: version <= 1,
    before: contributedAfter === true,
    at: new Date(atMs),
  };
}

export function contributionNoted(tableId: string): Uint8Array | undefined {
  const { contribution } = notes()[tableId] ?? {};
  return contribution === undefined ? undefined : base64Decode(contribution);
}
