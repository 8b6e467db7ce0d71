// `tesela-server upgrade`: data of the last version before the first release. before_release/ has
// them: a data folder after a kill -9, the same data in PostgreSQL, and the SHA-256 of the record
// of each game, as that version exported it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { toBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { GameRecordSchema, HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { sql } from './harness/database.mjs';
import { clientOf } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { numberOf, Postgres } from './harness/postgres.mjs';
import { run, Server, serverProgram } from './harness/server.mjs';

const given = path.join(import.meta.dirname, 'before_release');
const expected = JSON.parse(await readFile(path.join(given, 'expected.json')));
const finished = Object.keys(expected.records).length - 1;

let folder;

before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'tesela-upgrade-'))));
after(() => rm(folder, { recursive: true }));

const upgrade = (...where) => run(serverProgram, ['upgrade', ...where]);

/** A server on `where` is refused, until the data were upgraded; it then has all of them. */
async function assertUpgraded(t, where, ...options) {
  const more = ['--http-port', '0', '--grpc-port', '0'];
  if (!where.includes('--data')) more.push('--data', path.join(folder, 'none'));
  const refused = await run(serverProgram, [...where, ...options, ...more]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /before the first release.*"tesela-server upgrade/);
  const first = await upgrade(...where);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.stdout, `upgraded; ${finished} logs of finished games packed anew\n`);
  const again = await upgrade(...where);
  assert.match(again.stdout, /nothing was changed/);

  const server = await Server.start(...where, ...options);
  t.after(() => server.dispose());
  const history = clientOf(HistoryService, server);
  for (const [tableId, digest] of Object.entries(expected.records)) {
    const { record } = await history.getRecord({ tableId });
    const bytes = toBinary(GameRecordSchema, record);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), digest, tableId);
    if (tableId === expected.open) continue;
    const { ok, message } = await history.verify({ tableId });
    assert.ok(ok, message);
  }
  const watcher = await Player.join(server, expected.open);
  assert.equal(Number(watcher.version), expected.version);
  const { entries } = await clientOf(LeaderboardService, server).getBoard({
    board: { game: 'azul' },
  });
  assert.deepEqual(entries.map(({ displayName }) => displayName).sort(), ['random', 'rush']);
  await server.terminate();
  const checked = await run(serverProgram, ['check', ...where]);
  assert.equal(checked.code, 0, checked.stdout);
}

/** The given data folder, anew. */
async function unpack() {
  const unpacked = await run('tar', ['-xzf', path.join(given, 'data.tar.gz'), '-C', folder]);
  assert.equal(unpacked.code, 0, unpacked.stderr);
  return path.join(folder, 'data');
}

test('a data folder', async (t) => {
  const data = await unpack();
  await assertUpgraded(t, ['--data', data]);
  await rm(data, { recursive: true });
});

test('a log that was damaged before is named, and stays the only damage', async (t) => {
  const data = await unpack();
  const [damaged] = Object.keys(expected.records);
  const ofIt = `WHERE table_id = ${numberOf(damaged)}`;
  const [, [[bytes]]] = await sql(
    data,
    `UPDATE archives SET data = flipped(data, 9, 1) ${ofIt}`,
    `SELECT hex(data) FROM archives ${ofIt}`,
  );
  const { code, stdout, stderr } = await upgrade('--data', data);
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`^upgraded; ${finished - 1} logs`));
  assert.match(stderr, new RegExp(`^the log of table ${damaged} cannot be read.*damaged\n$`));
  assert.deepEqual(await sql(data, `SELECT hex(data) FROM archives ${ofIt}`), [[[bytes]]]);

  const server = await Server.start('--data', data);
  t.after(() => server.dispose());
  const history = clientOf(HistoryService, server);
  for (const tableId of Object.keys(expected.records)) {
    const read = history.getRecord({ tableId });
    if (tableId === damaged) await assert.rejects(read, { code: Code.DataLoss });
    else assert.ok((await read).record);
  }
});

test('a database', async (t) => {
  const postgres = await Postgres.start();
  t.after(() => postgres.dispose());
  await postgres.load(path.join(given, 'database.sql.gz'));
  // The keys of its servers are not among the data.
  await postgres.query('DELETE FROM shared_keys');
  const [, url, ...keys] = await postgres.options();
  await assertUpgraded(t, ['--database', url], ...keys);
});
