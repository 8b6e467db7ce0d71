// Makes the folder of a release, which compatibility.test.mjs tests later versions against:
//
//   node tests/e2e/compatibility/keep.mjs VERSION
//
// - data.tar.gz: a data folder after a kill -9, with finished games of each kind and open ones
// - database.sql.gz: the same data in PostgreSQL
// - expected.json: the SHA-256 of the record of each game, and what clients said to a server on
//   these data, with its answers, byte for byte
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { AccountService } from '../gen/tesela/account/v1/account_pb.js';
import { FriendService } from '../gen/tesela/account/v1/friends_pb.js';
import { ProfileService } from '../gen/tesela/account/v1/profile_pb.js';
import { GameRecordSchema, HistoryService } from '../gen/tesela/lobby/v1/history_pb.js';
import { LeaderboardService } from '../gen/tesela/lobby/v1/leaderboard_pb.js';
import { LobbyService, TableState } from '../gen/tesela/lobby/v1/lobby_pb.js';
import { ClientFrameSchema } from '../gen/tesela/play/v1/play_pb.js';
import { games } from '../harness/games.mjs';
import { bearer, clientOf, lobbyOf, newTableOf, signIn } from '../harness/lobby.mjs';
import { counter } from '../harness/metrics.mjs';
import { Player } from '../harness/player.mjs';
import { Postgres } from '../harness/postgres.mjs';
import { run, Server, serverProgram } from '../harness/server.mjs';
import { codecs, Stream, subProtocols, unpack } from '../harness/stream.mjs';
import { until } from '../harness/until.mjs';

const version = process.argv[2];
assert.match(version ?? '', /^\d+\.\d+\.\d+$/, 'usage: keep.mjs VERSION');
const folder = path.join(import.meta.dirname, version);
const work = await mkdtemp(path.join(tmpdir(), 'tesela-keep-'));

/** A game of bots alone that is over. */
async function finishedGame(server, { token }, game, { seats, config }) {
  const request = {
    ...{ game, config, watchOnly: true },
    bots: Array.from({ length: seats }, () => ({ strategy: 'random' })),
  };
  const { table } = await lobbyOf(server).createTable(request, bearer(token));
  const { tableId } = table;
  await until(
    async () => (await lobbyOf(server).getTable({ tableId })).table.state === TableState.OVER,
    `the end of ${game}`,
  );
  return tableId;
}

/** A game in which the owner has made five moves, if it is the owner's turn at all. */
async function openGame(server, players, game, { seats, config, choose }) {
  const { tableId } = await newTableOf(server, { game, config, owner: players[0] });
  for (const { token } of players.slice(1, seats)) {
    await lobbyOf(server).joinTable({ tableId }, bearer(token));
  }
  const { token } = players[0];
  const player = await Player.join(server, tableId, { token });
  for (let n = 0; n < 5 && player.turn.includes(player.seat); ++n) {
    await player.playBody(choose(player.view, n));
  }
  await player.stream.close();
  return tableId;
}

/** What one player says on one stream, and hears: [['sent' or 'received', bytes], …] */
async function session(server, tableId, { token }, protocol, choose) {
  const said = [];
  const stream = await Stream.connect(server, tableId, { protocol });
  const keep = (what, bytes) => said.push([what, Buffer.from(bytes).toString('base64')]);
  const say = (frame) => {
    const bytes = codecs[protocol].encode(create(ClientFrameSchema, { frame }));
    keep('sent', bytes);
    stream.sendRaw(bytes);
  };
  let seat;
  let now;
  const hear = async (kind) => {
    for (;;) {
      const frame = await stream.next();
      if (frame.kind === 'seating') continue;
      keep('received', frame.bytes);
      if (frame.kind === 'welcome') seat = frame.value.seat;
      if (frame.kind === 'snapshot') now = { ...frame.value, view: unpack(frame.value.view) };
      if (frame.kind === 'event') now = { ...frame.value, view: unpack(frame.value.body).view };
      if (frame.kind === kind) return;
    }
  };
  say({ case: 'hello', value: { token } });
  await hear('snapshot');
  for (let n = 0; n < 3 && now.turn.seats.includes(seat) && !now.result; ++n) {
    const moveId = `kept-${protocol}-${n}`;
    const move = { moveId, atVersion: now.version, body: choose(now.view, n) };
    say({ case: 'move', value: move });
    await hear('event');
  }
  say({ case: 'ping', value: { nonce: 7n } });
  await hear('pong');
  await stream.close();
  return { tableId, protocol, said };
}

