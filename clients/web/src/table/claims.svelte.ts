// The wait for absent players, and the ways out of it.
import type { ClaimWish } from '../gen/tesela/play/v1/claim_pb.js';
import type { SeatOccupant } from '../gen/tesela/play/v1/play_pb.js';
import type { Returned } from '../net/stream.js';

export class Claims {
  /** Why the last claim was refused, until the seats are told again. */
  refused = $state.raw<Returned | undefined>(undefined);
  readonly #send: (seat: number, wish: ClaimWish) => boolean;
  /** When the last seating came. */
  #seatedAtMs = performance.now();

  constructor(send: (seat: number, wish: ClaimWish) => boolean) {
    this.#send = send;
  }

  seated(): void {
    this.refused = undefined;
    this.#seatedAtMs = performance.now();
  }

  /** Ends the wait for the player of a seat; false without a line. */
  claim(seat: number, wish: ClaimWish): boolean {
    this.refused = undefined;
    return this.#send(seat, wish);
  }

  /** For how long a player has been away, at a time of performance.now(). */
  awayMs(occupant: SeatOccupant | undefined, nowMs: number): number {
    if (!occupant || occupant.bot || occupant.connected) return 0;
    return occupant.awayMs + Math.max(0, nowMs - this.#seatedAtMs);
  }
}
