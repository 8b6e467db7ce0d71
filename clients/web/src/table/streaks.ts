// How many games in a row: days with a daily game that counts, and games that were won.
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { dayAfter, dayEndMs } from '../base/day.js';
import type { Table } from '@tesela/client/gen/lobby/v1/lobby_pb.js';

/** Whether a try at a daily game counts: it was in time, and was not given up. */
const counts = ({ dailyDate, endedAt, result }: Table): boolean =>
  endedAt !== undefined &&
  timestampMs(endedAt) < dayEndMs(dailyDate) &&
  !result?.standings.some(({ resigned }) => resigned);

/** The days in a row, up to this one, with a try that counts. */
export function daysInARow(tables: readonly Table[], date: string): number {
  const days = new Set(
    tables.filter((table) => table.dailyDate && counts(table)).map(({ dailyDate }) => dailyDate),
  );
  let count = 0;
  while (days.has(dayAfter(date, -count))) count += 1;
  return count;
}

const standingOf = ({ result }: Table, at: number | undefined) =>
  result?.standings.find(({ seat }) => seat === at);

/** Whether a bot has played to the end for somebody who had not given up. */
export const endedByBots = (table: Table): boolean =>
  table.seats.some(
    ({ seat, bot, strategy }) => !bot && strategy && !standingOf(table, seat)?.resigned,
  );

/** The games in a row, from the newest back, that a player has won. Those that bots finished for
 *  somebody are left out: nobody has won or lost them. */
export function winsInARow(tables: readonly Table[], playerId: string): number {
  let count = 0;
  for (const table of tables) {
    if (endedByBots(table)) continue;
    const own = table.seats.find((seat) => seat.playerId === playerId);
    const standing = standingOf(table, own?.seat);
    if (standing?.rank !== 1 || standing.resigned) break;
    count += 1;
  }
  return count;
}
