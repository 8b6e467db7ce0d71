// Two servers on one PostgreSQL: a table lives on one of them, and on the other after its death.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@connectrpc/connect';
import { MatchmakingService } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { adminKeyFile } from './harness/admin.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { numberOf, Postgres } from './harness/postgres.mjs';
import { clientProgram, run, Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

const tables = 5;
const leaseMs = 3000;

let postgres;
let ann;
let ben;

before(async () => {
  postgres = await Postgres.start();
  ann = await Server.start(...(await postgres.options()));
  ben = await Server.start(...(await postgres.options()));
});

after(async () => {
  ann?.goOn();
  await ann?.dispose();
  await ben?.dispose();
  await postgres?.dispose();
});

/** Tables of 2048 with their players, who have made ten moves on `server`. */
async function playing(server) {
  const players = [];
  while (players.length < tables) {
    const { tableId, token } = await newTable(server);
    const player = await Player.join(server, tableId, { token });
    await player.playMoves(10);
    players.push(player);
  }
  return players;
}

/** A lobby call that loads the table. */
async function ask(server, { tableId, options }) {
  return lobbyOf(server).joinTable({ tableId }, bearer(options.token));
}

/** Whether another server has the table. */
async function isElsewhere(server, player) {
  try {
    await ask(server, player);
  } catch (error) {
    return error.code === Code.Unavailable && /played on another server/.test(error.message);
  }
  return false;
}

/** Resolves when `server` plays the tables on, where they were. */
async function takeOver(server, players) {
  for (const player of players) {
    await until(async () => !(await isElsewhere(server, player)), 'the table');
  }
  for (const player of players) {
    await player.goOnAt(server);
    await player.playMoves(5);
  }
}

/** Searches for an opponent: an async iterator of what is told. */
async function search(server) {
  const { token } = await signIn(server);
  const matchmaking = clientOf(MatchmakingService, server);
  return matchmaking.find({ game: 'azul' }, bearer(token))[Symbol.asyncIterator]();
}

/** A search that has begun; nothing where it fails because another server matches. */
async function begun(server) {
  const searching = await search(server);
  try {
    assert.equal((await searching.next()).value.update.case, 'searching');
  } catch (error) {
    assert.equal(error.code, Code.Unavailable);
    assert.match(error.message, /Another server finds opponents/);
    return undefined;
  }
  return searching;
}

/** Reads a search to its match. */
async function matched(searching) {
  for (;;) {
    const { value, done } = await searching.next();
    assert.ok(!done);
    if (value.update.case === 'matched') return;
  }
}

test('one server matches; one that starts ends none of its searches', async () => {
  const first = await begun(ann);
  const server = await Server.start(...(await postgres.options()));
  assert.equal(await begun(server), undefined);
  assert.equal(await begun(ben), undefined);
  await server.dispose();
  await Promise.all([matched(first), matched(await search(ann))]);
});

test('a table is played on one server, and the other says so', async () => {
  const [player] = await playing(ann);
  assert.ok(await isElsewhere(ben, player));
  await player.playMoves(5);
});

const isSaid = async (server, line) =>
  (await (await fetch(`${server.http}/metrics`)).text()).split('\n').includes(line);
const isFrozen = (server) => isSaid(server, 'tesela_frozen 1');
const isAway = (server) => isSaid(server, 'tesela_store_away 1');

test('without the database for longer than a lease servers are silent', async () => {
  const [player] = await playing(ann);
  const watcher = await Player.join(ann, player.tableId);
  const other = await Player.join(ann, player.tableId);
  await other.stream.ping();
  await postgres.crash();
  await until(() => isFrozen(ann), 'the end of the lease');
  const told = [watcher, other].map(({ stream }) => stream.received.length);
  const moving = player.playMoves(1);
  const pong = other.stream.ping(); // needs no database
  await sleep(500);
  assert.equal(await ann.readiness(), 200, 'all servers wait for the same database');
  assert.ok(await isAway(ann));
  assert.deepEqual(
    [watcher, other].map(({ stream }) => stream.received.length),
    told,
  );
  await postgres.start();
  await Promise.all([moving, pong]);
  await player.playMoves(5);
  await watcher.reach(player.version);
  assert.deepEqual(watcher.view, player.view);
  assert.equal(await isFrozen(ann), false);
  assert.equal(await isAway(ann), false);
  assert.ok(await isElsewhere(ben, player));
});

test('after a freeze a table whose head is not ours is dropped, others are played on', async () => {
  const [lost, ...others] = await playing(ann);
  const told = lost.stream.received.length;
  await postgres.crash();
  await until(() => isFrozen(ann), 'the end of the lease');
  await postgres.runWhileDown(
    `UPDATE heads SET epoch = epoch + 1 WHERE table_id = ${numberOf(lost.tableId)}`,
  );
  await postgres.start();
  await lost.stream.closed;
  assert.equal(lost.stream.received.length, told, 'nothing is said');
  for (const player of others) {
    await player.playMoves(1);
    assert.ok(player.stream.isOpen);
  }
  const before = lost.welcome.epoch;
  await lost.resume();
  assert.ok(lost.welcome.epoch >= before + 2n);
  await lost.playMoves(5);
});

test('whoever is erased by way of one server is forgotten at the tables of the other', async () => {
  const [player] = await playing(ann);
  const { playerId } = player.seating.seats[0];
  const admin = ['--server', new URL(ben.http).host, '--token-file', adminKeyFile(ben)];
  const erased = await run(clientProgram, ['admin', 'erase', playerId, '--yes', ...admin]);
  assert.equal(erased.code, 0, erased.stderr);
  assert.equal((await player.stream.goodbye()).message, 'This player was erased.');
  const watcher = await Player.join(ann, player.tableId);
  assert.equal(watcher.seating.seats[0].displayName, 'someone');
  const refused = await Stream.open(ann, player.tableId, { token: player.options.token });
  assert.equal((await refused.goodbye()).reason, Reason.UNAUTHENTICATED);
});

test('one server packs the logs of finished games for both', async () => {
  const options = [...(await postgres.options()), '--archive-after', '0ms'];
  const servers = [await Server.start(...options), await Server.start(...options)];
  const { tableId, token } = await newTable(servers[0], { size: 3 });
  const player = await Player.join(servers[0], tableId, { token });
  await player.playToEnd();
  const packed = `SELECT 1 FROM archives WHERE table_id = ${numberOf(tableId)}`;
  await sleep(1500); // more than ten of their intervals
  // The server that has the duty keeps its logs: it was told nothing else.
  assert.deepEqual(await postgres.query(packed), []);
  await Promise.all([ann.terminate(), ben.terminate()]);
  await until(async () => (await postgres.query(packed)).length > 0, 'the packed log');
  await Promise.all(servers.map((server) => server.terminate()));
  for (const server of servers) await server.dispose();
  await Promise.all([ann.start(), ben.start()]);
});

test('a server that was stopped for too long is silent, and begins another life', async () => {
  const players = await playing(ann);
  const watchers = await Promise.all(players.map(({ tableId }) => Player.join(ann, tableId)));
  ann.suspend();
  await sleep(2 * leaseMs);
  await takeOver(ben, players);
  const told = watchers.map(({ stream }) => stream.received.length);
  ann.goOn();
  for (const { stream } of watchers) await stream.closed;
  assert.deepEqual(
    watchers.map(({ stream }) => stream.received.length),
    told,
  );
  assert.match(ann.output, /was declared dead by another server/);
  for (const player of players) await player.playMoves(5);
  await until(async () => !(await isFrozen(ann)), 'another life');
  for (const player of players) assert.ok(await isElsewhere(ann, player));
  await playing(ann);
});

test('after the death of the server that matched, the other one does', async () => {
  let first;
  await until(async () => (first = await begun(ben)), 'the duty');
  await Promise.all([matched(first), matched(await search(ben))]);
});
