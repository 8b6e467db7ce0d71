// A server on a PostgreSQL with a synchronous standby: what was acknowledged survives the loss of
// the first one, whether that is gone or hangs.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { clientOf, newTable } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { Server } from './harness/server.mjs';
import { bytesOf } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

const players = 8;
const retryMs = 50;

/** A primary, its standby, and a server with these options that knows both. */
async function start(...options) {
  let primary;
  let standby;
  try {
    primary = await Postgres.start();
    standby = await primary.standby();
    const database = path.join(primary.folder, 'hosts');
    const hosts = `${primary.folder},${standby.folder}`;
    const url = `postgres://postgres@/postgres?host=${hosts}&target_session_attrs=read-write`;
    await writeFile(database, url);
    const server = await Server.start(...(await primary.options(database)), ...options);
    return { primary, standby, server };
  } catch (error) {
    await dispose({ primary, standby });
    throw error;
  }
}

async function dispose({ primary, standby, server }) {
  await server?.dispose();
  await primary?.dispose();
  await standby?.dispose();
}

let there = {};

before(async () => {
  there = await start();
});

after(() => dispose(there));

async function sitDown(server) {
  const { tableId, token } = await newTable(server, { size: 8 });
  return Player.join(server, tableId, { token });
}

/** Players at tables of their own. */
const playersAt = (server) => Promise.all(Array.from({ length: players }, () => sitDown(server)));

/** Waits until commits wait for the standby. */
async function attached(primary) {
  const states = async () => primary.query('SELECT sync_state FROM pg_stat_replication');
  await until(async () => (await states()).includes('quorum'), 'the standby');
}

async function assertNoGaps(database) {
  const gaps = await database.query(
    'SELECT table_id FROM events GROUP BY table_id' +
      ' HAVING min(version) <> 1 OR max(version) <> count(*)',
  );
  assert.deepEqual(gaps, []);
}

test('a move is not acknowledged before the standby has it', async () => {
  const { primary, standby, server } = there;
  await attached(primary);
  const player = await sitDown(server);
  await player.playMoves(5);
  await standby.crash();
  let isOver = false;
  const move = player.playMoves(1).then(() => (isOver = true));
  await sleep(500);
  assert.equal(isOver, false);
  await standby.start('-c', 'cluster_name=standby');
  await move;
  await attached(primary);
});

test('when the standby takes over, nothing that was acknowledged is lost', async () => {
  const { primary, standby, server } = there;
  const all = await playersAt(server);
  let goesOn = true;
  const playing = all.map(async (player) => {
    while (goesOn && !player.result) await player.playMoves(1);
    await player.playMoves(5);
  });
  await sleep(500);
  await primary.crash();
  await standby.promote();
  goesOn = false;
  await Promise.all(playing);
  for (const player of all) {
    const stranger = await Player.join(server, player.tableId);
    assert.equal(stranger.version, player.version);
    assert.deepEqual(stranger.view, player.view);
  }
  await assertNoGaps(standby);
});

const isGap = ({ message }) => /^events come without gap/.test(message);

/** Plays while `goesOn()`, and connects again whenever the stream ends or a move is refused. */
async function playThrough(player, goesOn) {
  let isThere = true;
  while (goesOn() && !player.result) {
    try {
      if (!isThere) await player.resume();
      isThere = true;
      await player.playMoves(1);
    } catch (error) {
      if (isGap(error)) throw error;
      player.stream.cut();
      isThere = false;
      await sleep(retryMs);
    }
  }
}

/** Every event that the player was shown is in the log, as it was. */
async function assertNothingIsLost(server, { tableId, events }) {
  const log = new Map();
  for await (const { frame } of clientOf(HistoryService, server).replay({ tableId })) {
    if (frame.frame.case === 'event') log.set(frame.frame.value.version, frame.frame.value);
  }
  for (const { version, value } of events) {
    assert.ok(log.has(version), `version ${version}`);
    assert.deepEqual(bytesOf(log.get(version)), bytesOf(value), `version ${version}`);
  }
}

test('when the first one hangs, the server finds the standby that takes over', async () => {
  const { primary, standby, server } = await start('--store-wait', '4s');
  let goesOn = true;
  try {
    await attached(primary);
    const all = await playersAt(server);
    const playing = Promise.all(all.map((player) => playThrough(player, () => goesOn)));
    await sleep(500);
    await primary.suspend();
    await standby.promote();
    const promoted = Date.now();
    const shown = all.map(({ version }) => version);
    // One event may have been under way.
    const playsOn = ({ version }, n) => version > shown[n] + 1n;
    await Promise.race([playing, until(() => all.every(playsOn), 'moves at the standby')]);
    console.log(`all tables are played on ${Date.now() - promoted} ms after the promotion`);
    await primary.kill(); // before it might go on as a second primary
    goesOn = false;
    await playing;
    for (const player of all) await assertNothingIsLost(server, player);
    await assertNoGaps(standby);
  } finally {
    goesOn = false;
    await primary.kill();
    await dispose({ primary, standby, server });
  }
});
