// `tesela-server backup` and `restore`: a copy that is whole although people play meanwhile, and a
// server that goes on from it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSound, databaseOf, sql } from './harness/database.mjs';
import { newTable } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { run, Server, serverProgram } from './harness/server.mjs';
import { isServerGone, unpack } from './harness/stream.mjs';
import { until } from './harness/until.mjs';
import { volumeOf } from './harness/volume.mjs';

let folder;
before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'tesela-backup-'))));
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a command of the server, which must say what it did. */
async function must(...args) {
  const { code, stdout, stderr } = await run(serverProgram, args, { timeout: 60_000 });
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  return stdout;
}

/** Runs one that must be refused with one sentence. */
async function assertRefused(args, sentence, { status = 1, ...options } = {}) {
  const { code, stdout, stderr } = await run(serverProgram, args, { timeout: 60_000, ...options });
  assert.equal(code, status, `${args}: ${stdout}${stderr}`);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.match(stderr, sentence);
}

/** A server that has stopped, and a player who has made some moves there. */
async function stoppedServer(t) {
  const server = await Server.start();
  t.after(() => server.dispose());
  const { tableId, token } = await newTable(server, { size: 8 });
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(20);
  await server.terminate();
  return { server, player, tableId, token };
}

/** A server of which nothing is left but its ports. */
async function emptyServer(t) {
  const server = await Server.start();
  t.after(() => server.dispose());
  await server.terminate();
  await rm(server.data, { recursive: true });
  return server;
}

test('a backup among players at full speed holds all that was acknowledged before', async (t) => {
  const server = await Server.start('--frame-rate', '0');
  t.after(() => server.dispose());
  const seats = [];
  for (let n = 0; n < 6; ++n) {
    const { tableId, token } = await newTable(server, { size: 8 });
    seats.push({
      tableId,
      token,
      player: await Player.join(server, tableId, { token }),
    });
  }
  const playing = Promise.all(
    seats.map(async ({ player }) => {
      for (;;) await player.play();
    }),
  ).catch((error) => {
    if (!isServerGone(error)) throw error;
  });
  const versions = () => seats.map(({ player }) => player.version);
  await sleep(500);
  const backup = path.join(folder, 'in-play');
  const before = versions();
  assert.equal(await counter(server, 'tesela_backup_seconds'), 0);
  const said = await must('backup', backup, '--data', server.data);
  const after = versions();
  const backedUp = await counter(server, 'tesela_backup_seconds');
  assert.ok(Math.abs(backedUp - Date.now() / 1000) < 60, `${backedUp}`);
  assert.ok(
    after.some((version, n) => version > before[n]),
    'nobody waits for a backup',
  );
  await until(() => versions().every((version, n) => version > after[n] + 4n), 'more moves');
  await server.kill();
  await playing;

  const [, tables, bytes] = said.match(
    /^backed up (\d+) tables, (\d+) bytes, and \d+ keys \(.*daily\.key, token\.key\) to /,
  );
  assert.equal(Number(tables), seats.length);
  assert.equal(Number(bytes), statSync(databaseOf(backup)).size);
  assert.equal(statSync(backup).mode & 0o777, 0o700);
  for (const name of readdirSync(backup)) {
    assert.equal(statSync(path.join(backup, name)).mode & 0o777, 0o600, name);
  }
  await assertSound(backup);

  const other = await emptyServer(t);
  assert.match(
    await must('restore', backup, '--data', other.data),
    /^restored 6 tables, \d+ bytes, and \d+ keys/,
  );
  await other.start();
  for (const [n, { tableId, token, player }] of seats.entries()) {
    const again = await Player.join(other, tableId, { token });
    assert.equal(again.seat, 0);
    assert.ok(again.version >= before[n], `${again.version} of ${before[n]}`);
    assert.ok(again.version <= player.version + 1n, `${again.version} of ${player.version}`);
    // The position is the one that was shown at that version.
    const shown = player.events.find(({ version }) => version === again.version);
    if (shown) assert.deepEqual(again.view, unpack(shown.value.body).view);
    await again.playMoves(3);
    await again.stream.close();
  }
  // Who has seen more than there is now is shown what there is.
  const [{ player }] = seats;
  player.server = other;
  await player.resume();
  let frame;
  do frame = await player.step();
  while (frame.kind !== 'snapshot');
  await player.playMoves(3);
});

