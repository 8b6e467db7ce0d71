// The player of this browser: the guest's token, kept until it expires, and renewed before.
import { recall, remember } from '../base/storage.js';

export interface Player {
  token: string;
  playerId: string;
  displayName: string;
  expiresAtMs: number;
  /** What the token can be renewed with, in base 64. */
  deviceSecret: string;
}

const RENEW_BEFORE_MS = 7 * 24 * 3_600_000;

function recallPlayer(): Player | undefined {
  try {
    const player = JSON.parse(recall('player') ?? 'null') as Player | null;
    return player && player.expiresAtMs > Date.now() ? player : undefined;
  } catch {
    return undefined;
  }
}

class Session {
  player = $state.raw<Player | undefined>(recallPlayer());
  /** The server would not take the token any more: the page says so when it asks for a name
   *  again. */
  expired = $state(false);

  /** How often the server has not allowed something: an operator may have forbidden it. */
  refusals = $state(0);

  get token(): string {
    return this.player?.token ?? '';
  }

  /** The player, if the token should be exchanged by now. */
  get endsSoon(): Player | undefined {
    const { player } = this;
    return player && player.expiresAtMs - Date.now() < RENEW_BEFORE_MS ? player : undefined;
  }

  begin(player: Player): void {
    this.player = player;
    this.expired = false;
    remember('player', JSON.stringify(player));
  }

  /** `token` is accepted no more. Whoever has signed in by another tab meanwhile plays on. */
  end(token: string, expired: boolean): void {
    const { player } = this;
    if (!player || token !== player.token) return;
    const stored = recallPlayer();
    // The same player with another token has renewed it: signing out ends that too.
    const stays =
      stored && (expired ? stored.token !== token : stored.playerId !== player.playerId);
    this.player = stays ? stored : undefined;
    this.expired = expired && !stays;
    if (!stays) remember('player', undefined);
  }
}

export const session = new Session();
