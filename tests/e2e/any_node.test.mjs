// Two servers on one PostgreSQL, with node ports: a stream may come to either of them.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { DatabaseLink } from '../chaos/nodes/database_link.mjs';
import { ann, assertNothingIsLost, ben, postgres } from './harness/ann_and_ben.mjs';
import { games } from './harness/games.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { makeCertificate } from './harness/certificates.mjs';
import { counter } from './harness/metrics.mjs';
import { playing, proof, relayedFor, startNode as start } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { numberOf } from './harness/postgres.mjs';
import { RawSocket } from './harness/raw_socket.mjs';
import { until } from './harness/until.mjs';

// One of the servers has a certificate that was made by nobody.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';

const startNode = (...options) => start(postgres, options);

const relays = (server, outcome) => counter(server, 'tesela_relays_total', { outcome });
const openRelays = (server) => counter(server, 'tesela_relays_open');

/** A relay ends a little later than its client. */
const assertNothingIsRelayed = (server) =>
  until(async () => (await openRelays(server)) === 0, 'the end of the relays');

test('a player who comes to the server without the table plays there to the end', async () => {
  const player = await playing(ann, { size: 3 });
  const before = await relays(ben, 'begun');
  const streams = await counter(ann, 'tesela_streams_open');
  await player.goOnAt(ben);
  assert.equal(await relays(ben, 'begun'), before + 1);
  assert.equal(await openRelays(ben), 1);
  // The stream of before was replaced by the one that is relayed.
  await until(async () => (await counter(ann, 'tesela_streams_open')) === streams, 'its end');
  await player.playToEnd();
  await assertNothingIsLost(player);
  await player.stream.close();
  await assertNothingIsRelayed(ben);
});

test('who watches at one server sees what is played at the other', async () => {
  const player = await playing(ann);
  const watchers = [await Player.join(ann, player.tableId), await Player.join(ben, player.tableId)];
  await player.goOnAt(ben);
  await player.playMoves(20);
  for (const watcher of watchers) {
    await watcher.reach(player.version);
    assert.deepEqual(watcher.view, player.view);
    watcher.stream.cut();
  }
  player.stream.cut();
  await assertNothingIsRelayed(ben);
});

test('both sub-protocols are relayed, and what the owner refuses is refused', async () => {
  const { tableId } = await playing(ann);
  const watcher = await Player.join(ben, tableId, { protocol: 'tesela.v1.json' });
  await watcher.stream.ping();
  const forged = await Player.join(ben, tableId, { token: 'forged' }).catch((error) => error);
  assert.match(forged.message, /expected welcome, got goodbye/);
  watcher.stream.cut();
});

test('a server with a certificate relays as well', async () => {
  const { certificate, key } = await makeCertificate(postgres.folder, 'entry');
  const server = await startNode('--tls-certificate-file', certificate, '--tls-key-file', key);
  const player = await playing(ann);
  await player.goOnAt(server);
  await player.playMoves(20);
  await player.stream.close();
  await server.dispose();
});

test('after kill -9 of the owner the game goes on where the player came in', async () => {
  const server = await startNode();
  const players = [];
  while (players.length < 3) players.push(await playing(server));
  for (const player of players) {
    await player.goOnAt(ben);
    await player.playMoves(10);
  }
  const before = await counter(ben, 'tesela_takeovers_total');
  const killed = Date.now();
  await server.kill();
  await Promise.all(players.map(({ stream }) => stream.closed));
  // Nobody waits for anything: the server holds the streams.
  await Promise.all(players.map((player) => player.goOnAt(ben)));
  console.log(`the tables are played on ${Date.now() - killed} ms after kill -9`);
  assert.equal(await counter(ben, 'tesela_takeovers_total'), before + players.length);
  assert.equal(ben.output.match(/ table taken over table=\w{13}\n/g).length, players.length);
  for (const player of players) {
    await player.playMoves(10);
    await assertNothingIsLost(player);
  }
  // Now they are ben's, and who comes to ann gets them from there.
  const relayed = await relays(ann, 'begun');
  await players[0].goOnAt(ann);
  await players[0].playMoves(5);
  assert.equal(await relays(ann, 'begun'), relayed + 1);
  await server.dispose();
});

