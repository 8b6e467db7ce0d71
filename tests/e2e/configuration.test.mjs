// How the server is told what to do: flags, environment, file; and what it refuses to be told.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientProgram, Server, run, serverProgram } from './harness/server.mjs';

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

test('a value that cannot be ends the start with a sentence, wherever it stands', async () => {
  await assertRefused(['--http-port', 'http'], /--http-port.*"http".*65535/);
  await assertRefused(['surplus'], /no option/);
  await assertRefused([], /--http-port.*"x"/, { env: { ...process.env, TESELA_HTTP_PORT: 'x' } });
  const file = path.join(folder, 'bad.toml');
  await writeFile(file, 'frame-rate = "often"\n');
  await assertRefused(['--config', file], /frame-rate.*"often"/);
});

test("the page names the operator's terms and privacy notice", async () => {
  const terms = 'https://example.org/terms?of=use&in=en';
  const server = await Server.start('--terms-url', terms, '--privacy-url', 'https://example.org/p');
  try {
    const page = await fetch(`${server.http}/boards`, { headers: { accept: 'text/html' } });
    const head = (await page.text()).split('</head>')[0];
    const href = terms.replace('&', '&amp;');
    assert.ok(head.includes(`<link rel="terms-of-service" href="${href}" />`), head);
    assert.ok(head.includes('<link rel="privacy-policy" href="https://example.org/p" />'), head);
  } finally {
    await server.dispose();
  }
  await assertRefused(['--terms-url', 'javascript:alert(1)'], /--terms-url.*not a web page/);
  await assertRefused(['--terms-url', 'https://a/"><script>'], /--terms-url.*not a web page/);
});

test('an unknown variable of the environment is warned of at every start', async (t) => {
  process.env.TESELA_LOG_FROMAT = 'json';
  t.after(() => delete process.env.TESELA_LOG_FROMAT);
  const server = await Server.start();
  t.after(() => server.dispose());
  assert.match(server.output, /warn.*TESELA_LOG_FROMAT.*TESELA_LOG_FORMAT/);
});

test('what the machine does not allow ends the start with a sentence', async () => {
  const assertEnds = async (data, httpPort, named) => {
    const args = ['--data', data, '--grpc-port', '0', '--http-port', String(httpPort)];
    const { code, stdout, stderr } = await run(serverProgram, args, { timeout: 10_000 });
    assert.notEqual(code, 0);
    assert.ok((stderr + stdout).includes(named), stderr + stdout);
  };
  const server = await Server.start();
  try {
    await assertEnds(path.join(folder, 'other'), server.httpPort, String(server.httpPort));
    await assertEnds(server.data, 0, server.data); // two servers must not share one data folder
  } finally {
    await server.dispose();
  }
  const blocked = path.join(folder, 'file');
  await writeFile(blocked, '');
  await assertEnds(blocked, 0, blocked);
});

test('a secret that is too short, or that others may read, is refused', async () => {
  const secret = path.join(folder, 'short.key');
  const options = ['--data', path.join(folder, 'data'), '--token-secret-file', secret];
  const ports = ['--grpc-port', '0', '--http-port', '0'];
  await writeFile(secret, 'secret');
  const open = await run(serverProgram, [...options, ...ports], { timeout: 10_000 });
  assert.equal(open.code, 1);
  assert.ok(open.stderr.includes(`lets others read or change it; run chmod 600 ${secret}.`));
  await chmod(secret, 0o600);
  const short = await run(serverProgram, [...options, ...ports], { timeout: 10_000 });
  assert.equal(short.code, 1);
  assert.match(short.stderr, /has 6 bytes; it needs at least 32/);
});

test('both programs tell their version', async () => {
  for (const program of [serverProgram, clientProgram]) {
    const { code, stdout } = await run(program, ['--version']);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^${path.basename(program)} \\d+\\.\\d+\\.\\d+\\S*\\n$`));
  }
});

test('connections are taken only as files and memory allow', async () => {
  const data = path.join(folder, 'limits');
  const ports = '--http-port 0 --grpc-port 0 --ops-port 0 --exempt-addresses none';
  const server = spawn('bash', [
    '-c',
    `ulimit -n 400; exec ${serverProgram} --data ${data} ${ports} --memory-max 1`,
  ]);
  try {
    let log = '';
    server.stderr.on('data', (text) => (log += text));
    server.stdout.on('data', (text) => (log += text));
    while (!/operators are served/.test(log)) await sleep(20);
    assert.match(log, /may open 400 files: 200 connections are taken, not 20000/);
    const [, http] = /serves http:\/\/[^ ]*:(\d+) /.exec(log);
    const [, ops] = /operators are served on http:\/\/[^ ]*:(\d+)/.exec(log);
    const refused = await fetch(`http://127.0.0.1:${http}/`);
    assert.equal(refused.status, 503);
    assert.equal((await fetch(`http://127.0.0.1:${ops}/readyz`)).status, 200);
    assert.match(log, /MiB of 1 are in use: new connections and tables are refused/);
  } finally {
    server.kill();
    await once(server, 'exit');
  }
});

test('too few descriptors end the start with sentences of the log', async () => {
  const data = path.join(folder, 'few');
  const options = `--data ${data} --http-port 0 --grpc-port 0`;
  for (const files of [8, 16, 24, 32, 40, 64]) {
    const limited = `ulimit -n ${files}; exec timeout 5 ${serverProgram} ${options}`;
    const { code, stdout, stderr } = await run('bash', ['-c', limited]);
    if (code === 124) break; // it serves
    assert.equal(stdout, '');
    for (const line of stderr.trim().split('\n')) {
      assert.match(line, /^\S+Z (critical|error|warning|info) .*[^\]]$/, stderr);
    }
    assert.doesNotMatch(stderr, /connect_pair|\[system:\d+|what\(\)/, `${files} files`);
  }
});
