// What a player asks the lobby for at a table: a seat, to leave it, to begin, and once more.
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { lobby } from './lobby.js';
import { router, tablePath } from './route.svelte.js';

/** Adds to the dice, so that the server cannot choose them alone. */
const CONTRIBUTION_BYTES = 16;
const contribution = () => crypto.getRandomValues(new Uint8Array(CONTRIBUTION_BYTES));

/** Takes the first seat that is free, or one's own back. */
export async function sitDown(tableId: string, invite: string): Promise<void> {
  await lobby.joinTable({ tableId, invite, contribution: contribution() });
}

/** Frees a bot's seat. */
export async function removeBot(tableId: string, seat: number): Promise<void> {
  await lobby.freeSeat({ tableId, seat });
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
  const { table } = await lobby.rematchTable({ tableId, contribution: contribution() });
  if (table) router.go(tablePath(table.tableId));
}

const boards = createClient(
  LeaderboardService,
  createConnectTransport({ baseUrl: location.origin, useBinaryFormat: true }),
);

/** A player's rating in a game, as people read it. */
export async function ratingOf(game: string, playerId: string): Promise<number> {
  return (await boards.getRating({ game, playerId })).rating?.shown ?? 0;
}
