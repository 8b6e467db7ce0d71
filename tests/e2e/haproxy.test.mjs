// Three servers on one PostgreSQL behind HAProxy with the configuration of deploy/haproxy: one
// address for all of them.
import assert from 'node:assert/strict';
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeCertificate } from './harness/certificates.mjs';
import { haproxyConfiguration, haproxyProgram, Haproxy } from './harness/haproxy.mjs';
import { lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { ownerOf, startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { numberOf, Postgres } from './harness/postgres.mjs';
import { repository, run } from './harness/server.mjs';
import { until } from './harness/until.mjs';

// The address of a client that the servers have no limits for, one of a client with the limits of
// the servers, and one that only the proxy has limits for.
const limitedByServers = '127.0.0.3';
const limitedByProxy = '127.0.0.4';
const signInsOfServer = 2;
const signInsOfProxy = 60;
// The proxy lets an address make 60 in a minute.
const tablesMax = 40;

let postgres;
let servers;
let proxy;
let owner;

before(async () => {
  postgres = await Postgres.start();
  const options = [
    ...['--trusted-proxies', '127.0.0.1', '--exempt-addresses', `127.0.0.1,${limitedByProxy}`],
    ...['--sign-in-rate', String(signInsOfServer)],
  ];
  servers = [];
  while (servers.length < 3) servers.push(await startNode(postgres, options));
  proxy = await Haproxy.start(servers);
  owner = await signIn(proxy);
});

after(async () => {
  await proxy?.dispose();
  for (const server of servers ?? []) await server.dispose();
  await postgres?.dispose();
});

/** A counter of each server. */
const counters = (name, labels) =>
  Promise.all(servers.map((server) => counter(server, name, labels)));
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

/** A table behind the proxy, with its player. */
async function seated() {
  const { tableId, token } = await newTable(proxy, {}, owner);
  return Player.join(proxy, tableId, { token });
}

/** Connects again, as clients do until they are let in. */
const comeBack = (player) =>
  until(
    () =>
      player.resume().then(
        () => true,
        () => false,
      ),
    'a server with the table',
  );

/** Signs somebody in from an address of this machine: the status of the answer. */
function signInFrom(localAddress, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${proxy.http}/tesela.lobby.v1.LobbyService/SignIn`,
      {
        agent: false,
        localAddress,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode, body }));
      },
    );
    request.on('error', reject).end(JSON.stringify({ displayName: 'Ada' }));
  });
}

/** HAProxy must not even warn of a configuration, but that its servers are not there. */
async function assertValid(file) {
  const { code, stderr } = await run(haproxyProgram, ['-c', '-f', file]);
  assert.equal(code, 0, stderr);
  const words = stderr.split('\n').filter((line) => /WARNING|ALERT/.test(line));
  assert.deepEqual(
    words.filter((line) => !/could not resolve address '(node|tesela-)\d/.test(line)),
    [],
  );
}

test('the configuration is valid, and there is nothing to warn of', async () => {
  await assertValid(haproxyConfiguration);
});

test('so is that for the servers of a StatefulSet', async () => {
  for (const name of ['kubernetes', 'haproxy', 'prometheus']) {
    const [from, to] = [path.join(repository, 'deploy', name), path.join(postgres.folder, name)];
    await cp(from, to, { recursive: true });
  }
  const script = path.join(postgres.folder, 'kubernetes/prepare.sh');
  const { code, stderr } = await run(script, ['--tls', 'games', '5']);
  assert.equal(code, 0, stderr);
  const file = path.join(postgres.folder, 'kubernetes/haproxy/haproxy.cfg');
  const made = await readFile(file, 'utf8');
  const servers = made.match(/^ +server .*/gm);
  assert.equal(servers.length, 2 * 5);
  for (const [n, line] of servers.entries()) {
    const name = `tesela-${n % 5}`;
    assert.ok(line.includes(` ${name} ${name}.tesela-nodes.games.svc.cluster.local:8080`), line);
  }
  // As a secret is mounted: the key is beside the certificate.
  const { certificate, key } = await makeCertificate(postgres.folder, 'proxy');
  await copyFile(key, `${certificate}.key`);
  await writeFile(file, made.replace('/etc/haproxy-tls/tesela.pem', certificate));
  await assertValid(file);
});

test('all streams of a table come to one server, and those of many tables to all', async () => {
  const relayed = await counters('tesela_relays_total', { outcome: 'begun' });
  const players = [];
  const isIdle = (count) => count === 0;
  while ((await counters('tesela_streams_open')).some(isIdle) || players.length < 12) {
    assert.ok(players.length < tablesMax, 'all tables are on few of the servers');
    players.push(await seated());
  }
  const watchers = [];
  for (const { tableId } of players) {
    // One after the other, so that no turn of the servers brings them together.
    watchers.push(await Player.join(proxy, tableId), await Player.join(proxy, tableId));
  }
  const streams = await counters('tesela_streams_open');
  assert.equal(sum(streams), players.length + watchers.length);
  assert.ok(
    streams.every((count) => count % 3 === 0),
    `streams: ${streams}`,
  );
  // A stream that came to another server than the first one of its table would have been relayed.
  assert.deepEqual(await counters('tesela_relays_total', { outcome: 'begun' }), relayed);
  for (const player of players) await player.playMoves(5);
  for (const { stream } of [...players, ...watchers]) stream.cut();
});

test('the page and calls come to all servers, what operators ask to none', async () => {
  const page = await fetch(`${proxy.http}/`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  const { tableId } = await newTable(proxy, {}, owner);
  const method = '/tesela.lobby.v1.LobbyService/GetTable';
  const before = await counters('tesela_rpcs_total', { method });
  for (let n = 0; n < 12; ++n) await lobbyOf(proxy).getTable({ tableId });
  const asked = (await counters('tesela_rpcs_total', { method })).map((now, n) => now - before[n]);
  assert.equal(sum(asked), 12);
  assert.ok(
    asked.every((count) => count > 0),
    `calls: ${asked}`,
  );
  for (const path of ['/metrics', '/tesela.admin.v1.AdminService/GetStatus']) {
    assert.equal((await fetch(`${proxy.http}${path}`, { method: 'POST' })).status, 404);
  }
});

test('after kill -9 of the owner in mid-game the game goes on at the same address', async () => {
  const player = await seated();
  await player.playMoves(10);
  const watcher = await Player.join(proxy, player.tableId);
  const killed = await ownerOf(postgres, servers, player.tableId);
  const { version, view } = player;
  const begin = Date.now();
  await killed.kill();
  await Promise.all([player, watcher].map(({ stream }) => stream.closed));
  // Nobody waits for anything: another server holds the streams until the table is nobody's.
  for (const one of [player, watcher]) {
    await one.goOnAt(proxy);
    assert.equal(one.version, version);
    assert.deepEqual(one.view, view);
  }
  await player.playMoves(10);
  console.log(`the table is played on ${Date.now() - begin} ms after kill -9`);
  await watcher.reach(player.version);
  assert.deepEqual(watcher.view, player.view);
  const alive = servers.filter((server) => server !== killed);
  assert.ok(alive.includes(await ownerOf(postgres, servers, player.tableId)));
  const stored = await postgres.query(
    `SELECT count(*), max(version) FROM events WHERE table_id = ${numberOf(player.tableId)}`,
  );
  assert.deepEqual(stored, [`${player.version}|${player.version}`]);
  // The streams of its part of the tables are relayed now, when the server is back.
  await killed.start();
  await until(async () => {
    const joined = await Player.join(proxy, player.tableId);
    joined.stream.cut();
    return (await counter(killed, 'tesela_relays_total', { outcome: 'begun' })) > 0;
  }, 'a stream at the server that is back');
  await player.playMoves(5);
  for (const { stream } of [player, watcher]) stream.cut();
});

test('a stream that comes to a server which stands still is answered by another one', async () => {
  const [ofTables, ...others] = servers;
  const players = [];
  const relaying = () => Promise.all(others.map((server) => counter(server, 'tesela_relays_open')));
  while ((await relaying()).every((count) => count === 0)) {
    assert.ok(players.length < tablesMax, 'the proxy knows one server alone');
    const { tableId, token } = await newTable(ofTables, {}, owner);
    const player = await Player.join(ofTables, tableId, { token });
    await player.goOnAt(proxy);
    players.push(player);
  }
  const [relays] = await relaying();
  const still = others[relays > 0 ? 0 : 1];
  still.suspend();
  for (const { stream } of players) stream.cut();
  await Promise.all(players.map((player) => player.goOnAt(proxy)));
  for (const player of players) await player.playMoves(3);
  still.goOn();
  for (const { stream } of players) stream.cut();
});

test('servers that are replaced one after the other lose no game', async () => {
  const players = [];
  while (players.length < 6) players.push(await seated());
  for (const server of servers) {
    for (const player of players) await player.playMoves(3);
    assert.deepEqual(await server.terminate(), { code: 0, signal: null });
    await server.start();
    for (const player of players) await player.stream.ping().catch(() => comeBack(player));
  }
  for (const player of players) {
    await player.playMoves(3);
    assert.ok(player.version >= 12n);
    player.stream.cut();
  }
});

test('servers count the client that the proxy names, whatever the client itself says', async () => {
  const forged = { 'x-forwarded-for': '127.0.0.1' }; // the servers have no limits for that
  const answers = [];
  while (answers.length < servers.length * signInsOfServer + 1) {
    answers.push(await signInFrom(limitedByServers, forged));
  }
  assert.equal(answers[0].status, 200, answers[0].body);
  assert.ok(answers.some(({ status }) => status === 429));
  assert.ok(sum(await counters('tesela_limited_total', { limit: 'address_sign_ins' })) > 0);
  assert.ok((await signIn(proxy)).token);
});

test('the limits of an address hold for all servers together', async () => {
  const statuses = [];
  while (statuses.length < signInsOfProxy) {
    statuses.push((await signInFrom(limitedByProxy)).status);
  }
  assert.deepEqual(new Set(statuses), new Set([200]));
  const { status, body } = await signInFrom(limitedByProxy);
  assert.equal(status, 429);
  assert.equal(JSON.parse(body).code, 'resource_exhausted');
});
