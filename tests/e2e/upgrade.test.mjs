// `tesela-server upgrade`: data of the last version before the first release. before_release/ has
// them: a data folder after a kill -9, the same data in PostgreSQL, and the SHA-256 of the record
// of each game, as that version exported it.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { toBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { AccountService } from './gen/tesela/account/v1/account_pb.js';
import { GameRecordSchema, HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { sql } from './harness/database.mjs';
import { games } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf } from './harness/lobby.mjs';
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

/** A token as that version gave it. */
async function oldTokenOf({ playerId, displayName }, tokenFile) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: 'tesela', sub: playerId, name: displayName, iat: now, exp: now + 60 };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const mac = createHmac('sha256', await readFile(tokenFile)).update(signed.join('.'));
  return [...signed, mac.digest('base64url')].join('.');
}

/** The guest of the open game moves there, and keeps the account. */
async function assertGoesOn(server, tokenFile) {
  const { table } = await lobbyOf(server).getTable({ tableId: expected.open });
  const [ada] = table.seats;
  const token = await oldTokenOf(ada, tokenFile);
  const move = async (at) => at.playBody(games[table.game].choose(at.view, 0));
  const player = await Player.join(server, expected.open, { token });
  assert.equal(player.seat, 0);
  await move(player);
  assert.equal(Number(player.version), expected.version + 1);
  const account = clientOf(AccountService, server);
  const { code } = await account.makeRecoveryCode({}, bearer(token));
  const { signedIn } = await account.signInWithCode({ code });
  assert.equal(signedIn.playerId, ada.playerId);
  await move(await Player.join(server, expected.open, { token: signedIn.token }));
}

/** A server on `where` is refused, until the data were upgraded; it then has all of them. */
async function assertUpgraded(t, tokenFile, where, ...options) {
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
  await assertGoesOn(server, tokenFile);
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
  await assertUpgraded(t, path.join(data, 'token.key'), ['--data', data]);
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
  const tokenFile = keys[keys.indexOf('--token-secret-file') + 1];
  await assertUpgraded(t, tokenFile, ['--database', url], ...keys);
});
