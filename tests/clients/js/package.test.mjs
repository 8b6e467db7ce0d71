// @tesela/client as an author has it: packed, installed into an empty folder, and played with on a
// real server, through lines that are cut, and over the server's death.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { Switch } from '../../chaos/nodes/switch.mjs';
import { HistoryService } from '../../e2e/gen/tesela/lobby/v1/history_pb.js';
import { clientOf } from '../../e2e/harness/lobby.mjs';
import { repository, run, Server } from '../../e2e/harness/server.mjs';

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

/** Starts a program of the author: the process, whose output is read by `outputOf`. */
async function start(source, ...args) {
  const program = path.join(folder, path.basename(source));
  await cp(source, program);
  return spawn(process.execPath, ['--import', tsx, program, ...args], { cwd: folder });
}

async function outputOf(program) {
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const [code] = await once(program, 'close');
  assert.equal(code, 0, output);
  return output;
}

test('the example of the README plays to the end, and its dice are fair', async () => {
  const server = await Server.start('--bot-pace', '0ms');
  try {
    const example = path.join(packageFolder, 'examples/play.ts');
    const output = await outputOf(await start(example, server.http));
    assert.match(output, /version 2: [1-9]/);
    assert.match(output, /The dice were fair\.\n$/);
  } finally {
    await server.dispose();
  }
});

test('moves under cut lines and kill -9: none lost, none twice, no frame twice', async () => {
  const [games, moves] = [10, Number(process.env.TESELA_TEST_MOVES ?? 2000) / 10];
  const server = await Server.start('--frame-rate', '0', '--shared-frame-rate', '0');
  const line = await Switch.start(server);
  try {
    const program = await start(
      path.join(import.meta.dirname, 'author.ts'),
      line.http,
      games,
      moves,
    );
    let playing = true;
    const ended = outputOf(program).finally(() => (playing = false));
    let troubles = 0;
    for (; playing; ++troubles) {
      await Promise.race([sleep(700), ended.catch(() => {})]);
      line.delayMs = troubles % 3;
      if (troubles % 8 === 5) {
        await server.kill();
        await server.start();
      }
      line.cut();
    }
    const tables = (await ended)
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    const told = await Promise.all(tables.map((table) => audit(server, table)));
    assert.equal(
      told.reduce((sum, count) => sum + count),
      games * moves,
    );
    console.log(`${tables.length} games, ${games * moves} moves, ${troubles} cuts`);
  } finally {
    line.close();
    await server.dispose();
  }
});

/** Compares what a client was shown and told with what is stored: the number of its moves. */
async function audit(server, { tableId, shown, told }) {
  const [first, ...rest] = shown;
  assert.equal(first, 'position 1');
  assert.deepEqual(
    rest,
    rest.map((_, at) => String(at + 2)),
    'each version once, in order',
  );
  const { record } = await clientOf(HistoryService, server).getRecord({ tableId });
  const stored = record.moves.map(({ moveId, version }) => [moveId, String(version)]);
  assert.deepEqual(told, stored, 'each move is stored once');
  return told.length;
}

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
