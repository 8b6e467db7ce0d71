// Debian's promtool and Prometheus try what deploy/prometheus and deploy/grafana say: the alerts
// come when they should, and a real Prometheus reads a real server. Skipped where they are not.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, repository, run } from '../e2e/harness/server.mjs';
import { alerts, alertTestsFile, playedServer, prometheusFolder, queries } from './observed.mjs';
import { goWithout } from './skipped.mjs';

// Where deploy/packages.sh (ensure_prometheus) puts Debian's; else they are looked for on PATH.
const ownFolder = path.join(repository, 'build/prometheus/usr/bin');
const env = { ...process.env, PATH: `${ownFolder}:${process.env.PATH}` };
const answerTimeMaxMs = 30_000;

await run('prometheus', ['--version'], { env }).catch(() =>
  goWithout('the alerts and the dashboard are', "Debian's package prometheus"),
);

/** promtool ARGS, which must succeed. */
async function promtool(...args) {
  const { code, stdout, stderr } = await run('promtool', args, { env });
  assert.equal(code, 0, stdout + stderr);
}

test('the configuration is one, and the alerts come when they should', async () => {
  await promtool('check', 'config', path.join(prometheusFolder, 'prometheus.yml'));
  await promtool('test', 'rules', alertTestsFile);
});

describe('a real Prometheus', () => {
  let server;
  let prometheus;
  let folder;
  let address;

  before(async () => {
    server = await playedServer();
    folder = await mkdtemp(path.join(tmpdir(), 'tesela-prometheus-'));
    const config = await readFile(path.join(prometheusFolder, 'prometheus.yml'), 'utf8');
    const found = / {4}dns_sd_configs:[^]*$/;
    assert.match(config, found);
    const here = config
      .replace(found, `    static_configs: [{targets: ["127.0.0.1:${server.httpPort}"]}]\n`)
      .replace(/scrape_interval: \w+/, 'scrape_interval: 1s')
      .replace(/evaluation_interval: \w+/, 'evaluation_interval: 1s');
    await writeFile(path.join(folder, 'prometheus.yml'), here);
    await copyFile(path.join(prometheusFolder, 'alerts.yml'), path.join(folder, 'alerts.yml'));
    const listen = `127.0.0.1:${await freePort()}`;
    address = `http://${listen}/api/v1`;
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=${listen}`,
      ],
      { env, stdio: 'ignore' },
    );
  });

  after(async () => {
    if (prometheus?.kill('SIGKILL')) await once(prometheus, 'exit');
    await server?.dispose();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** What the API answers, as soon as `isThere` finds it to be there. */
  async function ask(question, isThere) {
    const deadline = Date.now() + answerTimeMaxMs;
    for (;;) {
      const response = await fetch(`${address}/${question}`).catch(() => undefined);
      const starts = response?.status === 503;
      const { status, data, error } = starts ? {} : ((await response?.json()) ?? {});
      assert.notEqual(status, 'error', `${question}: ${error}`);
      if (data && isThere(data)) return data;
      assert.ok(Date.now() < deadline, `${question}: ${JSON.stringify(data)}`);
      await sleep(200);
    }
  }

  test('reads the server', async () => {
    const isUp = ({ activeTargets }) => activeTargets.some(({ health }) => health === 'up');
    const { activeTargets } = await ask('targets', isUp);
    assert.equal(activeTargets.length, 1);
    assert.equal(activeTargets[0].labels.job, 'tesela');
  });

  test('evaluates every alert, and has none to give', async () => {
    const rulesOf = ({ groups }) => groups.flatMap(({ rules }) => rules);
    const areDone = (data) => rulesOf(data).every(({ health }) => health !== 'unknown');
    const rules = rulesOf(await ask('rules', (data) => data.groups.length && areDone(data)));
    assert.equal(rules.length, alerts.match(/- alert:/g).length);
    for (const { name, health, state, lastError } of rules) {
      assert.equal(health, 'ok', `${name}: ${lastError}`);
      // Pending are those of the disk where this machine's is filling.
      assert.notEqual(state, 'firing', name);
    }
  });

  test('has an answer to every query of the dashboard', async () => {
    for (const { title, expr } of queries) {
      const question = `query?query=${encodeURIComponent(expr)}`;
      const { result } = await ask(question, (data) => data.result.length > 0);
      assert.ok(result.length > 0, title);
    }
  });
});
