// What a player's finished games came to.
import type { Table } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { endedByBots } from '../../table/streaks.js';

export interface GameResults {
  game: string;
  /** Whether several play it: only then somebody wins. */
  several: boolean;
  played: number;
  /** First, alone or not, and not by a bot that played on. */
  won: number;
  /** The most points. */
  best: bigint;
}

/** By game, the most played first. */
export function resultsIn(tables: readonly Table[], playerId: string): GameResults[] {
  const byGame = new Map<string, GameResults>();
  for (const table of tables) {
    const seat = table.seats.find((taken) => taken.playerId === playerId)?.seat;
    const standing = table.result?.standings.find((line) => line.seat === seat);
    if (!standing) continue;
    const { game } = table;
    const before = byGame.get(game) ?? { game, several: false, played: 0, won: 0, best: 0n };
    const several = table.seatCount > 1;
    const won = several && standing.rank === 1 && !endedByBots(table);
    byGame.set(game, {
      game,
      several: before.several || several,
      played: before.played + 1,
      won: before.won + Number(won),
      best: before.played > 0 && before.best > standing.points ? before.best : standing.points,
    });
  }
  return [...byGame.values()].sort((a, b) => b.played - a.played);
}

export interface Opponent {
  id: string;
  name: string;
  strategy: string;
  game: string;
  count: number;
}

/** Against whom the player sat, the most frequent first. */
export function opponentsIn(tables: readonly Table[], playerId: string): Opponent[] {
  const met = new Map<string, Opponent>();
  for (const { game, seats } of tables) {
    const others = new Map(
      seats.filter((seat) => seat.playerId !== playerId).map((seat) => [seat.playerId, seat]),
    );
    for (const [id, { displayName: name, bot, strategy }] of others) {
      const count = (met.get(id)?.count ?? 0) + 1;
      met.set(id, { id, name, strategy: bot ? strategy : '', game, count });
    }
  }
  return [...met.values()].sort((a, b) => b.count - a.count);
}
