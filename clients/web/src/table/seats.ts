// A player's requests to the lobby: a new table, a seat, to leave it, to begin, a rematch.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { router, tablePath } from '../base/route.svelte.js';
import { LeaderboardService } from '@tesela/client/gen/lobby/v1/leaderboard_pb.js';
import type { Table } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import type { TableOptionsSchema } from '@tesela/client/gen/lobby/v1/table_options_pb.js';
import { ContributionState } from '@tesela/client/gen/play/v1/contribution_pb.js';
import type { Seating } from '@tesela/client/gen/play/v1/play_pb.js';
import { lobby } from '../net/lobby.js';
import { session } from '../net/session.svelte.js';
import { contributionNoted, noteCommitment, noteContribution } from './promises.js';

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

/** The strategies of the bots at a table, in the order of seats. */
export const botsOf = (seating: Seating | undefined): string[] =>
  (seating?.seats ?? []).filter(({ bot }) => bot).map(({ strategy }) => strategy);

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
  // A Seating from before the answer asks once more for the sent contribution.
  const contribution =
    drawn.get(tableId) ??
    contributionNoted(tableId) ??
    crypto.getRandomValues(new Uint8Array(CONTRIBUTION_BYTES));
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

/** A seat at an open table, and goes there. */
export async function takeSeat(tableId: string): Promise<void> {
  const { table } = await lobby.joinTable({ tableId, contributeLater: true });
  await sitDownAt(table);
}

/** Takes the first seat that is free, or one's own back. */
export async function sitDown(tableId: string, invite: string): Promise<void> {
  const { table } = await lobby.joinTable({ tableId, invite, contributeLater: true });
  // What fails here is done when the stream tells of the seat.
  if (table) await addToDice(table).catch(() => {});
}

/** Frees a bot's seat. */
export async function removeBot(tableId: string, seat: number): Promise<void> {
  await lobby.freeSeat({ tableId, seat });
}

/** Removes a player from a table that waits. */
export async function removePlayer(tableId: string, playerId: string): Promise<void> {
  await lobby.removePlayer({ tableId, playerId });
}

/** Leaves a table that waits, for the lobby. */
export async function leaveTable(tableId: string, seat: number): Promise<void> {
  await lobby.freeSeat({ tableId, seat });
  router.go('/');
}

/** Begins with bots of a strategy on the seats that are free. */
export async function beginWithBots(tableId: string, strategy: string): Promise<void> {
  await lobby.startTable({ tableId, bots: { case: 'strategy', value: strategy } });
}

/** The same game once more, with everybody who wants it; goes there. */
export async function playRematch(tableId: string): Promise<void> {
  const { table } = await lobby.rematchTable({ tableId, contributeLater: true });
  await sitDownAt(table);
}

const boards = createClient(
  LeaderboardService,
  createConnectTransport({ baseUrl: location.origin, useBinaryFormat: true }),
);

/** A player's rating in a game, as people read it. */
export async function ratingOf(game: string, playerId: string): Promise<number> {
  return (await boards.getRating({ game, playerId })).rating?.shown ?? 0;
}
