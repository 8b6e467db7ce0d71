// The image and docker-compose.yml, on a real engine: what an operator starts, looks at, restarts
// while people play, and stops. Skipped with a loud line where no engine can be had (engine.mjs).
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { audit } from '../chaos/crash/audit.mjs';
import { bearer, lobbyOf, newTable, signIn } from '../e2e/harness/lobby.mjs';
import { counter } from '../e2e/harness/metrics.mjs';
import { Player } from '../e2e/harness/player.mjs';
import { run, serverProgram } from '../e2e/harness/server.mjs';
import { Composed } from './composed.mjs';
import { docker, inspect, tryDocker } from './engine.mjs';
import { buildImage, Container, imageSizes, removeImage } from './image.mjs';
import { Regulars } from './regulars.mjs';

const mib = 1024 * 1024;
const overBaseMax = 120 * mib;
const atRestMax = 128 * mib;
const stopTimeMaxMs = 10_000;
const userId = '10001';

const inMib = (bytes) => `${(bytes / mib).toFixed(1)} MiB`;

let image;
before(async () => (image = await buildImage()));
after(() => image && removeImage(image));

describe('the image', () => {
  let container;
  before(async () => (container = await Container.start(image)));
  after(() => container?.dispose());

  test('is small: what it adds to its base is libraries and two programs', async () => {
    const { whole, overBase } = await imageSizes(image);
    console.log(`image ${inMib(whole)}, over its base ${inMib(overBase)}`);
    assert.ok(overBase <= overBaseMax, inMib(overBase));
  });

  test('says what it is', async () => {
    const labels = JSON.parse(await inspect(image, '{{json .Config.Labels}}'));
    const { stdout } = await run(serverProgram, ['--version']);
    const version = labels['org.opencontainers.image.version'];
    assert.ok(stdout.trim().split(/\s+/).includes(version), `${version}: ${stdout}`);
    for (const name of ['title', 'description', 'licenses', 'revision']) {
      assert.ok(labels[`org.opencontainers.image.${name}`], name);
    }
    assert.equal(await inspect(image, '{{.Config.StopSignal}}'), 'SIGTERM');
  });

  test('sets only options that its programs have', async () => {
    const env = JSON.parse(await inspect(image, '{{json .Config.Env}}'));
    const names = env.map((pair) => pair.split('=')[0]).filter((name) => /^TESELA_/.test(name));
    const { stdout: help } = await run(serverProgram, ['--help']);
    assert.ok(names.length > 0);
    for (const name of names) {
      const option = name.replace('TESELA_', '--').replaceAll('_', '-').toLowerCase();
      assert.ok(help.includes(`${option} `), name);
    }
  });

  test('has every library that the programs ask for', async () => {
    const programs = ['/usr/local/bin/tesela-server', '/usr/local/bin/tesela'];
    assert.doesNotMatch(await container.exec('ldd', ...programs), /not found/);
  });

  test('is ready soon, three times over', async () => {
    const times = [container.readyAfterMs];
    while (times.length < 3) {
      const again = await Container.start(image);
      times.push(again.readyAfterMs);
      await again.dispose();
    }
    const median = times.toSorted((a, b) => a - b)[1];
    console.log(`from \`docker run\` to ready: ${median.toFixed()} ms, the median of three`);
  });

  test('rests in little memory', async () => {
    const stats = await docker('stats', '--no-stream', '--format', '{{.MemUsage}}', container.id);
    const resident = await counter(container, 'process_resident_memory_bytes');
    console.log(`memory at rest: ${stats.split(' /')[0]}, of the process ${inMib(resident)}`);
    assert.ok(resident > 0 && resident < atRestMax, inMib(resident));
  });

  test('runs without rights, and writes nowhere but into its volume', async () => {
    assert.equal(await container.exec('id', '-u'), userId);
    assert.equal(await docker('diff', container.id), '');
    const keys = await container.exec('find', '/data', '-name', '*.key', '-perm', '/077');
    assert.equal(keys, '', 'keys that others may read');
  });

  test('answers its operator inside, without an option', async () => {
    assert.match(await container.exec('tesela', 'health'), /ready/);
    assert.match(await container.exec('tesela', 'admin', 'status'), /ready/i);
  });

  test('is backed up while it runs', async () => {
    const folder = '/data/backup-today';
    assert.match(await container.exec('tesela-server', 'backup', folder), /backed up/);
    await container.exec('rm', '-r', folder);
  });

  test('stops at SIGTERM with 0', async () => {
    const { exitCode, tookMs } = await container.stop();
    assert.equal(exitCode, 0, await docker('logs', container.id));
    assert.ok(tookMs < stopTimeMaxMs, `${tookMs.toFixed()} ms`);
  });
});

