// Servers on one PostgreSQL, with node ports: an operator at one of them sees and steers all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { LogLevel } from './gen/tesela/admin/v1/admin_pb.js';
import { NodeDuty } from './gen/tesela/admin/v1/nodes_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { adminOf } from './harness/admin.mjs';
import { adminKey, ann, ben, options, postgres } from './harness/ann_and_ben.mjs';
import { nodeAnswers, ownerOf, playing, proof, startNode } from './harness/node.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const leaseMs = 3000;

const operatorAt = (server) => adminOf(server, adminKey);
const place = ({ nodePort }) => `127.0.0.1:${nodePort}`;
const ms = ({ seconds, nanos }) => Number(seconds) * 1000 + nanos / 1e6;

/** What is listed at `at` of a server that has a node port. */
async function reportOf(server, at = ann) {
  const { nodes } = await operatorAt(at).listNodes();
  const found = nodes.filter(({ node }) => node.address === `node://${place(server)}`);
  assert.equal(found.length, 1, `${place(server)} once among ${nodes.length}`);
  return found[0];
}

/** Listed as dead at `ann`. */
async function untilDead(server) {
  await until(async () => !(await reportOf(server)).node.alive, 'the death');
  return reportOf(server);
}

test('every server lists all of them, with what they own and say', async () => {
  const players = [await playing(ann), await playing(ann), await playing(ben)];
  for (const at of [ann, ben]) {
    const reports = [await reportOf(ann, at), await reportOf(ben, at)];
    assert.deepEqual(
      reports.map(({ here }) => here),
      [at === ann, at === ben],
    );
    for (const { node, status, statusMissing } of reports) {
      assert.ok(node.alive);
      assert.match(node.life, /^[0-9a-z]{13}$/);
      assert.ok(ms(node.leaseAge) >= 0 && ms(node.leaseAge) < leaseMs);
      assert.equal(node.deadFor, undefined);
      assert.equal(statusMissing, '');
      assert.match(status.version, /^\d/);
      assert.deepEqual([status.ready, status.draining, status.frozen], [true, false, false]);
      assert.equal(status.logLevel, LogLevel.INFO);
    }
    const figures = reports.map(({ node, status }) => [node.tables, status.streams]);
    assert.deepEqual(figures, [
      [2n, 2],
      [1n, 1],
    ]);
  }
  // One does each duty.
  const { nodes } = await operatorAt(ann).listNodes();
  const duties = nodes.flatMap(({ node }) => node.duties).sort();
  assert.deepEqual(duties, [NodeDuty.SWEEP, NodeDuty.MATCH]);
  for (const { stream } of players) stream.cut();
});

test('after kill -9 a server is shown as dead', async () => {
  const server = await startNode(postgres, options);
  const { node } = await reportOf(server);
  assert.ok(node.alive);
  await server.kill();
  const dead = await untilDead(server);
  assert.equal(dead.node.life, node.life);
  assert.equal(dead.status, undefined);
  assert.equal(dead.statusMissing, 'It is dead.');
  assert.ok(ms(dead.node.deadFor) >= 0);
  assert.equal(dead.node.leaseAge, undefined);
  await assertRefused(
    () => operatorAt(ann).drain({ node: place(server) }),
    Code.Unavailable,
    /is dead; there are: /,
  );
  await server.dispose();
});

test('a server that ended in order is dead at once, and its next life is another', async () => {
  const server = await startNode(postgres, options);
  const { node } = await reportOf(server);
  await server.terminate();
  const { node: dead } = await untilDead(server);
  assert.equal(dead.life, node.life);
  assert.ok(ms(dead.deadFor) < 60_000);
  await server.start();
  const { nodes } = await operatorAt(ann).listNodes();
  const lives = nodes.filter(({ node: { address } }) => address === node.address);
  assert.deepEqual(
    lives.map(({ node: { alive } }) => alive),
    [true, false],
  );
  // Its address means the one that is alive.
  await operatorAt(ann).setLogLevel({ level: LogLevel.INFO, node: place(server) });
  await server.dispose();
});

test('what cannot be asked is shown as such', async () => {
  const without = await Server.start(...(await postgres.options()), ...options);
  const silent = await startNode(postgres, options);
  silent.suspend();
  const { nodes } = await operatorAt(ann).listNodes();
  const portless = nodes.filter(({ node: { address, alive } }) => alive && !/^node:/.test(address));
  assert.equal(portless.length, 1);
  assert.match(portless[0].statusMissing, /no node port/);
  const report = nodes.find(({ node: { address } }) => address === `node://${place(silent)}`);
  assert.ok(report.node.alive);
  assert.equal(report.status, undefined);
  assert.match(report.statusMissing, /cannot be reached|did not answer/);
  silent.goOn();
  await without.dispose();
  await silent.dispose();
});

