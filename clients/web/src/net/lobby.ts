// The lobby over the Connect protocol, with this browser's token.
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt';
import { LobbyService, type StrategyDescription } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { browserName } from '../base/browser_name.js';
import { words } from '../i18n/words.js';
import { session, type Player } from './session.svelte.js';

const authorize: Interceptor = (next) => async (request) => {
  const token = session.token;
  if (token) request.header.set('authorization', `Bearer ${token}`);
  try {
    return await next(request);
  } catch (error) {
    const { code } = ConnectError.from(error);
    if (code === Code.Unauthenticated && token) session.end(token, true);
    if (code === Code.PermissionDenied && token) ++session.refusals;
    throw error;
  }
};

export const transport = createConnectTransport({
  baseUrl: location.origin,
  useBinaryFormat: true,
  interceptors: [authorize],
});

export const lobby = createClient(LobbyService, transport);

const DEVICE_SECRET_BYTES = 32;

const expiryMs = (time?: Timestamp): number => (time ? timestampMs(time) : Number.MAX_SAFE_INTEGER);

/** What a token is bound to, so that this browser can renew it. */
export const newDevice = () => ({
  deviceSecret: crypto.getRandomValues(new Uint8Array(DEVICE_SECRET_BYTES)),
  device: browserName(navigator.userAgent),
});

interface SignedIn {
  token: string;
  playerId: string;
  displayName: string;
  expiresAt?: Timestamp | undefined;
}

/** The player of an answer that is bound to this browser. */
export const playerOf = (answer: SignedIn, deviceSecret: Uint8Array): Player => ({
  token: answer.token,
  playerId: answer.playerId,
  displayName: answer.displayName,
  expiresAtMs: expiryMs(answer.expiresAt),
  deviceSecret: base64Encode(deviceSecret),
});

/** A new guest, bound to this browser. */
export async function signIn(displayName: string): Promise<Player> {
  const device = newDevice();
  return playerOf(await lobby.signIn({ displayName, ...device }), device.deviceSecret);
}

const GUEST_NUMBERS = 9000;

/** A name for who gives none. */
export const guestName = (): string =>
  words().signIn.guest({ number: String(1000 + Math.floor(Math.random() * GUEST_NUMBERS)) });

/** Signs in, as a guest with a number where no name is given. */
export async function enter(name = ''): Promise<void> {
  session.begin(await signIn(name || guestName()));
}

/** Exchanges the token of a guest who is bound to this browser for a fresh one. */
export async function renewToken({ deviceSecret, ...player }: Player): Promise<Player> {
  const { token, expiresAt } = await lobby.renewToken({ deviceSecret: base64Decode(deviceSecret) });
  return { ...player, deviceSecret, token, expiresAtMs: expiryMs(expiresAt) };
}

const known = new Map<string, Promise<StrategyDescription[]>>();

/** The strategies of a game: bots from outside (level 0), then the weakest. Asked for once. */
export function strategiesOf(game: string): Promise<StrategyDescription[]> {
  const all = known.get(game) ?? lobby.listStrategies({ game }).then((answer) => answer.strategies);
  known.set(game, all);
  all.catch(() => known.delete(game));
  return all;
}

/** The names of all games of the server, as far as it lists strategies for them. */
export const gamesOfServer = async (): Promise<string[]> => {
  const { strategies } = await lobby.listStrategies({});
  return [...new Set(strategies.map(({ game }) => game))];
};

/** The one for whoever does not choose: neither weak nor strong, and none from outside. */
export function middleOf(all: readonly StrategyDescription[]): string {
  const own = all.filter(({ level }) => level > 0);
  return own[own.length >> 1]?.name ?? '';
}
