// What an operator sees of a running server and has it do, over every transport.
import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@connectrpc/connect';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { AdminService, LogLevel } from './gen/tesela/admin/v1/admin_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { adminKeyFile, adminOf, adminToken, ownAdminOf } from './harness/admin.mjs';
import { azul } from './harness/games.mjs';
import { bearer, lobbyOf, newTable, signIn, transports } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertReason, assertRefused } from './harness/refusals.mjs';
import { Server, freePort } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

let server;
before(async () => (server = await Server.start('--threads', '2', '--log-format', 'json')));
after(() => server.dispose());

/** A server of the test's own, which ends with it. */
async function ownServer(t, ...options) {
  const own = await Server.start(...options);
  t.after(() => own.dispose());
  return own;
}

/** Ana and Bob at a game of Azul that has begun, both connected. */
async function gameOfTwo(on, options = {}) {
  const [ana, bob] = [await signIn(on, 'Ana'), await signIn(on, 'Bob')];
  const request = { game: 'azul', config: azul(2).config, options };
  const { tableId } = (await lobbyOf(on).createTable(request, bearer(ana.token))).table;
  const { invite } = (await lobbyOf(on).getTable({ tableId }, bearer(ana.token))).table;
  await lobbyOf(on).joinTable({ tableId, invite }, bearer(bob.token));
  const players = await Promise.all(
    [ana, bob].map(({ token }) => Player.join(on, tableId, { token })),
  );
  return { tableId, ana, bob, players };
}

/** The rows of all pages, one list a page. */
async function pagesOf(ask, rows) {
  const pages = [];
  for (let pageToken = ''; ;) {
    const page = await ask({ pageSize: 2, pageToken });
    pages.push(page[rows]);
    pageToken = page.nextPageToken;
    if (!pageToken) return pages;
  }
}

test('the token is a line of text for the owner alone, and outlives a restart', async (t) => {
  const own = await ownServer(t);
  const file = await stat(adminKeyFile(own));
  assert.equal(file.mode & 0o777, 0o600);
  const token = await adminToken(own);
  assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  await own.terminate();
  await own.start();
  assert.equal(await adminToken(own), token);
  assert.ok((await adminOf(own, token).getStatus()).ready);
});

test("the operator's own token file is used instead", async (t) => {
  const folder = await ownServer(t);
  const file = path.join(folder.data, 'operator.token');
  const token = 'correct-horse-battery-staple-2026-11';
  await writeFile(file, `${token}\n`, { mode: 0o600 });
  const own = await ownServer(t, '--admin-token-file', file);
  assert.ok((await adminOf(own, token).getStatus()).ready);
  await assert.rejects(stat(adminKeyFile(own)), /ENOENT/);
});

for (const transport of Object.keys(transports)) {
  test(`the status, over ${transport}`, async () => {
    const { tableId, players } = await gameOfTwo(server);
    const admin = await ownAdminOf(server, transport);
    const status = await admin.getStatus();
    assert.match(status.version, /^\d+\.\d+\.\d+/);
    assert.ok(status.ready);
    assert.equal(status.reason, '');
    assert.equal(status.draining, false);
    assert.ok(status.tablesInMemory >= 1);
    assert.ok(status.streams >= 2);
    assert.ok(status.connections >= status.streams);
    assert.ok(status.memoryBytes > 1_000_000n);
    assert.equal(status.logLevel, LogLevel.INFO);
    assert.ok(Math.abs(timestampDate(status.startedAt) - Date.now()) < 300_000);
    assert.ok(status.uptime.seconds < 300n);
    await admin.closeTable({ tableId, reason: 'The test is over.' });
    await Promise.all(players.map(({ stream }) => stream.goodbye()));
  });
}

