// Data that ends: guests who do not come any more, and the free pages that deleted data leaves.
// tests/chaos has closed tables that go while servers are killed.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { ConductService, ReportKind } from './gen/tesela/account/v1/conduct_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { moderatorOf, ownAdminOf } from './harness/admin.mjs';
import { assertSound, databaseOf, overwritePages, pageBytes, sql } from './harness/database.mjs';
import { databases } from './harness/databases.mjs';
import { azul } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { run, Server, serverProgram } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const longAgo = 1000;

/** A server that keeps everything. */
async function keepingServer(t, ...options) {
  const server = await Server.start('--keep-games', '0s', '--keep-guests', '0s', ...options);
  t.after(() => server.dispose());
  return server;
}

/** The same folder and database under a server that deletes at once. */
async function restarted(t, server, database) {
  const options = ['--keep-games', '400ms', '--keep-guests', '400ms', ...database.options];
  const deleting = await Server.start('--data', server.data, ...options);
  t.after(() => deleting.dispose());
  return deleting;
}

async function silentGuestGoes(t, database) {
  const server = await keepingServer(t, ...database.options);
  const silent = await signIn(server, 'Silvia');
  const here = await signIn(server, 'Hera');
  await server.terminate();
  await database.run(
    server,
    `UPDATE players SET created_ms = ${longAgo}, seen_ms = ${longAgo}
       WHERE display_name = 'Silvia'`,
  );
  // As if she came again and again, however long the test takes.
  const later = Date.now() + 86_400_000;
  await database.run(server, `UPDATE players SET seen_ms = ${later} WHERE display_name = 'Hera'`);
  const deleting = await restarted(t, server, database);
  const admin = await ownAdminOf(deleting);
  await until(async () => {
    const { players } = await admin.listPlayers({ namePrefix: 'Silvia' });
    return players.length === 0;
  });
  await assertRefused(
    lobbyOf(deleting).createTable({ game: '2048' }, bearer(silent.token)),
    Code.Unauthenticated,
    /not known here; sign in again/,
  );
  await lobbyOf(deleting).createTable({ game: '2048' }, bearer(here.token));
}

async function openReportsAreTold(t, database) {
  const server = await Server.start('--keep-games', '400ms', ...database.options);
  t.after(() => server.dispose());
  const [ada, bob] = [await signIn(server, 'Ada'), await signIn(server, 'Bob')];
  const request = { game: 'azul', config: azul(2).config };
  const { tableId } = (await lobbyOf(server).createTable(request, bearer(ada.token))).table;
  await lobbyOf(server).joinTable({ tableId }, bearer(bob.token));
  const told = async () => [
    await counter(server, 'tesela_reports_open'),
    await counter(server, 'tesela_first_open_report_seconds'),
  ];
  const report = { tableId, playerId: ada.playerId, kind: ReportKind.PLAY };
  await clientOf(ConductService, server).reportPlayer(report, bearer(bob.token));
  await until(async () => (await told())[0] === 1);
  assert.ok(Math.abs((await told())[1] - Date.now() / 1000) < 60);
  const moderate = await moderatorOf(server);
  const [{ reportId }] = (await moderate('listReports')).reports;
  await moderate('closeReport', { reportId, operator: 'Otto', outcome: 'Nothing' });
  await until(async () => (await told())[0] === 0);
  assert.deepEqual(await told(), [0, 0]);
}

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let database;
    before(async () => (database = await start()));
    after(() => database.dispose());

    test('a guest who does not come any more goes, and the token says so', (t) =>
      silentGuestGoes(t, database));

    test('reports that nobody has closed are told', (t) => openReportsAreTold(t, database));
  });
}

test('tesela-server compact makes the database smaller', async (t) => {
  const server = await keepingServer(t);
  const { tableId, token } = await newTable(server);
  await (await Player.join(server, tableId, { token })).playMoves(5);
  const args = ['compact', '--data', server.data];
  const refused = await run(serverProgram, args);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Another server uses/);
  await server.terminate();
  await sql(
    server.data,
    'INSERT INTO events (table_id, version, record) VALUES (7, 1, zeroblob(4000000))',
  );
  await server.start(); // writes it back
  await server.terminate();
  await sql(server.data, 'DELETE FROM events WHERE table_id = 7');
  await server.start();
  await server.terminate();
  // A free page is damaged: that harms nothing, and goes.
  const middle = Math.floor(statSync(databaseOf(server.data)).size / pageBytes / 2);
  await overwritePages(server.data, middle);
  const checked = await run(serverProgram, ['check', '--data', server.data]);
  assert.equal(checked.code, 1, checked.stdout);
  assert.match(checked.stdout, new RegExp(`^page ${middle} of the database is .*it is free`));
  const { code, stdout, stderr } = await run(serverProgram, args);
  assert.equal(code, 0, stderr);
  const [, after, before] = /^the database has (\d+) bytes; it had (\d+)\n$/.exec(stdout);
  assert.ok(Number(after) < Number(before) / 2, stdout);
  await server.start();
  const { table } = await lobbyOf(server).getTable({ tableId });
  assert.equal(table.state, TableState.IN_PLAY);
  await server.terminate();
  await assertSound(server.data);
});
