// A server on a PostgreSQL with a synchronous standby: what was acknowledged survives the loss of
// the first one.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newTable } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const players = 8;

let primary;
let standby;
let server;

before(async () => {
  primary = await Postgres.start();
  standby = await primary.standby();
  const database = path.join(primary.folder, 'hosts');
  const hosts = `${primary.folder},${standby.folder}`;
  const url = `postgres://postgres@/postgres?host=${hosts}&target_session_attrs=read-write`;
  await writeFile(database, url);
  server = await Server.start(...(await primary.options(database)));
});

after(async () => {
  await server?.dispose();
  await primary?.dispose();
  await standby?.dispose();
});

async function sitDown() {
  const { tableId, token } = await newTable(server, { size: 8 });
  return Player.join(server, tableId, { token });
}

/** Waits until commits wait for the standby. */
async function attached() {
  const states = async () => primary.query('SELECT sync_state FROM pg_stat_replication');
  await until(async () => (await states()).includes('quorum'), 'the standby');
}

test('a move is not acknowledged before the standby has it', async () => {
  await attached();
  const player = await sitDown();
  await player.playMoves(5);
  await standby.crash();
  let isOver = false;
  const move = player.playMoves(1).then(() => (isOver = true));
  await sleep(500);
  assert.equal(isOver, false);
  await standby.start('-c', 'cluster_name=standby');
  await move;
  await attached();
});

test('when the standby takes over, nothing that was acknowledged is lost', async () => {
  const all = await Promise.all(Array.from({ length: players }, sitDown));
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
  const gaps = await standby.query(
    'SELECT table_id FROM events GROUP BY table_id' +
      ' HAVING min(version) <> 1 OR max(version) <> count(*)',
  );
  assert.deepEqual(gaps, []);
});
