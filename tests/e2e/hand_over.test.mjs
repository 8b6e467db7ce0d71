// Servers on one PostgreSQL, with node ports, that stop and are replaced: their tables are handed
// over to the others one by one, and nobody who plays loses a move or time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@connectrpc/connect';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { adminOf } from './harness/admin.mjs';
import {
  adminKey,
  ann,
  assertNothingIsLost,
  ben,
  options,
  postgres,
} from './harness/ann_and_ben.mjs';
import { azul } from './harness/games.mjs';
import { Haproxy } from './harness/haproxy.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { ownerOf, playing, startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { numberOf } from './harness/postgres.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { clientProgram, run } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

const handedOver = (server) => counter(server, 'tesela_tables_handed_over_total');
const relays = (server, outcome) => counter(server, 'tesela_relays_total', { outcome });
const owner = (servers, { tableId }) => ownerOf(postgres, servers, tableId);

/** Says Goodbye that the table moves: how long the client is to wait. */
async function assertMoved(stream) {
  const goodbye = await stream.goodbye();
  assert.equal(Reason[goodbye.reason], 'TABLE_MOVED');
  assert.ok(goodbye.reconnect);
  assert.ok(goodbye.reconnectAfterMs <= 200);
  assert.equal(goodbye.close.code, 1013);
  return goodbye.reconnectAfterMs;
}

test('a server that stops hands its tables over, and they are played on at once', async () => {
  const server = await startNode(postgres, options);
  const players = [];
  while (players.length < 20) players.push(await playing(server));
  const stopped = server.terminate();
  for (const player of players) {
    await assertMoved(player.stream);
    // The table is nobody's by now: no other server has to wait for the end of this one.
    await player.goOnAt(ben);
    assert.equal(await owner([ben], player), ben);
  }
  assert.deepEqual(await stopped, { code: 0, signal: null });
  assert.match(server.output, /tables were given up tables=20 ms=\d+/);
  for (const player of players) {
    assert.match(server.output, new RegExp(`table handed over table=${player.tableId}`));
    await player.playMoves(3);
    await assertNothingIsLost(player);
    player.stream.cut();
  }
  await server.dispose();
});

test('a stream that is relayed is told as well, and comes back where it came in', async () => {
  const server = await startNode(postgres, options);
  const player = await playing(server);
  await player.goOnAt(ben);
  const stopped = server.terminate();
  await assertMoved(player.stream);
  const takeovers = await counter(ben, 'tesela_takeovers_total');
  await player.goOnAt(ben);
  assert.equal(await owner([ben], player), ben);
  assert.equal(await counter(ben, 'tesela_takeovers_total'), takeovers);
  await player.playMoves(3);
  await assertNothingIsLost(player);
  player.stream.cut();
  await stopped;
  await server.dispose();
});

test('a server that was drained takes no table, and passes on what others have taken', async () => {
  const server = await startNode(postgres, options);
  const moved = await playing(server);
  const left = await playing(server);
  await adminOf(server, adminKey).drain();
  assert.equal(await server.readiness(), 503);
  await Promise.all([moved, left].map(({ stream }) => assertMoved(stream)));
  await moved.goOnAt(ben);
  const begun = await relays(server, 'begun');
  await moved.goOnAt(server);
  assert.equal(await relays(server, 'begun'), begun + 1);
  await moved.playMoves(3);
  const calls = await relays(server, 'call');
  const { token } = moved.options;
  await lobbyOf(server).joinTable({ tableId: moved.tableId }, bearer(token));
  assert.equal(await relays(server, 'call'), calls + 1);
  // Nobody has the other one.
  const stream = await Stream.open(server, left.tableId, { token: left.options.token });
  await assertMoved(stream);
  assert.equal(await owner([server, ben], left), undefined);
  await assertRefused(
    () => lobbyOf(server).joinTable({ tableId: left.tableId }, bearer(left.options.token)),
    Code.Unavailable,
    /moves to another server/,
  );
  await left.goOnAt(ben);
  await left.playMoves(3);
  for (const player of [moved, left]) {
    await assertNothingIsLost(player);
    player.stream.cut();
  }
  assert.deepEqual(await server.terminate(), { code: 0, signal: null });
  await server.dispose();
});

test('a drain is taken back: the server has tables again, and its streams', async () => {
  const server = await startNode(postgres, options);
  const player = await playing(server);
  const operator = adminOf(server, adminKey);
  await operator.drain();
  await assertMoved(player.stream);
  await player.goOnAt(ben);
  await adminOf(ben, adminKey).undrain({ node: `127.0.0.1:${server.nodePort}` });
  await operator.undrain(); // once more is no harm
  assert.equal(await server.readiness(), 200);
  const { draining, ready } = await operator.getStatus();
  assert.deepEqual([draining, ready], [false, true]);
  const made = await playing(server);
  assert.equal(await owner([server, ben], made), server);
  const watch = lobbyOf(server).watchTables({ filter: {} }, bearer(made.options.token));
  assert.ok((await watch[Symbol.asyncIterator]().next()).value);
  // Another server's table comes where its player is, as to any server.
  await leave(player, ben);
  await sleep(5500); // ben may have it for so long
  await player.goOnAt(server);
  assert.equal(await owner([server, ben], player), server);
  await player.playMoves(3);

  await operator.drain();
  await Promise.all([made, player].map(({ stream }) => assertMoved(stream)));
  for (const each of [made, player]) {
    await each.goOnAt(ben);
    await assertNothingIsLost(each);
    each.stream.cut();
  }
  assert.deepEqual(await server.terminate(), { code: 0, signal: null });
  await server.dispose();
});

