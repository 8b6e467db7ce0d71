// The profile `cluster` of docker-compose.yml on a real engine: three servers on one PostgreSQL
// behind HAProxy. Skipped with a loud line where no engine can be had (engine.mjs).
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { newTable, signIn } from '../e2e/harness/lobby.mjs';
import { Player } from '../e2e/harness/player.mjs';
import { repository, run } from '../e2e/harness/server.mjs';
import { until } from '../e2e/harness/until.mjs';
import { Cluster, nodes } from './cluster.mjs';
import { docker, inspect } from './engine.mjs';
import { buildImage, removeImage, unique } from './image.mjs';

const proxyImage = `${unique}-haproxy:latest`;

let image;
let cluster;

before(async () => {
  image = await buildImage();
  await docker('build', '--quiet', '--tag', proxyImage, 'deploy/haproxy');
  cluster = await Cluster.up(image, proxyImage);
});

after(async () => {
  await cluster?.down();
  await removeImage(proxyImage).catch(() => {});
  if (image) await removeImage(image);
});

test('secrets are made once, in a folder for its owner alone', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tesela-secrets-'));
  const script = path.join(repository, 'deploy/secrets.sh');
  const contents = async () =>
    Promise.all(
      (await readdir(folder))
        .sort()
        .map(async (name) => [name, (await readFile(path.join(folder, name))).toString('hex')]),
    );
  try {
    assert.equal((await run(script, [folder])).code, 0);
    const made = await contents();
    assert.deepEqual(
      made.map(([name]) => name),
      ['admin.key', 'daily.key', 'database.url', 'node.key', 'postgres.password', 'token.key'],
    );
    assert.equal(new Set(made.map(([, bytes]) => bytes)).size, made.length);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.equal((await run(script, [folder])).code, 0);
    assert.deepEqual(await contents(), made);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('no secret is in the environment or on a command line of a server', async () => {
  const password = await cluster.exec('node1', 'cat', '/run/secrets/database_url');
  assert.match(password, /^postgres:\/\/tesela:[0-9a-f]{64}@postgres\/tesela$/);
  const secret = password.match(/:([0-9a-f]{64})@/)[1];
  const node = await cluster.compose('ps', '--quiet', 'node1');
  assert.ok(!(await inspect(node, '{{json .Config.Env}}')).includes(secret));
  assert.ok(!(await cluster.exec('node1', 'cat', '/proc/1/cmdline')).includes(secret));
  await assert.rejects(cluster.exec('node1', 'cat', '/proc/1/environ'), /Permission denied/);
});

test('nothing but the proxy is published', async () => {
  const services = (await cluster.compose('ps', '--services')).split('\n');
  for (const service of ['postgres', ...nodes]) {
    assert.ok(services.includes(service), service);
    const id = await cluster.compose('ps', '--quiet', service);
    assert.equal(await docker('port', id), '', service);
  }
});

test('a game goes on when its server is killed, and when all are replaced', async () => {
  const owner = await signIn(cluster);
  const { tableId, token } = await newTable(cluster, {}, owner);
  const player = await Player.join(cluster, tableId, { token });
  const back = () =>
    until(
      () =>
        player.resume().then(
          () => true,
          () => false,
        ),
      'a server with the table',
    );
  await player.playMoves(10);
  const killed = await cluster.ownerOf(tableId);
  assert.ok(nodes.includes(killed), killed);
  const begin = performance.now();
  await cluster.compose('kill', killed);
  await player.stream.closed;
  await back();
  await player.playMoves(10);
  console.log(`played on ${(performance.now() - begin).toFixed()} ms after \`kill ${killed}\``);
  assert.notEqual(await cluster.ownerOf(tableId), killed);
  await cluster.compose('up', '--detach', '--no-build', 'haproxy');
  for (const node of nodes) {
    await cluster.compose('restart', '--timeout', '20', node);
    await player.stream.ping().catch(back);
    await player.playMoves(5);
  }
  await player.stream.close();
});

test('an operator asks any node', async () => {
  for (const node of nodes) {
    assert.match(await cluster.exec(node, 'tesela', 'admin', 'status'), /ready/i);
  }
});

test('the proxy stops by itself, though a player stays', async () => {
  const { tableId, token } = await newTable(cluster);
  const player = await Player.join(cluster, tableId, { token });
  const id = await cluster.compose('ps', '--quiet', 'haproxy');
  await cluster.compose('stop', 'haproxy');
  await player.stream.closed;
  assert.equal(await inspect(id, '{{.State.ExitCode}}'), '0');
});
