// What a player asks the lobby for at a table: a seat, to leave it, to begin, and once more.
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { LeaderboardService } from '../gen/tesela/lobby/v1/leaderboard_pb.js';
import { addToDice, lobby, sitDownAt } from '../net/lobby.js';
import { router } from '../base/route.svelte.js';

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
