// A game that is shown again: read once, held as a whole, and drawn by the renderer of live games.
// Any position is built from the event that led to it. Of a link into a long game the positions
// around it are read first; until those before them are read too, there is a gap.
import { Code, ConnectError } from '@connectrpc/connect';
import { create, type Message } from '@bufbuild/protobuf';
import { anyIs, anyPack, anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import { GridViewSchema } from '@tesela/client/gen/game/v1/grid_pb.js';
import { TableState, type Table as LobbyTable } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { ResignedSchema, UndoneSchema } from '@tesela/client/gen/play/v1/course_pb.js';
import {
  SeatingSchema,
  SnapshotSchema,
  WelcomeSchema,
  type Event as TableEvent,
  type Snapshot,
} from '@tesela/client/gen/play/v1/play_pb.js';
import { failureOf, type Failure } from '../../net/failure.js';
import { keepGame, keptGame, type Frames } from '../../net/kept_games.js';
import { knownGames, unpack } from '../../games/index.js';
import { lobby } from '../../net/lobby.js';
import { history } from '../../net/services.js';
import { Table } from '../../table/table.svelte.js';

/** As many versions as are held; a game that is longer is shown up to there. */
const VERSIONS_MAX = 100_000;
/** How many frames are read before the page counts them. */
const COUNT_EVERY = 64;
/** How many positions before and after the one of a link are read first. */
const WINDOW = 64;

export type Course = 'resigned' | 'claimed' | 'undone' | 'move';

export class Replay {
  readonly tableId: string;
  /** What draws looks at; its stream is never opened. */
  readonly table: Table;
  /** The table as the lobby knows it. */
  about = $state.raw<LobbyTable>();
  /** How many positions there are up to the last that is known, that of version 1 included. */
  count = $state(0);
  /** How many of them are known: fewer while there is a gap. */
  known = $state(0);
  /** The position that is shown, from 0. */
  at = $state(0);
  /** A position in the gap that was asked for: it is shown as soon as it is read. */
  asked = $state<number>();
  /** Whether the whole game has been read. */
  complete = $state(false);
  /** The game is longer than what is held. */
  cut = $state(false);
  failure = $state.raw<Failure>();
  /** Where rounds begin: [position, round]. */
  rounds = $state.raw<readonly (readonly [number, number])[]>([]);

  /** The points of the seats in each position that is known. */
  readonly points: number[][] = [];
  /** What the readings began with, by position. */
  readonly #snapshots = new Map<number, Snapshot>();
  /** Position n is that after event n − 1. Those of the gap are missing. */
  readonly #events: TableEvent[] = [];
  /** The first position that has not been read, after all that have. */
  #end = 0;
  /** The positions before `#end` that have not been read: `from` up to `to`, without that. */
  #gap: { from: number; readonly to: number } | undefined;
  /** The position that a link asked for, or somebody in the gap, until it has been read. */
  #wanted: number;
  #placed = false;
  #rounds: (readonly [number, number])[] = [];
  /** The round of the position that was read last. */
  #round: number | undefined;

  constructor(tableId: string, version = 1n) {
    this.tableId = tableId;
    this.table = new Table(knownGames, tableId);
    this.table.isReplay = true;
    this.table.past = (version) => this.#before(Number(version) - 1);
    this.#wanted = Math.max(0, Number(version) - 1);
    if (this.#wanted <= WINDOW || this.#wanted >= VERSIONS_MAX) return;
    this.#end = this.#wanted - WINDOW;
    this.#gap = { from: 0, to: this.#end };
  }

  get last(): number {
    return Math.max(0, this.count - 1);
  }

  /** The event that led to the position of now; undefined at the beginning. */
  get event(): TableEvent | undefined {
    void this.known; // that of the position behind the gap is read last
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
      const { tableId } = this;
      if (!this.about) this.#introduce((await lobby.getTable({ tableId }, { signal })).table);
      if (this.#gap) await this.#readAround(this.#gap.to + 2 * WINDOW, signal);
      if (this.#gap) await this.#readOn(this.#gap.from, this.#gap.to, signal);
      await this.#readOn(this.#end, undefined, signal);
      this.complete = true;
      this.#keep();
    } catch (error) {
      const failure = failureOf(error);
      const kept = failure === 'unreachable' && (await this.#readKept());
      if (!signal.aborted && !kept) this.failure = failure;
    }
    this.#recount();
  }

  /** What was seen of a finished game can be seen again without the server. */
  #keep(): void {
    const first = this.#snapshots.get(0);
    if (this.about?.state !== TableState.OVER || this.cut || !first) return;
    const events = this.#events.map((value) => ({ case: 'event' as const, value }));
    const frames: Frames = [{ case: 'snapshot', value: first }, ...events];
    void keepGame(this.about, frames).catch(() => {}); // The browser may have no room.
  }

  async #readKept(): Promise<boolean> {
    const kept = await keptGame(this.tableId).catch(() => {});
    if (!kept) return false;
    if (!this.about) this.#introduce(kept.table);
    for (const frame of kept.frames) this.#hear(frame);
    this.complete = true;
    return true;
  }

  #hear(frame: Frames[number] | undefined): void {
    if (frame?.case === 'snapshot') this.#begin(frame.value);
    if (frame?.case === 'event') this.#add(frame.value);
  }

  /** Shows a position; that of the next version as it came about. One in the gap: later. */
  show(position: number): void {
    const to = Math.min(Math.max(0, position), this.last);
    this.#wanted = to;
    this.asked = this.#knows(to) ? undefined : to;
    if (this.asked !== undefined) return;
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

  #introduce(table: LobbyTable | undefined): void {
    this.about = table;
    if (!table) return;
    // In a finished game nobody is away.
    const seats = table.seats.map((seat) => ({ ...seat, connected: true }));
    const { game, config, seatCount, ownerId } = table;
    const seating = create(SeatingSchema, { seats, seatCount, ownerId });
    const welcome = create(WelcomeSchema, { tableId: this.tableId, game, seating });
    if (config) welcome.config = config;
    this.table.link = { phase: 'live' };
    this.table.welcomed(welcome);
  }

  /** Reads the positions behind the gap, those around the one of the link. */
  async #readAround(until: number, signal: AbortSignal): Promise<void> {
    if (this.#end > until) return;
    try {
      await this.#readOn(this.#end, until, signal);
      // A game that ends before is shown at its end.
      this.#wanted = Math.min(this.#wanted, this.#end - 1);
      this.#recount();
    } catch (error) {
      if (!(error instanceof ConnectError && error.code === Code.NotFound)) throw error;
      // A game that ends even before them is read from its beginning.
      this.#gap = undefined;
      this.#end = 0;
    }
  }

  /** Reads from a position up to another, with that, or to the end. */
  async #readOn(from: number, until: number | undefined, signal: AbortSignal): Promise<void> {
    // An event leads there from the position before; without that, a Snapshot.
    const version = from === 0 || from === this.#gap?.to ? from + 1 : from;
    const toVersion = until === undefined ? 0n : BigInt(until + 1);
    const request = { tableId: this.tableId, fromVersion: BigInt(version), toVersion };
    for await (const { frame } of history.replay(request, { signal })) {
      this.#hear(frame?.frame);
      if (until !== undefined || this.#end <= VERSIONS_MAX) continue;
      this.cut = true;
      break;
    }
  }

  #knows(position: number): boolean {
    const inGap = this.#gap && position >= this.#gap.from && position < this.#gap.to;
    return position < this.#end && !inGap;
  }

  #begin(snapshot: Snapshot): void {
    const position = Number(snapshot.version) - 1;
    // That of a reading that goes on where the one before broke.
    if (this.#knows(position)) return;
    this.#snapshots.set(position, snapshot);
    this.#round = undefined;
    this.#learn(position, unpack(snapshot.view) ?? snapshot.grid);
  }

  #add(event: TableEvent): void {
    const position = Number(event.version) - 1;
    const isNext = position === this.#gap?.from || position === this.#end;
    // Also the event that leads behind the gap, of which the position is known.
    if (isNext || this.#knows(position)) this.#events[position - 1] ??= event;
    if (isNext) this.#learn(position, this.#after(event));
  }

  /** A position that comes after those that are known, or after those before the gap. */
  #learn(position: number, view: Message | undefined): void {
    this.#mark(view, position);
    if (this.#gap?.from === position) this.#gap.from += 1;
    else this.#end = position + 1;
    if (this.#gap && this.#gap.from === this.#gap.to) this.#closeGap();
    if (position === this.#wanted || position % COUNT_EVERY === 0) this.#recount();
  }

  #closeGap(): void {
    this.#gap = undefined;
    this.#rounds.sort(([a], [b]) => a - b);
    this.#rounds = this.#rounds.filter(([, round], at) => round !== this.#rounds[at - 1]?.[1]);
    this.#round = this.#rounds.at(-1)?.[1];
  }

  /** Tells the page how much has been read, and shows what was wanted as soon as it is there. */
  #recount(): void {
    const to = this.complete ? Math.min(this.#wanted, this.#end - 1) : this.#wanted;
    const isThere = this.#knows(to);
    // Where a link leads far into a game nothing is shown before that.
    if (!isThere && !this.#placed && (this.#gap || this.#end === 0)) return;
    const gap = this.#gap;
    this.count = this.#end;
    this.known = this.#end - (gap ? gap.to - gap.from : 0);
    // Whether a round begins behind the gap is not known yet.
    this.rounds = this.#rounds.filter(([position]) => position !== gap?.to);
    if (!isThere && this.#placed) return;
    this.#turnTo(isThere ? to : 0);
  }

  #turnTo(position: number): void {
    if (this.#placed && position === this.at) return;
    this.asked = undefined;
    this.#placed = true;
    this.#place(position);
    this.at = position;
  }

  #mark(view: Message | undefined, position: number): void {
    const { game } = this.table;
    this.points[position] = view && game ? game.pointsOf(view) : (this.points[position - 1] ?? []);
    const round = view && game?.roundOf?.(view);
    if (!round || round === this.#round) return;
    this.#round = round;
    this.#rounds.push([position, round]);
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
    let at = position;
    for (; !this.#snapshots.has(at) && at > 0; at -= 1) {
      const view = this.#after(this.#events[at - 1]!);
      const schema = this.table.game?.messages.find(({ typeName }) => typeName === view?.$typeName);
      if (view && schema) return anyPack(schema, view);
    }
    const { view, grid } = this.#snapshots.get(at) ?? {};
    return grid ? anyPack(GridViewSchema, grid) : view;
  }

  /** The events that led to a position, those of a gap and before it left out. */
  #before(position: number): TableEvent[] {
    let from = position;
    while (from > 0 && this.#events[from - 1]) from -= 1;
    return this.#events.slice(from, position);
  }

  #place(position: number): void {
    const from = this.#events[position - 1] ?? this.#snapshots.get(position);
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
