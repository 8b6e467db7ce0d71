// A server that crashes leaves no core dump: it would hold keys, and the seeds of games in play.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Server, serverProgram } from './harness/server.mjs';
import { until } from './harness/until.mjs';

// Runs a program that may dump, ends it by SIGSEGV after a line on standard input, and says whether
// the kernel has dumped it.
const crashing = `
import os, resource, signal, sys
resource.setrlimit(resource.RLIMIT_CORE, (-1, -1))
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
sys.stdin.readline()
os.kill(child, signal.SIGSEGV)
print(os.WCOREDUMP(os.waitpid(child, 0)[1]))`;

async function isDumped(t, command, isUp) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tesela-core-'));
  t.after(() => rm(folder, { recursive: true }));
  const child = spawn('python3', ['-c', crashing, ...command], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await until(isUp);
  child.stdin.end('\n');
  return (await text(child.stdout)).trim() === 'True';
}

test('a crash leaves no core dump', async (t) => {
  if (!(await isDumped(t, ['sleep', '60'], () => true))) {
    t.skip('the kernel dumps no process here');
    return;
  }
  const server = await Server.start();
  t.after(() => server.dispose());
  await server.terminate();
  const isReady = async () => (await server.readiness()) === 200;
  assert.equal(await isDumped(t, [serverProgram, ...server.arguments], isReady), false);
});
