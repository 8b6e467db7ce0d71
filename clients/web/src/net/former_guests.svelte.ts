// The guests who played in this browser before somebody signed in: each is kept until that player
// has said what becomes of the games, or the guest's token ends.
import { recall, remember } from '../base/storage.js';
import type { Player } from './session.svelte.js';

export interface Guest {
  token: string;
  playerId: string;
  displayName: string;
  expiresAtMs: number;
  /** The id of the player who signed in: nobody else is asked. */
  keptFor: string;
}

function recallGuests(): Guest[] {
  try {
    const guests = JSON.parse(recall('guest') ?? '[]') as Guest[];
    return guests.filter(({ expiresAtMs }) => expiresAtMs > Date.now());
  } catch {
    return [];
  }
}

class FormerGuests {
  #guests = $state.raw(recallGuests());

  /** The one whose games this player is asked about. */
  of(playerId: string): Guest | undefined {
    return this.#guests.find(({ keptFor }) => keptFor === playerId);
  }

  /** A player signs in where `guest` has played: what was kept for others is dropped. */
  keep(keptFor: string, guest?: Player): void {
    this.#keepIf((kept) => kept.keptFor === keptFor && kept.playerId !== guest?.playerId);
    if (!guest) return;
    const { token, playerId, displayName, expiresAtMs } = guest;
    this.#set([...this.#guests, { token, playerId, displayName, expiresAtMs, keptFor }]);
  }

  drop({ token }: Guest): void {
    this.#keepIf((kept) => kept.token !== token);
  }

  /** This player has signed out. */
  dropOf(playerId: string): void {
    this.#keepIf(({ keptFor }) => keptFor !== playerId);
  }

  /** Of what is stored: other tabs keep guests too. */
  #keepIf(stays: (guest: Guest) => boolean): void {
    this.#set(recallGuests().filter(stays));
  }

  #set(guests: Guest[]): void {
    this.#guests = guests;
    remember('guest', guests.length > 0 ? JSON.stringify(guests) : undefined);
  }
}

export const formerGuests = new FormerGuests();
