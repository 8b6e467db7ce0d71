// Servers on one PostgreSQL have one lobby: who watches tables at one of them sees what happens at
// the others.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { ann, ben, postgres } from './harness/ann_and_ben.mjs';
import { azul, resign } from './harness/games.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { listed, LobbyWatch } from './harness/lobby_watch.mjs';
import { counter } from './harness/metrics.mjs';
import { ownerOf, playing, startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { until } from './harness/until.mjs';

const leaseMs = 3000;

/** An open table of Azul, made at `server`, with its host. */
async function makeTable(server, seats = 2) {
  const host = await signIn(server, 'Ada');
  const { table } = await lobbyOf(server).createTable(
    { game: 'azul', config: azul(seats).config },
    bearer(host.token),
  );
  return { tableId: table.tableId, host };
}

/** The same, where the host has come to `server`, which has it therefore. */
async function openTable(server, seats) {
  const { tableId, host } = await makeTable(server, seats);
  const player = await Player.join(server, tableId, { token: host.token });
  return { tableId, host, player };
}

/** Somebody takes a seat by way of `server`. */
async function takeSeat(server, tableId) {
  const guest = await signIn(server, 'Bob');
  await lobbyOf(server).joinTable({ tableId }, bearer(guest.token));
  return guest;
}

/** All but one give up: `player`, and the guests but the first. */
async function giveUp(player, ...guests) {
  const quitters = [player];
  for (const { token } of guests.slice(1)) {
    quitters.push(await Player.join(player.server, player.tableId, { token }));
  }
  for (const [quit, quitter] of quitters.entries()) {
    await quitter.reach(BigInt(1 + quit));
    quitter.stream.play(resign, { atVersion: quitter.version });
  }
  while (!player.result) await player.step();
  for (const quitter of quitters.slice(1)) quitter.stream.cut();
}

/** Resolves when the watch shows what the lists of these servers say. */
async function agrees(watch, ...servers) {
  for (const server of servers) {
    let lists;
    const same = async () => isDeepStrictEqual(watch.tables, (lists = await listed(server)));
    const wrong = () => JSON.stringify([watch.tables, lists], null, 1);
    await until(same, 'what the lists say').catch((error) => {
      throw new Error(`${error.message}: ${wrong()}`);
    });
  }
}

test('a table is made, joined, begun and ended at one server, and seen at the other', async () => {
  const watch = new LobbyWatch(ann);
  const times = [];
  const seen = async (...shown) => {
    const since = Date.now();
    await until(() => watch.knows(...shown), shown.join(' '));
    times.push(Date.now() - since);
  };
  const { tableId, player } = await openTable(ben, 3);
  await seen(tableId, 'OPEN', 1);
  const second = await takeSeat(ben, tableId);
  await seen(tableId, 'OPEN', 2);
  const third = await takeSeat(ann, tableId); // which passes the call on
  await seen(tableId, 'IN_PLAY', 3);
  assert.equal(await ownerOf(postgres, [ann, ben], tableId), ben);
  await giveUp(player, second, third);
  await agrees(watch, ann, ben);
  assert.deepEqual(watch.states[tableId].slice(0, 2), ['OPEN', 'IN_PLAY']);
  console.log(`seen at the other server after ${times.join(', ')} ms`);
  assert.equal(watch.again, 0);
  player.stream.cut();
  await watch.close();
});

test('who watches open tables hears of those that have left them, however fast', async () => {
  const watch = new LobbyWatch(ann, { state: TableState.OPEN });
  const left = [];
  for (let n = 0; n < 8; n += 1) {
    const { tableId, player } = await openTable(ben);
    if (n % 2 === 0) await until(() => watch.knows(tableId, 'OPEN', 1), 'the table');
    await takeSeat(ben, tableId);
    await giveUp(player);
    player.stream.cut();
    left.push(tableId);
  }
  // What was changed before it was read before it.
  const last = await makeTable(ben);
  await until(() => watch.knows(last.tableId, 'OPEN', 1), 'the last table');
  for (const tableId of left) assert.notEqual(watch.tables[tableId]?.state, 'OPEN');
  assert.equal(watch.again, 0);
  await watch.close();
});

test('without the signals of the servers changes are seen all the same', async () => {
  const watch = new LobbyWatch(ann);
  const before = await counter(ann, 'tesela_lobby_changes_total');
  await postgres.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^(LISTEN|NOTIFY)'",
  );
  const { tableId, player } = await openTable(ben);
  await until(() => watch.knows(tableId, 'OPEN', 1), 'the table');
  player.stream.cut();
  await until(
    async () => (await counter(ann, 'tesela_lobby_changes_total')) > before,
    'the changes that were read',
  );
  assert.equal(watch.again, 0);
  await watch.close();
});

test('a table that goes from one server to the other is shown as it is', async () => {
  const watches = [new LobbyWatch(ann), new LobbyWatch(ben)];
  const server = await startNode(postgres, ['--table-idle', '100ms']);
  const { tableId, host, player } = await openTable(server, 4);
  const guests = [await takeSeat(server, tableId)];
  await player.stream.close();
  await until(async () => !(await ownerOf(postgres, [server], tableId)), 'its release');
  for (const there of [ann, ben]) guests.push(await takeSeat(there, tableId));
  const again = await Player.join(ann, tableId, { token: host.token });
  await giveUp(again, ...guests);
  again.stream.cut();
  for (const watch of watches) {
    await agrees(watch, ann, ben, server);
    assert.deepEqual(watch.states[tableId].at(-1), watch.tables[tableId].state);
    assert.equal(watch.again, 0);
    await watch.close();
  }
  await server.dispose();
});

test('after kill -9 of a server a watch comes to what the lists say', async () => {
  const server = await startNode(postgres);
  const watch = new LobbyWatch(ann);
  const players = [];
  for (let n = 0; n < 3; n += 1) players.push(await playing(server, { size: 2 }));
  const open = [];
  for (let n = 0; n < 3; n += 1) open.push(await openTable(server));
  // It is killed while tables are made, joined and ended there.
  const busy = players.map((player) => player.playToEnd().catch(() => undefined));
  busy.push(...open.map(({ tableId }) => takeSeat(server, tableId).catch(() => undefined)));
  busy.push(...open.map(() => makeTable(server).catch(() => undefined)));
  await sleep(30);
  const killed = Date.now();
  await server.kill();
  await Promise.all(busy);
  await agrees(watch, ann, ben);
  // The tables go on at the others when the lease is over, and end there.
  for (const { tableId, host } of open) {
    const player = await Player.join(ben, tableId, { token: host.token });
    await takeSeat(ann, tableId).catch(() => undefined); // both seats may be taken
    await giveUp(player);
    player.stream.cut();
    await until(() => watch.tables[tableId].state === 'OVER', 'its end');
  }
  console.log(`the tables have ended ${Date.now() - killed} ms after kill -9`);
  await agrees(watch, ann, ben);
  assert.equal(watch.again, 0);
  await watch.close();
  await server.dispose();
});

test('a server that stood still, and was declared dead, shows what it has missed', async () => {
  const watch = new LobbyWatch(ann);
  const own = await openTable(ann, 3);
  const others = await openTable(ben, 3);
  await until(() => watch.knows(others.tableId, 'OPEN', 1), 'the table');
  ann.suspend();
  await sleep(2 * leaseMs);
  await takeSeat(ben, own.tableId); // ben has it now
  await takeSeat(ben, others.tableId);
  ann.goOn();
  await agrees(watch, ann, ben);
  assert.equal(watch.tables[own.tableId].seats.length, 2);
  for (const { player } of [own, others]) player.stream.cut();
  await watch.close();
});
