// Chaos with two servers on one PostgreSQL, of which clients reach one at a time. Players go from
// table to table, some of them under a clock and with bots; the server that they play on is killed,
// stopped for two leases, cut off from the database or taken for dead, the database crashes,
// connections are cut and slow. Meanwhile logs of finished games are packed, tables that nobody
// needs are deleted, and after each round the last snapshot of every table is damaged. Whatever was
// acknowledged must be there afterwards, once, as it was shown.
//
//   node nodes.mjs [--rounds 7] [--players 8] [--companies 4] [--troubles kill,stop,…] [--seed N]
//                  [--finds behind]
//
// The last line is `rounds 7 acknowledged N lost 0 duplicated 0 gaps 0 falling 0 charged 0
// behind 0`: moves, tables at which an epoch falls along the versions, clocks that ran during an
// outage, a freeze or a hand-over, and clients that were told less than others had been shown when
// they connected. The exit code is 0 when all but N are 0, N is at least 40 a round, Snapshots were
// compared, logs were packed, and nothing is left of the tables that nobody needs. With --finds,
// for servers with a fault, it is 0 when that number is not.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signIn } from '../../e2e/harness/lobby.mjs';
import { numberOf } from '../../e2e/harness/postgres.mjs';
import { until } from '../../e2e/harness/until.mjs';
import {
  isForLater,
  isServerGone,
  isUnauthenticated,
  StreamTimedOut,
} from '../../e2e/harness/stream.mjs';
import { audit, compareSnapshots, shownAgain, shownAt, watched } from '../crash/audit.mjs';
import { auditClocks } from '../crash/clock_audit.mjs';
import { Company } from '../crash/company.mjs';
import { Dice } from '../crash/dice.mjs';
import { Discarder, remains } from '../crash/discarder.mjs';
import { Gambler } from '../crash/gambler.mjs';
import { Troubles } from './troubles.mjs';
import { Witness } from './witness.mjs';

const playMs = { min: 300, max: 1500 }; // before what goes wrong
const playOnMs = 1500; // after it, from when the tables play on
const playOnTimeMaxMs = 60_000;
const retryMs = 50;
const auditTimeMaxMs = 30_000;
const acknowledgedPerRoundMin = 40;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: String(Troubles.names.length) },
    players: { type: 'string', default: '8' },
    companies: { type: 'string', default: '4' },
    troubles: { type: 'string', default: Troubles.names.join(',') },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    finds: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const dice = new Dice(Number(values.seed));
console.log(`seed ${values.seed}`);

let playing = false;
let there = 0; // who has not stopped playing

/** Whether a player may go on after it: the server is gone, silent, or has not got the table. */
const isTrouble = (error) =>
  isServerGone(error) || isForLater(error) || error instanceof StreamTimedOut;

async function play(player) {
  ++there;
  while (playing) {
    try {
      await player();
    } catch (error) {
      if (!isTrouble(error)) throw error;
    }
    await sleep(retryMs);
  }
  --there;
}

const troubles = await Troubles.start(dice, [
  ...['--table-idle', '150ms', '--store-wait', '30s'],
  ...['--bot-pace', '10ms', '--bot-think', '5ms'],
  // An ending that waits for the database is stored later than it says: the search for what may go
  // does not look back.
  ...['--archive-after', '0ms', '--keep-games', '15s'],
]);
const { between, postgres } = troubles;

async function trouble(name, acknowledged) {
  await sleep(dice.between(playMs.min, playMs.max));
  await troubles[name]();
  const [before, since] = [acknowledged(), Date.now()];
  while (acknowledged() < before + acknowledgedPerRoundMin) {
    if (Date.now() > since + playOnTimeMaxMs) throw new Error(`nobody plays on after ${name}`);
    await sleep(retryMs);
  }
  await sleep(playOnMs);
  playing = false;
  while (there > 0) {
    between.cut(); // again, where somebody was just coming back
    await sleep(retryMs);
  }
}

/**
 * What is shown of a game, as soon as the server has the table; nothing if it is not served, or if
 * its log cannot be executed: then a Snapshot stands in the place of events.
 */
const later = (read) => async (server, game, version) => {
  const deadline = Date.now() + auditTimeMaxMs;
  for (;;) {
    try {
      return await read(server, game, version);
    } catch (error) {
      if (/where an event belongs|The log is damaged/.test(error.message)) return undefined;
      const isElsewhere = /expected welcome, got goodbye/.test(error.message);
      if (!isElsewhere && !isTrouble(error)) throw error;
      if (Date.now() > deadline || /"reconnect":false/.test(error.message)) return undefined;
    }
    await sleep(retryMs);
  }
};

/** Keeps under which epoch each event was stored: a packed log does not say. */
const keepEpochs = () =>
  postgres.query(
    `CREATE TABLE epochs (table_id bigint, version bigint, epoch bigint);
     CREATE FUNCTION keep_epochs() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO public.epochs SELECT table_id, version, epoch FROM added;
       RETURN NULL; END $$;
     CREATE TRIGGER epochs AFTER INSERT ON events REFERENCING NEW TABLE AS added
       FOR EACH STATEMENT EXECUTE FUNCTION keep_epochs()`,
  );

