// What a table's stream tells whoever has opened it.
import type { Any } from '@bufbuild/protobuf/wkt';
import type {
  Clocks,
  Event as TableEvent,
  Hint,
  Reason,
  Refusal,
  Seating,
  Snapshot,
  Welcome,
} from './gen/tesela/play/v1/play_pb.js';
import type { Said } from './gen/tesela/play/v1/talk_pb.js';

/** How the line stands. */
export type Link =
  | { phase: 'connecting' }
  | { phase: 'live' }
  | { phase: 'waiting'; retryAtMs: number }
  | { phase: 'ended'; reason: Reason; message: string };

/** A move from the moment it is played until the server has confirmed it or given it back. */
export interface MoveInFlight {
  readonly moveId: string;
  readonly body: Any;
  /** What it was decided on; without one it is meant for any position. */
  readonly atVersion?: bigint;
}

/** Why a move or a question came back: a refusal, or what stands for it where none came. */
export type Returned = Pick<Refusal, 'reason' | 'message'>;

/** Hears what the stream learns, in order: a version is never skipped and never told twice. */
export interface Observer {
  linkChanged(link: Link): void;
  welcomed(welcome: Welcome): void;
  seated(seating: Seating): void;
  positioned(snapshot: Snapshot): void;
  happened(event: TableEvent): void;
  /** The clocks run otherwise than was last said. */
  clocked(clocks: Clocks): void;
  /** The server's time, Unix time in milliseconds. */
  timed(serverTimeMs: bigint): void;
  /** Somebody said something. */
  heard(said: Said): void;
  /** An operator tells everybody something, until that time (Unix time in milliseconds; 0: until
   *  there is something else). Empty when nothing is announced any more. */
  announced?(text: string, untilMs: number): void;
  /** What was said or muted was not accepted. */
  unsaid(why: Returned): void;
  /** `event` is what the move became; of one that was sent again perhaps only its numbers. */
  confirmed(move: MoveInFlight, event: TableEvent): void;
  returned(move: MoveInFlight, why: Returned): void;
  advised(hint: Hint): void;
  /** No answer will come. Without a reason it is moot: somebody has moved, or the line is gone. */
  unadvised(why?: Returned): void;
  /** A claim was not accepted. */
  unclaimed(why: Returned): void;
}
