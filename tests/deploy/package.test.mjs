// The Debian package of deploy/release.sh: what is in it, and that its programs run as its service
// starts them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { repository, run } from '../e2e/harness/server.mjs';

const dist = path.join(repository, 'build/dist');
let folder;
let deb;

async function must(program, args, options = {}) {
  const { code, stdout, stderr } = await run(program, args, { cwd: repository, ...options });
  assert.equal(code, 0, `${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-package-'));
  await must('deploy/release.sh', []);
  [deb] = (await readdir(dist)).filter((name) => name.endsWith('.deb'));
  await must('dpkg-deb', ['--extract', path.join(dist, deb), folder]);
});
after(() => rm(folder, { recursive: true, force: true }));

test('the same commit gives the same bytes, signed by SIGNING_KEY', async (t) => {
  const sums = await readFile(path.join(dist, 'SHA256SUMS'), 'utf8');
  const home = await mkdtemp(path.join(tmpdir(), 'tesela-gpg-'));
  const env = { ...process.env, GNUPGHOME: home, SIGNING_KEY: 'releases@tesela.example' };
  t.after(async () => {
    await must('gpgconf', ['--kill', 'all'], { env });
    await rm(home, { recursive: true, force: true });
  });
  const make = ['--quick-generate-key', env.SIGNING_KEY, 'ed25519', 'sign', '1d'];
  await must('gpg', ['--batch', '--quiet', '--passphrase', '', ...make], { env });
  await must('deploy/release.sh', [], { env });
  await must('gpg', ['--verify', 'SHA256SUMS.asc', 'SHA256SUMS'], { cwd: dist, env });
  assert.equal(await readFile(path.join(dist, 'SHA256SUMS'), 'utf8'), sums);
  await must('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist });
});

test('the package says what it needs, and keeps the options that an operator has set', async () => {
  const field = (name) => must('dpkg-deb', ['--field', path.join(dist, deb), name]);
  assert.match(await field('Depends'), /libgrpc\+\+1\.51.*libsqlite3-0/);
  assert.match(await field('Version'), /^\d+\.\d+\.\d+/);
  const control = path.join(folder, 'control');
  await must('dpkg-deb', ['--control', path.join(dist, deb), control]);
  assert.equal(
    await readFile(path.join(control, 'conffiles'), 'utf8'),
    '/etc/tesela/tesela.toml\n',
  );
  const sbom = (await readdir(dist)).find((name) => name.endsWith('.cdx.json'));
  const { components } = JSON.parse(await readFile(path.join(dist, sbom), 'utf8'));
  for (const name of ['libssl3', '@bufbuild/protobuf']) {
    assert.ok(
      components.some((one) => one.name === name && one.version),
      name,
    );
  }
});

test('manuals and completion know every option', async () => {
  const manual = await must('zcat', [path.join(folder, 'usr/share/man/man8/tesela-server.8.gz')]);
  assert.match(manual, /\\-\\-http\\-port/);
  const completed = async (...words) =>
    (
      await must('bash', [
        '-c',
        `PATH=${folder}/usr/bin; . ${folder}/usr/share/bash-completion/completions/tesela
         COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); PATH=$PATH:/usr/bin:/bin
         _tesela "$1"; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        ...words,
      ])
    )
      .trim()
      .split('\n');
  assert.deepEqual(await completed('tesela', 'prof'), ['profile']);
  assert.deepEqual(await completed('tesela', 'admin', 'stat'), ['status']);
  assert.deepEqual(await completed('tesela-server', '--http-po'), ['--http-port']);
});

test('the service tells systemd when it is ready and when it stops', async () => {
  const unit = path.join(folder, 'usr/lib/systemd/system/tesela-server.service');
  const text = await readFile(unit, 'utf8');
  const [, command] = text.match(/^ExecStart=(.*)$/m);
  const [program, ...args] = command
    .replaceAll('/var/lib/tesela', path.join(folder, 'data'))
    .replaceAll('/etc/tesela', path.join(folder, 'etc/tesela'))
    .split(' ');
  // What systemd listens to.
  const manager = spawn('python3', [
    '-c',
    `import os, socket, subprocess, sys
path, *command = sys.argv[1:]
states = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
states.bind(path)
server = subprocess.Popen(command, env={**os.environ, "NOTIFY_SOCKET": path})
print(states.recv(99).decode(), flush=True)
server.terminate()
print(states.recv(99).decode(), server.wait(), flush=True)`,
    path.join(folder, 'notify'),
    ...[path.join(folder, program), ...args, '--http-port', '0', '--grpc-port', '0'],
  ]);
  let said = '';
  manager.stdout.on('data', (data) => (said += data));
  const code = await new Promise((resolve) => manager.on('close', resolve));
  assert.deepEqual([code, said], [0, 'READY=1\nSTOPPING=1 0\n']);
});