/** The last snapshot of every table gets another byte. */
const damageSnapshots = () =>
  postgres.query(
    `UPDATE snapshots AS t SET position = set_byte(position, at, get_byte(position, at) # 64)
       FROM (SELECT table_id, max(version) AS version FROM snapshots GROUP BY table_id) AS last,
       LATERAL (SELECT floor(random() * 20)::int AS at) AS place
       WHERE t.table_id = last.table_id AND t.version = last.version`,
  );

/** Resolves when nothing is left of the tables that were closed: how many logs are packed. */
async function cleared(discarder) {
  const count = async (sql) => Number((await postgres.query(sql))[0]);
  const left = async () => {
    const counts = await Promise.all(remains.map(count));
    return counts.reduce((sum, rows) => sum + rows, 0);
  };
  await until(() => discarder.isAllGone(), 'the end of closed tables');
  await until(async () => (await left()) === 0, 'the end of their rows');
  await until(async () => (await count('SELECT count(*) FROM archives')) > 0, 'a packed log');
  return count('SELECT count(*) FROM archives');
}

/** Under which epoch each event of a table was stored. */
async function epochsOf(tableId) {
  const rows = await postgres.query(
    `SELECT version || ' ' || epoch FROM epochs WHERE table_id = ${numberOf(tableId)}`,
  );
  return new Map(rows.map((row) => row.split(' ').map(BigInt)));
}

try {
  await keepEpochs();
  const owner = await signIn(between, 'Chaos');
  const discarder = new Discarder(between, await signIn(between, 'Discarder'));
  const gamblers = [];
  for (let n = 0; n < Number(values.players); ++n) {
    gamblers.push(new Gambler(between, owner, dice.fork(n)));
  }
  const companies = [];
  for (let n = 0; n < Number(values.companies); ++n) {
    const people = [];
    for (let m = 0; m < 1 + (n % 4); ++m) people.push(await signIn(between, `Player ${n}.${m}`));
    companies.push(new Company(between, people, dice.fork(1000 + n)));
  }
  const games = () => [...gamblers, ...companies].flatMap((player) => player.games);
  const acknowledged = () => games().reduce((sum, game) => sum + game.acknowledged.length, 0);
  const witness = new Witness(() => gamblers.flatMap((gambler) => gambler.games.slice(-1)));
  troubles.watchedBy(witness);
  const behind = () => games().reduce((sum, game) => sum + game.behind, witness.behind);
  const players = [
    ...gamblers.map((gambler) => () => gambler.playUntilCut()),
    ...companies.map((company) => () => company.play()),
    () =>
      discarder.playUntilCut().catch((error) => {
        // It was handed over to the other server, which has another key.
        if (!isUnauthenticated(error)) throw error;
      }),
  ];
  const names = values.troubles.split(',');
  for (let round = 1; round <= rounds; ++round) {
    if (values.finds === 'behind' && behind() > 0) break;
    const name = names[(round - 1) % names.length];
    playing = true;
    await Promise.all([...players.map(play), trouble(name, acknowledged)]);
    console.log(
      `round ${round}, ${name}: acknowledged ${acknowledged()}; servers that should be silent ` +
        `were asked ${witness.asked} times, answered ${witness.greeted}`,
    );
    await damageSnapshots();
  }
  const packed = values.finds ? 0 : await cleared(discarder);
  const found = await audit(between, gamblers, later(watched), later(shownAt));
  const others = await audit(between, companies, later(shownAgain), later(shownAt));
  for (const [tableId, snapshots] of witness.snapshots) {
    await compareSnapshots(between, { tableId, snapshots }, later(shownAt), found);
  }
  for (const kind of ['acknowledged', 'lost', 'duplicated', 'gaps', 'snapshots']) {
    found[kind] += others[kind];
  }
  const falling = await postgres.query(
    'SELECT DISTINCT one.table_id FROM epochs AS one JOIN epochs AS next' +
      ' ON next.table_id = one.table_id AND next.version = one.version + 1' +
      ' WHERE next.epoch < one.epoch',
  );
  const tables = companies.flatMap((company) => company.tables);
  for (const table of tables) table.epochs = await epochsOf(table.tableId);
  const clocks = await auditClocks(between, tables, troubles.lives);
  const sittings = tables.flatMap((table) => table.sittings);
  found.duplicated += sittings.reduce((sum, { echoes }) => sum + echoes, 0);
  Object.assign(found, {
    falling: falling.length,
    charged: clocks.charged,
    behind: behind(),
  });
  for (const lines of [found.details, others.details, clocks.details, witness.details]) {
    for (const line of lines) console.log(line);
  }
  console.log(
    `tables with clocks ${tables.length} turns ${clocks.turns}, ${clocks.crashed} with a ` +
      `hand-over or an outage, ${clocks.late} timed out`,
  );
  console.log(
    `Snapshots compared ${found.snapshots}, tables deleted ${discarder.count}, packed ${packed}`,
  );
  const counted = ['lost', 'duplicated', 'gaps', 'falling', 'charged', 'behind'];
  console.log(
    `rounds ${rounds} acknowledged ${found.acknowledged} ` +
      counted.map((kind) => `${kind} ${found[kind]}`).join(' '),
  );
  const enough = found.acknowledged >= rounds * acknowledgedPerRoundMin;
  const met = discarder.count > 0 && found.snapshots > 0;
  const clean = enough && met && counted.every((kind) => found[kind] === 0);
  const holds = values.finds ? found[values.finds] > 0 : clean;
  process.exitCode = holds ? 0 : 1;
} finally {
  await troubles.dispose();
}
