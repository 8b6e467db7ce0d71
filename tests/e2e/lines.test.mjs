// Lines that die without a word, as when a machine loses its network: what they held is free again,
// and nobody is paired with them. And lines on which nothing happens, which no proxy may cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { MatchmakingService, Mode, Pace } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { FarMachine } from './harness/far_machine.mjs';
import { Haproxy } from './harness/haproxy.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { startNode } from './harness/node.mjs';
import { come, isListed } from './harness/outside_bots.mjs';
import { Postgres } from './harness/postgres.mjs';
import { Server } from './harness/server.mjs';
import { Tap } from './harness/tap.mjs';
import { until } from './harness/until.mjs';

// What must be over when, in milliseconds after a line has died.
const pairedMaxMs = 12_000;
const endedMaxMs = 30_000;
const watchesOfPlayer = 10;
// After a minute of silence many proxies cut a line.
const quietMaxMs = 60_000;

const overHttp = 'Connect with protobuf';
const transports = [overHttp, 'gRPC'];
const skip = await FarMachine.skip();

/** Who searches with one of these meets nobody who searches with another one. */
const queues = [Pace.QUICK, Pace.NORMAL, Pace.DAYS].flatMap((pace) =>
  [Mode.CASUAL, Mode.RANKED].map((mode) => ({ game: 'azul', mode, pace })),
);

/** The first that a search hears: whom it meets at once, or that it waits. */
async function firstNews(server, request, transport = overHttp) {
  const { token } = await signIn(server);
  const hangUp = new AbortController();
  const options = { ...bearer(token), signal: hangUp.signal };
  try {
    for await (const { update } of clientOf(MatchmakingService, server, transport).find(
      request,
      options,
    )) {
      return update.case;
    }
  } finally {
    hangUp.abort();
  }
}

/** Begins to watch: the code of the refusal; undefined when a table was told. */
async function watchOnce(server, { token }, transport) {
  const hangUp = new AbortController();
  const options = { ...bearer(token), signal: hangUp.signal };
  try {
    for await (const { table } of lobbyOf(server, transport).watchTables({}, options)) {
      assert.ok(table);
      return undefined;
    }
  } catch (error) {
    return ConnectError.from(error).code;
  } finally {
    hangUp.abort();
  }
}

test('every kind of stream ends when its line is dead', { skip }, async (t) => {
  const server = await Server.start('--ping-interval', '4s', '--exempt-addresses', 'none');
  t.after(() => server.dispose());
  const far = await FarMachine.start();
  t.after(() => far.dispose());
  const { tableId } = await newTable(server);
  const watchers = await Promise.all(transports.map(() => signIn(server)));
  const bot = await signIn(server);
  for (const [n, transport] of transports.entries()) {
    const { token } = watchers[n];
    await far.open({ kind: 'watch', transport, token, count: watchesOfPlayer }, server);
    const searcher = await signIn(server);
    const search = { kind: 'find', transport, token: searcher.token, request: queues[n] };
    await far.open(search, server);
  }
  const offered = { game: 'azul', name: 'far' };
  await far.open({ kind: 'bot', token: bot.token, request: offered }, server);
  await far.open({ kind: 'table', request: { tableId } }, server);
  const isFull = async (n) =>
    (await watchOnce(server, watchers[n], transports[n])) === Code.ResourceExhausted;
  for (const n of transports.keys()) assert.ok(await isFull(n), transports[n]);
  assert.ok(await isListed(server, 'ext/far'));

  await far.cut();
  const died = performance.now();
  await sleep(pairedMaxMs);
  for (const [n, transport] of transports.entries()) {
    assert.equal(await firstNews(server, queues[n], transport), 'searching', transport);
  }
  for (const n of transports.keys()) {
    await until(async () => !(await isFull(n)), `a place of watches over ${transports[n]}`);
  }
  await until(async () => !(await isListed(server, 'ext/far')), 'the end of the bot');
  await until(async () => (await counter(server, 'tesela_streams_open')) === 0);
  const waited = performance.now() - died;
  assert.ok(waited < endedMaxMs, `${waited} ms`);
});

test('nobody is paired with a dead line by way of a server or HAProxy', { skip }, async (t) => {
  const postgres = await Postgres.start();
  t.after(() => postgres.dispose());
  const servers = [];
  t.after(() => Promise.all(servers.map((server) => server.dispose())));
  const options = ['--trusted-proxies', '127.0.0.1'];
  while (servers.length < 3) servers.push(await startNode(postgres, options));
  const proxy = await Haproxy.start(servers, '0.0.0.0');
  t.after(() => proxy.dispose());
  const far = await FarMachine.start();
  t.after(() => far.dispose());
  const ways = [...servers, proxy];
  for (const [n, way] of ways.entries()) {
    const { token } = await signIn(servers[0]);
    const search = { kind: 'find', transport: overHttp, token, request: queues[n] };
    await far.open(search, way);
  }
  const alive = firstNews(servers[0], queues[0]);
  assert.equal(await alive, 'matched', 'a search whose line is alive is paired');

  await far.cut();
  await sleep(pairedMaxMs);
  for (const n of ways.keys()) {
    if (n > 0) assert.equal(await firstNews(servers[0], queues[n]), 'searching', `way ${n}`);
  }
});

test('something is sent on every stream on which nothing happens', async (t) => {
  const server = await Server.start();
  t.after(() => server.dispose());
  const tap = await Tap.on(server);
  t.after(() => tap.close());
  const ada = await signIn(server);
  const hangUp = new AbortController();
  t.after(() => hangUp.abort());
  const signal = AbortSignal.any([hangUp.signal, AbortSignal.timeout(quietMaxMs)]);
  const options = { ...bearer(ada.token), signal };
  const alone = { code: 'of Ada and Bob', size: 2 };
  const streams = [
    ...transports.map((transport) => lobbyOf(server, transport).watchTables({}, options)),
    clientOf(MatchmakingService, server).find({ ...queues[0], party: alone }, options),
  ].map((stream) => stream[Symbol.asyncIterator]());
  const first = await streams.at(-1).next();
  assert.equal(first.value.update.value.partyPresent, 1);
  const bot = come(t, tap, ada.token, 'quiet');
  await bot.accepted;
  const heard = tap.heard().length;

  const [, , search] = await Promise.all(
    streams.map(async (stream) => {
      const { value } = await stream.next();
      assert.equal(value.table, undefined);
      return value;
    }),
  );
  assert.equal(search.update.value.partyPresent, 1);
  await until(() => tap.heard().length > heard, 'a ping for the bot');
});