test('an option that cannot be is a sentence and status 2, not a loop', async () => {
  const { code, stderr } = await tryDocker('run', '--rm', image, '--threads', 'many');
  assert.equal(code, 2);
  assert.match(stderr, /--threads/);
});

describe('docker compose up', () => {
  let server;
  before(async () => (server = await Composed.up(image)));
  after(() => server?.down());

  test('runs it as one trusts it', async () => {
    const says = (field) => server.inspect(field);
    assert.equal(await says('.HostConfig.ReadonlyRootfs'), 'true');
    assert.equal(await says('.HostConfig.CapDrop'), '[ALL]');
    assert.match(await says('.HostConfig.SecurityOpt'), /no-new-privileges/);
    assert.equal(await says('.HostConfig.RestartPolicy.Name'), 'unless-stopped');
    assert.equal(await says('.HostConfig.Memory'), String(2 * 1024 ** 3));
    assert.equal(await says('.HostConfig.PidsLimit'), '1024');
    const inside = (...command) => tryDocker('exec', server.id, ...command);
    assert.equal((await inside('id', '-u')).stdout.trim(), userId);
    assert.notEqual((await inside('touch', '/usr/local/bin/x')).code, 0);
    assert.equal((await inside('touch', '/tmp/x')).code, 0);
    assert.match((await inside('grep', 'CapEff', '/proc/1/status')).stdout, /:\s*0+$/m);
    // 2: a filter of system calls, the engine's own.
    assert.match((await inside('grep', '^Seccomp:', '/proc/1/status')).stdout, /:\s*2$/m);
  });

  test('serves the web client, and a game over either port to its end', async () => {
    const page = await fetch(`${server.http}/`, { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /<script type="module"/);
    const owner = await signIn(server);
    const { tableId, token } = await newTable(server, { size: 2 }, owner);
    const player = await Player.join(server, tableId, { token });
    const result = await player.playToEnd();
    await player.stream.close();
    const { table } = await lobbyOf(server, 'gRPC').getTable({ tableId }, bearer(token));
    assert.deepEqual(table.result, result);
  });

  test('what operators ask is not published', async () => {
    for (const path of ['/metrics', '/tesela.admin.v1.AdminService/GetStatus']) {
      const method = path === '/metrics' ? 'GET' : 'POST';
      const { status } = await fetch(`${server.http}${path}`, { method });
      assert.ok([404, 405].includes(status), `${path}: ${status}`);
    }
  });

  test('restarted and killed while eight play: all come back, and nothing is lost', async () => {
    const regulars = await Regulars.sitDown(server, 8);
    await regulars.playOn(20);
    for (const [word, again] of [
      ['restarted', () => server.restart()],
      ['killed', () => server.crash()],
    ]) {
      const begin = performance.now();
      await again();
      const awayMs = performance.now() - begin;
      const backMs = await regulars.playOn(20);
      console.log(
        `${word} in ${awayMs.toFixed()} ms; all had played 20 moves ${backMs.toFixed()} ms later`,
      );
    }
    const left = regulars.leave();
    assert.equal(await server.stop(), 0, await server.compose('logs', '--no-color'));
    await left;
    await server.up();
    const found = await audit(server, regulars.gamblers);
    console.log(`acknowledged ${found.acknowledged}, lost ${found.lost}`);
    const { lost, duplicated, gaps } = found;
    assert.deepEqual(
      { lost, duplicated, gaps },
      { lost: 0, duplicated: 0, gaps: 0 },
      found.details,
    );
    assert.ok(found.acknowledged >= 8 * 60);
  });

  test('what is not there by default starts with the profile `observe`', async () => {
    const services = async (...options) =>
      (await server.compose(...options, 'config', '--services')).split('\n').sort();
    const known = await services('--profile', 'observe');
    for (const name of ['grafana', 'prometheus', 'tesela']) assert.ok(known.includes(name), name);
    assert.equal((await server.compose('ps', '--quiet')).split('\n').length, 1);
  });
});