test('a backup of a server that is down, put back in place of what came after it', async (t) => {
  const { server, player } = await stoppedServer(t);
  const backup = path.join(folder, 'down');
  await mkdir(backup);
  await must('backup', backup, '--data', server.data);
  const { version, view } = player;
  await server.start();
  await player.resume();
  await player.playMoves(5);
  await server.terminate();

  const args = ['restore', backup, '--data', server.data];
  await assertRefused(args, /holds tesela\.db already.*--replace/);
  const said = await must(...args, '--replace');
  const aside = said.match(/^what was there before is in (.*)$/m)[1];
  assert.equal(path.dirname(aside), server.data);
  assert.match(path.basename(aside), /^replaced-\d{8}T\d{6}Z$/);
  assert.ok(existsSync(databaseOf(aside)));
  assert.ok(!existsSync(path.join(server.data, 'restoring')));
  await server.start();
  const again = await Player.join(server, player.tableId, player.options);
  assert.equal(again.version, version);
  assert.deepEqual(again.view, view);
  await server.terminate();

  // What was put aside is itself a folder that can be put back.
  await must('restore', aside, '--data', server.data, '--replace');
  await server.start();
  const newest = await Player.join(server, player.tableId, player.options);
  assert.equal(newest.version, player.version);
});

test('a restore that is killed while it copies leaves nothing that begins anew', async (t) => {
  const { server, player, tableId, token } = await stoppedServer(t);
  const backup = path.join(folder, 'large');
  // What takes a while to copy.
  await sql(
    server.data,
    `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000)
       INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)
       SELECT n, 'Ana', 1, 0, zeroblob(4000), 0 FROM n`,
  );
  await must('backup', backup, '--data', server.data);
  const other = await emptyServer(t);
  const data = ['--data', other.data];
  const restoring = spawn(serverProgram, ['restore', backup, ...data]);
  const ended = once(restoring, 'exit');
  const isCopying = () => existsSync(`${databaseOf(other.data)}.partial`);
  await until(isCopying, 'the copy');
  restoring.kill('SIGKILL');
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL');
  assert.ok(!existsSync(databaseOf(other.data)));
  const again = /was broken off: run "tesela-server restore FOLDER --replace" again/;
  await assertRefused([...data, '--http-port', '0', '--grpc-port', '0'], again);
  await assertRefused(['backup', path.join(folder, 'half'), ...data], again);
  await assertRefused(['compact', ...data], again);
  assert.ok(!existsSync(databaseOf(other.data)));
  await must('restore', backup, ...data);
  await other.start();
  assert.equal((await Player.join(other, tableId, { token })).version, player.version);
});

test('a backup for which there is no room leaves nothing behind', async (t) => {
  const volume = await volumeOf(t, 1);
  if (!volume) return;
  const { server } = await stoppedServer(t);
  await volume.fill();
  const backup = path.join(volume.folder, 'backup');
  const args = ['backup', backup, '--data', server.data];
  await assertRefused(args, /cannot be written \(.*(full|No space).*room on its disk/);
  assert.ok(!existsSync(backup));
  await volume.makeRoom();
  assert.match(await must(...args), /^backed up 1 table, /);
});

test('the commands find the data folder as a server does, and tell of themselves', async (t) => {
  const { server } = await stoppedServer(t);
  const env = { ...process.env, TESELA_DATA: server.data };
  const byEnvironment = path.join(folder, 'by-environment');
  const { code, stderr } = await run(serverProgram, ['backup', byEnvironment], { env });
  assert.equal(code, 0, stderr);
  const file = path.join(folder, 'server.toml');
  await writeFile(file, `data = "${server.data}"\nframe-rate = 11\n`);
  await must('backup', path.join(folder, 'by-file'), '--config', file);
  const copy = path.join(folder, 'copied');
  cpSync(byEnvironment, copy, { recursive: true });
  assert.deepEqual(
    readFileSync(path.join(copy, 'token.key')),
    readFileSync(path.join(server.data, 'token.key')),
  );
  const usage = { status: 2 };
  await assertRefused(['backup'], /FOLDER is required.*--help/, usage);
  await assertRefused(['restore', copy, copy], /tesela-server restore: .*--help/, usage);
  await assertRefused(['backup', copy, '--replace'], /--replace/, usage);
  for (const command of ['backup', 'restore']) {
    assert.match(await must(command, '--help'), /FOLDER/);
    assert.match(await must('--help'), new RegExp(`tesela-server ${command} FOLDER`));
  }
});
