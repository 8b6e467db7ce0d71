// Chaos with two servers on one PostgreSQL, of which clients reach one at a time. Players go from
// table to table; the server that they play on is killed or stopped for two leases, the database
// crashes, connections are cut and slow. Whatever was acknowledged must be there afterwards, once,
// as it was shown.
//
//   node nodes.mjs [--rounds 10] [--players 8] [--seed N]
//
// The last line is `rounds 10 acknowledged N lost 0 duplicated 0 gaps 0 falling 0`: moves, and
// tables at which an epoch falls along the versions. The exit code is 0 when all but N are 0 and N
// is at least 40 a round.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signIn } from '../../e2e/harness/lobby.mjs';
import { Postgres } from '../../e2e/harness/postgres.mjs';
import { Server } from '../../e2e/harness/server.mjs';
import { isForLater, isServerGone } from '../../e2e/harness/stream.mjs';
import { audit, watched } from '../crash/audit.mjs';
import { Dice } from '../crash/dice.mjs';
import { Gambler } from '../crash/gambler.mjs';
import { Switch } from './switch.mjs';

const leaseMs = 3000; // ownership_limits.h: kLeaseTime
const playMs = { min: 300, max: 1500 }; // before what goes wrong
const playOnMs = 1500; // after it
const databaseDownMs = 4000; // longer than a lease
const slowMs = 1500;
const retryMs = 50;
const auditTimeMaxMs = 30_000;
const acknowledgedPerRoundMin = 40;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    players: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const rounds = Number(values.rounds);
const dice = new Dice(Number(values.seed));
console.log(`seed ${values.seed}`);

const postgres = await Postgres.start();
const options = [...(await postgres.options()), '--table-idle', '150ms'];
let active = await Server.start(...options);
let standby = await Server.start(...options);
const between = await Switch.start(active);
let playing = false;
let there = 0; // who has not stopped playing

function swap() {
  [active, standby] = [standby, active];
  between.turnTo(active);
}

const troubles = {
  async kill() {
    await active.kill();
    swap();
    await standby.start();
  },
  async stop() {
    active.suspend();
    swap();
    await sleep(2 * leaseMs);
    standby.goOn();
  },
  async database() {
    await postgres.crash();
    await sleep(databaseDownMs);
    await postgres.start();
  },
  async cut() {
    between.cut();
  },
  async slow() {
    between.delayMs = dice.between(20, 200);
    await sleep(slowMs);
    between.delayMs = 0;
  },
};

/** Whether a player may go on after it: the server is gone, or has not got the table yet. */
const isTrouble = (error) => isServerGone(error) || isForLater(error);

async function play(gambler) {
  ++there;
  while (playing) {
    try {
      await gambler.playUntilCut();
    } catch (error) {
      if (!isTrouble(error)) throw error;
    }
    await sleep(retryMs);
  }
  --there;
}

async function trouble(name) {
  await sleep(dice.between(playMs.min, playMs.max));
  await troubles[name]();
  await sleep(playOnMs);
  playing = false;
  while (there > 0) {
    between.cut(); // again, where somebody was just coming back
    await sleep(retryMs);
  }
}

/** What a spectator is sent, as soon as the server has the table. */
async function watchedLater(server, game) {
  const deadline = Date.now() + auditTimeMaxMs;
  for (;;) {
    try {
      return await watched(server, game);
    } catch (error) {
      const isElsewhere = /expected welcome, got goodbye/.test(error.message);
      if (Date.now() > deadline || !(isElsewhere || isTrouble(error))) throw error;
    }
    await sleep(retryMs);
  }
}

try {
  const owner = await signIn(between, 'Chaos');
  const gamblers = [];
  for (let n = 0; n < Number(values.players); ++n) {
    gamblers.push(new Gambler(between, owner, dice.fork(n)));
  }
  const names = Object.keys(troubles);
  for (let round = 1; round <= rounds; ++round) {
    const name = names[(round - 1) % names.length];
    playing = true;
    await Promise.all([...gamblers.map(play), trouble(name)]);
    const acknowledged = gamblers.reduce((sum, gambler) => sum + gambler.acknowledged, 0);
    console.log(`round ${round}, ${name}: acknowledged ${acknowledged}`);
  }
  const found = await audit(between, gamblers, watchedLater);
  const falling = await postgres.query(
    'SELECT DISTINCT one.table_id FROM events AS one JOIN events AS next' +
      ' ON next.table_id = one.table_id AND next.version = one.version + 1' +
      ' WHERE next.epoch < one.epoch',
  );
  for (const line of found.details) console.log(line);
  console.log(
    `rounds ${rounds} acknowledged ${found.acknowledged} lost ${found.lost} ` +
      `duplicated ${found.duplicated} gaps ${found.gaps} falling ${falling.length}`,
  );
  const enough = found.acknowledged >= rounds * acknowledgedPerRoundMin;
  const clean = !found.lost && !found.duplicated && !found.gaps && !falling.length;
  process.exitCode = clean && enough ? 0 : 1;
} finally {
  between.close();
  await active.dispose();
  await standby.dispose();
  await postgres.dispose();
}
