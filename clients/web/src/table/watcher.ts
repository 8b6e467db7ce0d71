// The interfaces of a table to its renderer, and to watchers of its seats.
import type { Message } from '@bufbuild/protobuf';
import type { Clocks, Result, Turn } from '@tesela/client/gen/play/v1/play_pb.js';

/** How somebody is there; `stand_in`: a strategy plays for a player. */
export type Presence = 'free' | 'here' | 'away' | 'bot' | 'stand_in' | 'resigned';

/** Who draws a table. Called in the order in which things happened, each event once. */
export interface Watcher {
  /** The whole position: forget what was drawn. */
  show(view: Message): void;
  /** One event: its body says what to animate. `reached` is to be called as that begins. */
  animate(body: Message, reached: () => void): void;
  /** A move of ours was confirmed (true) or given back (false): the next one may go. */
  answered(confirmed: boolean): void;
}

/** What a Snapshot and an Event say alike. */
export interface StandsAt {
  version: bigint;
  clocks?: Clocks | undefined;
  result?: Result | undefined;
  turn?: Turn | undefined;
}
