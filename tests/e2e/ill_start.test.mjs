// A data folder that cannot be served ends the start with one sentence, which says what is wrong
// and what would be right.
import assert from 'node:assert/strict';
import {
  chmod,
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  writeFile,
} from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { databaseOf, pageBytes, sql } from './harness/database.mjs';
import { newTable } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { run, Server, serverProgram } from './harness/server.mjs';
import { volumeOf } from './harness/volume.mjs';

const nobody = 65534;
let server;
let folder; // of the broken copies
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-ill-start-'));
  await chmod(folder, 0o755);
  server = await Server.start();
  const { tableId, token } = await newTable(server, { size: 8 });
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(100);
  await server.terminate();
});
after(async () => {
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** A copy of what a server has left. */
async function copyOf(data, into = folder) {
  const copy = path.join(into, data);
  await cp(server.data, copy, { recursive: true });
  return copy;
}

const options = (data) => ['--data', data, '--http-port', '0', '--grpc-port', '0'];

/** Expects that a server says one sentence of the folder and leaves with 1. */
async function assertRefused(data, sentence, command = [serverProgram]) {
  const [program, ...first] = command;
  const { code, signal, stderr } = await run(program, [...first, ...options(data)], {
    timeout: 20_000,
  });
  assert.deepEqual({ code, signal }, { code: 1, signal: null }, stderr);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.match(stderr, sentence);
  assert.ok(stderr.includes(data), stderr);
  assert.match(stderr.trim(), /\.$/);
}

test('a database that has gone is not begun anew, unless its keys go too', async (t) => {
  const data = await copyOf('gone');
  await rm(databaseOf(data));
  const left =
    /gone or empty.*restore it.*\(token\.key, daily\.key, admin\.key, log\.mark\) to begin anew/;
  await assertRefused(data, left);
  await assertRefused(data, left);
  for (const name of ['token', 'daily', 'admin']) await rm(path.join(data, `${name}.key`));
  await assertRefused(data, /is gone or empty.*\(log\.mark\) to begin anew/);
  await rm(path.join(data, 'log.mark'));
  const anew = await Server.start('--data', data);
  t.after(() => anew.dispose());
  await newTable(anew);
});

test('keys that are given may be in the folder before the first start', async (t) => {
  const data = path.join(folder, 'given');
  await mkdir(data);
  const key = path.join(data, 'token.key');
  await writeFile(key, 'k'.repeat(32), { mode: 0o600 });
  await assertRefused(data, /is gone or empty/);
  const first = await Server.start('--data', data, '--token-secret-file', key);
  t.after(() => first.dispose());
  await newTable(first);
});

test('a log that is gone after a kill is missed, unless that is accepted', async (t) => {
  const killed = await Server.start();
  t.after(() => killed.dispose());
  const { tableId, token } = await newTable(killed, { size: 8 });
  const player = await Player.join(killed, tableId, { token });
  await player.playMoves(5);
  await killed.kill();
  const whole = path.join(folder, 'killed');
  await cp(killed.data, whole, { recursive: true });
  const log = `${databaseOf(killed.data)}-wal`;
  await rm(log);
  const older = /is older than what a server had stored there: its log tesela\.db-wal is gone/;
  await assertRefused(killed.data, older);
  const backup = ['backup', path.join(folder, 'of-less'), '--data', killed.data];
  for (const args of [backup, ['compact', '--data', killed.data]]) {
    const { code, stderr } = await run(serverProgram, args);
    assert.equal(code, 1);
    assert.match(stderr, older);
  }
  // A damaged log, which SQLite takes for none, stays where it is.
  await writeFile(log, Buffer.alloc(100_000, 7));
  await assertRefused(killed.data, older);
  assert.equal(statSync(log).size, 100_000);
  await cp(`${databaseOf(whole)}-wal`, log);
  await killed.start();
  assert.equal((await Player.join(killed, tableId, { token })).version, player.version);
  await killed.terminate();
  await killed.start();
  await (await Player.join(killed, tableId, { token })).playMoves(5);
  await killed.kill();
  await rm(log);
  await assertRefused(killed.data, older);
  await rm(path.join(killed.data, 'log.mark'));
  await killed.start();
  assert.equal((await Player.join(killed, tableId, { token })).version, player.version);
});

test('a bit that has changed in the log is said, unless that is accepted', async (t) => {
  const killed = await Server.start();
  t.after(() => killed.dispose());
  const { tableId, token } = await newTable(killed, { size: 8 });
  const player = await Player.join(killed, tableId, { token });
  await player.playMoves(20);
  await killed.kill();
  const log = await open(`${databaseOf(killed.data)}-wal`, 'r+');
  const { buffer } = await log.read(Buffer.alloc(1 << 20), 0, 1 << 20, 0);
  // The frames of this log have its salts; one in the middle of them is changed.
  const frameBytes = 24 + pageBytes;
  const salts = buffer.subarray(16, 24);
  let frames = 0;
  const saltsOf = (n) => buffer.subarray(32 + n * frameBytes + 8, 32 + n * frameBytes + 16);
  while (saltsOf(frames).equals(salts)) frames += 1;
  const at = 32 + (frames - 8) * frameBytes + 2000;
  await log.write(Buffer.of(buffer[at] ^ 4), 0, 1, at);
  await log.close();
  const damaged = /-wal is damaged: its frame \d+ is broken, so \d+ commits \(8 frames\)/;
  await assertRefused(killed.data, damaged);
  await assertRefused(killed.data, /restore a backup with .*, or start .* --accept-damaged-log/);
  const backup = path.join(killed.data, 'backup');
  for (const command of [['compact'], ['backup', backup], ['check']]) {
    const { code, stderr } = await run(serverProgram, [...command, '--data', killed.data]);
    assert.equal(code, 1);
    assert.match(stderr, damaged);
  }
  assert.ok(!existsSync(backup));
  const accepting = await Server.start('--data', killed.data, '--accept-damaged-log');
  t.after(() => accepting.dispose());
  const again = await Player.join(accepting, tableId, { token });
  assert.ok(again.version < player.version);
  const [copy] = (await readdir(killed.data)).filter((name) => name.startsWith('damaged-'));
  assert.match(accepting.output, new RegExp(copy));
  assert.ok(statSync(path.join(killed.data, copy, 'tesela.db-wal')).size > 0);
  await again.playMoves(5);
  await accepting.kill();
  await killed.start();
  assert.equal((await Player.join(killed, tableId, { token })).version, again.version);
});

test('keys beside a database without tables are not begun anew', async () => {
  const data = await copyOf('no-tables');
  await rm(databaseOf(data));
  await rm(path.join(data, 'log.mark'));
  await sql(data, 'PRAGMA journal_mode = WAL', 'CREATE TABLE t (a)', 'DROP TABLE t');
  assert.ok(statSync(databaseOf(data)).size > 0);
  await assertRefused(data, /is gone or empty, though a server has used this folder/);
});

test('files of somebody else', async (t) => {
  if (process.getuid() !== 0) {
    console.error(`NOT RUN: "${t.name}" needs root, to run a server as somebody else`);
    t.skip('needs root');
    return;
  }
  const program = path.join(folder, 'tesela-server');
  await copyFile(serverProgram, program);
  await chmod(program, 0o755);
  const ids = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  const asNobody = ['setpriv', ...ids, program];
  const whose = new RegExp(`belongs to user 0, and this program runs as user ${nobody}; give it`);

  const theirs = await copyOf('their-folder');
  await chmod(theirs, 0o755);
  await assertRefused(theirs, /cannot be used \(Permission denied\)/, asNobody);
  await assertRefused(theirs, whose, asNobody);

  const ours = await copyOf('our-folder');
  for (const name of ['', 'lock', 'token.key', 'daily.key']) {
    await chown(path.join(ours, name), nobody, nobody);
  }
  await chmod(databaseOf(ours), 0o600);
  await assertRefused(ours, /cannot be opened \(unable to open database file/, asNobody);
  await assertRefused(ours, whose, asNobody);
  await chmod(databaseOf(ours), 0o644);
  await assertRefused(ours, /can be read, but not written \(Permission denied\)/, asNobody);
  await assertRefused(ours, whose, asNobody);
});

test('a read-only disk', async (t) => {
  const volume = await volumeOf(t, 16);
  if (!volume) return;
  const data = await copyOf('data', volume.folder);
  await volume.setReadOnly();
  await assertRefused(data, /cannot be used \(Read-only file system\).*mount it for writing/);
});

test('a full disk, with a database and without', async (t) => {
  const volume = await volumeOf(t, 16);
  if (!volume) return;
  const used = await copyOf('used', volume.folder);
  // What the start has to write.
  assert.deepEqual(await sql(used, 'SELECT count(*) > 0 FROM recent_events'), [[[1]]]);
  await volume.fill();
  await assertRefused(used, /make room on its disk/);
  const fresh = path.join(volume.folder, 'fresh');
  await assertRefused(fresh, /make room on its disk/);
  await assertRefused(fresh, /make room on its disk/);
  await volume.makeRoom();
  const started = await Server.start('--data', fresh);
  await started.terminate();
  await started.dispose();
});
