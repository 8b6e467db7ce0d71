// What is watched: every metric that the alerts and the dashboard name is one of the server's, each
// alert has a test, and the dashboard is whole. prometheus.test.mjs tries all of it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { samples } from '../e2e/harness/metrics.mjs';
import { repository } from '../e2e/harness/server.mjs';
import { alerts, alertTestsFile, dashboard, panels, playedServer, queries } from './observed.mjs';

let server;
before(async () => (server = await playedServer()));
after(() => server?.dispose());

const names = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name);

test('each alert has a test in which it comes', async () => {
  const tests = await readFile(alertTestsFile, 'utf8');
  assert.ok(names.length > 5);
  for (const name of names) {
    assert.match(tests, new RegExp(`alertname: ${name}\\n +exp_alerts:`), name);
  }
});

test('the runbook says of each alert what to do, and of no other', async () => {
  const page = await readFile(path.join(repository, 'deploy/RUNBOOK.md'), 'utf8');
  const rows = page.match(/^\| Tesela.*? \|/gm).join('\n');
  assert.deepEqual(rows.match(/Tesela\w+/g).sort(), [...names].sort());
});

test('every metric that the alerts and the dashboard name is one of the server', async () => {
  const names = (await samples(server)).map(({ name }) => name);
  // A sentence may name a histogram as a whole.
  const served = new Set([...names, ...names.map((name) => name.replace(/_count$/, ''))]);
  const texts = [alerts, ...queries.map(({ expr }) => expr)].join('\n');
  const named = new Set(texts.match(/\b(tesela|process)_[a-z_]+\b(?![:.])/g));
  assert.ok(named.size > 20);
  assert.deepEqual([...named].filter((name) => !served.has(name)).sort(), []);
});

test('the dashboard is whole: an id for each panel, no two in one place, one source', () => {
  const all = dashboard.panels;
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  const cells = all.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length);
  for (const { datasource, title } of panels) {
    assert.equal(datasource.uid, '${datasource}', title);
  }
});
