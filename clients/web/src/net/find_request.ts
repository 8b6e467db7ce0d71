// What somebody searches, as one part of an address.
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { FindRequestSchema, type FindRequest } from '../gen/tesela/lobby/v1/matchmaking_pb.js';

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
