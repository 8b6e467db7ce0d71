// The crash test: players go from table to table, the server is killed at random moments and is
// started again on the same data, the players resume. Whatever was acknowledged must be there
// afterwards, once.
//
//   node crash.mjs [--rounds 50] [--players 24] [--seed N]
//
// The last line is `rounds 50 acknowledged N lost 0 duplicated 0 gaps 0`; the exit code is 0 when
// the last three are 0 and N is at least 40 a round.
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../../e2e/harness/lobby.mjs';
import { Server } from '../../e2e/harness/server.mjs';
import { audit } from './audit.mjs';
import { Dice } from './dice.mjs';
import { Gambler } from './gambler.mjs';

const roundMs = { min: 40, max: 700 };
const acknowledgedPerRoundMin = 40;
const idleTime = '150ms'; // tables also leave memory and come back in mid-test

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

const server = await Server.start(
  ...['--threads', '2', '--table-idle', idleTime, '--archive-after', '0ms'],
);
try {
  const owner = await signIn(server, 'Crash');
  const gamblers = [];
  for (let n = 0; n < Number(values.players); ++n) {
    gamblers.push(new Gambler(server, owner, dice.fork(n)));
  }
  for (let round = 1; round <= rounds; ++round) {
    await Promise.all([
      ...gamblers.map((gambler) => gambler.playUntilCut()),
      sleep(dice.between(roundMs.min, roundMs.max)).then(() => server.kill()),
    ]);
    await server.start();
    const acknowledged = gamblers.reduce((sum, gambler) => sum + gambler.acknowledged, 0);
    console.log(`round ${round}: acknowledged ${acknowledged}`);
  }
  const found = await audit(server, gamblers);
  for (const line of found.details) console.log(line);
  const sum = (of) => gamblers.reduce((total, gambler) => total + of(gambler), 0);
  const repeated = sum(({ games }) => games.reduce((total, game) => total + game.repeated, 0));
  console.log(
    `bursts ${sum(({ counts }) => counts.bursts)} of moves ${sum(({ counts }) => counts.moves)}, ` +
      `lines cut ${sum(({ counts }) => counts.cuts)}, ` +
      `moves sent again ${sum(({ counts }) => counts.again)}, answered as repeated ${repeated}`,
  );
  console.log(
    `rounds ${rounds} acknowledged ${found.acknowledged} lost ${found.lost} ` +
      `duplicated ${found.duplicated} gaps ${found.gaps}`,
  );
  const enough = found.acknowledged >= rounds * acknowledgedPerRoundMin;
  const clean = found.lost === 0 && found.duplicated === 0 && found.gaps === 0;
  process.exitCode = clean && enough ? 0 : 1;
} finally {
  await server.dispose();
}
