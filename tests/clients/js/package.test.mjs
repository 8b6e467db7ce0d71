// @tesela/client as an author has it: packed, installed into an empty folder, and played with.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { repository, run, Server } from '../../e2e/harness/server.mjs';
import { losesNothing, playsItsExample } from '../conformance.mjs';

const clients = path.join(repository, 'clients');
const packageFolder = path.join(clients, 'js');
const tsx = path.join(clients, 'node_modules/tsx/dist/loader.mjs');
const kibibytesMax = 48;

let folder; // the author's
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-author-'));
  const built = await run('npm', ['run', '--silent', 'build'], { cwd: packageFolder });
  assert.equal(built.code, 0, built.stdout + built.stderr);
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: packageFolder,
  });
  assert.equal(packed.code, 0, packed.stderr);
  const [{ filename }] = JSON.parse(packed.stdout);
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  const wanted = [path.join(folder, filename), 'ws@8.23.0'];
  const installed = await run('npm', ['install', '--no-audit', '--no-fund', ...wanted], {
    cwd: folder,
  });
  assert.equal(installed.code, 0, installed.stderr);
});
after(() => rm(folder, { recursive: true, force: true }));

/** Starts a program of the author. */
async function start(source, ...args) {
  const program = path.join(folder, path.basename(source));
  await cp(source, program);
  return spawn(process.execPath, ['--import', tsx, program, ...args], { cwd: folder });
}

playsItsExample((url) => start(path.join(packageFolder, 'examples/play.ts'), url));
losesNothing((...args) => start(path.join(import.meta.dirname, 'author.ts'), ...args));

test('the lines of the README play a game to its end', async () => {
  const readme = await readFile(path.join(packageFolder, 'README.md'), 'utf8');
  const example = await readFile(path.join(packageFolder, 'examples/play.ts'), 'utf8');
  const [, lines] = /```ts\n([^]*?)```/.exec(readme);
  const server = await Server.start('--bot-pace', '0ms');
  try {
    const program = path.join(folder, 'readme.ts');
    // What a page has, and what its author writes.
    const around = [
      "import WebSocket from 'ws';",
      'const kept = new Map();',
      'const localStorage = { getItem: (key) => kept.get(key) ?? null,',
      '  setItem: (key, text) => kept.set(key, text), removeItem: (key) => kept.delete(key) };',
      'globalThis.WebSocket = WebSocket;',
      'const draw = (stages, view) => console.assert(view, stages);',
      /^function choose[^]*?^}/m.exec(example)[0],
    ];
    const called = lines.replace('http://localhost:8080', server.http);
    await writeFile(
      program,
      `${around.join('\n')}\n${called}\nconsole.log(ok, broken);table.close();`,
    );
    const args = ['--import', tsx, program];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'true []\n');
  } finally {
    await server.dispose();
  }
});

test(`with all games it is at most ${kibibytesMax} KiB, compressed`, async () => {
  const { build } = await import(path.join(clients, 'node_modules/esbuild/lib/main.js'));
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@tesela/client'", resolveDir: folder },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  });
  const kibibytes = brotliCompressSync(outputFiles[0].contents).length / 1024;
  console.log(`${kibibytes.toFixed(1)} KiB`);
  assert.ok(kibibytes <= kibibytesMax, `${kibibytes} KiB`);
});
