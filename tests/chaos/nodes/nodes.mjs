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
import { isUnauthenticated } from '../../e2e/harness/stream.mjs';
import { Company } from '../crash/company.mjs';
import { Dice } from '../crash/dice.mjs';
import { Discarder } from '../crash/discarder.mjs';
import { Gambler } from '../crash/gambler.mjs';
import { Playing } from './playing.mjs';
import { cleared, damageSnapshots, keepRecords } from './records.mjs';
import { Troubles } from './troubles.mjs';
import { judge, kinds } from './verdict.mjs';
import { Witness } from './witness.mjs';

const playMs = { min: 300, max: 1500 }; // before what goes wrong
const playOnMs = 1500; // after it, from when the tables play on
const playOnTimeMaxMs = 60_000;
const retryMs = 50;
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

const troubles = await Troubles.start(dice, [
  ...['--table-idle', '150ms', '--store-wait', '30s'],
  ...['--bot-pace', '10ms', '--bot-think', '5ms'],
  ...['--archive-after', '0ms', '--keep-games', '2s'],
]);
const { between, postgres } = troubles;

async function trouble(name, acknowledged, playing) {
  await sleep(dice.between(playMs.min, playMs.max));
  await troubles[name]();
  const [before, since] = [acknowledged(), Date.now()];
  while (acknowledged() < before + acknowledgedPerRoundMin) {
    if (Date.now() > since + playOnTimeMaxMs) throw new Error(`nobody plays on after ${name}`);
    await sleep(retryMs);
  }
  await sleep(playOnMs);
  await playing.end(() => between.cut());
}

try {
  await keepRecords(postgres);
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
    const playing = new Playing();
    const all = players.map((player) => playing.play(player));
    await Promise.all([...all, trouble(name, acknowledged, playing)]);
    console.log(
      `round ${round}, ${name}: acknowledged ${acknowledged()}; servers that should be silent ` +
        `were asked ${witness.asked} times, answered ${witness.greeted}`,
    );
    await damageSnapshots(postgres);
  }
  const packed = values.finds ? 0 : await cleared(postgres, discarder);
  const found = await judge({
    ...{ server: between, database: postgres, gamblers, companies, witness },
    outages: troubles.outages,
  });
  console.log(
    `Snapshots compared ${found.snapshots}, tables deleted ${discarder.count}, packed ${packed}`,
  );
  console.log(
    `rounds ${rounds} acknowledged ${found.acknowledged} ` +
      kinds.map((kind) => `${kind} ${found[kind]}`).join(' '),
  );
  const enough = found.acknowledged >= rounds * acknowledgedPerRoundMin;
  const met = discarder.count > 0 && found.snapshots > 0;
  const clean = enough && met && kinds.every((kind) => found[kind] === 0);
  const holds = values.finds ? found[values.finds] > 0 : clean;
  process.exitCode = holds ? 0 : 1;
} finally {
  await troubles.dispose();
}
