// How many live tables one player and one address may have.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { LobbyService } from './gen/tesela/lobby/v1/lobby_pb.js';
import { MatchmakingService } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { resign } from './harness/games.mjs';
import { bearer, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';

let server;
before(async () => {
  server = await Server.start(
    ...['--live-tables-per-player', '2', '--live-tables-per-address', '3'],
    ...['--exempt-addresses', 'none', '--trusted-proxies', '127.0.0.0/8'],
  );
});
after(() => server.dispose());

/** A service as a client at `address` sees it, behind a proxy of ours. */
function serviceFor(service, address) {
  const forward = (next) => (request) => {
    request.header.set('X-Forwarded-For', address);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: server.http,
    httpVersion: '1.1',
    interceptors: [forward],
  });
  return createClient(service, transport);
}

/** Makes tables until one is too many, four at most: { made, sentence }. */
async function make(address, { token }) {
  const made = [];
  while (made.length < 4) {
    try {
      const lobby = serviceFor(LobbyService, address);
      const { table } = await lobby.createTable({ game: '2048' }, bearer(token));
      made.push(table.tableId);
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      assert.equal(code, Code.ResourceExhausted, rawMessage);
      return { made, sentence: rawMessage };
    }
  }
  return { made };
}

test('a player and an address have so many live tables, and are told the number', async () => {
  const [ada, bea, cyd] = await Promise.all(
    ['Ada', 'Bea', 'Cyd'].map((name) => signIn(server, name)),
  );
  const player = await make('192.0.2.1', ada);
  assert.equal(player.made.length, 2);
  assert.match(player.sentence, /You have 2 tables.*as many as one player may/);
  const address = await make('192.0.2.1', bea);
  assert.equal(address.made.length, 1);
  assert.match(address.sentence, /Your address has 3 tables.*as many as one address may/);
  // Who searches would have one more.
  const matchmaking = serviceFor(MatchmakingService, '192.0.2.4');
  const search = matchmaking.find({ game: 'azul', mode: 1 }, bearer(ada.token));
  await assert.rejects(search[Symbol.asyncIterator]().next(), /You have 2 tables/);
  assert.equal((await make('192.0.2.2', cyd)).made.length, 2);
});

test('a game that is over makes room', async () => {
  const eve = await signIn(server, 'Eve');
  const { made } = await make('192.0.2.3', eve);
  assert.equal(made.length, 2);
  const player = await Player.join(server, made[0], { token: eve.token });
  await player.playBody(resign, {});
  assert.equal((await make('192.0.2.3', eve)).made.length, 1);
});
