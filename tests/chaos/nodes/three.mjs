// Chaos with three servers on one PostgreSQL that has a synchronous standby, behind HAProxy with
// the configuration that ships. Players go from table to table of every game, some of them under a
// clock and with bots, others look for opponents at any of the servers, and the lobby is watched at
// all of them. Keepers of accounts sign in by codes, end sessions, take in guests and answer
// challenges. One after the other, in the order of the dice, servers are killed, stopped for longer
// than a lease, cut off from the database or from each other, slow, and replaced; the one that
// makes the tables of searches is killed; the proxy starts anew; the database crashes, and its
// standby takes over. Meanwhile logs of finished games are packed, tables that nobody needs are
// deleted, and the last snapshot of every table is damaged.
//
//   node three.mjs [--nemeses 10] [--players 14] [--companies 4] [--seekers 4] [--keepers 3]
//                  [--rest 60] [--names kill,stop,…] [--seed N] [--logs FOLDER]
//
// Players rest for so many milliseconds before each move. After the times that players waited for
// their moves, the last line is `nemeses 10 acknowledged N lost 0 duplicated 0 gaps 0 falling 0
// charged 0 behind 0 stuck 0 twice 0 untold 0 accounts 0 revoked 0 challenged 0`: as in nodes.mjs,
// and seekers who found nobody, who are not at one table, tables of which somebody who watches was
// not told what the database says, and what was acknowledged to keepers and does not hold: of their
// accounts, of the end of sessions, of answers to challenges. The exit code is 0 when all but N are
// 0, N is at least 200 for each of them, guests were merged, Snapshots were compared, logs were
// packed, and nothing is left of the tables that nobody needs.
import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TableState } from '../../e2e/gen/tesela/lobby/v1/lobby_pb.js';
import { games as allGames } from '../../e2e/harness/games.mjs';
import { signIn } from '../../e2e/harness/lobby.mjs';
import { Company } from '../crash/company.mjs';
import { Dice } from '../crash/dice.mjs';
import { Discarder } from '../crash/discarder.mjs';
import { Gambler, gamesOfOne } from '../crash/gambler.mjs';
import { auditSeekers, Seeker } from '../crash/seeker.mjs';
import { Cluster } from './cluster.mjs';
import { auditKeepers, Keeper } from './keeper.mjs';
import { LobbyWatcher, storedTables } from './lobby_watcher.mjs';
import { Nemeses } from './nemeses.mjs';
import { Playing } from './playing.mjs';
import { cleared, damageSnapshots, keepRecords } from './records.mjs';
import { judge, kinds } from './verdict.mjs';
import { waitsInWords, waitsOf } from './waits.mjs';
import { Witness } from './witness.mjs';

const pauseMs = { min: 300, max: 1200 }; // between the time when all play on and the next nemesis
const playOnTimeMaxMs = 240_000; // against hanging alone: tests/sim asks how soon
const toldTimeMaxMs = 20_000;
const retryMs = 50;
const witnessedMax = 7;
const acknowledgedPerNemesisMin = 200;

const { values } = parseArgs({
  options: {
    nemeses: { type: 'string', default: String(Nemeses.names.length) },
    players: { type: 'string', default: '14' },
    companies: { type: 'string', default: '4' },
    seekers: { type: 'string', default: '4' },
    keepers: { type: 'string', default: '3' },
    rest: { type: 'string', default: '60' },
    names: { type: 'string', default: Nemeses.names.join(',') },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    logs: { type: 'string' },
  },
});
const dice = new Dice(Number(values.seed));
const restMs = Number(values.rest);
console.log(`seed ${values.seed}`);

const cluster = await Cluster.start([
  ...['--table-idle', '150ms', '--store-wait', '30s'],
  ...['--bot-pace', '10ms', '--bot-think', '5ms'],
  ...['--archive-after', '0ms', '--keep-games', '2s'],
]);

/** Everybody comes from an address of their own: the limits of the proxy are for one. */
let doors = 0;
const ownDoor = () => cluster.doorOf(++doors);

