// A server whose limits hold the machine of the tests too.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { LobbyService } from '../gen/tesela/lobby/v1/lobby_pb.js';
import { Server } from './server.mjs';

/** Runs tests against a server whose limits hold this machine too. */
export function withServer(options, tests) {
  describe(`tesela-server ${options.join(' ')}`, () => {
    const given = {};
    before(async () => {
      given.server = await Server.start('--exempt-addresses', 'none', ...options);
    });
    after(() => given.server.dispose());
    tests(given);
  });
}

/** How many of `count` calls, one after the other, were answered before one was too many. */
export async function untilTooMany(count, call) {
  for (let done = 0; done < count; ++done) {
    try {
      await call(done);
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      assert.equal(code, Code.ResourceExhausted, rawMessage);
      return { done, sentence: rawMessage };
    }
  }
  return { done: count };
}

/** The lobby as a client behind a proxy sees it. */
export function lobbyFor(server, forwardedFor) {
  const interceptor = (next) => (request) => {
    request.header.set('X-Forwarded-For', forwardedFor);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: server.http,
    httpVersion: '1.1',
    interceptors: [interceptor],
  });
  return createClient(LobbyService, transport);
}
