// A storm of reconnects: after a server was killed all streams come back at once. Those who wait
// for a game in play are served first, whoever has come first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Direction } from './gen/tesela/game/v1/g2048_pb.js';
import { sql } from './harness/database.mjs';
import { resign } from './harness/games.mjs';
import { newTable } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { idOf, numberOf } from './harness/postgres.mjs';
import { Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';

const versions = 10_000n; // of every game that is loaded: how long that takes
const tablesOfKind = 20;
const sentAhead = 64;
const servedMaxMs = 120_000;
const directions = ['LEFT', 'DOWN', 'RIGHT', 'DOWN', 'LEFT', 'UP'].map((name) => Direction[name]);

let server;

before(async () => {
  const unlimited = ['--frame-rate', '0', '--shared-frame-rate', '0', '--streams-per-player', '0'];
  server = await Server.start('--threads', '1', ...unlimited);
});

after(() => server.dispose());

/** A game of 2048 of so many versions: { tableId, token, stream }. */
async function longGame() {
  const { tableId, token } = await newTable(server, { size: 8 });
  const stream = await Stream.open(server, tableId, { token });
  await stream.expect('welcome');
  let sent = 0;
  let answered = 0;
  for (let version = 0n; version < versions;) {
    while (sent < answered + sentAhead) stream.move(directions[sent++ % directions.length]);
    const { kind, value } = await stream.next();
    if (kind === 'event' || kind === 'refusal') answered += 1;
    if (kind === 'event') version = value.version;
  }
  while (answered < sent) {
    const { kind } = await stream.next();
    if (kind === 'event' || kind === 'refusal') answered += 1;
  }
  return { tableId, token, stream };
}

/** Tables with the rows of one, in a server's database while it is down: their ids. */
async function copies(data, tableId, count) {
  const number = numberOf(tableId);
  const columnsOf = async (relation) => {
    const names = `SELECT group_concat(name) FROM pragma_table_info('${relation}')`;
    return (await sql(data, `${names} WHERE name NOT IN ('id', 'table_id')`))[0][0][0];
  };
  const numbers = `WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${count})`;
  const copy = async (relation, id, from = relation) => {
    const columns = await columnsOf(relation);
    await sql(
      data,
      `${numbers} INSERT INTO ${relation} (${id}, ${columns})
       SELECT ${id} + n, ${columns} FROM ${from}, numbers WHERE ${id} = ${number}`,
    );
  };
  await copy('tables', 'id');
  await copy('seats', 'table_id');
  await copy('events', 'table_id', 'log');
  return Array.from({ length: count }, (_, n) => idOf(number + BigInt(n + 1)));
}

/** The place in the middle of those of a kind. */
function medianPlace(order, kind) {
  const places = order.flatMap((each, place) => (each === kind ? [place] : []));
  assert.equal(places.length, tablesOfKind);
  return places[tablesOfKind / 2];
}

test('players of games in play come first, then spectators, then games that are over', async () => {
  const [inPlay, over] = await Promise.all([longGame(), longGame()]);
  over.stream.play(resign);
  assert.ok((await over.stream.expect('event')).result);
  const owner = await newTable(server);
  await server.kill();
  // Without snapshots a load executes the whole log.
  await sql(server.data, 'DELETE FROM snapshots');
  const tables = await copies(server.data, inPlay.tableId, 2 * tablesOfKind);
  const ended = await copies(server.data, over.tableId, tablesOfKind);
  await server.start();
  const beside = await Player.join(server, owner.tableId, { token: owner.token });

  // Everybody is connected, and says Hello at once: the least urgent first.
  const [{ token: ofOver }, { token }] = [over, inPlay];
  const clients = [
    ...ended.map((tableId) => ({ kind: 'over', tableId, token: ofOver })),
    ...tables.slice(tablesOfKind).map((tableId) => ({ kind: 'spectator', tableId, token: '' })),
    ...tables.slice(0, tablesOfKind).map((tableId) => ({ kind: 'player', tableId, token })),
  ];
  for (const client of clients) client.stream = await Stream.connect(server, client.tableId);
  const order = [];
  const served = clients.map(async ({ kind, stream, token }) => {
    stream.send({ case: 'hello', value: { token } });
    while ((await stream.next({ timeMaxMs: servedMaxMs })).kind !== 'welcome');
    order.push(kind);
  });
  // Meanwhile the moves of another table wait for none of them.
  await beside.playMoves(5);
  const servedMeanwhile = order.length;
  await Promise.all(served);

  const [players, spectators, last] = ['player', 'spectator', 'over'].map((kind) =>
    medianPlace(order, kind),
  );
  assert.ok(players < spectators && spectators < last, order.join(' '));
  assert.ok(servedMeanwhile < clients.length / 2, `${servedMeanwhile} were served before 5 moves`);
});
