// How long it takes from the death of a server until its tables are played on at another one. Two
// servers on one PostgreSQL: one of them is killed (kill -9) while people and bots play on it,
// comes back when its tables are the other's, and then the other is killed.
//
//   node deaths.mjs [--kills 3] [--tables 8] [--seed N]
//
// A kill's time ends with the first move at the last of its tables. The exit code is 0 when every
// table goes on where it was; from 20 kills on, only when the median of the times is at most 4 s
// and the greatest 6 s. Fewer say little of a median, and beside other tests the machine may stand
// still for longer than the bounds leave.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { watchBots } from '../../e2e/harness/bots.mjs';
import { newTable } from '../../e2e/harness/lobby.mjs';
import { Player } from '../../e2e/harness/player.mjs';
import { numberOf, Postgres } from '../../e2e/harness/postgres.mjs';
import { Server } from '../../e2e/harness/server.mjs';
import { until } from '../../e2e/harness/until.mjs';
import { Dice } from '../crash/dice.mjs';

const leaseMs = 3000; // ownership_limits.h: kLeaseTime
const heartbeatMs = 750; // kHeartbeatInterval
const retryMs = 50;
const killsMin = 20; // for the bounds to be looked at
const medianMax = 4000;
const timeMax = 6000;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '3' },
    tables: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const kills = Number(values.kills);
const dice = new Dice(Number(values.seed));
console.log(`seed ${values.seed}`);

async function sitDown(server) {
  const { tableId, token } = await newTable(server, { size: 8 });
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(3);
  return player;
}

/** Comes back to `server` until it has the table, and plays a move. */
async function playOn(player, server) {
  const { version } = player;
  player.server = server;
  for (;;) {
    try {
      await player.resume();
      break;
    } catch (error) {
      // Not an assertion: it is refused, or nobody answers.
      if (error instanceof assert.AssertionError) throw error;
      player.stream?.cut();
      await sleep(retryMs);
    }
  }
  assert.equal(player.version, version, 'nothing that was shown is lost');
  await player.playMoves(1);
}

/** Resolves when the bots have made another move: nobody has asked for their table. */
async function botsPlayOn(postgres, tableId) {
  const version = async () =>
    Number(
      (await postgres.query(`SELECT version FROM heads WHERE table_id = ${numberOf(tableId)}`))[0],
    );
  const before = await version();
  await until(async () => (await version()) > before, 'a move of the bots');
}

/** Resolves when a server may declare others dead: not before it has lived for a whole lease. */
async function mayDeclareDeaths(postgres, { httpPort }) {
  const lives =
    `SELECT 1 FROM lives WHERE state = 'alive' AND address LIKE '%:${httpPort}'` +
    ` AND unbroken_since < clock_timestamp() - interval '${leaseMs} ms'`;
  await until(async () => (await postgres.query(lives)).length > 0, 'a lease without a gap');
}

const postgres = await Postgres.start();
const servers = [];
try {
  const options = [...(await postgres.options()), '--bot-pace', '100ms'];
  while (servers.length < 2) servers.push(await Server.start(...options));
  const players = [];
  while (players.length < Number(values.tables)) players.push(await sitDown(servers[0]));
  const times = [];
  for (let n = 1; n <= kills; ++n) {
    const [dying, other] = servers;
    await mayDeclareDeaths(postgres, other);
    await sleep(dice.between(0, heartbeatMs)); // it dies at any time after a renewal
    const { tableId: bots } = await watchBots(dying, 3n);
    const killed = Date.now();
    const taken = async (end) => {
      await end;
      return Date.now() - killed;
    };
    await dying.kill();
    const [ofBots, ...ofPeople] = await Promise.all([
      taken(botsPlayOn(postgres, bots)),
      ...players.map((player) => taken(playOn(player, other))),
    ]);
    const [first, last] = [Math.min(...ofPeople), Math.max(...ofPeople)];
    times.push(Math.max(last, ofBots));
    console.log(
      `kill ${n}: tables of people are played on after ${first} to ${last} ms, ` +
        `that of bots after ${ofBots} ms`,
    );
    await dying.start();
    servers.reverse();
  }
  const gaps = await postgres.query(
    'SELECT table_id FROM events GROUP BY table_id' +
      ' HAVING min(version) <> 1 OR max(version) <> count(*)',
  );
  assert.deepEqual(gaps, []);
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  console.log(`kills ${kills} median ${median} ms, at most ${times.at(-1)} ms`);
  if (kills >= killsMin) {
    assert.ok(median <= medianMax, `the median is above ${medianMax} ms`);
    assert.ok(times.at(-1) <= timeMax, `the greatest is above ${timeMax} ms`);
  }
} finally {
  for (const server of servers) await server.dispose();
  await postgres.dispose();
}
