// The lobby over the Connect protocol, with this browser's token.
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { timestampMs, type Any } from '@bufbuild/protobuf/wkt';
import { LobbyService } from './gen/tesela/lobby/v1/lobby_pb.js';
import { router, tablePath } from './route.svelte.js';
import { session, type Player } from './session.svelte.js';

const authorize: Interceptor = (next) => async (request) => {
  const token = session.token;
  if (token) request.header.set('authorization', `Bearer ${token}`);
  try {
    return await next(request);
  } catch (error) {
    if (ConnectError.from(error).code === Code.Unauthenticated && token) session.end(true);
    throw error;
  }
};

export const lobby = createClient(
  LobbyService,
  createConnectTransport({
    baseUrl: location.origin,
    useBinaryFormat: true,
    interceptors: [authorize],
  }),
);

/** A new guest. */
export async function signIn(name: string): Promise<Player> {
  const { token, playerId, displayName, expiresAt } = await lobby.signIn({ displayName: name });
  const expiresAtMs = expiresAt ? timestampMs(expiresAt) : Number.MAX_SAFE_INTEGER;
  return { token, playerId, displayName, expiresAtMs };
}

/** Makes a table (without a configuration: of the game's defaults) and goes there. */
export async function newTable(game: string, config?: Any): Promise<void> {
  const { table } = await lobby.createTable(config ? { game, config } : { game });
  if (table) router.go(tablePath(table.tableId));
}