/** One call in JSON, and its answer. */
async function call(server, method, body, token) {
  const answer = await fetch(`${server.http}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(token).headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${method}: ${text}`);
  return { method, body, token, answer: JSON.parse(text) };
}

const data = path.join(work, 'data');
// The tokens are those of expected.json, for as long as there are tests.
const options = ['--bot-pace', '0ms', '--token-ttl', '36500d', '--data', data];
let server = await Server.start(...options, '--archive-after', '0ms');
const players = [await signIn(server, 'Ada'), await signIn(server, 'Ben')];
const [ada, ben] = players;
const whom = { who: { case: 'playerId', value: ben.playerId } };
await clientOf(FriendService, server).follow({ whom }, bearer(ada.token));
const { code } = await clientOf(AccountService, server).makeRecoveryCode({}, bearer(ada.token));
const finished = [];
const open = {};
for (const [game, one] of Object.entries(games)) {
  finished.push(await finishedGame(server, ada, game, one));
  open[game] = await openGame(server, players, game, one);
}
await until(
  async () => (await counter(server, 'tesela_packed_games_total')) >= finished.length,
  'the last packed log',
);
await server.kill();

await mkdir(folder, { recursive: true });
await run('tar', ['-czf', path.join(folder, 'data.tar.gz'), '-C', work, 'data']);
const postgres = await Postgres.start();
const moved = path.join(work, 'moved');
await cp(data, moved, { recursive: true });
const migrated = await run(serverProgram, ['migrate', '--from', moved, '--to', postgres.url]);
assert.equal(migrated.code, 0, migrated.stderr);
const dump = path.join(work, 'database.sql');
await postgres.run('pg_dump', '-h', postgres.folder, '-U', 'postgres', '-O', '-f', dump);
await postgres.dispose();
await writeFile(
  path.join(folder, 'database.sql.gz'),
  await promisify(gzip)(await readFile(dump), { level: 9 }),
);

server = await Server.start(...options);
const records = {};
for (const tableId of [...finished, ...Object.values(open)]) {
  const { record } = await clientOf(HistoryService, server).getRecord({ tableId });
  const digest = createHash('sha256').update(toBinary(GameRecordSchema, record));
  records[tableId] = digest.digest('hex');
}
const sessions = [];
for (const protocol of subProtocols) {
  for (const [game, { seats, choose }] of Object.entries(games)) {
    for (const player of players.slice(0, seats)) {
      sessions.push(await session(server, open[game], player, protocol, choose));
    }
  }
}
const calls = [];
for (const [service, method, body, { token }] of [
  [AccountService, 'SignInWithCode', { code }, ada],
  [FriendService, 'ListFriends', {}, ada],
  [ProfileService, 'GetProfile', { playerId: ben.playerId }, ada],
  [LeaderboardService, 'GetBoard', { board: { kind: 'BOARD_KIND_BEST', game: '2048' } }, ben],
  [LobbyService, 'ListTables', {}, ada],
  ...finished.map((tableId) => [LobbyService, 'GetTable', { tableId }, ada]),
]) {
  calls.push(await call(server, `${service.typeName}/${method}`, body, token));
}
await server.dispose();
await rm(work, { recursive: true });
const expected = { finished, records, sessions, calls };
await writeFile(path.join(folder, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
