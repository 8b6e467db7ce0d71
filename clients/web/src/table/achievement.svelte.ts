// The result of a finished game for its player: the rank and what it was before, the best score,
// and how many games in a row.
import type { Any } from '@bufbuild/protobuf/wkt';
import { dayEndMs } from '../base/day.js';
import {
  BoardKind,
  type BoardEntry,
  type BoardSchema,
} from '@tesela/client/gen/lobby/v1/leaderboard_pb.js';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { TableState, type Table as LobbyTable } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { lobby } from '../net/lobby.js';
import { session } from '../net/session.svelte.js';
import { daysInARow, winsInARow } from './streaks.js';
import type { Table } from './table.svelte.js';

type Board = MessageInitShape<typeof BoardSchema>;

/** So many games back are looked through for those in a row. */
const GAMES_MAX = 100;

/** The line of a player who is on a board. */
async function lineOn(board: Board): Promise<BoardEntry | undefined> {
  const { leaderboard } = await import('../net/services.js');
  return (await leaderboard.getBoard({ board, aroundMe: true, pageSize: 1 })).entries[0];
}

/** Whether a finished game stands on the board of the best scores of a configuration. */
function standsOnBoard(table: LobbyTable, config: Any): boolean {
  const { assisted, dailyDate, options, result } = table;
  const same = table.config && equalBytes(table.config.value, config.value);
  const resigned = result?.standings.some((standing) => standing.resigned);
  return same === true && !assisted && !dailyDate && !options?.practice && !resigned;
}

const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

export class Achievement {
  readonly #table: Table;
  #asked: 'nothing' | 'before' | 'after' = 'nothing';
  /** The line before the game; null where there was none, undefined where that is not known. */
  #before = $state.raw<BoardEntry | null>();
  /** The line now, once the game is over and counts. */
  line = $state.raw<BoardEntry>();
  /** Days with a daily game, or games won. */
  inARow = $state(0);

  /** Whether the game has made the player's best score, and there was one before. */
  record = $derived.by(() => {
    const [before, now] = [this.#before, this.line];
    return !!before && !!now && now.points > before.points;
  });
  /** The player's best score of this kind, with the game once it counts; undefined without one. */
  best = $derived(this.line?.points ?? this.#before?.points);
  /** By how many places the game has lifted the player; undefined where that is not known. */
  climbed = $derived.by(() => {
    const [before, now] = [this.#before, this.line];
    return before && now ? Number(before.place - now.place) : undefined;
  });

  constructor(table: Table) {
    this.#table = table;
  }

  /** Asks while the component that calls is there. */
  follow(): void {
    $effect(() => {
      // Asked again when one of these changes.
      void [this.#table.seat, this.#table.options, this.#table.result];
      void this.learn();
    });
  }

  /** The day of the daily game at which this is a try; empty for every other. */
  get daily(): string {
    return this.#table.details?.dailyDate ?? '';
  }

  /** The board on which the game counts; undefined where it counts on none. */
  get board(): Board | undefined {
    const { game, options, seating, config } = this.#table;
    if (!game || !options || seating?.seatCount !== 1) return undefined;
    if (options.practice || seating.assisted || this.#table.resigned.size > 0) return undefined;
    if (this.daily) return { kind: BoardKind.DAILY, game: game.name, date: this.daily };
    return { kind: BoardKind.BEST, game: game.name, ...(config ? { config } : {}) };
  }

  /** Asks for what is to be known now: before the end, and once more after it. */
  async learn(): Promise<void> {
    const { seat, options, result } = this.#table;
    const now = result ? 'after' : 'before';
    if (seat === undefined || !options || this.#asked === 'after' || this.#asked === now) return;
    this.#asked = now;
    const { board } = this;
    try {
      if (now === 'before') {
        if (board && !this.daily) await this.#learnBefore(board);
      } else {
        await Promise.all([this.#learnLine(board), this.#learnRow()]);
      }
    } catch {
      // The result is complete without it.
    }
  }

  /** Nobody is asked for the line of a player who has none: browsers complain of the answer. */
  async #learnBefore(board: Board): Promise<void> {
    const { config } = this.#table;
    const played = await this.#played();
    const listed = config && played.some((table) => standsOnBoard(table, config));
    this.#before = listed ? await lineOn(board) : null;
  }

  async #learnLine(board: Board | undefined): Promise<void> {
    const late = this.daily && Date.now() >= dayEndMs(this.daily);
    if (board && !late) this.line = await lineOn(board);
  }

  async #learnRow(): Promise<void> {
    const several = (this.#table.seating?.seatCount ?? 1) > 1;
    if (!several && !this.daily) return;
    const played = await this.#played();
    const playerId = session.player?.playerId ?? '';
    this.inARow = several ? winsInARow(played, playerId) : daysInARow(played, this.daily);
  }

  /** The player's finished games of this kind, the newest. */
  async #played(): Promise<LobbyTable[]> {
    const game = this.#table.game?.name ?? '';
    const filter = { game, playerId: session.player?.playerId ?? '', state: TableState.OVER };
    return (await lobby.listTables({ filter, pageSize: GAMES_MAX })).tables;
  }
}
