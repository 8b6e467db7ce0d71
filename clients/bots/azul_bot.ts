// A bot for Azul that plays from outside the server: copy it, and give it a better `value`.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import {
  BotService,
  type PlayRequestSchema,
  type Question,
} from './gen/ts/tesela/bot/v1/bot_pb.js';
import {
  AzulMoveSchema,
  AzulViewSchema,
  type AzulMove,
  type AzulView,
} from './gen/ts/tesela/game/v1/azul_pb.js';
import { LobbyService } from './gen/ts/tesela/lobby/v1/lobby_pb.js';

const floorCosts = [1, 1, 2, 2, 2, 3, 3];

/** What a move seems to be worth: a line that is filled is tiled, and the floor costs points. */
function value({ source, colour, target }: AzulMove, { table }: AzulView, seat: number): number {
  const { factories, centre, markerInCentre, boards } = table!;
  const board = boards[seat]!;
  const fromCentre = source.case === 'centre';
  const counts = source.case === 'factory' ? factories.slice(source.value * 5) : centre;
  const tiles = counts[colour - 1]!;
  let placed = 0;
  let worth = 0;
  if (target.case === 'line') {
    const size = target.value + 1;
    const held = board.lineCounts[target.value]!;
    placed = Math.min(tiles, size - held);
    worth = ((held + placed) / size) * 2 + (held + placed === size ? 2 : 0);
  }
  const spilled = tiles - placed + (fromCentre && markerInCentre ? 1 : 0);
  const costs = floorCosts.slice(board.floor.length, board.floor.length + spilled);
  return worth - costs.reduce((sum, cost) => sum + cost, 0);
}

/** The legal move of the greatest value, packed as it came; the first one where `value` fails. */
function bestMove({ view, seat, legalMoves }: Question) {
  const seen = anyUnpack(view!, AzulViewSchema)!;
  try {
    const values = legalMoves.map((move) => value(anyUnpack(move, AzulMoveSchema)!, seen, seat));
    return legalMoves[values.indexOf(Math.max(...values))]!;
  } catch (error) {
    console.error(error);
    return legalMoves[0]!;
  }
}

/** The token of the player whose bot this is: the one that `file` keeps, or a new guest's. */
async function signIn(transport: Transport, name: string, file?: string): Promise<string> {
  const lobby = createClient(LobbyService, transport);
  let secret = randomBytes(32).toString('hex');
  let token: string;
  if (file && existsSync(file)) {
    [secret, token] = readFileSync(file, 'ascii').trim().split(' ') as [string, string];
    const headers = { authorization: `Bearer ${token}` };
    ({ token } = await lobby.renewToken({ deviceSecret: Buffer.from(secret, 'hex') }, { headers }));
  } else {
    const deviceSecret = Buffer.from(secret, 'hex');
    ({ token } = await lobby.signIn({ displayName: name, deviceSecret }));
  }
  if (file) writeFileSync(file, `${secret} ${token}\n`, { mode: 0o600 });
  return token;
}

/** Offers the bot and answers its questions, until the stream ends. */
async function play(transport: Transport, token: string, name: string): Promise<void> {
  const toServer = new PassThrough({ objectMode: true });
  const send = (message: MessageInitShape<typeof PlayRequestSchema>) => toServer.write(message);
  const description = 'Fills lines and fears the floor.';
  send({ message: { case: 'offer', value: { token, game: 'azul', name, description } } });
  for await (const { message } of createClient(BotService, transport).play(toServer)) {
    if (message.case === 'question') {
      const { questionId } = message.value;
      send({ message: { case: 'answer', value: { questionId, move: bestMove(message.value) } } });
    } else if (message.case === 'accepted') {
      console.log('plays as', message.value.strategy);
    } else {
      console.log('dismissed:', message.value?.message);
    }
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string', default: 'typescript' },
    // Keeps whose bot it is: the name is that player's alone.
    'token-file': { type: 'string' },
  },
});
const transport = createGrpcTransport({ baseUrl: positionals[0] ?? 'http://localhost:9090' });
let token: string | undefined;
for (;;) {
  try {
    token ??= await signIn(transport, values.name, values['token-file']);
    await play(transport, token, values.name);
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    console.log(rawMessage);
    // Anything else may be better in a second.
    const final = [Code.InvalidArgument, Code.PermissionDenied, Code.Unauthenticated];
    if (final.includes(code)) process.exit(1);
  }
  await sleep(1000);
}
