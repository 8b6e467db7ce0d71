// A server on PostgreSQL: the same games, which outlive the server and the database.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownAdminOf } from './harness/admin.mjs';
import { counter } from './harness/metrics.mjs';
import { newTable } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { run, Server, serverProgram } from './harness/server.mjs';
import { until } from './harness/until.mjs';

let postgres;
let server;

/** What a server says that does not start, with a data folder of its own. */
async function start(...options) {
  const data = await mkdtemp(path.join(postgres.folder, 'data-'));
  const ports = ['--http-port', '0', '--grpc-port', '0'];
  const refused = await run(serverProgram, ['--data', data, ...ports, ...options]);
  assert.equal(refused.code, 1);
  return refused.stderr + refused.stdout;
}

before(async () => {
  postgres = await Postgres.start();
  server = await Server.start(...(await postgres.options()));
});

after(async () => {
  await server?.dispose();
  await postgres?.dispose();
});

test('after kill -9 of the server the game goes on at the move where it was', async () => {
  const { tableId, token } = await newTable(server);
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(10);
  const { view, version } = player;
  await server.kill();
  await server.start();
  await player.resume();
  assert.equal(player.version, version);
  const stranger = await Player.join(server, tableId);
  assert.equal(stranger.version, version);
  assert.deepEqual(stranger.view, view);
  await player.playMoves(10);
});

test('a game is played to its end, and is over after a restart', async () => {
  const { tableId, token } = await newTable(server, { size: 2 });
  const player = await Player.join(server, tableId, { token });
  const result = await player.playToEnd();
  await server.kill();
  await server.start();
  const again = await Player.join(server, tableId, { token });
  assert.deepEqual(again.result, result);
});

test('a game goes on when PostgreSQL comes back, and nothing that was shown is lost', async () => {
  const { tableId, token } = await newTable(server);
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(5);
  await postgres.crash();
  const move = player.playMoves(1);
  await until(async () => (await counter(server, 'tesela_store_errors_total')) > 0);
  // Nor does the page of a link wait, though it says who plays at other times.
  assert.match(
    await (await fetch(`${server.http}/t/${tableId}`)).text(),
    /og:title" content="Tesela"/,
  );
  // An operator sees that the table waits, and for how long, without waiting too.
  await sleep(1100);
  const { work, recentMissing } = await (await ownAdminOf(server)).inspectTable({ tableId });
  assert.ok(work.busy && work.storeWait.seconds >= 1n);
  assert.equal(recentMissing, 'The store does not answer.');
  await postgres.start();
  await move;
  await player.playMoves(5);
  const stranger = await Player.join(server, tableId);
  assert.equal(stranger.version, player.version);
  assert.deepEqual(stranger.view, player.view);
  const gaps = await postgres.query(
    'SELECT table_id FROM events GROUP BY table_id' +
      ' HAVING min(version) <> 1 OR max(version) <> count(*)',
  );
  assert.deepEqual(gaps, []);
});

test('a copy by pg_dump is restored into another database, where the game goes on', async () => {
  const { tableId, token } = await newTable(server);
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(10);
  const file = path.join(postgres.folder, 'copy');
  await postgres.run('pg_dump', '--format', 'custom', '--file', file, postgres.url);
  await player.playMoves(5); // not in the copy
  await postgres.query('CREATE DATABASE restored');
  await postgres.run('pg_restore', '--dbname', postgres.urlOf('restored'), '--exit-on-error', file);
  const [, , ...keys] = await postgres.options();
  const restored = await Server.start('--database', postgres.urlOf('restored'), ...keys);
  // The copy has the life of the first server, which this one declares dead after a while.
  let back;
  await until(async () => {
    back = await Player.join(restored, tableId, { token }).catch(() => undefined);
    return back !== undefined;
  }, 'the table');
  assert.equal(back.version, 11n);
  await back.playMoves(5);
  await restored.dispose();
});

test('backup and restore name what to use on PostgreSQL', async () => {
  const url = path.join(postgres.folder, 'url');
  const config = path.join(postgres.folder, 'tesela.toml');
  await writeFile(config, `database = "${url}"\ndata = "${server.data}"\n`);
  for (const command of ['backup', 'restore']) {
    for (const [options, env] of [
      [['--config', config], {}],
      [[], { TESELA_DATABASE: url }],
      [['--database', url], {}],
    ]) {
      const args = [command, path.join(postgres.folder, 'backup'), ...options];
      const { code, stderr } = await run(serverProgram, args, { env: { ...process.env, ...env } });
      assert.equal(code, 1);
      assert.match(stderr, /pg_dump --format custom makes a backup, and pg_restore puts it back/);
    }
  }
  const unnamed = ['backup', path.join(postgres.folder, 'backup'), '--data', server.data];
  const { code, stderr } = await run(serverProgram, unnamed);
  assert.equal(code, 1);
  assert.match(stderr, /is of a server on PostgreSQL.*pg_dump/);
});

test('a file without a URL is refused, and what it holds is not shown', async () => {
  const file = path.join(postgres.folder, 'wrong');
  await writeFile(file, 'secret');
  const refused = await start(...(await postgres.options(file)));
  assert.match(refused, /must hold one line: postgres:\/\//);
  assert.doesNotMatch(refused, /secret/);
});

test('a server without the key of the servers on its database is refused', async () => {
  const url = path.join(postgres.folder, 'url');
  const key = path.join(postgres.folder, 'token.key');
  const other = path.join(postgres.folder, 'other.key');
  await writeFile(other, 'o'.repeat(32), { mode: 0o600 });
  assert.match(
    await start('--database', url, '--token-secret-file', key),
    /with --database, give it in a file with --daily-secret-file/,
  );
  assert.match(
    await start('--database', url, '--token-secret-file', key, '--daily-secret-file', other),
    /have another daily key than the one of --daily-secret-file: give all of them the same one/,
  );
});
