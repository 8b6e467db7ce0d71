// The lobby over the Connect protocol, with this browser's token.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { timestampMs, type Any, type Timestamp } from '@bufbuild/protobuf/wkt';
import {
  LobbyService,
  type StrategyDescription,
  type Table,
} from '../gen/tesela/lobby/v1/lobby_pb.js';
import type { TableOptionsSchema } from '../gen/tesela/lobby/v1/table_options_pb.js';
import { ContributionState } from '../gen/tesela/play/v1/contribution_pb.js';
import type { Game } from '../table/game.js';
import { noteCommitment, noteContribution } from '../table/promises.js';
import { router, tablePath } from '../base/route.svelte.js';
import { session, type Player } from './session.svelte.js';

const authorize: Interceptor = (next) => async (request) => {
  const token = session.token;
  if (token) request.header.set('authorization', `Bearer ${token}`);
  try {
    return await next(request);
  } catch (error) {
    if (ConnectError.from(error).code === Code.Unauthenticated && token) session.end(true);
    throw error;
  }
};

export const transport = createConnectTransport({
  baseUrl: location.origin,
  useBinaryFormat: true,
  interceptors: [authorize],
});

export const lobby = createClient(LobbyService, transport);

const DEVICE_SECRET_BYTES = 32;

const expiryMs = (time?: Timestamp): number => (time ? timestampMs(time) : Number.MAX_SAFE_INTEGER);

/** A new guest, bound to this browser. */
export async function signIn(name: string): Promise<Player> {
  const deviceSecret = crypto.getRandomValues(new Uint8Array(DEVICE_SECRET_BYTES));
  const { token, playerId, displayName, expiresAt } = await lobby.signIn({
    displayName: name,
    deviceSecret,
  });
  return {
    token,
    playerId,
    displayName,
    expiresAtMs: expiryMs(expiresAt),
    deviceSecret: base64Encode(deviceSecret),
  };
}

/** Exchanges the token of a guest who is bound to this browser for a fresh one. */
export async function renewToken({ deviceSecret, ...player }: Player): Promise<Player> {
  const { token, expiresAt } = await lobby.renewToken({ deviceSecret: base64Decode(deviceSecret) });
  return { ...player, deviceSecret, token, expiresAtMs: expiryMs(expiresAt) };
}

export type TableOptions = MessageInitShape<typeof TableOptionsSchema>;

/** Makes a table (without a configuration: of the game's defaults), with bots of these strategies,
 *  and goes there. */
export async function newTable(
  game: string,
  config?: Any,
  strategies: readonly string[] = [],
  options: TableOptions = {},
): Promise<void> {
  const bots = strategies.map((strategy) => ({ strategy }));
  const asked = config ? { config } : {};
  const contributeLater = true;
  const { table } = await lobby.createTable({ game, bots, options, contributeLater, ...asked });
  await sitDownAt(table);
}

const CONTRIBUTION_BYTES = 16;
/** Drawn and perhaps sent already: sent again, they are the same. */
const drawn = new Map<string, Uint8Array>();

/** The second step of a fair game: adds to the dice of a table that awaits it, now that its
 *  commitment is noted. */
export async function addToDice(table: Pick<Table, 'tableId' | 'commitment' | 'seats'>) {
  const { tableId, commitment, seats } = table;
  const own = seats.find(({ playerId }) => playerId === session.player?.playerId);
  if (own?.contribution !== ContributionState.AWAITED) return;
  noteCommitment(tableId, commitment, 0n);
  const contribution =
    drawn.get(tableId) ?? crypto.getRandomValues(new Uint8Array(CONTRIBUTION_BYTES));
  drawn.set(tableId, contribution);
  await lobby.contribute({ tableId, contribution });
  noteContribution(tableId, contribution);
  drawn.delete(tableId);
}

/** Goes to a table at which the player sits now. What fails here is done when its stream opens. */
export async function sitDownAt(table: Table | undefined): Promise<void> {
  if (!table) return;
  await addToDice(table).catch(() => {});
  router.go(tablePath(table.tableId));
}

/** A game of the defaults, which is for as few as can play, at once: bots take the other seats. */
export async function playNow({ name, seatsMin }: Game): Promise<void> {
  const bot = seatsMin > 1 ? middleOf(await strategiesOf(name)) : '';
  await newTable(name, undefined, new Array<string>(seatsMin - 1).fill(bot));
}

/** A seat at an open table, and goes there. */
export async function takeSeat(tableId: string): Promise<void> {
  const { table } = await lobby.joinTable({ tableId, contributeLater: true });
  await sitDownAt(table);
}

const known = new Map<string, Promise<StrategyDescription[]>>();

/** The strategies of a game: bots from outside (level 0), then the weakest. Asked for once. */
export function strategiesOf(game: string): Promise<StrategyDescription[]> {
  const all = known.get(game) ?? lobby.listStrategies({ game }).then((answer) => answer.strategies);
  known.set(game, all);
  all.catch(() => known.delete(game));
  return all;
}

/** The one for whoever does not choose: neither weak nor strong, and none from outside. */
export function middleOf(all: readonly StrategyDescription[]): string {
  const own = all.filter(({ level }) => level > 0);
  return own[own.length >> 1]?.name ?? '';
}