test('who came through a server that stands still is away when it is declared dead', async (t) => {
  const server = await startNode();
  t.after(() => server.dispose());
  const { token } = await signIn(ann);
  const { config, choose } = games.azul;
  const options = { clock: { moveMs: 3_600_000 } };
  const { table } = await lobbyOf(ann).createTable(
    { game: 'azul', config, options, bots: [{ strategy: 'safe' }] },
    bearer(token),
  );
  const watcher = await Player.join(ann, table.tableId);
  const player = await Player.join(server, table.tableId, { token });
  while (!player.turn.includes(player.seat)) await player.step();
  const isThere = () => watcher.seating.seats[0].connected;
  while (!isThere()) await watcher.step();
  const streams = await counter(ann, 'tesela_streams_open');
  server.suspend();
  await until(async () => (await counter(ann, 'tesela_streams_open')) < streams, 'its end');
  const frames = [];
  while (isThere()) frames.push(await watcher.step());
  const clocks = frames.findLast(({ kind }) => kind === 'clocks');
  assert.equal(clocks.value.deadlineMs, undefined, 'the turn begins again for who comes back');
  const { stream } = player;
  await player.goOnAt(ben);
  // The stream of before ends when its server goes on.
  server.goOn();
  await stream.closed;
  await player.playBody(choose(player.view, 0));
  player.stream.cut();
  watcher.stream.cut();
});

test('a server that was killed and starts at once again does not have its tables', async (t) => {
  const server = await startNode();
  t.after(() => server.dispose());
  const player = await playing(server);
  await player.goOnAt(ben);
  const refused = await relays(ben, 'wrong_owner');
  const takeovers = await counter(ben, 'tesela_takeovers_total');
  const killed = Date.now();
  await server.kill();
  await player.stream.closed;
  // A server that finds its data says that its life before is over. This one does not.
  await rm(server.data, { recursive: true });
  await server.start();
  const wasSoon = Date.now() - killed < 1000; // long before its lease is over
  await player.goOnAt(ben);
  console.log(`the table is played on ${Date.now() - killed} ms after kill -9`);
  if (wasSoon) assert.ok((await relays(ben, 'wrong_owner')) > refused + 1);
  assert.equal(await counter(ben, 'tesela_takeovers_total'), takeovers + 1);
  await assertNothingIsRelayed(ben);
  await player.playMoves(5);
  await assertNothingIsLost(player);
});

test('who comes while the owner does not reach the database plays on elsewhere', async () => {
  const link = await DatabaseLink.start(postgres);
  const server = await start(postgres, [], { database: link.url });
  const player = await playing(server);
  await player.goOnAt(ben); // which remembers the owner
  link.hold();
  await until(async () => (await counter(server, 'tesela_frozen')) === 1, 'the end of the lease');
  await player.goOnAt(ben);
  await player.playMoves(5);
  await assertNothingIsLost(player);
  player.stream.cut();
  link.release();
  await server.dispose();
  await link.close();
});

test('a server that stops ends what it relays, and the game goes on elsewhere', async () => {
  const server = await startNode();
  const player = await playing(ann);
  await player.goOnAt(server);
  assert.deepEqual(await server.terminate(), { code: 0, signal: null });
  await player.stream.closed;
  await player.goOnAt(ann);
  await player.playMoves(5);
  await server.dispose();
});

test('a table at which nobody is any more is served where the next stream comes in', async () => {
  const server = await startNode('--table-idle', '100ms');
  const player = await playing(server);
  await player.goOnAt(ben); // ben remembers the owner
  await player.stream.close();
  const owned = `SELECT 1 FROM heads WHERE table_id = ${numberOf(player.tableId)} AND life <> 0`;
  await until(async () => (await postgres.query(owned)).length === 0, 'the table');
  const before = await relays(ben, 'wrong_owner');
  await player.goOnAt(ben);
  assert.equal(await relays(ben, 'wrong_owner'), before + 1);
  await assertNothingIsRelayed(ben);
  await player.playMoves(5);
  await server.dispose();
});

const atNode = ({ nodePort }, tableId, headers) =>
  RawSocket.upgrade({ httpPort: nodePort }, tableId, { headers });

test('what was relayed is not relayed again', async () => {
  const { tableId } = await playing(ann);
  const before = await relays(ben, 'begun');
  assert.equal((await atNode(ben, tableId, relayedFor)).status, 421);
  assert.equal(await relays(ben, 'begun'), before);
  assert.equal((await atNode(ann, tableId, relayedFor)).status, 101);
});

test('a stranger at the node port is refused', async () => {
  const { tableId } = await playing(ann);
  const before = await relays(ann, 'stranger');
  assert.equal((await atNode(ann, tableId, {})).status, 403);
  const guess = { ...relayedFor, 'Tesela-Node-Proof': proof.replace(/./, '_') };
  assert.equal((await atNode(ann, tableId, guess)).status, 403);
  assert.equal(await relays(ann, 'stranger'), before + 2);
});

test('at the port of clients nobody is believed to be a server', async () => {
  const { tableId } = await playing(ann);
  const before = await relays(ben, 'begun');
  const client = await RawSocket.upgrade(ben, tableId, { headers: relayedFor });
  assert.equal(client.status, 101);
  assert.equal(await relays(ben, 'begun'), before + 1);
});

test('a server with another node secret is refused', async () => {
  await assert.rejects(start(postgres, [], { key: 'o'.repeat(32) }), /another node secret/);
});
