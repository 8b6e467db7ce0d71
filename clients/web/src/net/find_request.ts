// What somebody searches, as one part of an address.
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { recall, remember } from '../base/storage.js';
import {
  FindRequestSchema,
  Pace,
  type FindRequest,
} from '@tesela/client/gen/lobby/v1/matchmaking_pb.js';

/** How long players may think, by what messages call it. */
export const PACES = { quick: Pace.QUICK, normal: Pace.NORMAL, days: Pace.DAYS };
export type PaceName = keyof typeof PACES;

/** What the visitor searched with last. */
export function paceChosen(): PaceName {
  const names = Object.keys(PACES) as PaceName[];
  return names.find((name) => name === recall('find.pace')) ?? 'normal';
}

export const choosePace = (pace: PaceName): void => remember('find.pace', pace);

const CODE_BYTES = 16;

/** A code for a party, which nobody guesses. */
export const newCode = (): string =>
  base64Encode(crypto.getRandomValues(new Uint8Array(CODE_BYTES)), 'url');

const partOf = (request: FindRequest): string =>
  base64Encode(toBinary(FindRequestSchema, request), 'url');

/** What all members of a party ask for alike. */
export const partyPath = (request: FindRequest): string => `/party/${partOf(request)}`;

/** A search that begins as soon as its page is there. */
export const searchPath = (request: FindRequest): string => `/find/${partOf(request)}`;

/** What a link asks for; undefined when it is none. */
export function requestOf(part: string): FindRequest | undefined {
  try {
    return fromBinary(FindRequestSchema, base64Decode(part));
  } catch {
    return undefined;
  }
}
