// The lobby over the Connect protocol, with this browser's token.
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { LobbyService } from './gen/tesela/lobby/v1/lobby_pb.js';
import { session } from './session.svelte.js';

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

/** What a failed call means to a player. */
export type Failure = 'unreachable' | 'not_found' | 'signed_out' | { sentence: string };

export function failureOf(error: unknown): Failure {
  const { code, rawMessage } = ConnectError.from(error);
  switch (code) {
    case Code.Unavailable:
    case Code.Unknown:
    case Code.DeadlineExceeded:
    case Code.Canceled:
      return 'unreachable';
    case Code.NotFound:
      return 'not_found';
    case Code.Unauthenticated:
      return 'signed_out';
    default:
      return { sentence: rawMessage };
  }
}
