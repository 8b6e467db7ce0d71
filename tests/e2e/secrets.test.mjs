// Nobody who plays or watches is sent the seed of a game, or what it follows from, before the game
// is over. Every byte of every connection is kept: streams in both sub-protocols, the lobby and
// the records over all transports. Afterwards the seeds are shown, and are looked for in them.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { games } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { subProtocols } from './harness/stream.mjs';
import { Tap } from './harness/tap.mjs';
import { tracesOf } from './harness/traces.mjs';

const movesMax = 5000;
const everyMoves = 15; // between two looks around
let server;
before(async () => {
  server = await Server.start('--threads', '2', '--bot-pace', '0ms', '--bot-think', '5ms');
});
after(() => server.dispose());

/** A tap that is closed with the test. */
async function tapOf(t) {
  const tap = await Tap.on(server);
  t.after(() => tap.close());
  return tap;
}

/** A table with somebody on every seat, each of whom adds to the dice. */
async function seated(on, game, { seats, config }) {
  const guests = [];
  for (let seat = 0; seat < seats; ++seat) guests.push(await signIn(on, `Guest ${seat}`));
  const added = () => ({ contribution: randomBytes(16) });
  const [owner, ...others] = guests;
  const request = { game, config, ...added() };
  const { tableId } = (await lobbyOf(on).createTable(request, bearer(owner.token))).table;
  for (const { token } of others) {
    await lobbyOf(on).joinTable({ tableId, ...added() }, bearer(token));
  }
  const players = await Promise.all(
    guests.map(({ token }, n) =>
      Player.join(on, tableId, { token, protocol: subProtocols[n % 2] }),
    ),
  );
  return { tableId, guests, players };
}

/** Reads a watch of the lobby until the test is over. */
function watchLobby(t, on, transport, playerId) {
  const hangUp = new AbortController();
  const changes = lobbyOf(on, transport).watchTables(
    { filter: { playerId } },
    { signal: hangUp.signal },
  );
  const reading = (async () => {
    for await (const _ of changes);
  })().catch(() => {});
  t.after(async () => {
    hangUp.abort();
    await reading;
  });
}

/** Asks for all that there is to be asked about a game in play. */
async function lookAround(on, tableId, { token, playerId }) {
  for (const transport of Object.keys(transports)) {
    const lobby = lobbyOf(on, transport);
    const history = clientOf(HistoryService, on, transport);
    await lobby.getTable({ tableId }, bearer(token));
    await lobby.listTables({ filter: { playerId } });
    const { record } = await history.getRecord({ tableId });
    assert.equal(record.serverSeed.length, 0);
    assert.equal(record.gameSeed.length, 0);
    await assert.rejects(history.verify({ tableId }), /its seed is secret/);
  }
}

/** Asks a strategy and talks, and reads both answers; either may be that it is too often. */
async function askAndTalk(player, n) {
  const [hintId, text] = [`h${n}`, `Move ${n}`];
  player.stream.send({ case: 'hintRequest', value: { hintId, strategy: '' } });
  player.stream.send({ case: 'say', value: { what: { case: 'text', value: text } } });
  for (let [advised, heard] = [false, false]; !advised || !heard;) {
    const { kind, value } = await player.step();
    const refused = kind === 'refusal' && value.moveId;
    advised ||= kind === 'hint' || refused === hintId;
    heard ||= (kind === 'said' && value.what.value === text) || refused === '';
  }
}

/** Plays to the end, and looks around all the time. */
async function playWatched(on, { tableId, guests, players }, choose) {
  const watchers = await Promise.all(
    subProtocols.map((protocol) => Player.join(on, tableId, { protocol })),
  );
  const all = [...players, ...watchers];
  for (let n = 0; n < movesMax && !players[0].result; ++n) {
    const mover = players[players[0].turn[0]];
    if (n % everyMoves === 0) {
      await lookAround(on, tableId, guests[0]);
      await askAndTalk(mover, n);
      watchers[0].stream.cut();
      await watchers[0].resume();
    }
    await mover.playBody(choose(mover.view, n));
    await Promise.all(all.map((each) => each.reach(mover.version)));
  }
  assert.ok(players[0].result, 'the game has come to its end');
  await Promise.all(all.map(({ stream }) => stream.close()));
}

