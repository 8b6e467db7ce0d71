// How the server is told what to do: flags, environment, file; and what it refuses to be told.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { newTable } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server, repository, run, serverProgram } from './harness/server.mjs';

let folder;
before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'tesela-configuration-'))));
after(() => rm(folder, { recursive: true, force: true }));

/** Expects that the server does not start, says why in one sentence, and leaves with 2. */
async function assertRefused(args, sentence, options = {}) {
  const { code, stdout, stderr } = await run(serverProgram, args, { timeout: 10_000, ...options });
  assert.equal(code, 2, `${args}: ${stdout}${stderr}`);
  assert.match(stderr, sentence);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
}

function flagsOf(text) {
  return [...new Set([...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag))].sort();
}

test('a value that cannot be is refused with a sentence that says what could', async () => {
  for (const [args, sentence] of [
    [['--http-port', 'http'], /--http-port.*"http".*65535/],
    [['--http-port', '70000'], /--http-port.*"70000".*65535/],
    [['--http-address', 'localhost'], /--http-address.*127\.0\.0\.1/],
    [['--threads', '0'], /--threads.*1 to/],
    [['--threads', '-1'], /--threads/],
    [['--table-idle', '5'], /--table-idle.*"5"/],
    [['--ping-interval', '1ms'], /--ping-interval.*100ms/],
    [['--token-ttl', '0s'], /--token-ttl.*1s/],
    [['--frame-rate', '1.5'], /--frame-rate/],
    [['--allowed-origins', 'games.example'], /--allowed-origins.*https:\/\/HOST/],
    [['--log-level', 'loud'], /--log-level.*debug/],
    [['--log-format', 'xml'], /--log-format.*json/],
    [['--issuer-name', 'https://id.example'], /--issuer-key-file.*both or neither/],
    [['--no-such-option'], /no-such-option/],
    [['surplus'], /no option/],
  ]) {
    await assertRefused(args, sentence);
  }
});

test('the environment and the file are judged like the flags', async () => {
  await assertRefused([], /--http-port.*"x"/, { env: { ...process.env, TESELA_HTTP_PORT: 'x' } });
  const file = path.join(folder, 'bad.toml');
  await writeFile(file, 'frame-rate = "often"\n');
  await assertRefused(['--config', file], /frame-rate.*"often"/);
  await writeFile(file, 'frame-rates = 5\n');
  await assertRefused(['--config', file], /frame-rates/);
  await assertRefused(['--config', path.join(folder, 'none.toml')], /none\.toml/);
});

test('the flag wins over the environment, and that over the file', async () => {
  const file = path.join(folder, 'rates.toml');
  await writeFile(file, 'frame-rate = 11\n');
  const rate = async (args, environment) => {
    Object.assign(process.env, environment);
    const server = await Server.start('--config', file, ...args);
    for (const name of Object.keys(environment)) delete process.env[name];
    try {
      const { tableId } = await newTable(server);
      const { welcome, stream } = await Player.join(server, tableId);
      await stream.close();
      return welcome.framesPerSecondMax;
    } finally {
      await server.dispose();
    }
  };
  assert.equal(await rate([], {}), 11);
  assert.equal(await rate([], { TESELA_FRAME_RATE: '12' }), 12);
  assert.equal(await rate(['--frame-rate', '13'], { TESELA_FRAME_RATE: '12' }), 13);
});

test('what the machine does not allow ends the start with a sentence', async () => {
  const server = await Server.start();
  try {
    const other = path.join(folder, 'other');
    const taken = await run(
      serverProgram,
      ['--data', other, '--grpc-port', '0', '--http-port', String(server.httpPort)],
      { timeout: 10_000 },
    );
    assert.notEqual(taken.code, 0);
    assert.match(taken.stderr + taken.stdout, new RegExp(`${server.httpPort}`));
    const shared = await run(
      serverProgram,
      ['--data', server.data, '--grpc-port', '0', '--http-port', '0'],
      { timeout: 10_000 },
    );
    assert.notEqual(shared.code, 0, 'two servers must not share one data folder');
    assert.ok((shared.stderr + shared.stdout).includes(server.data));
  } finally {
    await server.dispose();
  }
  const blocked = path.join(folder, 'file');
  await writeFile(blocked, '');
  const { code, stdout, stderr } = await run(
    serverProgram,
    ['--data', blocked, '--grpc-port', '0', '--http-port', '0'],
    { timeout: 10_000 },
  );
  assert.notEqual(code, 0);
  assert.ok((stderr + stdout).includes(blocked));
});

test('a secret that is too short is refused', async () => {
  const secret = path.join(folder, 'short.key');
  await writeFile(secret, 'secret');
  const { code, stdout, stderr } = await run(
    serverProgram,
    [
      '--data',
      path.join(folder, 'data'),
      '--token-secret-file',
      secret,
      '--grpc-port',
      '0',
      '--http-port',
      '0',
    ],
    { timeout: 10_000 },
  );
  assert.notEqual(code, 0);
  assert.match(stderr + stdout, /32/);
});

test('--help and the page of the server name the same options', async () => {
  const { code, stdout } = await run(serverProgram, ['--help']);
  assert.equal(code, 0);
  const readme = await readFile(path.join(repository, 'server/README.md'), 'utf8');
  const documented = readme
    .split('\n')
    .filter((line) => line.startsWith('| `--'))
    .join('\n');
  assert.deepEqual(flagsOf(documented), flagsOf(stdout));
});

test('--version says which', async () => {
  const { code, stdout } = await run(serverProgram, ['--version']);
  assert.equal(code, 0);
  assert.match(stdout, /^tesela-server \d+\.\d+\.\d+/);
});