describe('tables', () => {
  test('are listed page by page, private ones too', async () => {
    const owner = await signIn(server, 'Olga');
    const made = [];
    for (const inviteOnly of [false, true, false, true, false]) {
      const request = {
        game: 'azul',
        config: azul(2).config,
        options: { inviteOnly },
      };
      const { table } = await lobbyOf(server).createTable(request, bearer(owner.token));
      made.unshift(table.tableId);
      await sleep(2); // those of one millisecond stand in no order of their making
    }
    const admin = await ownAdminOf(server);
    const filter = { playerId: owner.playerId };
    const pages = await pagesOf((page) => admin.listTables({ filter, ...page }), 'tables');
    assert.deepEqual(
      pages.map((page) => page.length),
      [2, 2, 1],
    );
    const rows = pages.flat();
    assert.deepEqual(
      rows.map(({ table }) => table.tableId),
      made,
    );
    assert.deepEqual(
      rows.map(({ inviteNeeded }) => inviteNeeded),
      [false, true, false, true, false],
    );
    assert.ok(rows.every(({ table, inMemory }) => table.invite === '' && !inMemory));
  });

  test('are found by game, state and player', async () => {
    const { tableId, owner } = await newTable(server);
    const admin = await ownAdminOf(server);
    const found = async (filter) =>
      (await admin.listTables({ filter })).tables.map(({ table }) => table.tableId);
    const playerId = owner.playerId;
    assert.deepEqual(await found({ playerId, game: '2048' }), [tableId]);
    assert.deepEqual(await found({ playerId, game: 'azul' }), []);
    assert.deepEqual(await found({ playerId, state: TableState.IN_PLAY }), [tableId]);
    assert.deepEqual(await found({ playerId, state: TableState.OVER }), []);
  });

  test('tell who is connected, and of their clocks', async () => {
    const { tableId, ana, players } = await gameOfTwo(server, {
      inviteOnly: true,
      clock: { moveMs: 600_000, gameMs: 3_600_000 },
    });
    const admin = await ownAdminOf(server);
    const seen = await admin.inspectTable({ tableId });
    assert.equal(seen.summary.table.tableId, tableId);
    assert.equal(seen.summary.table.ownerId, ana.playerId);
    assert.ok(seen.summary.inviteNeeded);
    assert.ok(seen.summary.inMemory);
    assert.equal(seen.summary.playersConnected, 2);
    assert.equal(seen.version, 1n);
    assert.ok(seen.epoch >= 2n);
    assert.ok(timestampDate(seen.updatedAt) >= timestampDate(seen.summary.table.createdAt));
    assert.deepEqual(
      seen.seating.seats.map(({ displayName, connected }) => [displayName, connected]),
      [
        ['Ana', true],
        ['Bob', true],
      ],
    );
    assert.ok(seen.clocks.deadlineMs > seen.clocks.nowMs);
    assert.equal(seen.clocks.leftMs.length, 2);
    await players[1].stream.close();
    await until(async () => {
      const { summary, seating } = await admin.inspectTable({ tableId });
      return summary.playersConnected === 1 && !seating.seats[1].connected;
    }, 'that Bob has gone');
    await players[0].stream.close();
  });

  test('that are not in memory are known by the store', async () => {
    const { tableId } = await newTable(server);
    const seen = await (await ownAdminOf(server)).inspectTable({ tableId });
    assert.equal(seen.summary.inMemory, false);
    assert.equal(seen.seating, undefined);
    assert.equal(seen.clocks, undefined);
    assert.equal(seen.version, 1n);
    assert.equal(seen.summary.table.state, TableState.IN_PLAY);
  });
});

