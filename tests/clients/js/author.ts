// An author's program on the packed package: plays games of 2048, several at once, and prints a
// line a game with what it was shown and what its moves became.
//
//   author.ts URL GAMES MOVES
import { Tesela, type Table } from '@tesela/client';
import WebSocket from 'ws';

const [url = '', games = '', moves = ''] = process.argv.slice(2);
const openSocket = (address: string, protocol: string) =>
  new WebSocket(address, protocol) as unknown as globalThis.WebSocket;

/** A call may be cut off too, and is made again. */
async function insist<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The moves that were made, at most so many. */
async function play(table: Table<'2048'>, most: number): Promise<number> {
  const shown: string[] = [];
  const told: [string, string][] = [];
  for await (const { version, kind, view, result } of table.events()) {
    shown.push(kind === 'position' ? `position ${version}` : String(version));
    if (result || told.length === most) break;
    const direction = view!.legal[told.length % view!.legal.length]!;
    const event = await table.play({ direction });
    told.push([event.moveId, String(event.version)]);
  }
  table.close();
  console.log(JSON.stringify({ tableId: table.id, shown, told }));
  return told.length;
}

async function playGames(number: number): Promise<void> {
  const tesela = await insist(() => Tesela.connect(url, { name: `Author ${number}`, openSocket }));
  for (let left = Number(moves); left > 0;) {
    left -= await play(await insist(() => tesela.create({ game: '2048' })), left);
  }
}

await Promise.all(Array.from({ length: Number(games) }, (_, number) => playGames(number)));
