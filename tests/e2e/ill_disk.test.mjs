// A disk that falls ill under a running server: what is refused says why, nothing acknowledged is
// lost, and nobody is served less than the disk allows.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { Bystander } from './harness/bystander.mjs';
import { databaseOf, overwritePages, sql } from './harness/database.mjs';
import { newTable, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { run, Server, serverProgram } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';
import { volumeOf } from './harness/volume.mjs';

const movesMax = 20_000;

/** What /readyz answers: { status, text }. */
async function readyz(server) {
  const response = await fetch(`${server.http}/readyz`);
  return { status: response.status, text: await response.text() };
}

/** Plays until a move is refused: the refusal. */
async function playUntilRefused(player) {
  for (let n = 0; n < movesMax; ++n) {
    const moveId = player.stream.move(player.view.legal[0], { atVersion: player.version });
    let frame;
    do frame = await player.step();
    while (frame.value.moveId !== moveId);
    if (frame.kind === 'refusal') return frame.value;
  }
  return assert.fail('the disk does not get full');
}

/** Two ways for a disk to be full: each { server, exhaust, relieve }. */
const disks = {
  'a disk that is full': async (t) => {
    const volume = await volumeOf(t, 24);
    if (!volume) return undefined;
    const server = await Server.start('--frame-rate', '0', '--data', `${volume.folder}/data`);
    return { server, exhaust: () => volume.fill(), relieve: () => volume.makeRoom() };
  },
  'files that may not grow': async () => {
    const server = await Server.start('--frame-rate', '0');
    const limit = (bytes) => run('prlimit', ['--pid', `${server.pid}`, `--fsize=${bytes}:`]);
    // Beyond it lies the most of the log, though it has its length from the start.
    return { server, exhaust: () => limit(1 << 20), relieve: () => limit('unlimited') };
  },
};

/**
 * A table of a game that goes on, and its only player: { server, exhaust, relieve, tableId,
 * player }; undefined where there can be no such disk.
 */
async function playedOn(t, makeDisk) {
  const disk = await makeDisk(t);
  if (!disk) return undefined;
  t.after(() => disk.server.dispose());
  const { tableId, token } = await newTable(disk.server, { size: 8 });
  const player = await Player.join(disk.server, tableId, { token });
  await player.playMoves(20);
  return { ...disk, tableId, player };
}

for (const [name, makeDisk] of Object.entries(disks)) {
  test(`${name}: moves are refused, none is lost, and play goes on with room`, async (t) => {
    const disk = await playedOn(t, makeDisk);
    if (!disk) return;
    const { server, tableId, player } = disk;

    await disk.exhaust();
    const { reason, message } = await playUntilRefused(player);
    assert.equal(Reason[reason], 'STORE_UNAVAILABLE');
    assert.match(message, /could not be stored and was not played.*cannot store this now/);
    const { status, text } = await readyz(server);
    assert.equal(status, 503);
    assert.match(text, /cannot write its database now: (make room on its disk|it tries again)/);
    assert.ok(!text.includes(server.data), text);
    assert.match(server.output, /cannot write its database now/);
    assert.match(server.output, /SQLite: .*(disk is full|disk I\/O error)/); // for operators alone
    assert.ok((await counter(server, 'tesela_store_errors_total', { operation: 'write' })) > 0);
    await assert.rejects(signIn(server), /\[unavailable\].*cannot store this now/);
    const spectator = await Player.join(server, tableId);
    assert.equal(spectator.version, player.version);
    assert.deepEqual(spectator.view, player.view);
    await spectator.stream.close();

    await disk.relieve();
    await until(async () => (await server.readiness()) === 200, 'readiness');
    assert.match(server.output, /the database can be written again/);
    await player.playMoves(20);

    await disk.exhaust();
    await playUntilRefused(player);
    assert.deepEqual(await server.kill(), { code: null, signal: 'SIGKILL' });
    await disk.relieve();
    await server.start();
    const { version, view } = player;
    await player.resume();
    assert.equal(player.version, version, 'what was acknowledged, and no more');
    const again = await Player.join(server, tableId);
    assert.deepEqual(again.view, view);
    await player.playMoves(5);
  });
}

test('a server on a full disk stops in peace, and starts again when there is room', async (t) => {
  const disk = await playedOn(t, disks['a disk that is full']);
  if (!disk) return;
  const { server, player } = disk;
  await disk.exhaust();
  await playUntilRefused(player);
  assert.deepEqual(await server.terminate(), { code: 0, signal: null });
  await disk.exhaust(); // a server that has stopped leaves no log
  const { code, stderr } = await run(serverProgram, server.arguments, { timeout: 20_000 });
  assert.equal(code, 1, stderr);
  assert.equal(stderr.match(/ critical /g)?.length, 1, stderr);
  assert.match(stderr, /cannot be opened \(database or disk is full\): make room on its disk/);
  await disk.relieve();
  await server.start();
  const { version } = player;
  await player.resume();
  assert.equal(player.version, version);
  await player.playMoves(5);
});

test('a database that is damaged under a server', async (t) => {
  const server = await Server.start();
  t.after(() => server.dispose());
  const { tableId, token } = await newTable(server, { size: 8 });
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(200);
  // The first start settles what was played, and its stop writes it to the database itself.
  for (let n = 0; n < 2; ++n) {
    await server.terminate();
    await server.start();
  }
  const backup = path.join(server.data, 'backup');
  const backedUp = await run(serverProgram, ['backup', backup, '--data', server.data]);
  assert.equal(backedUp.code, 0, backedUp.stderr);
  const bystander = await Bystander.at(server);
  await bystander.assertServed();
  const [[[root]]] = await sql(
    server.data,
    "SELECT rootpage FROM sqlite_schema WHERE name = 'events'",
  );
  assert.ok(statSync(databaseOf(server.data)).size > root * 4096);
  await overwritePages(server.data, root);

  const stream = await Stream.open(server, tableId, { token });
  const { message } = await stream.goodbye();
  assert.match(message, /database is damaged/);
  assert.match(server.output, /table \w+ is damaged: .*database is damaged/);
  assert.equal(await counter(server, 'tesela_damaged_tables'), 1);
  await bystander.assertServed();
  assert.equal(await server.readiness(), 200, 'what was read is damaged, the rest is not');
  assert.deepEqual(await server.terminate(), { code: 0, signal: null });

  const refused = await run(serverProgram, server.arguments, { timeout: 20_000 });
  assert.equal(refused.code, 1);
  assert.equal(refused.stderr.trim().split('\n').length, 1, refused.stderr);
  assert.match(refused.stderr, /is damaged.*restore it/);
  const damaged = await run(serverProgram, ['backup', `${backup}-2`, '--data', server.data]);
  assert.equal(damaged.code, 1, damaged.stdout);
  assert.match(damaged.stderr, /is damaged/);
  const checked = await run(serverProgram, ['check', '--data', server.data]);
  assert.equal(checked.code, 1, checked.stderr);
  assert.match(checked.stdout, new RegExp(`^table ${tableId}: .*damaged`, 'm'));

  const restored = await run(serverProgram, [
    'restore',
    backup,
    ...['--data', server.data, '--replace'],
  ]);
  assert.equal(restored.code, 0, restored.stderr);
  await server.start();
  const { version } = player;
  await player.resume();
  assert.equal(player.version, version);
  await player.playMoves(5);
});

test('a server whose writes meet damage is not ready until it is stopped', async (t) => {
  const server = await Server.start();
  t.after(() => server.dispose());
  const { tableId } = await newTable(server);
  await server.terminate();
  const [[[root]]] = await sql(
    server.data,
    "SELECT rootpage FROM sqlite_schema WHERE name = 'players_by_created'",
  );
  await overwritePages(server.data, root);
  await server.start();
  assert.equal(await server.readiness(), 200);

  await assert.rejects(signIn(server), /\[unavailable\].*database is damaged/);
  const { status, text } = await readyz(server);
  assert.equal(status, 503);
  assert.match(text, /database is damaged: stop the server and restore a backup\./);
  assert.match(server.output, /database is damaged/);
  assert.equal((await fetch(`${server.http}/healthz`)).status, 200);
  await sleep(1500); // a write that succeeds does not make it well
  assert.equal(await server.readiness(), 503);
  const watcher = await Player.join(server, tableId);
  assert.ok(watcher.view, 'what can be read is served');
});