describe('players', () => {
  test('are listed page by page, and found by their names', async () => {
    const ids = [];
    for (const name of ['Quentin', 'Quincy', 'quiet one']) {
      ids.unshift((await signIn(server, name)).playerId);
      await sleep(2); // those of one millisecond stand in no order of their making
    }
    const admin = await ownAdminOf(server);
    const found = async (namePrefix) =>
      (await admin.listPlayers({ namePrefix })).players.map(({ playerId }) => playerId);
    const [, quincy, quentin] = ids;
    assert.deepEqual(await found('Qu'), [quentin, quincy]);
    assert.deepEqual(await found('quiet'), [ids[0]]);
    assert.deepEqual(await found('%'), []);
    const pages = await pagesOf(admin.listPlayers, 'players');
    assert.ok(pages.slice(0, -1).every((page) => page.length === 2));
    const all = pages.flat().map(({ playerId }) => playerId);
    assert.deepEqual(all.slice(0, 3), ids);
    assert.equal(new Set(all).size, all.length);
  });

  test('are shown with their tables, and where they are now', async () => {
    const { tableId, ana, players } = await gameOfTwo(server);
    const { tableId: watched, token } = await newTable(server);
    const host = await Player.join(server, watched, { token });
    const watching = await Player.join(server, watched, { token: ana.token });
    const admin = await ownAdminOf(server);
    const seen = await admin.inspectPlayer({ playerId: ana.playerId });
    assert.equal(seen.player.displayName, 'Ana');
    assert.deepEqual(seen.ratings, []);
    assert.deepEqual(
      seen.tables.map(({ table }) => table.tableId),
      [tableId],
    );
    assert.ok(seen.tables[0].inMemory);
    assert.deepEqual(seen.connectedTableIds.toSorted(), [tableId, watched].toSorted());
    await Promise.all([host, watching, ...players].map(({ stream }) => stream.close()));
    await until(async () => {
      const { connectedTableIds } = await admin.inspectPlayer({
        playerId: ana.playerId,
      });
      return connectedTableIds.length === 0;
    }, 'that Ana has gone');
  });
});

describe('a table is closed', () => {
  const reason = 'Somebody was insulted here';
  const told = /^The table was closed by the operator: Somebody was insulted here\.$/;

  test('while it is played at: everybody is told why', async () => {
    const { tableId, ana, players } = await gameOfTwo(server);
    const watcher = await Player.join(server, tableId);
    await players[players[0].turn[0]].playBody(azul(2).choose(players[0].view, 0));
    const admin = await ownAdminOf(server);
    const { summary } = await admin.closeTable({ tableId, reason });
    assert.equal(summary.table.state, TableState.CLOSED);
    for (const { stream } of [...players, watcher]) {
      const goodbye = await stream.goodbye();
      assertReason(goodbye, Reason.TABLE_CLOSED, told);
      assert.equal(goodbye.reconnect, false);
    }
    const { table } = await lobbyOf(server).getTable({ tableId });
    assert.equal(table.state, TableState.CLOSED);
    assert.equal(table.result, undefined);
    assert.ok(table.endedAt);
    const late = await Stream.open(server, tableId, { token: ana.token });
    assert.equal((await late.goodbye()).reason, Reason.TABLE_NOT_FOUND);
    const taking = lobbyOf(server).joinTable({ tableId }, bearer(ana.token));
    await assertRefused(taking, Code.NotFound, /closed/);
    const again = await admin.closeTable({ tableId, reason: 'Another' });
    assert.deepEqual(again.summary.table, table);
  });

  test('while nobody is there: the lobby hears of it', async () => {
    const { tableId, owner } = await newTable(server);
    const hangUp = new AbortController();
    const changes = lobbyOf(server)
      .watchTables({ filter: { playerId: owner.playerId } }, { signal: hangUp.signal })
      [Symbol.asyncIterator]();
    assert.equal((await changes.next()).value.table.state, TableState.IN_PLAY);
    await (await ownAdminOf(server)).closeTable({ tableId, reason });
    assert.equal((await changes.next()).value.table.state, TableState.CLOSED);
    hangUp.abort();
  });

  test('and stays closed when the server comes back', async (t) => {
    const own = await ownServer(t);
    const { tableId, players } = await gameOfTwo(own);
    await (await ownAdminOf(own)).closeTable({ tableId, reason });
    await Promise.all(players.map(({ stream }) => stream.goodbye()));
    await own.kill();
    await own.start();
    const { table } = await lobbyOf(own).getTable({ tableId });
    assert.equal(table.state, TableState.CLOSED);
  });
});

