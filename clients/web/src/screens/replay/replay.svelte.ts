// A game that is shown again: read once, held as a whole, and drawn by whoever draws live games.
// Any position is built from the event that led to it.
import { create, type Message } from '@bufbuild/protobuf';
import { anyIs, anyPack, anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import { GridViewSchema } from '../../gen/tesela/game/v1/grid_pb.js';
import type { Table as LobbyTable } from '../../gen/tesela/lobby/v1/lobby_pb.js';
import { ResignedSchema, UndoneSchema } from '../../gen/tesela/play/v1/course_pb.js';
import {
  SeatingSchema,
  SnapshotSchema,
  WelcomeSchema,
  type Event as TableEvent,
  type Snapshot,
} from '../../gen/tesela/play/v1/play_pb.js';
import { failureOf, type Failure } from '../../net/failure.js';
import { knownGames, unpack } from '../../games/index.js';
import { lobby } from '../../net/lobby.js';
import { history } from '../../net/services.js';
import { Table } from '../../table/table.svelte.js';

/** As many versions as are held; a game that is longer is shown up to there. */
const VERSIONS_MAX = 100_000;
/** How many frames are read before the page counts them. */
const COUNT_EVERY = 64;

export type Course = 'resigned' | 'claimed' | 'undone' | 'move';

export class Replay {
  readonly tableId: string;
  /** What draws looks at; its stream is never opened. */
  readonly table: Table;
  /** The table as the lobby knows it. */
  about = $state.raw<LobbyTable>();
  /** How many positions are known, that of version 1 included. */
  count = $state(0);
  /** The position that is shown, from 0. */
  at = $state(0);
  /** Whether the whole game has been read. */
  complete = $state(false);
  /** The game is longer than what is held. */
  cut = $state(false);
  failure = $state.raw<Failure>();
  /** Where rounds begin: [position, round]. */
  rounds = $state.raw<readonly (readonly [number, number])[]>([]);

  /** The points of the seats in each position. */
  readonly points: number[][] = [];
  #first: Snapshot | undefined;
  /** Position n is that after event n − 1. */
  readonly #events: TableEvent[] = [];
  /** The position that a link asked for, until it has been read. */
  #wanted: number;
  readonly #rounds: [number, number][] = [];

  constructor(tableId: string, version = 1n) {
    this.tableId = tableId;
    this.table = new Table(knownGames, tableId);
    this.table.isReplay = true;
    this.#wanted = Math.max(0, Number(version) - 1);
  }

  get last(): number {
    return Math.max(0, this.count - 1);
  }

  /** The event that led to the position of now; undefined at the beginning. */
  get event(): TableEvent | undefined {
    return this.#events[this.at - 1];
  }

  /** What `event` was. */
  courseOf({ body }: TableEvent): Course {
    const resigned = body && anyUnpack(body, ResignedSchema);
    if (resigned) return resigned.claimedBy === undefined ? 'resigned' : 'claimed';
    return body && anyIs(body, UndoneSchema) ? 'undone' : 'move';
  }

  /** Reads what is not read yet; again after a failure. */
  async read(signal: AbortSignal): Promise<void> {
    this.failure = undefined;
    try {
      if (!this.about) this.#introduce(await lobby.getTable({ tableId: this.tableId }, { signal }));
      const fromVersion = BigInt(this.#events.length + 1);
      const request = { tableId: this.tableId, fromVersion };
      for await (const { frame } of history.replay(request, { signal })) {
        if (frame?.frame.case === 'snapshot') this.#begin(frame.frame.value);
        if (frame?.frame.case === 'event') this.#add(frame.frame.value);
        if (this.#events.length < VERSIONS_MAX) continue;
        this.cut = true;
        break;
      }
      this.complete = true;
    } catch (error) {
      if (!signal.aborted) this.failure = failureOf(error);
    }
    this.#recount();
  }

  /** Shows a position; that of the next version as it came about. */
  show(position: number): void {
    const to = Math.min(Math.max(0, position), this.last);
    this.#wanted = to;
    const event = this.#events[to - 1];
    const next = to === this.at + 1 && event;
    // What still moves is brought to its end.
    this.#place(next ? this.at : to);
    this.at = to;
    if (next) this.table.happened({ ...next, clocks: undefined });
  }

  /** Where the round begins that comes `steps` after that of now, or as near to it as there is. */
  roundAfter(steps: number): number {
    const marks = this.rounds.map(([position]) => position);
    if (steps > 0) return marks.find((mark) => mark > this.at) ?? this.last;
    return marks.findLast((mark) => mark < this.at) ?? 0;
  }

  #introduce({ table }: { table?: LobbyTable | undefined }): void {
    this.about = table;
    if (!table) return;
    // In what is over nobody is away.
    const seats = table.seats.map((seat) => ({ ...seat, connected: true }));
    const { game, config, seatCount, ownerId } = table;
    const seating = create(SeatingSchema, { seats, seatCount, ownerId });
    const welcome = create(WelcomeSchema, { tableId: this.tableId, game, seating });
    if (config) welcome.config = config;
    this.table.link = { phase: 'live' };
    this.table.welcomed(welcome);
  }

  #begin(snapshot: Snapshot): void {
    if (this.#first) return; // Of a reading that goes on where the one before broke.
    this.#first = snapshot;
    this.#mark(unpack(snapshot.view) ?? snapshot.grid, 0);
    this.#recount();
    this.#place(0);
  }

  #add(event: TableEvent): void {
    if (event.version !== BigInt(this.#events.length + 2)) return;
    this.#events.push(event);
    this.#mark(this.#after(event), this.#events.length);
    const reached = this.#events.length === this.#wanted;
    if (reached || this.#events.length % COUNT_EVERY === 0) this.#recount();
  }

  /** Tells the page how much has been read, and shows what was wanted as soon as it is there. */
  #recount(): void {
    if (!this.#first) return;
    this.count = this.#events.length + 1;
    this.rounds = [...this.#rounds];
    const to = Math.min(this.#wanted, this.last);
    if (to === this.at || (to < this.#wanted && !this.complete)) return;
    this.#place(to);
    this.at = to;
  }

  #mark(view: Message | undefined, position: number): void {
    const { game } = this.table;
    this.points.push(view && game ? game.pointsOf(view) : (this.points.at(-1) ?? []));
    const round = view && game?.roundOf?.(view);
    if (round && round !== this.#rounds.at(-1)?.[1]) this.#rounds.push([position, round]);
  }

  /** The position after an event, when the event has one. */
  #after({ body, grid }: TableEvent): Message | undefined {
    if (body && anyIs(body, UndoneSchema)) {
      return unpack(anyUnpack(body, UndoneSchema)?.view) ?? grid?.view;
    }
    const message = unpack(body) ?? grid;
    return message && this.table.game?.viewAfter(message);
  }

  #viewAt(position: number): Any | undefined {
    for (let at = position; at > 0; at -= 1) {
      const view = this.#after(this.#events[at - 1]!);
      const schema = this.table.game?.messages.find(({ typeName }) => typeName === view?.$typeName);
      if (view && schema) return anyPack(schema, view);
    }
    const { view, grid } = this.#first ?? {};
    return grid ? anyPack(GridViewSchema, grid) : view;
  }

  #place(position: number): void {
    const from = position === 0 ? this.#first : this.#events[position - 1];
    const view = this.#viewAt(position);
    if (!from || !view) return;
    const { version, turn, result, atMs } = from;
    const snapshot = create(SnapshotSchema, { version, view, atMs });
    if (turn) snapshot.turn = turn;
    if (result) snapshot.result = result;
    const undone = this.#events
      .slice(0, position)
      .filter((event) => this.courseOf(event) === 'undone').length;
    this.table.positioned(snapshot, BigInt(undone));
  }
}
