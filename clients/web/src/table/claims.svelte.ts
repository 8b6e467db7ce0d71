// The wait for absent players, and the ways out of it.
import type { ClaimWish } from '@tesela/client/gen/play/v1/claim_pb.js';
import type { Event as TableEvent, SeatOccupant } from '@tesela/client/gen/play/v1/play_pb.js';
import { history } from '../net/services.js';
import type { Returned } from '@tesela/client';
import type { News } from './news.js';

export class Claims {
  /** Why the last claim was refused, until the seats are told again. */
  refused = $state.raw<Returned | undefined>(undefined);
  /** The seats whose players were away when the game was claimed, as far as is known. */
  taken = $state.raw<ReadonlySet<number>>(new Set());
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

  heard(news: News | undefined): void {
    if (news?.kind === 'claimed') this.taken = new Set([...this.taken, news.seat]);
  }

  /** How a game ended that was over before the page came: by its last event, which `tell` reads. */
  async learn(tableId: string, version: bigint, tell: (event: TableEvent) => News | undefined) {
    try {
      const last = { tableId, fromVersion: version - 1n, toVersion: version };
      for await (const { frame } of history.replay(last)) {
        if (frame?.frame.case === 'event') this.heard(tell(frame.frame.value));
      }
    } catch {
      // Then it is told as if they had given up.
    }
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
