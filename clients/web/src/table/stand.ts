// How a table stands, and what that means to its player.
import { timestampMs, type Any } from '@bufbuild/protobuf/wkt';
import { TableState, type Table } from '@tesela/client/gen/lobby/v1/lobby_pb.js';

/** How a table stood when it was looked at. */
export interface Stand {
  view: Any | undefined;
  /** The seats that may move. */
  turn: readonly number[];
  /** When the last move was made, Unix time in milliseconds. */
  movedAtMs: number;
  /** How long the seat on turn had left; undefined where nothing limits it. */
  leftMs: number | undefined;
  /** Whether one of its players was there. */
  attended: boolean;
}

/** A running game from its player's side: it is their turn, others are waited for, it is played
 *  alone, or it was played alone and left. */
export type Group = 'turn' | 'waiting' | 'alone' | 'left';

/** A game for one in which nothing happened for so long has been left. */
const LEFT_AFTER_MS = 24 * 3_600_000;

const seatOf = (table: Table, playerId: string): number | undefined =>
  table.seats.find((seat) => seat.playerId === playerId)?.seat;

export function groupOf(
  table: Table,
  playerId: string,
  stand: Stand | undefined,
  nowMs: number,
): Group {
  if (table.state !== TableState.IN_PLAY) return 'waiting';
  if (table.seatCount > 1) {
    return stand?.turn.includes(seatOf(table, playerId) ?? -1) ? 'turn' : 'waiting';
  }
  const movedAtMs = stand?.movedAtMs ?? (table.createdAt ? timestampMs(table.createdAt) : nowMs);
  return nowMs - movedAtMs > LEFT_AFTER_MS ? 'left' : 'alone';
}

/** Whether other people play there. */
export const isSociable = ({ seats }: Table): boolean => seats.filter(({ bot }) => !bot).length > 1;
