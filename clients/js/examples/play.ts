// Plays Azul against whoever comes, or a bot, and takes the first move that is offered.
//
//   node --experimental-strip-types play.ts http://localhost:8080
import { Tesela, verify, type MoveOf, type ViewOf } from '@tesela/client';
import WebSocket from 'ws'; // Node has one of its own from version 22 on

const [url = 'http://localhost:8080'] = process.argv.slice(2);
const openSocket = (address: string, protocol: string) =>
  new WebSocket(address, protocol) as unknown as globalThis.WebSocket;

function choose({ offers }: ViewOf<'azul'>): MoveOf<'azul'> {
  const { source, colour, lines } = offers[0]!;
  const [line] = lines;
  const target =
    line === undefined ? { case: 'floor', value: true } : { case: 'line', value: line };
  return { source, colour, target } as MoveOf<'azul'>;
}

const tesela = await Tesela.connect(url, { name: 'Ada', openSocket });
const table = await tesela.find({ game: 'azul', players: 2, bots: 'easy', botsAfterMs: 1000 });
console.log(`plays at ${url}/t/${table.id}`);
for await (const { version, stages, view, result } of table.events()) {
  console.log(`version ${version}: ${stages.length} stages`);
  if (result) console.log(result.standings.map(({ seat, points }) => `seat ${seat}: ${points}`));
  else if (view && table.mayMove) await table.play(choose(view));
}
const { ok, broken } = await verify(await tesela.record(table.id), { promised: table.commitment });
console.log(ok ? 'The dice were fair.' : broken.join(' '));
table.close();
