// The crash test: players go from table to table, the server is killed at random moments and is
// started again on the same data, the players resume. Whatever was acknowledged must be there
// afterwards, once. Meanwhile logs of finished games are packed and tables that nobody needs are
// deleted; now and then the last snapshot of every table is damaged while the server is down: in
// turns with a flipped bit, and with the number of a newer format.
//
//   node crash.mjs [--rounds 50] [--players 24] [--seed N]
//
// The last line is `rounds 50 acknowledged N lost 0 duplicated 0 gaps 0`; the exit code is 0 when
// the last three are 0, N is at least 40 a round, Snapshots were compared, damaged snapshots of
// both kinds were met, logs were packed, nothing is left of the tables that nobody needs, and the
// database is sound.
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSound, sql } from '../../e2e/harness/database.mjs';
import { signIn } from '../../e2e/harness/lobby.mjs';
import { Server } from '../../e2e/harness/server.mjs';
import { until } from '../../e2e/harness/until.mjs';
import { audit } from './audit.mjs';
import { Dice } from './dice.mjs';
import { countRemains, Discarder } from './discarder.mjs';
import { Gambler } from './gambler.mjs';

const roundMs = { min: 40, max: 700 };
const acknowledgedPerRoundMin = 40;
const idleTime = '150ms'; // tables also leave memory and come back in mid-test
const keepGames = '200ms';
const everyDamage = 5;
const newerFormat = 99; // of a snapshot's first byte, which is 1 (server/store/FORMAT.md)

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    players: { type: 'string', default: '24' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const rounds = Number(values.rounds);
const dice = new Dice(Number(values.seed));
console.log(`seed ${values.seed}`);

/** The last snapshot of every table gets another bit, or a newer format. */
async function damageSnapshots(isNewer) {
  const [at, bits] = isNewer
    ? ['0', newerFormat ^ 1]
    : ['abs(random()) % length(position)', '1 << abs(random()) % 8'];
  const last = 'version = (SELECT max(version) FROM snapshots AS s WHERE s.table_id = t.table_id)';
  await sql(
    server.data,
    `UPDATE snapshots AS t SET position = flipped(position, ${at}, ${bits}) WHERE ${last}`,
  );
}

/** How many tables have a packed log, once there is one. */
async function packedLogs() {
  const count = async () => (await sql(server.data, 'SELECT count(*) FROM archives'))[0][0][0];
  await until(async () => (await count()) > 0, 'a packed log');
  return count();
}

/** Resolves when nothing is left of the tables that were closed. */
async function allDeleted(discarder) {
  await until(() => discarder.isAllGone(), 'the end of closed tables');
  await until(async () => (await countRemains(server.data)) === 0, 'the end of their rows');
}

const server = await Server.start(
  ...['--threads', '2', '--table-idle', idleTime, '--archive-after', '0ms'],
  ...['--keep-games', keepGames],
);
try {
  const owner = await signIn(server, 'Crash');
  const gamblers = [];
  for (let n = 0; n < Number(values.players); ++n) {
    gamblers.push(new Gambler(server, owner, dice.fork(n)));
  }
  const discarder = new Discarder(server, await signIn(server, 'Discarder'));
  const acknowledged = () => gamblers.reduce((sum, gambler) => sum + gambler.acknowledged, 0);
  /** Kills the server; at the end not before there was enough that it could lose. */
  const kill = async (last) => {
    if (last) await until(() => acknowledged() >= rounds * acknowledgedPerRoundMin, 'enough moves');
    await server.kill();
  };
  for (let round = 1; round <= rounds; ++round) {
    await Promise.all([
      ...[...gamblers, discarder].map((player) => player.playUntilCut()),
      sleep(dice.between(roundMs.min, roundMs.max)).then(() => kill(round === rounds)),
    ]);
    if (round % everyDamage === 0) await damageSnapshots(round % (2 * everyDamage) === 0);
    await server.start();
    console.log(`round ${round}: acknowledged ${acknowledged()}`);
  }
  // On a slow machine no round may have been long enough.
  if (discarder.count === 0) await discarder.discard();
  await allDeleted(discarder);
  await assertSound(server.data);
  const packed = await packedLogs();
  const found = await audit(server, gamblers); // which loads what was damaged last
  const unused = (why) =>
    (server.output.match(new RegExp(`snapshot of version \\d+ is not used: ${why}`, 'g')) ?? [])
      .length;
  const [changed, newer] = [unused('it was changed'), unused('it has the format')];
  for (const line of found.details) console.log(line);
  const sum = (of) => gamblers.reduce((total, gambler) => total + of(gambler), 0);
  const repeated = sum(({ games }) => games.reduce((total, game) => total + game.repeated, 0));
  console.log(
    `bursts ${sum(({ counts }) => counts.bursts)} of moves ${sum(({ counts }) => counts.moves)}, ` +
      `lines cut ${sum(({ counts }) => counts.cuts)}, ` +
      `moves sent again ${sum(({ counts }) => counts.again)}, answered as repeated ${repeated}`,
  );
  console.log(
    `Snapshots compared ${found.snapshots}, tables deleted ${discarder.count}, packed ${packed}; ` +
      `lines about changed snapshots ${changed}, of a newer format ${newer}`,
  );
  console.log(
    `rounds ${rounds} acknowledged ${found.acknowledged} lost ${found.lost} ` +
      `duplicated ${found.duplicated} gaps ${found.gaps}`,
  );
  const enough = found.acknowledged >= rounds * acknowledgedPerRoundMin;
  const clean = found.lost === 0 && found.duplicated === 0 && found.gaps === 0;
  const met = changed > 0 && newer > 0 && discarder.count > 0 && found.snapshots > 0;
  process.exitCode = clean && enough && met ? 0 : 1;
} finally {
  await server.dispose();
}
