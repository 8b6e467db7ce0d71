// deploy/run.sh on a machine that has everything: what it builds runs, and doing it again is quick.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, repository, run } from './harness/server.mjs';

const script = path.join(repository, 'deploy/run.sh');
const againTimeMaxMs = 3000;

test('--help lists the options', async () => {
  const { code, stdout } = await run(script, ['--help']);
  assert.equal(code, 0);
  for (const option of ['--data', '--port', '--build-only', '--help']) {
    assert.match(stdout, new RegExp(`^  ${option}\\b`, 'm'));
  }
});

test('an unknown option is refused with a sentence', async () => {
  const { code, stderr } = await run(script, ['--datta', 'x']);
  assert.equal(code, 1);
  assert.match(stderr, /unknown option '--datta'/);
});

test('with nothing to do, --build-only is done in a moment, from any folder', async () => {
  assert.equal((await run(script, ['--build-only'], { cwd: tmpdir() })).code, 0);
  const begin = performance.now();
  const { code, stderr } = await run(script, ['--build-only'], { cwd: tmpdir() });
  const took = performance.now() - begin;
  assert.equal(code, 0, stderr);
  assert.ok(took < againTimeMaxMs, `took ${took.toFixed()} ms`);
});

test('starts the server where it says, with the web client and the options given', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'tesela-deploy-'));
  const port = await freePort();
  const child = spawn(
    script,
    ['--data', data, '--port', `${port}`, '--', '--grpc-port', '0', '--log-format', 'json'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const exit = once(child, 'exit');
  try {
    const address = `http://localhost:${port}`;
    let page;
    for (let tries = 0; !page?.ok && tries < 200 && child.exitCode === null; ++tries) {
      page = await fetch(`${address}/`, { headers: { accept: 'text/html' } }).catch(
        () => undefined,
      );
      if (!page) await sleep(50);
    }
    assert.ok(page?.ok, output);
    assert.match(await page.text(), /<script type="module"/);
    assert.match(output, new RegExp(address));
    child.kill('SIGTERM');
    const [code] = await exit;
    assert.equal(code, 0, output);
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
    await rm(data, { recursive: true, force: true });
  }
});
