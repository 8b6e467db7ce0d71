// A move that could be played, or was, in words: its effect and its immediate gain.
import type { Message } from '@bufbuild/protobuf';

export interface Proposal {
  /** "2 red from factory 4 to line 2". */
  readonly what: string;
  /** "completes line 2: +5", "1 tile to the floor: −1". */
  readonly why: readonly string[];
}

/**
 * Puts a move of the game into words. `gain` is what the server says that it brings, `before` the
 * position that it is made in. Undefined for a message that is no move of the game.
 */
export type ProposalOf = (
  move: Message,
  gain: Message | undefined,
  before: Message | undefined,
) => Proposal | undefined;

export const proposalText = ({ what, why }: Proposal): string => [what, ...why].join(', ');
