// Who plays in this browser: the guest's token, kept until it expires.
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { SignInResponse } from './gen/tesela/lobby/v1/lobby_pb.js';
import { recall, remember } from './storage.js';

export interface Player {
  token: string;
  playerId: string;
  displayName: string;
  expiresAtMs: number;
}

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
  /** The server would not take the token any more: the page says so when it asks for a name again. */
  expired = $state(false);

  get token(): string {
    return this.player?.token ?? '';
  }

  begin(response: SignInResponse): void {
    const expiresAtMs = response.expiresAt ? timestampDate(response.expiresAt).getTime() : Number.MAX_SAFE_INTEGER;
    const { token, playerId, displayName } = response;
    this.player = { token, playerId, displayName, expiresAtMs };
    this.expired = false;
    remember('player', JSON.stringify(this.player));
  }

  end(expired: boolean): void {
    this.player = undefined;
    this.expired = expired;
    remember('player', undefined);
  }
}

export const session = new Session();
