// The crash test at tables of several: people and bots play Azul under a clock and talk, others
// look for opponents. The server is killed at random moments, stays away for a while, and is
// started again on the same data; everybody comes back. Meanwhile logs of finished games are
// packed.
//
//   node tables.mjs [--rounds 24] [--companies 8] [--seekers 3] [--seed N]
//
// The last line is `rounds 24 acknowledged N lost 0 duplicated 0 gaps 0 charged 0 stuck 0 twice 0`:
// moves, clocks that ran while the server was down, seekers who found nobody, and seekers at two
// tables. The exit code is 0 when all but N are 0, N is at least 40 a round and Snapshots were
// compared.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from '../../e2e/harness/database.mjs';
import { signIn } from '../../e2e/harness/lobby.mjs';
import { Server } from '../../e2e/harness/server.mjs';
import { isServerGone } from '../../e2e/harness/stream.mjs';
import { until } from '../../e2e/harness/until.mjs';
import { audit, shownAgain } from './audit.mjs';
import { auditClocks } from './clock_audit.mjs';
import { Company } from './company.mjs';
import { Dice } from './dice.mjs';
import { auditSeekers, Seeker } from './seeker.mjs';

const roundMs = { min: 40, max: 1300 };
const longDownMs = 1200; // longer than the shortest time for a move
const everyLongDown = 4;
const acknowledgedPerRoundMin = 40;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '24' },
    companies: { type: 'string', default: '8' },
    seekers: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const rounds = Number(values.rounds);
const dice = new Dice(Number(values.seed));
console.log(`seed ${values.seed}`);

const lives = [{ at: Date.now() }];
const server = await Server.start(
  ...['--threads', '2', '--bot-pace', '10ms', '--bot-think', '5ms', '--archive-after', '0ms'],
);
let killed = false;

/** Whatever is under way when the server is killed may fail. */
async function playUntilCut(player) {
  try {
    await player.play();
  } catch (error) {
    if (!killed && !isServerGone(error)) throw error;
  }
}

/** Kills the server; at the end not before there was enough that it could lose. */
async function kill(last) {
  if (last) await until(() => acknowledged() >= rounds * acknowledgedPerRoundMin, 'enough moves');
  killed = true;
  await server.kill();
}

async function startAgain() {
  lives.push({ at: Date.now() });
  await server.start();
  killed = false;
}

const companies = [];
const seekers = [];
const games = () => [...companies, ...seekers].flatMap((player) => player.games);
const acknowledged = () => games().reduce((sum, game) => sum + game.acknowledged.length, 0);

try {
  for (let n = 0; n < Number(values.companies); ++n) {
    const people = [];
    for (let m = 0; m < 1 + (n % 4); ++m) people.push(await signIn(server, `Player ${n}.${m}`));
    companies.push(new Company(server, people, dice.fork(n)));
  }
  for (let round = 1; round <= rounds; ++round) {
    for (let n = 0; n < Number(values.seekers); ++n) {
      seekers.push(new Seeker(server, dice.fork(1000 + seekers.length)));
    }
    await Promise.all([
      ...[...companies, ...seekers].map(playUntilCut),
      sleep(dice.between(roundMs.min, roundMs.max)).then(() => kill(round === rounds)),
    ]);
    if (round % everyLongDown === 0) await sleep(longDownMs);
    await startAgain();
    const matched = seekers.filter(({ sitting }) => sitting).length;
    console.log(`round ${round}: acknowledged ${acknowledged()}, matched ${matched}`);
  }
  const another = () => new Seeker(server, dice.fork(-1));
  const { stuck, twice } = await auditSeekers(seekers, another);
  const found = await audit(server, [...companies, ...seekers], shownAgain);
  const tables = companies.flatMap((company) => company.tables);
  const { charged, details, turns, crashed, late } = await auditClocks(server, tables, lives);
  const sittings = tables.flatMap((table) => table.sittings);
  found.duplicated += sittings.reduce((sum, { echoes }) => sum + echoes, 0);
  for (const line of [...found.details, ...details]) console.log(line);
  const [[[packed]]] = await sql(server.data, 'SELECT count(*) FROM archives');
  console.log(`logs of finished games that were packed meanwhile: ${packed}`);
  console.log(`tables ${tables.length} turns ${turns}, ${crashed} with a crash, ${late} timed out`);
  console.log(`Snapshots compared ${found.snapshots}`);
  const faults = { ...found, charged, stuck, twice };
  const counted = ['lost', 'duplicated', 'gaps', 'charged', 'stuck', 'twice'];
  console.log(
    `rounds ${rounds} acknowledged ${found.acknowledged} ` +
      counted.map((name) => `${name} ${faults[name]}`).join(' '),
  );
  const enough = found.acknowledged >= rounds * acknowledgedPerRoundMin && found.snapshots > 0;
  process.exitCode = enough && counted.every((name) => faults[name] === 0) ? 0 : 1;
} finally {
  await server.dispose();
}
