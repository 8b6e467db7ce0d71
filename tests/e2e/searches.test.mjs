// Three servers on one PostgreSQL, with node ports: whoever searches for opponents at one of them
// meets those who search at the others, also when the server that finds them dies.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@connectrpc/connect';
import { MatchmakingService, Pace } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { azul, resign } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { nodeAnswers, relayedFor, startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { numberOf, Postgres } from './harness/postgres.mjs';
import { until } from './harness/until.mjs';

// A server that was killed is found dead, and its duties are another's, within this time.
const takeOverMs = 10_000;

let postgres;
let servers = [];

before(async () => {
  postgres = await Postgres.start();
  while (servers.length < 3) servers.push(await startNode(postgres));
});

after(async () => {
  for (const server of servers) {
    server.goOn();
    await server.dispose();
  }
  await postgres?.dispose();
});

/** The server that finds opponents, as soon as one does, and the others. */
async function roles() {
  let leader;
  await until(async () => {
    const [address] = await postgres.query(
      'SELECT address FROM lives JOIN leases ON leases.life = lives.id' +
        " WHERE duty = 2 AND state = 'alive'",
    );
    leader = servers.find(({ nodePort }) => address?.endsWith(`:${nodePort}`));
    return leader;
  }, 'a server that finds opponents');
  return { leader, others: servers.filter((server) => server !== leader) };
}

/** A server in place of one that has ended. */
async function replace(server) {
  await server.dispose();
  servers = servers.filter((other) => other !== server);
  servers.push(await startNode(postgres));
}

/** A search of a player, which is one call; `heard` are its messages. */
class Search {
  heard = [];
  #hangUp = new AbortController();

  constructor(server, player, request = {}, transport = 'Connect with protobuf') {
    Object.assign(this, { server, player });
    const call = clientOf(MatchmakingService, server, transport).find(
      { game: 'azul', ...request },
      { ...bearer(player.token), signal: this.#hangUp.signal },
    );
    this.end = this.#read(call);
    this.end.catch(() => {}); // whoever waits for it hears of it
  }

  async #read(call) {
    for await (const { update } of call) this.heard.push(update);
    const last = this.heard.at(-1);
    assert.equal(last?.case, 'matched', 'the end of a search');
    return last.value;
  }

  /** Resolves when it stands in a queue, or waits for its party. */
  async begun() {
    await until(() => this.heard.length > 0, 'the first news');
    return this;
  }

  hangUp() {
    this.#hangUp.abort();
  }
}

const guest = (server, name = 'Guest') => signIn(server, name);

/** A queue that no other test has: three have the paces, and four the seats. */
const queue = (seats, pace = Pace.NORMAL) => ({ config: azul(seats).config, pace });

/** Everybody has a seat at one table, which is full, and at no other one. */
async function assertOneTableEach(searches) {
  for (const { player } of searches) {
    const rows = await postgres.query(
      'SELECT t.id FROM tables t JOIN seats s ON s.table_id = t.id' +
        ` WHERE s.player_id = ${numberOf(player.playerId)}`,
    );
    assert.equal(rows.length, 1, `${player.displayName} is at ${rows.length} tables`);
  }
  for (const search of searches) {
    const { table, seat } = await search.end;
    assert.equal(table.seats.length, table.seatCount);
    assert.equal(table.seats[seat].playerId, search.player.playerId);
  }
}

const tableOf = async (search) => (await search.end).table.tableId;

for (const transport of Object.keys(transports)) {
  test(`players who search at different servers meet, and play (${transport})`, async () => {
    const { others } = await roles();
    const searches = [];
    for (const server of others) {
      const relayed = await counter(server, 'tesela_relays_total', { outcome: 'search' });
      searches.push(await new Search(server, await guest(server), queue(2), transport).begun());
      assert.equal(
        await counter(server, 'tesela_relays_total', { outcome: 'search' }),
        relayed + 1,
      );
    }
    assert.equal(await tableOf(searches[0]), await tableOf(searches[1]));
    await assertOneTableEach(searches);
    // One after the other: of two who open a table at once at two servers one is sent away first.
    const players = [];
    for (const search of searches) {
      const { token } = search.player;
      players.push(await Player.join(search.server, await tableOf(search), { token }));
    }
    const onTurn = players.find(({ seat, turn }) => turn.includes(seat));
    await onTurn.playBody(azul(2).choose(onTurn.view, 0));
    for (const { stream } of players) stream.cut();
  });
}

test('who searches where opponents are found meets who searches elsewhere', async () => {
  const { leader, others } = await roles();
  const first = await new Search(leader, await guest(leader), queue(2)).begun();
  const second = new Search(others[0], await guest(leader), queue(2));
  assert.equal(await tableOf(first), await tableOf(second));
});

test('a party comes together over three servers', async () => {
  const party = { code: 'over three servers', size: 3 };
  const searches = [];
  for (const server of servers) {
    const name = `Guest ${searches.length}`;
    searches.push(new Search(server, await guest(server, name), { ...queue(3), party }));
    await searches.at(-1).begun();
    // Two have come when the first hears their names; three are matched at once.
    const names = ['Guest 0', 'Guest 1'].slice(0, searches.length).join();
    const told = ({ value }) => value.partyNames?.join() === names;
    await until(() => searches[0].heard.some(told), `the first hears of ${names}`);
  }
  const tables = await Promise.all(searches.map(tableOf));
  assert.equal(new Set(tables).size, 1);
  await assertOneTableEach(searches);
});

test('of the searches of a player at two servers the newer goes on', async () => {
  const { others } = await roles();
  const player = await guest(others[0]);
  const first = await new Search(others[0], player, queue(2)).begun();
  const second = await new Search(others[1], player, queue(2)).begun();
  await assert.rejects(first.end, ({ code, rawMessage }) => {
    assert.equal(code, Code.Aborted);
    assert.match(rawMessage, /another call/);
    return true;
  });
  const opponent = new Search(others[0], await guest(others[0]), queue(2));
  assert.equal(await tableOf(second), await tableOf(opponent));
});

test('what a request lacks is told by whoever is asked, in the same words', async () => {
  const messages = new Set();
  for (const server of servers) {
    const search = new Search(server, await guest(server), { pace: 9 });
    await search.end.catch((error) => {
      assert.equal(error.code, Code.InvalidArgument);
      messages.add(error.rawMessage);
    });
    await assert.rejects(
      new Search(server, { token: 'forged' }).end,
      ({ code }) => code === Code.Unauthenticated,
    );
  }
  assert.equal(messages.size, 1);
});

for (const transport of Object.keys(transports)) {
  test(`who hangs up at another server is not matched (${transport})`, async () => {
    const { others } = await roles();
    const [gone, left] = await Promise.all([guest(others[0]), guest(others[1])]);
    const first = await new Search(others[0], gone, queue(3), transport).begun();
    const second = await new Search(others[1], left, queue(3)).begun();
    assert.equal(second.heard.at(-1).value.position, 2);
    first.hangUp();
    await until(() => second.heard.at(-1).value.position === 1, 'the first place');
    second.hangUp();
  });
}

test('who searches where a server dies is not matched', async () => {
  const server = await startNode(postgres);
  const first = await new Search(server, await guest(server), queue(3)).begun();
  const second = await new Search(servers[0], await guest(servers[0]), queue(3)).begun();
  assert.equal(second.heard.at(-1).value.position, 2);
  await server.kill();
  await assert.rejects(first.end);
  await until(() => second.heard.at(-1).value.position === 1, 'the first place');
  second.hangUp();
  await server.dispose();
});

test('who searches where a server stands still is not matched', async () => {
  const { leader, others } = await roles();
  const [still, other] = others;
  const first = await new Search(still, await guest(still), queue(3)).begun();
  const second = await new Search(other, await guest(other), queue(3)).begun();
  assert.equal(second.heard.at(-1).value.position, 2);
  still.suspend();
  await until(() => second.heard.at(-1).value.position === 1, 'the first place');
  still.goOn();
  first.hangUp();
  second.hangUp();
  assert.equal((await roles()).leader, leader);
});

test('who has resigned at a table of another server is not led back, who plays on is', async () => {
  const { others } = await roles();
  const players = [await guest(others[0], 'Ada'), await guest(others[0], 'Bob')];
  const request = queue(3, Pace.DAYS);
  const third = await guest(others[0], 'Eva');
  const searches = [...players, third].map((player) => new Search(others[0], player, request));
  const tableId = await tableOf(searches[0]);
  await Promise.all(searches.map(({ end }) => end));
  // The streams take the table from the server that has made it, where nobody is.
  const seats = [];
  for (const { token } of players) {
    seats.push(await Player.join(others[1], tableId, { token }));
  }
  const [owner] = await postgres.query(
    'SELECT address FROM lives JOIN heads ON heads.life = lives.id' +
      ` WHERE table_id = ${numberOf(tableId)}`,
  );
  assert.ok(owner.endsWith(`:${others[1].nodePort}`), 'the table is at the server of the streams');
  await seats[0].playBody(resign, {});
  const resigned = await new Search(others[0], players[0], request).begun();
  assert.equal(resigned.heard[0].case, 'searching');
  resigned.hangUp();
  assert.equal(await tableOf(new Search(others[0], players[1], request)), tableId);
  for (const { stream } of seats) stream.cut();
});

test('after kill -9 of the server that finds opponents the searches go on', async () => {
  const { leader, others } = await roles();
  const request = queue(4);
  const party = { code: 'half of a party', size: 2 };
  const searches = [];
  for (const server of [...others, others[0]]) {
    searches.push(await new Search(server, await guest(server), request).begun());
  }
  const half = await new Search(others[0], await guest(others[0]), { ...queue(2), party }).begun();
  const heard = searches.map((search) => search.heard.length);
  const killed = Date.now();
  await leader.kill();
  await until(
    () => searches.every((search, n) => search.heard.length > heard[n]),
    'news of another server',
  );
  console.log(`the searches go on ${Date.now() - killed} ms after kill -9`);
  assert.ok(Date.now() - killed < takeOverMs);
  const rest = await new Search(others[1], await guest(others[1]), { ...queue(2), party });
  searches.push(new Search(others[1], await guest(others[1]), request));
  const tables = await Promise.all(searches.map(tableOf));
  assert.equal(new Set(tables).size, 1);
  assert.equal(await tableOf(half), await tableOf(rest));
  await assertOneTableEach([...searches, half, rest]);
  await replace(leader);
});

test('a kill -9 while many are matched gives nobody two tables, and everybody one', async () => {
  const { leader, others } = await roles();
  const names = Array.from({ length: 60 }, (_, n) => `Guest ${n}`);
  const players = await Promise.all(names.map((name) => guest(others[0], name)));
  const request = queue(2, Pace.QUICK);
  const together = (n) => ({ party: { code: `a party of two, ${n - (n % 6)}`, size: 2 } });
  const searches = [];
  const search = (n) => {
    const party = n % 6 < 2 ? together(n) : {};
    searches.push(new Search(others[n % 2], players[n], { ...request, ...party }));
  };
  for (let n = 0; n < 40; ++n) search(n);
  await Promise.race(searches.map(({ end }) => end)); // the first match
  await leader.kill();
  for (let n = 40; n < players.length; ++n) search(n);
  await Promise.all(searches.map(({ end }) => end));
  await assertOneTableEach(searches);
  const tables = new Set(await Promise.all(searches.map(tableOf)));
  assert.equal(tables.size, players.length / 2);
  await replace(leader);
});

test('when the server that finds opponents stops, the searches go on elsewhere', async () => {
  const { leader, others } = await roles();
  const request = queue(3);
  const player = await guest(leader);
  const own = await new Search(leader, player, request).begun();
  const first = await new Search(others[0], await guest(leader), request).begun();
  const stopped = leader.terminate();
  // The search at the server itself goes on at another one until the server has ended.
  const again = own.end.catch(async (error) => {
    assert.equal(error.code, Code.Unavailable);
    assert.match(error.rawMessage, /stopping/);
    return new Search(others[0], player, request).end;
  });
  const second = new Search(others[1], await guest(others[1]), request);
  const { table } = await again;
  assert.equal(await tableOf(first), table.tableId);
  assert.equal(await tableOf(second), table.tableId);
  await assertOneTableEach([first, second]);
  assert.deepEqual(await stopped, { code: 0, signal: null });
  await replace(leader);
});

test('a server that stood still does not find opponents any more', async () => {
  const { leader, others } = await roles();
  const request = queue(3, Pace.QUICK);
  const searches = [];
  for (const server of others) {
    searches.push(await new Search(server, await guest(server), request).begun());
  }
  leader.suspend();
  const third = new Search(others[0], await guest(others[0]), request);
  const tables = await Promise.all([...searches, third].map(tableOf));
  assert.equal(new Set(tables).size, 1);
  leader.goOn();
  await sleep(2000);
  await assertOneTableEach([...searches, third]);
  assert.notEqual((await roles()).leader, leader);
});

/** What a node port answers to the head of a search. */
function atNode(server) {
  const headers = { 'Content-Type': 'application/connect+proto', ...relayedFor };
  return nodeAnswers(server, '/tesela.lobby.v1.MatchmakingService/Find', headers, 5);
}

test('what was passed on is not passed on again', async () => {
  const { leader, others } = await roles();
  assert.equal(await atNode(leader), 100);
  for (const server of others) assert.equal(await atNode(server), 421);
  assert.equal((await lobbyOf(leader).listTables({})).tables.length > 0, true);
});
