// The package for Python as an author has it: a wheel, installed into an empty environment without
// a package index, checked by mypy, and played with.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { repository, run, Server } from '../../e2e/harness/server.mjs';
import { losesNothing, playsItsExample } from '../conformance.mjs';
import { installPackage, packageFolder } from './install.mjs';

let folder; // the author's
let python;

/** Runs a program to its end, which must be good. The last argument may be variables for it. */
async function done(program, ...args) {
  const variables = typeof args.at(-1) === 'object' ? args.pop() : {};
  const env = { ...process.env, ...variables };
  const { code, stdout, stderr } = await run(program, args, { cwd: folder, env });
  assert.equal(code, 0, stdout + stderr);
}

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-author-'));
  python = await installPackage(folder);
  for (const source of [path.join(packageFolder, 'examples'), import.meta.dirname]) {
    const programs = (await readdir(source)).filter((name) => name.endsWith('.py'));
    await Promise.all(programs.map((name) => cp(path.join(source, name), path.join(folder, name))));
  }
});
after(() => rm(folder, { recursive: true, force: true }));

/** Starts a program of the author. */
const start = (program, ...args) => spawn(python, ['-u', program, ...args], { cwd: folder });

playsItsExample((url) => start('play.py', url));
losesNothing((...args) => start('author.py', ...args));

test('the lines of the README play a game to its end', async () => {
  const readme = await readFile(path.join(packageFolder, 'README.md'), 'utf8');
  const [, imports, lines] = /```python\n(.*\n)\n([^]*?)```/.exec(readme);
  const server = await Server.start('--bot-pace', '0ms');
  try {
    const called = lines.replace('http://localhost:8080', server.http);
    const program = [
      'import asyncio, re, pathlib',
      imports,
      'from tesela.game.v1.azul_pb2 import AzulMove, AzulView',
      "example = pathlib.Path('play.py').read_text()",
      "exec(re.search(r'^def choose.*?(?=^async)', example, re.M | re.S)[0])",
      'async def main():',
      called.replaceAll(/^(?=.)/gm, '    '),
      '    assert verdict.ok, verdict.broken',
      'asyncio.run(main())',
    ];
    await writeFile(path.join(folder, 'readme'), program.join('\n'));
    await done(python, 'readme');
  } finally {
    await server.dispose();
  }
});

test('in the situations in which programs and players are wrong, it says so', async () => {
  const server = await Server.start('--bot-pace', '0ms');
  try {
    await done(python, 'situations_test.py', { TESELA_URL: server.http });
  } finally {
    await server.dispose();
  }
});

test('the stream against a table that a test plays, and the hashes of the proof', async () => {
  await done(python, 'stream_test.py');
  await done(python, 'proof_test.py', {
    TESELA_VECTORS: path.join(repository, 'tests/verify/fair_vectors.jsonl'),
  });
});

test('mypy --strict finds nothing, in the package and in the programs of its authors', async () => {
  const programs = (await readdir(folder)).filter((name) => name.endsWith('.py'));
  const settings = ['--config-file', path.join(packageFolder, 'pyproject.toml')];
  const types = { MYPYPATH: path.join(import.meta.dirname, 'stubs') };
  for (const what of [['-p', 'tesela'], programs]) {
    await done('/usr/bin/mypy', ...settings, '--python-executable', python, ...what, types);
  }
});
