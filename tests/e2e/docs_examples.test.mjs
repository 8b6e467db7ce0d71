// Every command of the guide is run: here, or by the test that is named here. What cannot be run
// on a machine of tests is listed too, so that a new command is thought of.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { binaries, repository, run, Server, serverProgram } from './harness/server.mjs';

// For who changes Tesela: how to build, test and measure, which tests/run.sh does.
const developers = /^(tests|engine)\/|^CONTRIBUTING|^clients\/web\//;
// Run below: calls of a server, and what is done to it or its data.
const here = new RegExp(
  '^export|^(token|curl|printf)\\b.*localhost:8080|bin/tesela (admin|load)|' +
    'bin/tesela-server .*(?<!upgrade )--data (data|elsewhere)',
);
// What other tests run: a whole page, or the same commands in their own words.
const runElsewhere = [
  ['clients/cli/readme_test.py', /bin\/tesela (bots|hint|simulate|solve|tournament|train)\b/],
  ['clients/cli/play_test.py', /bin\/tesela (play|find|watch)\b/], // in a terminal
  ['e2e/outside_bots.test.mjs', /clients\/bots|azul_bot/],
  ['e2e/upgrade.test.mjs', /tesela-server upgrade/],
  ['e2e/damaged_tables.test.mjs', /tesela-server check --database/],
  ['e2e/postgres.test.mjs', /^tesela-server --data/],
  ['e2e/migrate.test.mjs', /^tesela-server migrate/],
  ['e2e/identity.test.mjs', /--issuer-key-file/],
  ['deploy/kubernetes.test.mjs', /^deploy\/(secrets|kubernetes)|^kubectl/],
  ['deploy/container.test.mjs', /^docker (?!.*cluster)/],
  ['deploy/cluster.test.mjs', /^docker .*cluster/],
  ['e2e/haproxy.test.mjs', /^haproxy/],
  ['deploy/runbook.test.mjs', /./, /RUNBOOK/],
  ['clients/js/package.test.mjs', /./, /^clients\/js\//],
  ['clients/python/package.test.mjs', /./, /^clients\/python\//],
];
// What installs, builds or asks for a password.
const notRun = /^(apt|systemctl|\.\/(deploy|tests)\/run\.sh|createuser|createdb|install|\(umask)/;

/** [{ page, language, commands }] of the guide. */
const blocks = execFileSync('git', ['ls-files', '*.md'], { cwd: repository, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((page) => !developers.test(page))
  .flatMap((page) => {
    const text = readFileSync(path.join(repository, page), 'utf8');
    return [...text.matchAll(/^ *```(\w+)\n([^]*?)^ *```/gm)].map(([, language, block]) => {
      const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
      return { page, language, commands: lines.map((line) => line.trim()).filter(Boolean) };
    });
  });

/** The test that runs a command; undefined: none does. */
function whereRun(page, command) {
  const isThis = here.test(command) && !/^docker/.test(command);
  const found = runElsewhere.find(([, what, where]) =>
    where ? where.test(page) : !isThis && what.test(command),
  );
  if (found) return path.join(repository, 'tests', found[0]);
  return isThis ? import.meta.filename : undefined;
}

test('every command of the guide is run by a test, or cannot be', () => {
  assert.ok(blocks.length > 35);
  const shown = blocks.filter(({ language }) => !['json', 'mermaid'].includes(language));
  const commands = shown.flatMap(({ page, commands }) => commands.map((one) => [page, one]));
  const unknown = commands.filter(([page, one]) => !whereRun(page, one) && !notRun.test(one));
  assert.deepEqual(unknown, []);
  for (const [file] of runElsewhere)
    assert.ok(existsSync(path.join(repository, 'tests', file)), file);
});

let folder;
let server;
before(async () => {
  server = await Server.start();
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-examples-'));
  await mkdir(path.join(folder, 'build/release'), { recursive: true });
  await symlink(binaries, path.join(folder, 'build/release/bin'));
  for (const args of [
    ['backup', 'copy', '--data', server.data],
    ['restore', 'copy', '--data', 'data'],
  ]) {
    const { code, stdout, stderr } = await run(serverProgram, args, { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
  }
});
after(async () => {
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});

for (const { page, commands } of blocks) {
  const ours = commands.filter((command) => whereRun(page, command) === import.meta.filename);
  if (ours.length === 0) continue;
  test(`${page}: ${ours[0].slice(0, 60)}`, async () => {
    const { token } = await signIn(server);
    const make = async (game) => {
      const owner = bearer((await signIn(server)).token);
      return (await lobbyOf(server).createTable({ game }, owner)).table.tableId;
    };
    const address = `127.0.0.1:${server.httpPort}`;
    const script = ours
      .join('\n')
      .replaceAll('localhost:8080', address)
      .replaceAll(/--tables \d+ --duration \d+/g, '--tables 20 --duration 1')
      .replaceAll('TABLE_ID', await make('azul'))
      .replaceAll('0123456789abc', await make('2048'));
    const { code, stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...process.env, token, TESELA_SERVER: address },
    });
    assert.equal(code, 0, `${script}\n${stdout}${stderr}`);
    // Calls are answered, not refused.
    assert.doesNotMatch(stdout, /"code":/, script);
    if (/CreateTable|JoinTable/.test(script)) {
      assert.match(JSON.parse(stdout).table.tableId, /^[0-9a-z]{13}$/);
    }
  });
}