test('the log level changes at once', async (t) => {
  const own = await ownServer(t, '--log-format', 'json');
  const admin = await ownAdminOf(own);
  const heard = (level) =>
    own.output
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('{') && JSON.parse(line).level === level).length;
  const load = async () => {
    const { tableId, token } = await newTable(own); // told of at debug
    await (await Player.join(own, tableId, { token })).stream.close();
  };
  await load();
  assert.equal(heard('debug'), 0);
  assert.equal((await admin.setLogLevel({ level: LogLevel.DEBUG })).previous, LogLevel.INFO);
  await load();
  await until(() => heard('debug') > 0, 'a line of level debug');
  assert.equal((await admin.getStatus()).logLevel, LogLevel.DEBUG);
  assert.equal((await admin.setLogLevel({ level: LogLevel.WARN })).previous, LogLevel.DEBUG);
  const told = 'admin: the log level was debug and is now warn';
  await until(() => own.output.includes(told), 'the line that the new level hides');
  assert.ok(own.output.includes('admin: sets the log level to debug'));
  await sleep(100);
  const before = own.output;
  await load();
  await admin.getStatus();
  await sleep(100);
  assert.equal(own.output, before);
});

test('what an operator does is in the log, and the token is not', async (t) => {
  const own = await ownServer(t, '--log-format', 'json', '--log-level', 'trace');
  const token = await adminToken(own);
  const admin = adminOf(own, token);
  const { tableId, owner } = await newTable(own);
  await admin.getStatus();
  await admin.inspectPlayer({ playerId: owner.playerId });
  await admin.closeTable({ tableId, reason: 'For the log' });
  await assert.rejects(adminOf(own, `${token}x`).getStatus(), /not the admin token/);
  const done = [`closes table ${tableId}: For the log`, `inspects player ${owner.playerId}`];
  await until(() => done.every((words) => own.output.includes(words)), 'what was done');
  assert.ok(!own.output.includes(token));
});

describe('drained,', () => {
  test('a server is not ready, and everybody comes back after it was restarted', async (t) => {
    const own = await ownServer(t);
    const { tableId, ana, players } = await gameOfTwo(own);
    const admin = await ownAdminOf(own);
    const drained = await admin.drain();
    assert.equal(drained.tables, 1);
    assert.equal(drained.streams, 2);
    for (const { stream } of players) {
      const goodbye = await stream.goodbye();
      assertReason(goodbye, Reason.SERVER_RESTART, /restarts/);
      assert.ok(goodbye.reconnect);
      assert.ok(goodbye.reconnectAfterMs > 0);
    }
    assert.equal(await own.readiness(), 503);
    const status = await admin.getStatus();
    assert.equal(status.ready, false);
    assert.equal(status.draining, true);
    assert.match(status.reason, /stopping/);
    assert.equal(status.tablesInMemory, 0);
    const making = lobbyOf(own).createTable({ game: '2048' }, bearer(ana.token));
    await assertRefused(making, Code.Unavailable, /no new tables/);
    const early = await Stream.open(own, tableId, { token: ana.token });
    assert.equal((await early.goodbye()).reason, Reason.SERVER_RESTART);
    await admin.drain(); // once more is no harm
    assert.deepEqual(await own.terminate(), { code: 0, signal: null });
    await own.start();
    const [first] = await Promise.all(players.map((player) => player.resume()));
    await players[first.turn[0]].playBody(azul(2).choose(first.view, 0));
    await Promise.all(players.map(({ stream }) => stream.close()));
  });

  test('a server ends when it was asked to', async (t) => {
    const own = await ownServer(t);
    const { players } = await gameOfTwo(own);
    const pid = own.pid;
    await (await ownAdminOf(own)).drain({ exit: true });
    await Promise.all(players.map(({ stream }) => stream.goodbye()));
    await until(() => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    }, 'the end of the process');
    assert.deepEqual(await own.terminate(), { code: 0, signal: null });
    assert.match(own.output, /everything is flushed/);
  });
});

test('with --ops-port operators are answered there alone', async (t) => {
  const port = await freePort();
  const own = await ownServer(t, '--ops-port', String(port));
  const token = await adminToken(own);
  const ops = adminOf({ http: `http://127.0.0.1:${port}` }, token);
  assert.ok((await ops.getStatus()).ready);
  const elsewhere = await fetch(`${own.http}/${AdminService.typeName}/GetStatus`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(elsewhere.status, 404);
  const overGrpc = adminOf(own, token, 'gRPC').getStatus();
  await assertRefused(overGrpc, Code.PermissionDenied, /--ops-port/);
});
