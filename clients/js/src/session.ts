// Who plays: a guest's token, kept, renewed before it ends, and forgotten when it was revoked.
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import {
  Code,
  ConnectError,
  createClient,
  type Client,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { LobbyService } from './gen/tesela/lobby/v1/lobby_pb.js';
import { endSilence } from './silence.js';

/** Keeps texts between visits: localStorage, or anything alike. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** A player and the secrets of this client. */
export interface Player {
  token: string;
  playerId: string;
  displayName: string;
  /** Unix time. */
  expiresAtMs: number;
  /** What the token can be renewed with, in base 64. */
  deviceSecret: string;
}

const KEY = 'tesela.player';
const RENEW_BEFORE_MS = 7 * 24 * 3_600_000;
const DEVICE_SECRET_BYTES = 32;

/** A store for who keeps nothing. */
export function memoryStore(): Store {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

export class Session {
  readonly transport: Transport;
  readonly lobby: Client<typeof LobbyService>;
  readonly #store: Store;
  readonly #key: string;
  readonly #revoked: () => void;
  #player: Player | undefined;
  #renewing = false;

  /** `revoked`: the server takes the token no more. */
  constructor(url: string, store: Store, revoked: () => void) {
    this.#store = store;
    this.#key = `${KEY}@${url}`;
    this.#revoked = revoked;
    this.#player = this.#recall();
    const interceptors = [this.#authorize, endSilence];
    this.transport = createConnectTransport({ baseUrl: url, useBinaryFormat: true, interceptors });
    this.lobby = createClient(LobbyService, this.transport);
  }

  get player(): Player | undefined {
    return this.#player;
  }

  /** Goes on as the player whom the store knows, else as a new guest. */
  async begin(displayName: string, device: string): Promise<void> {
    if (this.#player) return;
    const deviceSecret = crypto.getRandomValues(new Uint8Array(DEVICE_SECRET_BYTES));
    const answer = await this.lobby.signIn({ displayName, deviceSecret, device });
    this.#keep({
      token: answer.token,
      playerId: answer.playerId,
      displayName: answer.displayName,
      expiresAtMs: answer.expiresAt ? timestampMs(answer.expiresAt) : Number.MAX_SAFE_INTEGER,
      deviceSecret: base64Encode(deviceSecret),
    });
  }

  /** Forgets the player. */
  end(): void {
    if (!this.#player) return;
    this.#player = undefined;
    this.#remember(undefined);
    this.#revoked();
  }

  readonly #authorize: Interceptor = (next) => async (request) => {
    const player = this.#player;
    if (player) {
      request.header.set('authorization', `Bearer ${player.token}`);
      void this.#renewInTime(player);
    }
    try {
      return await next(request);
    } catch (error) {
      if (player && ConnectError.from(error).code === Code.Unauthenticated) this.end();
      throw error;
    }
  };

  async #renewInTime(player: Player): Promise<void> {
    if (this.#renewing || player.expiresAtMs - Date.now() > RENEW_BEFORE_MS) return;
    this.#renewing = true;
    try {
      const deviceSecret = base64Decode(player.deviceSecret);
      const { token, expiresAt } = await this.lobby.renewToken({ deviceSecret });
      const expiresAtMs = expiresAt ? timestampMs(expiresAt) : Number.MAX_SAFE_INTEGER;
      if (this.#player === player) this.#keep({ ...player, token, expiresAtMs });
    } catch {
      // The next call tries again.
    } finally {
      this.#renewing = false;
    }
  }

  #keep(player: Player): void {
    this.#player = player;
    this.#remember(JSON.stringify(player));
  }

  #remember(text: string | undefined): void {
    try {
      if (text === undefined) this.#store.removeItem(this.#key);
      else this.#store.setItem(this.#key, text);
    } catch {
      // Private windows may refuse: the player is forgotten with the page.
    }
  }

  #recall(): Player | undefined {
    try {
      const player = JSON.parse(this.#store.getItem(this.#key) ?? 'null') as Player | null;
      return player && player.expiresAtMs > Date.now() ? player : undefined;
    } catch {
      return undefined;
    }
  }
}
