// One table: what happens there, in order and once; moves that are confirmed or refused.
import { isMessage, type Message, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { Feed } from './feed.js';
import { packed, unpack, type ConfigOf, type MoveOf, type StageOf, type ViewOf } from './games.js';
import type { GridView } from './gen/tesela/game/v1/grid_pb.js';
import { ClaimWish } from './gen/tesela/play/v1/claim_pb.js';
import { ContributionState } from './gen/tesela/play/v1/contribution_pb.js';
import {
  ResignedSchema,
  ResignSchema,
  UndoneSchema,
  UndoSchema,
} from './gen/tesela/play/v1/course_pb.js';
import {
  Reason,
  type Clocks,
  type Event as TableEvent,
  type Hint,
  type Result,
  type Seating,
  type Snapshot,
  type Welcome,
} from './gen/tesela/play/v1/play_pb.js';
import type { Said, SaySchema } from './gen/tesela/play/v1/talk_pb.js';
import { pack } from './pack.js';
import { Pending } from './pending.js';
import { Refused } from './refused.js';
import type { Session } from './session.js';
import { TableStream, type Link, type Returned } from './stream.js';

/** The table as it is after something has happened there. */
export interface Change<Name extends string> {
  /** 'position' stands for all that this reader has not seen: at the beginning, and after it was
   *  away or behind for long. 'undone': a move was taken back. */
  readonly kind: 'position' | 'move' | 'resigned' | 'undone';
  /** One more than that of the change before, except after 'position'. */
  readonly version: bigint;
  /** What happened, step by step; empty for a 'position'. */
  readonly stages: readonly StageOf<Name>[];
  /** What the players may see now; undefined of a game that this client does not know. */
  readonly view: ViewOf<Name> | undefined;
  /** The same as a grid, where the game sends one. */
  readonly grid: GridView | undefined;
  /** Who may move now. */
  readonly turn: readonly number[];
  /** Set when the game is over. */
  readonly result: Result | undefined;
  /** What the server sent; undefined for a 'position'. */
  readonly event: TableEvent | undefined;
}

/** How a table is opened, and who hears what it tells beside the game. */
export interface TableOptions {
  /** What lets a stranger come to a private table. */
  invite?: string;
  openSocket?: (url: string, subProtocol: string) => WebSocket;
  link?(link: Link): void;
  seating?(seating: Seating): void;
  clocks?(clocks: Clocks): void;
  said?(said: Said): void;
  /** As Observer.announced. */
  announced?(text: string, untilMs: number): void;
  /** What was said was not accepted. */
  unsaid?(why: Refused): void;
}

const CONTRIBUTION_BYTES = 16;

export class Table<Name extends string = string> {
  readonly id: string;
  /** The game's name; of a table that is joined or watched, empty until the first line stands. */
  game: string;
  config: ConfigOf<Name> | undefined;
  link: Link = { phase: 'connecting' };
  /** Who sits where, and the caller's seat; undefined until the first line stands. */
  seating: Seating | undefined;
  /** What binds the server to the dice: `verify` compares the record with it. */
  commitment: Uint8Array = new Uint8Array();
  /** What this client has added to the dice. */
  contribution: Uint8Array | undefined;
  clocks: Clocks | undefined;
  /** The newest change; undefined while the game has not begun. */
  now: Change<Name> | undefined;
  /** The server's time is the client's plus so many milliseconds. */
  serverAheadMs = 0;

  readonly #session: Session;
  readonly #stream: TableStream;
  readonly #listener: TableOptions;
  readonly #feeds = new Set<Feed<Change<Name>>>();
  readonly #move = new Pending<TableEvent>();
  readonly #hint = new Pending<Hint>();
  readonly #claim = new Pending<Seating | TableEvent>();
  /** The version of the change that was read last; the newest where nobody reads. */
  #read = 0n;
  #claimed = -1;
  #announced = '';
  #contributing = false;

  /** Tables are made by Tesela: create, join, watch, find. */
  constructor(session: Session, url: string, id: string, game: string, options: TableOptions) {
    this.id = id;
    this.game = game;
    this.#session = session;
    this.#listener = options;
    const { invite, openSocket } = options;
    this.#stream = new TableStream({
      url: `${url.replace(/^http/, 'ws')}/v1/tables/${encodeURIComponent(id)}/stream`,
      token: () => session.player?.token ?? '',
      ...(invite === undefined ? {} : { invite }),
      ...(openSocket === undefined ? {} : { openSocket }),
      observer: {
        linkChanged: (link) => this.#linkChanged(link),
        welcomed: (welcome) => this.#welcomed(welcome),
        seated: (seating) => this.#seated(seating),
        positioned: (snapshot) => this.#positioned(snapshot),
        happened: (event) => this.#happened(event),
        clocked: (clocks) => this.#clocked(clocks),
        timed: (serverTimeMs) => (this.serverAheadMs = Number(serverTimeMs) - Date.now()),
        heard: (said) => this.#listener.said?.(said),
        announced: (text, untilMs) => this.#announce(text, untilMs),
        unsaid: (why) => this.#listener.unsaid?.(new Refused(why.reason, why.message)),
        confirmed: (_, event) => this.#move.resolve(event),
        returned: (_, why) => this.#move.reject(new Refused(why.reason, why.message)),
        advised: (hint) => this.#hint.resolve(hint),
        unadvised: (why) => this.#hint.reject(refusedOr(why, 'STALE', 'The question is moot.')),
        unclaimed: (why) => this.#claim.reject(new Refused(why.reason, why.message)),
      },
    });
    this.#stream.start();
  }

  /** The caller's seat; undefined for a spectator. */
  get seat(): number | undefined {
    return this.seating?.seat;
  }

  /** Whether the caller may move now, and has read what happened last. */
  get mayMove(): boolean {
    const { seat, seating, now } = this;
    if (seat === undefined || seating?.waiting !== false || this.#move.awaited) return false;
    return now !== undefined && now.version === this.#read && now.turn.includes(seat);
  }

  /** What happens, from the position as it is now on: each version once and in order, across cut
   *  lines and servers that come and go. Ends with the game, and with `close`. Throws Refused when
   *  the server ends the stream for good, with its reason. A reader that is far behind is given
   *  a 'position' instead of what it missed. */
  events(): AsyncIterableIterator<Change<Name>> {
    const feed = new Feed<Change<Name>>(
      ({ version }) => (this.#read = version),
      (left) => this.#feeds.delete(left),
    );
    this.#feeds.add(feed);
    if (this.now) feed.put({ ...this.now, kind: 'position', stages: [], event: undefined });
    if (this.link.phase === 'ended') feed.fail(new Refused(this.link.reason, this.link.message));
    else if (this.now?.result) feed.end();
    return feed;
  }

  /** Plays a move, by the fields of the game's message (packed, of a game that this client does
   *  not know), as it was decided on the change that was read last. Resolves with the event when it
   *  is stored. Throws Refused when it is not accepted and was not played; STALE when something has
   *  happened since. A line that breaks meanwhile changes nothing: the move is sent again
   *  under its id, and played once. One move at a time: BUSY. */
  async play(move: MoveOf<Name> | Any): Promise<TableEvent> {
    if (this.game === '') throw busy('The table has not been opened yet.');
    return this.#play(packed(this.game, 'Move', move), this.#read);
  }

  /** Gives up. */
  resign(): Promise<TableEvent> {
    return this.#play(pack(ResignSchema, {}), 'any time');
  }

  /** Takes the last move back, at a table of one seat. */
  undo(): Promise<TableEvent> {
    return this.#play(pack(UndoSchema, {}), this.#read);
  }

  /** What a strategy would play now; '' is the strongest. Throws Refused, STALE when somebody moves
   *  first. */
  hint(strategy = ''): Promise<Hint> {
    if (!this.#stream.ask(strategy)) return Promise.reject(busy('One question at a time.'));
    return this.#hint.wait();
  }

  /** Ends the wait for a player who is away: by a resignation, or by a bot that plays the seat. */
  claim(seat: number, wish: 'RESIGNATION' | 'BOT'): Promise<Seating | TableEvent> {
    if (this.#claim.awaited) return Promise.reject(busy('One claim at a time.'));
    this.#claimed = seat;
    if (this.#stream.claim(seat, ClaimWish[wish])) return this.#claim.wait();
    return Promise.reject(busy('There is no line now.'));
  }

  /** Says something: `{ text }` or `{ phrase }`. False without a line. */
  say(what: MessageInitShape<typeof SaySchema>['what']): boolean {
    return this.#stream.say(what ? { what } : {});
  }

  /** Hears a player no more, or again, until the line drops. */
  mute(playerId: string, muted = true): void {
    this.#stream.mute(playerId, muted);
  }

  /** Comes back at once, where a line is down: the network is there again. */
  retryNow(): void {
    this.#stream.retryNow();
    this.#stream.probe();
  }

  /** Leaves the stream. The seat stays the caller's. */
  close(): void {
    this.#stream.stop();
    for (const feed of this.#feeds) feed.end();
    this.#drop(new Refused('CLOSED', 'This client has left the table.'));
  }

  #play(move: Any, at: bigint | 'any time'): Promise<TableEvent> {
    if (this.link.phase === 'ended') {
      return Promise.reject(new Refused(this.link.reason, this.link.message));
    }
    if (!this.#stream.play(move, at)) return Promise.reject(busy('One move at a time.'));
    return this.#move.wait();
  }

  #linkChanged(link: Link): void {
    this.link = link;
    this.#listener.link?.(link);
    if (link.phase !== 'live') this.#claim.reject(busy('The line has broken.'));
    if (link.phase !== 'ended') return;
    if (link.reason === Reason.UNAUTHENTICATED) this.#session.end();
    const why = new Refused(link.reason, link.message);
    for (const feed of this.#feeds) feed.fail(why);
    this.#drop(why);
  }

  #drop(why: Refused): void {
    this.#move.reject(why);
    this.#hint.reject(why);
    this.#claim.reject(why);
  }

  #welcomed(welcome: Welcome): void {
    this.game = welcome.game;
    this.config = unpack(welcome.config) as typeof this.config;
    this.commitment = welcome.commitment;
    this.serverAheadMs = Number(welcome.serverTimeMs) - Date.now();
    if (welcome.seating) this.#seated(welcome.seating);
    // What is still announced comes next.
    if (this.#announced) this.#announce('', 0);
  }

  #announce(text: string, untilMs: number): void {
    this.#announced = text;
    this.#listener.announced?.(text, untilMs);
  }

  #seated(seating: Seating): void {
    const before = this.seating;
    this.seating = seating;
    const strategy = (of?: Seating) =>
      of?.seats.find(({ seat }) => seat === this.#claimed)?.strategy;
    if (strategy(seating) && !strategy(before)) this.#claim.resolve(seating);
    if (seating.waiting) void this.#contribute(seating);
    this.#listener.seating?.(seating);
  }

  /** Adds to the dice, now that the server is bound to its own part. */
  async #contribute({ seats, seat }: Seating): Promise<void> {
    const own = seats.find((taken) => taken.seat === seat);
    if (own?.contribution !== ContributionState.AWAITED || this.#contributing) return;
    this.#contributing = true;
    // The same bytes when it is asked for again: others would be refused.
    this.contribution ??= crypto.getRandomValues(new Uint8Array(CONTRIBUTION_BYTES));
    try {
      await this.#session.lobby.contribute({ tableId: this.id, contribution: this.contribution });
    } catch {
      // The next Seating asks again; without it the game begins after a while.
    }
    this.#contributing = false;
  }

  #clocked(clocks: Clocks | undefined): void {
    this.clocks = clocks;
    if (clocks) this.#listener.clocks?.(clocks);
  }

  #positioned(snapshot: Snapshot): void {
    const { version, grid, turn, result } = snapshot;
    const view = unpack(snapshot.view) as ViewOf<Name> | undefined;
    this.#clocked(snapshot.clocks);
    const rest = { turn: turn?.seats ?? [], result, stages: [], event: undefined };
    this.#tell({ kind: 'position', version, view, grid, ...rest });
  }

  #happened(event: TableEvent): void {
    const body = unpack(event.body);
    const { version, result } = event;
    this.#clocked(event.clocks);
    const kind = kindOf(body);
    this.#tell({
      kind,
      version,
      stages: (body as Partial<Played<Name>> | undefined)?.stages ?? [],
      view: this.#viewIn(body) ?? this.now?.view,
      grid: event.grid?.view ?? this.now?.grid,
      turn: event.turn?.seats ?? [],
      result,
      event,
    });
    if (kind === 'resigned' && event.seat === this.#claimed) this.#claim.resolve(event);
  }

  #viewIn(body: Message | undefined): ViewOf<Name> | undefined {
    if (body && isMessage(body, UndoneSchema)) return unpack(body.view) as ViewOf<Name> | undefined;
    return (body as Partial<Played<Name>> | undefined)?.view;
  }

  #tell(change: Change<Name>): void {
    this.now = change;
    if (this.#feeds.size === 0) this.#read = change.version;
    const instead = (): Change<Name> => ({ ...change, kind: 'position', stages: [] });
    for (const feed of this.#feeds) {
      feed.put(change, instead);
      if (change.result) feed.end();
    }
  }
}

interface Played<Name extends string> {
  stages: StageOf<Name>[];
  view: ViewOf<Name>;
}

const busy = (message: string) => new Refused('BUSY', message);

const refusedOr = (why: Returned | undefined, reason: string, message: string) =>
  new Refused(why?.reason ?? reason, why?.message ?? message);

function kindOf(body: Message | undefined): Change<string>['kind'] {
  if (body && isMessage(body, ResignedSchema)) return 'resigned';
  return body && isMessage(body, UndoneSchema) ? 'undone' : 'move';
}