function assertNoTrace(secrets, bytes) {
  for (const [name, secret] of Object.entries(secrets)) {
    assert.equal(secret.length, 32);
    assert.deepEqual(tracesOf(secret, bytes), [], `a trace of the ${name}`);
  }
}

for (const [game, each] of Object.entries(games)) {
  test(`${game}: nothing tells of its dice before its end`, async (t) => {
    const tap = await tapOf(t);
    const table = await seated(tap, game, each);
    for (const transport of Object.keys(transports)) {
      watchLobby(t, tap, transport, table.guests[0].playerId);
    }
    const choose = game === '2248' ? (view) => each.choose(view, 0) : each.choose;
    await playWatched(tap, table, choose);
    const heard = tap.heard();
    assert.doesNotMatch(heard.toString('latin1'), /(content|grpc)-encoding: ?(gzip|br)/i);
    assert.ok(heard.length > 10_000);

    const { record } = await clientOf(HistoryService, server).getRecord({ tableId: table.tableId });
    assert.equal(record.contributions.length, each.seats);
    const secrets = { "server's seed": record.serverSeed, "game's seed": record.gameSeed };
    assertNoTrace(secrets, heard);
    assertNoTrace(secrets, Buffer.from(server.output));

    // What is shown now is found, over each transport: the search does not miss what is there.
    for (const transport of Object.keys(transports)) {
      const after = await tapOf(t);
      await clientOf(HistoryService, after, transport).getRecord({ tableId: table.tableId });
      for (const secret of Object.values(secrets)) {
        assert.ok(tracesOf(secret, after.heard()).length >= 20, `${transport} shows the seeds`);
      }
    }
  });
}

test('the search finds a seed in every disguise', () => {
  const seed = randomBytes(32);
  const around = (hidden) => Buffer.concat([randomBytes(99), Buffer.from(hidden), randomBytes(99)]);
  const words = Array.from({ length: 8 }, (_, n) => seed.readUInt32LE(4 * n));
  for (const hidden of [
    seed,
    seed.subarray(11, 19),
    Buffer.from(seed).reverse(),
    Buffer.from(seed).swap32(),
    seed.toString('hex'),
    seed.toString('hex').toUpperCase(),
    seed.toString('base64'),
    Buffer.concat([randomBytes(1), seed]).toString('base64url'),
    Buffer.concat([randomBytes(2), seed.subarray(7, 17)]).toString('base64'),
    JSON.stringify([...seed]),
    JSON.stringify(words),
    JSON.stringify({ seed: String(seed.readBigUInt64LE(8)) }),
  ]) {
    assert.notDeepEqual(tracesOf(seed, around(hidden)), [], `${hidden}`);
  }
  assert.deepEqual(tracesOf(seed, randomBytes(1_000_000)), []);
});

test('the seed of the day stays secret, though a try has ended', async (t) => {
  const tap = await tapOf(t);
  const owner = await signIn(tap);
  const request = { game: '2048', daily: true };
  const { table } = await lobbyOf(tap).createTable(request, bearer(owner.token));
  const player = await Player.join(tap, table.tableId, { token: owner.token });
  await player.playToEnd();
  await player.stream.close();
  for (const transport of Object.keys(transports)) {
    const boards = clientOf(LeaderboardService, tap, transport);
    const daily = await boards.getDaily({ game: '2048' });
    assert.equal(daily.serverSeed.length, 0);
    await boards.getBoard({ board: daily.board });
    const { table: over } = await lobbyOf(tap, transport).getTable({ tableId: table.tableId });
    assert.equal(over.state, TableState.OVER);
    const history = clientOf(HistoryService, tap, transport);
    for (const ask of [history.getRecord, history.verify]) {
      await assert.rejects(ask({ tableId: table.tableId }), /once its day is over/);
    }
  }
  // The seed as engine/README.md makes it, from the server's own key.
  const key = await readFile(path.join(server.data, 'daily.key'));
  const measured = (text) => Buffer.from([0, 0, 0, text.length, ...Buffer.from(text)]);
  const day = Buffer.concat([
    Buffer.from('tesela.daily\x01'),
    Buffer.from(table.dailyDate),
    measured('2048'),
  ]);
  const seed = createHmac('sha256', key).update(day).digest();
  assertNoTrace({ "day's seed": seed }, tap.heard());
});
