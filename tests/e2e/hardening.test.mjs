// What stands between a fault in memory and somebody who would use it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { clientProgram, run, Server, serverProgram } from './harness/server.mjs';
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

/** Whether the kernel writes a core dump of a program, once `isUp()` says that it runs. */
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

test('a crash leaves no core dump, which would hold keys and the seeds of games', async (t) => {
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

for (const program of [serverProgram, clientProgram]) {
  test(`${path.basename(program)} is built with what compiler and linker have`, async () => {
    const args = ['--wide', '--file-header', '--program-headers', '--dynamic', '--dyn-syms'];
    const { stdout } = await run('readelf', [...args, program]);
    assert.match(stdout, /Type:\s+DYN \(Position-Independent Executable/);
    assert.match(stdout, /GNU_RELRO/);
    assert.match(stdout, /FLAGS.* BIND_NOW/);
    assert.match(stdout, /GNU_STACK\s.*\sRW\s/);
    assert.match(stdout, / __stack_chk_fail@/);
    assert.match(stdout, / __memcpy_chk@/);
  });
}
