// The daily game of a game, as a player stands to it.
import { Code, ConnectError } from '@connectrpc/connect';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { BoardKind, type BoardEntry } from '@tesela/client/gen/lobby/v1/leaderboard_pb.js';
import { TableState, type Table } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { lobby } from '../../net/lobby.js';
import { dayAfter } from '../../base/day.js';
import { router, tablePath } from '../../base/route.svelte.js';
import { leaderboard } from '../../net/services.js';
import { daysInARow } from '../../table/streaks.js';
import type { Player } from '../../net/session.svelte.js';

/** Lines of the board beside the game. */
const LINES = 5;
/** How many of a player's newest tables are looked through for the try. */
const TABLES_MAX = 100;

export interface Daily {
  date: string;
  endsAtMs: number;
  /** The best, in order. */
  best: readonly BoardEntry[];
  /** The player's try, once there is one. */
  mine: Table | undefined;
  /** The line of the try, once it counts. */
  line: BoardEntry | undefined;
  /** The days in a row with a try that counts, up to today, or to yesterday while today's is
   *  open. */
  streak: number;
}

/** The player's line; undefined for who is not on the board: older servers answer NOT_FOUND. */
async function lineOf(game: string, date: string, signal: AbortSignal) {
  const board = { kind: BoardKind.DAILY, game, date };
  try {
    const request = { board, aroundMe: true, pageSize: 1 };
    return (await leaderboard.getBoard(request, { signal })).entries[0];
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
}

async function tablesOf(game: string, { playerId }: Player, signal: AbortSignal) {
  const request = { filter: { game, playerId }, pageSize: TABLES_MAX };
  return (await lobby.listTables(request, { signal })).tables;
}

/** Everything about today's game. */
export async function dailyOf(
  game: string,
  player: Player | undefined,
  signal: AbortSignal,
): Promise<Daily> {
  const { date, endsAt } = await leaderboard.getDaily({ game }, { signal });
  const board = { kind: BoardKind.DAILY, game, date };
  const [{ entries }, tables = []] = await Promise.all([
    leaderboard.getBoard({ board, pageSize: LINES }, { signal }),
    player && tablesOf(game, player, signal),
  ]);
  const mine = tables.find(({ dailyDate }) => dailyDate === date);
  const over = mine?.state === TableState.OVER;
  const line = over ? await lineOf(game, date, signal) : undefined;
  const endsAtMs = endsAt ? timestampMs(endsAt) : 0;
  const streak = daysInARow(tables, over ? date : dayAfter(date, -1));
  return { date, endsAtMs, best: entries, mine, line, streak };
}

/** The player's one try, and goes there. */
export async function beginDaily(game: string): Promise<void> {
  const { table } = await lobby.createTable({ game, daily: true });
  if (table) router.go(tablePath(table.tableId));
}