test('one server drains another, whose tables are handed over', async () => {
  const server = await startNode(postgres, options);
  const player = await playing(server);
  const { node, status } = await reportOf(server);
  assert.equal(status.draining, false);
  const drained = await operatorAt(ann).drain({ node: node.life });
  assert.deepEqual([drained.tables, drained.streams], [1, 1]);
  assert.equal((await player.stream.goodbye()).reason, Reason.TABLE_MOVED);
  assert.equal(await server.readiness(), 503);
  assert.equal(await ann.readiness(), 200);
  await player.goOnAt(ben);
  assert.equal(await ownerOf(postgres, [ben], player.tableId), ben);
  await player.playMoves(3);
  const after = await reportOf(server);
  assert.deepEqual([after.status.draining, after.node.tables], [true, 0n]);
  assert.match(server.output, /an operator at another server has asked/);
  await operatorAt(ben).drain({ node: place(server), exit: true });
  await until(async () => (await server.readiness()) === 0, 'the end of the process');
  await untilDead(server);
  player.stream.cut();
  await server.dispose();
});

test('without a name the server is drained that is asked', async () => {
  const server = await startNode(postgres, options);
  await operatorAt(server).drain();
  assert.equal(await server.readiness(), 503);
  assert.deepEqual([await ann.readiness(), await ben.readiness()], [200, 200]);
  await server.dispose();
});

test('a name that means no server, or several, is refused with those there are', async () => {
  const operator = operatorAt(ann);
  // Those that other tests have killed are still alive for a while.
  const living = async () => (await operator.listNodes()).nodes.filter(({ node }) => node.alive);
  await until(async () => (await living()).length === 2, 'the deaths');
  const both = new RegExp(`${place(ann)} \\(.*${place(ben)} \\(|${place(ben)} .*${place(ann)} `);
  await assertRefused(() => operator.drain({ node: 'nowhere:1' }), Code.NotFound, both);
  await assertRefused(() => operator.drain({ node: '127.0.0.1' }), Code.InvalidArgument, both);
  await assertRefused(
    () => operator.setLogLevel({ level: LogLevel.WARN, node: 'nowhere:1' }),
    Code.NotFound,
    both,
  );
  assert.deepEqual([await ann.readiness(), await ben.readiness()], [200, 200]);
});

test('the log level of one server changes, and of all', async () => {
  const levels = () =>
    Promise.all([ann, ben].map(async (at) => (await operatorAt(at).getStatus()).logLevel));
  const operator = operatorAt(ann);
  const { previous } = await operator.setLogLevel({ level: LogLevel.DEBUG, node: place(ben) });
  assert.equal(previous, LogLevel.INFO);
  assert.deepEqual(await levels(), [LogLevel.INFO, LogLevel.DEBUG]);
  const all = await operator.setLogLevel({ level: LogLevel.WARN, all: true });
  assert.equal(all.previous, LogLevel.INFO);
  const before = [ann, ben].map(
    (server) => all.nodes.find(({ node }) => node.address.endsWith(place(server))).previous,
  );
  assert.deepEqual(before, [LogLevel.INFO, LogLevel.DEBUG]);
  assert.deepEqual(await levels(), [LogLevel.WARN, LogLevel.WARN]);
  await operator.setLogLevel({ level: LogLevel.INFO, all: true });
  await assertRefused(
    () => operator.setLogLevel({ level: LogLevel.WARN, all: true, node: place(ben) }),
    Code.InvalidArgument,
    /not both/,
  );
  await assertRefused(
    () => operator.setLogLevel({ all: true }),
    Code.InvalidArgument,
    /not a level/,
  );
  assert.deepEqual(await levels(), [LogLevel.INFO, LogLevel.INFO]);
});

const drainPath = '/tesela.node.v1.NodeService/Drain';

/** What a node port answers to the head of a drain. */
const drainAt = (server, headers) =>
  nodeAnswers(server, drainPath, { 'Content-Type': 'application/json', ...headers }, 2);

test('strangers list and drain nothing', async () => {
  const stranger = adminOf(ann, 'b'.repeat(40));
  await assertRefused(() => stranger.listNodes(), Code.Unauthenticated, /admin token/);
  await assertRefused(
    () => stranger.drain({ node: place(ben) }),
    Code.Unauthenticated,
    /admin token/,
  );
  assert.equal(await drainAt(ben, {}), 403);
  assert.equal(await drainAt(ben, { 'Tesela-Node-Proof': `${proof}x` }), 403);
  assert.equal(await drainAt(ben, { 'Tesela-Node-Proof': proof }), 100);
  for (const headers of [{ 'Tesela-Node-Proof': proof }, { Authorization: `Bearer ${adminKey}` }]) {
    const { status } = await fetch(`${ben.http}${drainPath}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: '{}',
    });
    assert.equal(status, 404);
  }
  assert.equal(await ben.readiness(), 200);
});