async function makeGamblers() {
  const gamblers = [];
  for (let n = 0; n < Number(values.players); ++n) {
    const door = ownDoor();
    const options = { restMs, kinds: gamesOfOne };
    const owner = await signIn(door, `Player ${n}`);
    gamblers.push(new Gambler(door, owner, dice.fork(n), options));
  }
  return gamblers;
}

async function makeCompanies() {
  const companies = [];
  for (let n = 0; n < Number(values.companies); ++n) {
    const door = ownDoor();
    const people = [];
    for (let m = 0; m < 1 + (n % 4); ++m) people.push(await signIn(door, `Player ${n}.${m}`));
    companies.push(new Company(door, people, dice.fork(1000 + n), restMs));
  }
  return companies;
}

async function makeKeepers() {
  const keepers = [];
  for (let n = 0; n < Number(values.keepers); ++n) {
    keepers.push(new Keeper(ownDoor(), cluster.servers, `keeper-${n}`, dice.fork(3000 + n)));
    await keepers.at(-1).begin();
  }
  return keepers;
}

/** Those who look for opponents, as long as there are any to come. */
class Seekers {
  all = [];
  #hangUp = new AbortController();
  #signal = this.#hangUp.signal; // what ends the searches to come; nothing does in the audit

  constructor() {
    setMaxListeners(0, this.#signal); // all of them
  }

  another(door = ownDoor()) {
    const options = { servers: cluster.servers, restMs, signal: this.#signal };
    return new Seeker(door, dice.fork(2000 + this.all.length), options);
  }

  /** One after the other: whoever has played to the end is followed by somebody else. */
  play() {
    const door = ownDoor();
    let present;
    return async () => {
      if (!present || present.sitting?.game.isDone()) {
        present = this.another(door);
        this.all.push(present);
      }
      try {
        await present.play();
      } catch (error) {
        if (!this.#hangUp.signal.aborted) throw error;
      }
    };
  }

  /** Searches end, also one that is just about to begin. */
  stop() {
    this.#hangUp.abort();
  }

  /**
   * How many found nobody, and how many are not at one table, when all have stopped: they look
   * until they have found somebody.
   */
  async audit() {
    if (this.all.length === 0) return { stuck: 0, twice: 0 };
    this.#signal = undefined;
    for (const seeker of this.all) seeker.signal = undefined;
    return auditSeekers(this.all, () => this.another());
  }
}

function makeWatchers() {
  const filters = [
    {},
    { state: TableState.OPEN },
    ...Object.keys(allGames).map((game) => ({ game, state: TableState.IN_PLAY })),
  ];
  return cluster.servers.flatMap((server) =>
    filters.map((filter) => new LobbyWatcher(server, filter)),
  );
}

/** The names in the order of the dice, again and again. */
function* inTurn(names) {
  for (;;) {
    const left = [...names];
    while (left.length > 0) yield left.splice(dice.between(0, left.length - 1), 1)[0];
  }
}

/** Resolves when every one of the players, or companies, has made a move from now on. */
async function allPlayOn(players, name) {
  const before = players.map(({ acknowledged }) => acknowledged);
  const stands = () => players.filter(({ acknowledged }, n) => acknowledged === before[n]);
  const deadline = Date.now() + playOnTimeMaxMs;
  while (stands().length > 0) {
    if (Date.now() > deadline) {
      const tables = stands().map(({ games }) => games.at(-1)?.tableId);
      throw new Error(`nobody plays on at ${tables.join(', ')} after ${name}`);
    }
    await sleep(retryMs);
  }
}

/** How many tables somebody was told another thing of than the database says, in the end. */
async function untold(watchers, keepers) {
  const deadline = Date.now() + toldTimeMaxMs;
  const merged = new Map(keepers.flatMap((keeper) => [...keeper.merged]));
  for (;;) {
    const stored = await storedTables(cluster);
    const found = watchers.flatMap((watcher) => watcher.differences(stored, merged));
    if (found.length === 0 || Date.now() > deadline) {
      for (const line of found) console.log(line);
      return found.length;
    }
    await sleep(retryMs);
  }
}

try {
  await keepRecords(cluster);
  const gamblers = await makeGamblers();
  const companies = await makeCompanies();
  const keepers = await makeKeepers();
  const seekers = new Seekers();
  const discarding = ownDoor();
  const closer = () => cluster.adminAt(dice.pick(cluster.servers));
  const discarder = new Discarder(discarding, await signIn(discarding, 'Discarder'), closer);
  const watchers = makeWatchers();
  let witnessed = gamblers;
  const witness = new Witness(() => witnessed.flatMap(({ games }) => games.slice(-1)));
  const nemeses = new Nemeses(cluster, witness, dice.fork(-1));
  const playing = new Playing();
  const players = [
    ...gamblers.map((gambler) => () => gambler.playUntilCut()),
    ...companies.map((company) => () => company.play()),
    ...keepers.map((keeper) => () => keeper.play()),
    ...Array.from({ length: Number(values.seekers) }, () => seekers.play()),
    () => discarder.playUntilCut(),
  ];
  const watching = watchers.map((watcher) => watcher.watch());
  const everybody = [...gamblers, ...companies];
  const happened = [];
  const unleash = async () => {
    const names = inTurn(values.names.split(','));
    await allPlayOn(everybody, 'the beginning');
    while (happened.length < Number(values.nemeses)) {
      await sleep(dice.between(pauseMs.min, pauseMs.max));
      const first = dice.between(0, Math.max(0, gamblers.length - witnessedMax));
      witnessed = gamblers.slice(first, first + witnessedMax);
      const nemesis = { name: names.next().value, at: Date.now() };
      happened.push(nemesis);
      await nemeses[nemesis.name]();
      const overMs = Date.now() - nemesis.at;
      await allPlayOn([...everybody, ...keepers], nemesis.name);
      await damageSnapshots(cluster);
      const moves = everybody.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
      console.log(
        `${happened.length} ${nemesis.name}: over after ${overMs} ms, all play on after ` +
          `${Date.now() - nemesis.at} ms; acknowledged ${moves}, seekers ${seekers.all.length}; ` +
          `servers that should be silent were asked ${witness.asked} times, answered ` +
          `${witness.greeted}`,
      );
    }
    seekers.stop();
    await playing.end(() => cluster.proxy.restart());
  };
  await Promise.all([...players.map((player) => playing.play(player)), unleash()]);
  const found = await (async () => {
    const told = await untold(watchers, keepers);
    for (const watcher of watchers) watcher.leave();
    await Promise.all(watching);
    const lonely = await seekers.audit();
    const kept = await auditKeepers(keepers);
    const packed = await cleared(cluster, discarder);
    const judged = await judge({
      ...{ server: ownDoor(), database: cluster, gamblers, companies, others: seekers.all },
      ...{ witness, outages: nemeses.outages },
    });
    return { ...judged, ...lonely, ...kept, untold: told, packed };
  })();
  const sum = (of) => watchers.reduce((total, watcher) => total + of(watcher), 0);
  console.log(
    `seekers ${seekers.all.length}; the lobby told ${sum(({ news }) => news)} times over ` +
      `${sum(({ streams }) => streams)} streams`,
  );
  console.log(
    `Snapshots compared ${found.snapshots}, tables deleted ${discarder.count}, ` +
      `packed ${found.packed}`,
  );
  for (const line of waitsInWords(waitsOf(happened, gamblers))) console.log(line);
  const counted = [...kinds, 'stuck', 'twice', 'untold', 'accounts', 'revoked', 'challenged'];
  console.log(
    `nemeses ${happened.length} acknowledged ${found.acknowledged} ` +
      counted.map((kind) => `${kind} ${found[kind]}`).join(' '),
  );
  const enough = found.acknowledged >= happened.length * acknowledgedPerNemesisMin;
  const merged = found.merged > 0 || keepers.length === 0;
  const met = discarder.count > 0 && found.snapshots > 0 && merged;
  const clean = enough && met && counted.every((kind) => found[kind] === 0);
  process.exitCode = clean ? 0 : 1;
} finally {
  if (values.logs) {
    for (const [n, { output }] of cluster.servers.entries()) {
      await writeFile(path.join(values.logs, `server${n + 1}.log`), output);
    }
  }
  await cluster.dispose();
}
