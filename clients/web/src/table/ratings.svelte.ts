// The effect of a ranked game on the ratings of its seats: read before it ends, and after.
import { SvelteMap } from 'svelte/reactivity';
import type { SeatOccupant } from '@tesela/client/gen/play/v1/play_pb.js';

/** A rating, and by how much this game changed it; undefined when the page came too late. */
export interface Rating {
  now: number;
  change: number | undefined;
  /** A strategy was seen to make most of the seat's moves, so that it gains nothing. */
  late: boolean;
}

/** Asks for the rating of a player in a game, as people read it. */
export type AskRating = (game: string, playerId: string) => Promise<number>;

const askServer: AskRating = async (game, playerId) => {
  const { ratingOf } = await import('./seats.js');
  return ratingOf(game, playerId);
};

export class Ratings {
  readonly #ask: AskRating;
  readonly #before = new SvelteMap<number, number>();
  readonly #after = new SvelteMap<number, number>();
  /** By seat, how many more moves a strategy made than the player, of those that were seen. */
  readonly #lead = new Map<number, number>();

  constructor(ask: AskRating = askServer) {
    this.#ask = ask;
  }

  /** The rating of a seat once the game is over; undefined until it is known. */
  of(seat: number): Rating | undefined {
    const now = this.#after.get(seat);
    if (now === undefined) return undefined;
    const before = this.#before.get(seat);
    const change = before === undefined ? undefined : now - before;
    return { now, change, late: (this.#lead.get(seat) ?? 0) > 0 };
  }

  /** Somebody has moved at the seat. */
  moved(seat: number, byStrategy: boolean): void {
    this.#lead.set(seat, (this.#lead.get(seat) ?? 0) + (byStrategy ? 1 : -1));
  }

  /** Asks for what is not known yet. A game that is not ranked has nothing to ask for. */
  learn(game: string, seats: readonly SeatOccupant[], over: boolean): void {
    const known = over ? this.#after : this.#before;
    for (const { seat, playerId } of seats) {
      if (known.has(seat)) continue;
      this.#ask(game, playerId).then(
        (shown) => known.set(seat, shown),
        () => {}, // The result is complete without it.
      );
    }
  }
}
