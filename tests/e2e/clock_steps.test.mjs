// A wall clock that is set, and a server that is paused, in games with clocks: no move is refused,
// no time is charged, and no time-out is missed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { azul } from './harness/games.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { WallClock } from './harness/wall_clock.mjs';

const moveMs = 3000;
const gameMs = 600_000;
const steps = [30_000, -30_000, 600_000, -600_000, -3_600_000];
const pauseMs = 5000;

/** Two players at a table of Azul with a clock. Each comes to a server of `servers`. */
async function sitDown(servers, clock) {
  const guests = [await signIn(servers[0], 'Ada'), await signIn(servers[1], 'Bob')];
  const request = { game: 'azul', config: azul(2).config, options: { clock, timeoutsMax: 3 } };
  const { table } = await lobbyOf(servers[0]).createTable(request, bearer(guests[0].token));
  const { tableId } = table;
  await lobbyOf(servers[1]).joinTable({ tableId }, bearer(guests[1].token));
  const players = [];
  for (const [at, { token }] of guests.entries()) {
    players.push(await Player.join(servers[at], tableId, { token }));
  }
  await Promise.all(players.map((player) => player.reach(1n)));
  return players;
}

const onTurn = (players) => players.find(({ seat, turn }) => turn.includes(seat));

/** The player on turn moves at once, and everybody sees that nothing was charged for the step. */
async function move(players) {
  const mover = onTurn(players);
  const event = await mover.playBody(azul(2).choose(mover.view, 0));
  assert.ok(!event.timedOut);
  for (const left of event.clocks.leftMs) assert.ok(left > gameMs - 60_000, `left: ${left}`);
  const left = Number(event.clocks.deadlineMs - event.clocks.nowMs);
  assert.ok(left <= moveMs && left > 0, `the turn's time: ${left}`);
  await Promise.all(players.map((player) => player.reach(event.version)));
}

/** A newcomer is shown the time that the turn has left. */
async function assertShown(server, { tableId }) {
  const stream = await Stream.open(server, tableId, {});
  await stream.expect('welcome');
  const { clocks } = await stream.expect('snapshot');
  const left = Number(clocks.deadlineMs - clocks.nowMs);
  assert.ok(left <= moveMs && left > 0, `shown: ${left}`);
  await stream.close();
}

for (const [kind, start] of [
  ['one server', startOne],
  ['three servers', startThree],
]) {
  describe(kind, () => {
    let there;
    before(async () => (there = await start()));
    after(async () => {
      for (const server of there?.servers ?? []) server.goOn();
      for (const server of there?.servers ?? []) await server.dispose();
      for (const clock of there?.clocks ?? []) await clock.dispose();
      await there?.postgres?.dispose();
    });

    test('a step of the wall clock changes no time of a game', async () => {
      const players = await sitDown(there.seats, { moveMs, gameMs });
      await move(players);
      for (const step of steps) {
        for (const clock of there.clocks) await clock.setOff(step);
        await move(players);
        await move(players);
        await assertShown(there.servers[0], players[0]);
        await move(players);
      }
      for (const clock of there.clocks) await clock.setOff(0);
    });

    test('time runs out when it should after a step', async () => {
      for (const step of [-3_600_000, 600_000]) {
        for (const clock of there.clocks) await clock.setOff(0);
        const players = await sitDown(there.seats, { moveMs });
        await move(players);
        const { seat } = onTurn(players);
        const began = performance.now();
        for (const clock of there.clocks) await clock.setOff(step);
        await players[0].reach(3n);
        const took = performance.now() - began;
        const { value } = players[0].events.at(-1);
        assert.deepEqual([value.seat, value.timedOut], [seat, true]);
        assert.ok(took > moveMs - 500, `after ${took} ms`);
        for (const player of players) await player.stream.close();
      }
      for (const clock of there.clocks) await clock.setOff(0);
    });

    test('a pause of all servers, with a step, costs nobody time', async () => {
      const players = await sitDown(there.seats, { moveMs, gameMs });
      await move(players);
      for (const server of there.servers) server.suspend();
      for (const clock of there.clocks) await clock.setOff(180_000);
      await sleep(pauseMs);
      for (const server of there.servers) server.goOn();
      await move(players);
      await move(players);
      for (const clock of there.clocks) await clock.setOff(0);
    });
  });
}

async function startOne() {
  const clocks = [await WallClock.make()];
  const server = await Server.startProgram(clocks[0].program);
  return { servers: [server], seats: [server, server], clocks };
}

async function startThree() {
  const postgres = await Postgres.start();
  const clocks = [];
  const servers = [];
  for (let n = 0; n < 3; ++n) {
    clocks.push(await WallClock.make());
    servers.push(await startNode(postgres, [], { program: clocks[n].program }));
  }
  return { servers, seats: [servers[1], servers[2]], clocks, postgres };
}