test('the time until the table is played on is not the player’s on turn', async () => {
  const gameMs = 600_000;
  const waitedMs = 3000;
  const server = await startNode(postgres, options);
  const host = await signIn(server, 'Ada');
  const { table } = await lobbyOf(server).createTable(
    { game: 'azul', config: azul(2).config, options: { clock: { gameMs } } },
    bearer(host.token),
  );
  const { tableId } = table;
  const guest = await signIn(server, 'Bob');
  await lobbyOf(server).joinTable({ tableId }, bearer(guest.token));
  const players = [];
  for (const { token } of [host, guest]) {
    players.push(await Player.join(server, tableId, { token }));
  }
  await sleep(waitedMs); // on turn
  const stopped = server.terminate();
  await Promise.all(players.map(({ stream }) => assertMoved(stream)));
  for (const player of players) await player.goOnAt(ben);
  const [seat] = players[0].turn;
  const onTurn = players.find((player) => player.seat === seat);
  const { clocks } = await onTurn.playBody(azul(2).choose(onTurn.view, 0));
  assert.ok(gameMs - Number(clocks.leftMs[seat]) < waitedMs, `left: ${clocks.leftMs}`);
  for (const { stream } of players) stream.cut();
  await stopped;
  await server.dispose();
});

/** A table of bots alone: its id, and how many of its events are stored. */
async function tableOfBots(server) {
  const { token } = await signIn(server);
  const bots = [{ strategy: 'random' }, { strategy: 'random' }];
  const { config } = azul(2);
  const { table } = await lobbyOf(server).createTable(
    { game: 'azul', config, watchOnly: true, bots, options: { botPaceMs: 400 } },
    bearer(token),
  );
  const events = `SELECT count(*) FROM events WHERE table_id = ${numberOf(table.tableId)}`;
  return {
    tableId: table.tableId,
    stored: async () => Number((await postgres.query(events))[0]),
  };
}

test('tables of bots alone go on at another server after an orderly end', async () => {
  const server = await startNode(postgres);
  const { stored } = await tableOfBots(server);
  await until(async () => (await stored()) > 1, 'a move of the bots');
  await server.terminate();
  const before = await stored();
  await until(async () => (await stored()) > before, 'a move elsewhere');
  await server.dispose();
});

/** Closes the player's stream at a server, which has noticed it then. */
async function leave(player, server) {
  const streams = () => counter(server, 'tesela_streams_open');
  const open = await streams();
  await player.stream.close();
  await until(async () => (await streams()) < open, 'the end of the stream');
}

test('tables of bots that somebody watched go on, though nobody comes back', async () => {
  const server = await startNode(postgres, options);
  const { tableId, stored } = await tableOfBots(server);
  const watcher = await Stream.open(server, tableId);
  await until(async () => (await stored()) > 1, 'a move of the bots');
  // The server does not end: its life is no dead one.
  const drained = adminOf(server, adminKey).drain();
  await assertMoved(watcher);
  await drained;
  const before = await stored();
  await until(async () => (await stored()) > before, 'a move elsewhere');
  await server.dispose();
});

test('a table without connections moves where its first stream comes in', async () => {
  const player = await playing(ann);
  const before = await Promise.all([handedOver(ann), relays(ben, 'begun')]);
  // Not within five seconds of its load: whoever knows its id could have it loaded again and again.
  await leave(player, ann);
  await player.goOnAt(ben);
  assert.equal(await owner([ann, ben], player), ann);
  assert.equal(await relays(ben, 'begun'), ++before[1]);
  await leave(player, ann);
  await sleep(5000);
  await player.goOnAt(ben);
  assert.equal(await owner([ann, ben], player), ben);
  assert.equal(await handedOver(ann), before[0] + 1);
  assert.equal(await relays(ben, 'begun'), before[1]);
  await player.playMoves(3);
  // With somebody there it stays where it is.
  const watcher = await Player.join(ann, player.tableId);
  assert.equal(await owner([ann, ben], player), ben);
  await watcher.stream.ping();
  await assertNothingIsLost(player);
  for (const { stream } of [player, watcher]) stream.cut();
});

test('tesela load plays on at tables that have moved', async () => {
  const server = await startNode(postgres, ['--trusted-proxies', '127.0.0.1']);
  const proxy = await Haproxy.start([server, ann, ben]);
  const address = `127.0.0.1:${proxy.httpPort}`;
  const streams = async () => counter(server, 'tesela_streams_open');
  // None of its tables may be of the server's share.
  let load;
  for (let over = true; over;) {
    over = false;
    load = run(clientProgram, [
      ...['load', '--server', address, '--tables', '12', '--rate', '10', '--duration', '8'],
    ]).finally(() => (over = true));
    await until(async () => over || (await streams()) > 0, 'a stream of the load');
  }
  await sleep(1000);
  await server.terminate();
  const moved = Number(/tables were given up tables=(\d+)/.exec(server.output)?.[1] ?? 0);
  assert.ok(moved > 0, server.output);
  const { code, stdout, stderr } = await load;
  assert.equal(code, 0, stderr);
  assert.match(stdout, / errors 0 /, `${stdout}${stderr}`);
  await proxy.dispose();
  await server.dispose();
});
