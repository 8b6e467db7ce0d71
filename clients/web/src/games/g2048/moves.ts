// The player's moves on their way to the table: one is in flight, the next wait here, none is lost
// without a word.
import type { Any } from '@bufbuild/protobuf/wkt';
import { Direction, Game2048MoveSchema } from '@tesela/client/gen/game/v1/g2048_pb.js';
import { pack } from '@tesela/client';

/** Moves that wait while one is in flight. A player who is further ahead is told to slow down. */
const WAITING_MAX = 8;

export interface Seat {
  /** The moves that are possible now, as the server says. */
  legal(): readonly Direction[];
  /** Hands the move to the table; false while it cannot take one. */
  play(move: Any): boolean;
  /** Whether a move can be answered soon. Without a line one move waits, and no more. */
  live(): boolean;
  /** The move is not possible, or not now. */
  blocked(direction: Direction): void;
}

export class Moves {
  readonly #seat: Seat;
  #waiting: Direction[] = [];
  #inFlight = false;

  constructor(seat: Seat) {
    this.#seat = seat;
  }

  /** `held` repeats of a key that is kept down count only while nothing waits. */
  push(direction: Direction, held = false): void {
    if (this.#inFlight && held) return;
    const waitingMax = this.#seat.live() ? WAITING_MAX : 0;
    if (this.#inFlight && this.#waiting.length >= waitingMax) {
      this.#seat.blocked(direction);
      return;
    }
    this.#waiting.push(direction);
    this.#next();
  }

  /** The move in flight was confirmed or given back. What waited behind a move that was given
   *  back was meant for another board, so it goes too. */
  answered(confirmed: boolean): void {
    this.#inFlight = false;
    if (!confirmed) this.#waiting = [];
    this.#next();
  }

  /** The line is gone. One move stays on its way; what waited behind it was meant for a board that
   *  nobody has seen. */
  lineLost(): void {
    this.#waiting = [];
  }

  #next(): void {
    while (!this.#inFlight) {
      const direction = this.#waiting.shift();
      if (direction === undefined) return;
      this.#inFlight =
        this.#seat.legal().includes(direction) &&
        this.#seat.play(pack(Game2048MoveSchema, { direction }));
      if (!this.#inFlight) this.#seat.blocked(direction);
    }
  }
}
