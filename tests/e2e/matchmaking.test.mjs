// Finding opponents over real sockets: hundreds at once, bots in time, who has given up, and a
// kill -9 in the middle of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { MatchmakingService, Mode, Pace } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { azul, resign } from './harness/games.mjs';
import { bearer, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';

const crowd = 200;
let server;
before(async () => {
  server = await Server.start('--threads', '2', '--bot-pace', '60s');
});
after(() => server.dispose());

/** A search: an async iterable of FindResponse. */
function find(on, { token }, request, { signal, transport = 'Connect with protobuf' } = {}) {
  const client = createClient(MatchmakingService, transports[transport](on));
  return client.find({ game: 'azul', ...request }, { ...bearer(token), signal });
}

/** Reads a search to its match: { table, seat }. `onNews` is called with every message. */
async function matched(search, onNews = () => {}) {
  let last;
  for await (const { update } of search) {
    onNews(update);
    last = update;
  }
  assert.equal(last?.case, 'matched');
  return last.value;
}

const guests = (on, count) =>
  Promise.all(Array.from({ length: count }, (_, n) => signIn(on, `Guest ${n}`)));

/** The tables at which a player is playing. */
async function tablesOf(on, { playerId }) {
  const { tables } = await lobbyOf(on).listTables({
    filter: { playerId, state: TableState.IN_PLAY },
  });
  return tables;
}

/** Everybody sits at one full table in play, on the seat that was told. */
async function checkSeats(on, players, matches) {
  for (const [n, { table, seat }] of matches.entries()) {
    assert.equal(table.state, TableState.IN_PLAY);
    assert.equal(table.seats.length, table.seatCount);
    assert.equal(table.seats[seat].playerId, players[n].playerId);
    const own = await tablesOf(on, players[n]);
    assert.deepEqual(
      own.map(({ tableId }) => tableId),
      [table.tableId],
    );
  }
}

for (const transport of Object.keys(transports)) {
  test(`two find each other, and play (${transport})`, async () => {
    const players = await guests(server, 2);
    const request = { mode: Mode.RANKED };
    const matches = await Promise.all(
      players.map((player) => matched(find(server, player, request, { transport }))),
    );
    await checkSeats(server, players, matches);
    const { tableId, options } = matches[0].table;
    assert.equal(options.ranked, true);
    const seated = await Promise.all(
      players.map(({ token }) => Player.join(server, tableId, { token })),
    );
    assert.deepEqual(
      seated.map(({ seat }) => seat),
      matches.map(({ seat }) => seat),
    );
    const first = seated.find(({ seat, turn }) => turn.includes(seat));
    await first.playBody(azul(2).choose(first.view, 0));
    await Promise.all(seated.map(({ stream }) => stream.close()));
  });
}

test(`${crowd} at once are all matched, none twice`, async () => {
  const players = await guests(server, crowd);
  const requests = [azul(2), azul(4)].map(({ config }) => ({ config }));
  const matches = await Promise.all(
    players.map((player, n) => matched(find(server, player, requests[n % 2]))),
  );
  await checkSeats(server, players, matches);
  const tables = new Set(matches.map(({ table }) => table.tableId));
  assert.equal(tables.size, crowd / 2 / 2 + crowd / 2 / 4);
});

test(`of ${crowd} at once, bots of the level come to who is left, at their time`, async () => {
  const players = await guests(server, crowd);
  // In each of six queues somebody is left over.
  const counts = { 2: [17, 21], 3: [40, 50], 4: [33, 39] };
  const requests = Object.entries(counts).flatMap(([seats, [casual, ranked]]) => {
    const { config } = azul(Number(seats));
    const of = (mode, count) => Array(count).fill({ config, mode });
    return [...of(Mode.CASUAL, casual), ...of(Mode.RANKED, ranked)];
  });
  assert.equal(requests.length, crowd);
  const bots = { after: { seconds: 3n }, level: 2 };
  const waits = [];
  const matches = await Promise.all(
    players.map(async (player, n) => {
      const [asked, heard] = [performance.now(), []];
      const search = find(server, player, { ...requests[n], bots });
      const match = await matched(search, () => heard.push(performance.now()));
      // The search has begun after it was asked for, and before its first news.
      waits[n] = { most: heard.at(-1) - asked, least: heard.at(-1) - heard[0] };
      return match;
    }),
  );
  await checkSeats(server, players, matches);
  const { strategies } = await lobbyOf(server).listStrategies({ game: 'azul' });
  const ofLevel = strategies.filter(({ level }) => level === 2).map(({ name }) => name);
  let waited = 0;
  for (const [n, { table }] of matches.entries()) {
    const added = table.seats.filter(({ bot }) => bot);
    assert.ok(added.every(({ strategy }) => ofLevel.includes(strategy)));
    if (added.length > 0) {
      ++waited;
      const { least, most } = waits[n];
      assert.ok(least <= 10_000 && most >= 2500, `bots came after ${least} to ${most} ms`);
    }
  }
  assert.ok(waited >= 6, `${waited} waited for bots`);
});

test('who has given up a game is not led back to it, and who plays on is', async () => {
  const players = await guests(server, 3);
  const request = { config: azul(3).config, pace: Pace.DAYS };
  const [{ table }] = await Promise.all(
    players.map((player) => matched(find(server, player, request))),
  );
  const resigning = await Player.join(server, table.tableId, { token: players[0].token });
  await resigning.playBody(resign, {});
  await resigning.stream.close();
  const hangUp = new AbortController();
  const search = find(server, players[0], request, { signal: hangUp.signal });
  for await (const { update } of search) {
    assert.equal(update.case, 'searching');
    break;
  }
  hangUp.abort();
  const again = await matched(find(server, players[1], request));
  assert.equal(again.table.tableId, table.tableId);
});

test('after a kill -9 no ticket is stuck and no table lost', async () => {
  const own = await Server.start('--threads', '2');
  try {
    const players = await guests(own, 40);
    const request = { config: azul(2).config };
    const told = new Map();
    const search = async (player) => {
      const match = await matched(find(own, player, request));
      const known = told.get(player.playerId);
      if (known) assert.equal(match.table.tableId, known, 'a match is told again as it was');
      told.set(player.playerId, match.table.tableId);
      return match;
    };
    // One more than two thirds: somebody waits when the server is killed.
    let killed = false;
    const early = Promise.all(
      players
        .slice(0, 27)
        .map((player) => search(player).catch((error) => assert.ok(killed, error))),
    );
    while (told.size < 8) await Promise.race([sleep(1), early]);
    killed = true;
    await own.kill();
    await early;
    await own.start();
    const matches = await Promise.all(players.map(search));
    await checkSeats(own, players, matches);
    assert.equal(new Set(told.values()).size, players.length / 2);
  } finally {
    await own.dispose();
  }
});
