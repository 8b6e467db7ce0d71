// One table as the page knows it: the last state of its stream, and the way to play on it.
import { isMessage, type Message } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Thinking } from '../base/clock_text.js';
import { Claims } from './claims.svelte.js';
import { TableClocks } from './clocks.svelte.js';
import type { Game, Games } from './game.js';
import { HintState } from './hint.svelte.js';
import type { Presence, StandsAt, Watcher } from './watcher.js';
import type { Table as LobbyTable } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { ResignSchema, UndoneSchema, UndoSchema } from '@tesela/client/gen/play/v1/course_pb.js';
import {
  Reason,
  type Clocks,
  type Hint,
  type Event as TableEvent,
  type Result,
  type SeatOccupant,
  type Seating,
  type Snapshot,
  type Welcome,
} from '@tesela/client/gen/play/v1/play_pb.js';
import type { Said } from '@tesela/client/gen/play/v1/talk_pb.js';
import { newsOf, outlasts, type News } from './news.js';
import { streamUrl } from '../base/route.svelte.js';
import { Ratings } from './ratings.svelte.js';
import { lobby } from '../net/lobby.js';
import { recallInTab, rememberInTab } from '../base/storage.js';
import { session } from '../net/session.svelte.js';
import { noteCommitment } from './promises.js';
import { levelName, levelOf, namesOf } from '../net/strategies.svelte.js';
import { addToDice } from './seats.js';
import {
  pack,
  TableStream,
  type Link,
  type MoveInFlight,
  type Observer,
  type Returned,
} from '@tesela/client';
import { Talk } from './talk.svelte.js';

export class Table implements Observer {
  readonly tableId: string;
  isReplay = false;
  /** Of a replay: the events that led to a version, as far as they were read without a gap. */
  past?: (version: bigint) => readonly TableEvent[];
  link = $state.raw<Link>({ phase: 'connecting' });
  game = $state.raw<Game | undefined>(undefined);
  config = $state.raw<Any | undefined>(undefined);
  /** The table as the lobby knows it; undefined until it has been asked. */
  details = $state.raw<LobbyTable | undefined>(undefined);
  options = $derived(this.details?.options);
  thinking = $derived<Thinking>({
    moveMs: this.options?.clock?.moveMs ?? 0,
    gameMs: this.options?.clock?.gameMs ?? 0,
  });
  /** Who sits where, and our own seat; undefined before the first Welcome. */
  seating = $state.raw<Seating | undefined>(undefined);
  seat = $derived(this.seating?.seat);
  /** Whether the seat was gone when the stream came back; until a seat is taken again. */
  lostSeat = $state(false);
  /** The seats that may move now. */
  turn = $state.raw<readonly number[]>([]);
  /** Those of the position that is drawn, which is behind while moves are shown. */
  turnShown = $state.raw<readonly number[]>([]);
  /** The points of the seats as they are drawn; empty where the game tells none. */
  points = $state.raw<readonly number[]>([]);
  version = $state(0n);
  /** How many moves were taken back. The server tells of each once: this tab remembers it. */
  #undone = $state(0n);
  /** Version 1 is the table's beginning; every other is a move, but for those taken back. */
  moves = $derived(this.version > 1n ? this.version - 1n - 2n * this.#undone : 0n);
  result = $state.raw<Result | undefined>(undefined);
  /** The last move that came back. */
  returnedMove = $state.raw<Returned | undefined>(undefined);
  /** Whether a move of ours is unanswered. */
  awaiting = $state(false);
  #commitment: Uint8Array = new Uint8Array();
  /** The seats that have given up. */
  resigned = $derived(
    new Set(
      [...(this.seating?.seats ?? []), ...(this.result?.standings ?? [])]
        .filter(({ resigned }) => resigned)
        .map(({ seat }) => seat),
    ),
  );
  /** What happened last beside ordinary moves, until who it was about moves again. */
  news = $state.raw<News | undefined>(undefined);
  /** Whether a bot may be asked for advice: never in a ranked game, and a try at the daily game is
   *  one. Nobody is offered what would be refused, so not before it is known. */
  hints = $derived(this.options !== undefined && !this.options.ranked);
  /** Whether we sit at a game that goes on, and have not given up. */
  inGame = $derived(
    this.seat !== undefined &&
      this.seating?.waiting === false &&
      !this.result &&
      !this.resigned.has(this.seat),
  );
  /** Whether a strategy plays our seat until we take it back. */
  standIn = $derived(this.inGame && this.presenceOf(this.seat!) === 'stand_in');
  /** Whether a move of ours can go out now. */
  mayMove = $derived(
    this.inGame && !this.standIn && this.turn.includes(this.seat!) && !this.awaiting,
  );
  readonly hint: HintState;
  readonly claims = new Claims((seat, wish) => this.#stream.claim(seat, wish));

  readonly clocks = new TableClocks();
  readonly ratings = new Ratings();
  readonly talk: Talk;
  /** What this page was opened with, or what the table gives its players to invite others. */
  invite = $derived.by(() => this.details?.invite || this.#invite);

  /** Whether somebody is there: a game that is shown again asks for nothing. */
  #open = false;
  /** The position that was told last. Whoever draws it watches the table. */
  view: Message | undefined;
  #watcher: Watcher | undefined;
  readonly #games: Games;
  readonly #invite: string;
  readonly #stream: TableStream;

  constructor(games: Games, tableId: string, invite = '') {
    this.#games = games;
    this.hint = new HintState(games);
    this.tableId = tableId;
    this.#invite = invite.startsWith('watch_') ? '' : invite; // an operator's pass is for no others
    this.#stream = new TableStream({
      url: streamUrl(tableId),
      token: () => session.token,
      invite,
      observer: this,
    });
    this.talk = new Talk(this.#stream);
  }

  /** Opens the stream; the function it returns closes it for good. */
  open(): () => void {
    const awake = () => document.visibilityState === 'visible' && this.#wake();
    const online = () => this.#wake();
    const offline = () => this.#stream.probe();
    addEventListener('online', online);
    addEventListener('offline', offline);
    document.addEventListener('visibilitychange', awake);
    this.#open = true;
    this.#stream.start();
    return () => {
      removeEventListener('online', online);
      removeEventListener('offline', offline);
      document.removeEventListener('visibilitychange', awake);
      this.#stream.stop();
      this.#open = false;
    };
  }

  /** The message inside an Any; undefined for one that is not known. */
  messageIn(any: Any | undefined): Message | undefined {
    return this.#games.unpack(any);
  }

  /** Draws through `watcher` from now on, beginning with the position as it is. */
  watch(watcher: Watcher): () => void {
    this.#watcher = watcher;
    if (this.view) watcher.show(this.view);
    return () => (this.#watcher = undefined);
  }

  /** Plays a move; false when it cannot be taken now. What becomes of it comes through the
   *  watcher. */
  play(move: Any, at: 'now' | 'any time' = 'now'): boolean {
    if (!this.#stream.play(move, at)) return false;
    this.returnedMove = undefined;
    // Before its event comes: what is drawn then finds the page laid out as it stays.
    this.hint.forget();
    this.awaiting = true;
    return true;
  }

  /** Gives up. */
  resign(): boolean {
    return this.play(pack(ResignSchema, {}), 'any time');
  }

  /** Takes the last move back. */
  undo(): boolean {
    return this.play(pack(UndoSchema, {}));
  }

  /** Asks the lobby how the table is run. Without an answer the page goes without. */
  async learn(): Promise<void> {
    if (!this.#open) return;
    try {
      const { table } = await lobby.getTable({ tableId: this.tableId });
      if (!this.#open) return;
      this.details = table;
      this.#learnRatings();
    } catch {
      // Asked again when the seat changes, or with the next line.
    }
  }

  #learnRatings(): void {
    const { game, seating, options, version } = this;
    if (!this.#open || !options?.ranked || version === 0n) return;
    if (!game || !seating || game.seatsMax === 1) return;
    this.ratings.learn(game.name, seating.seats, this.result !== undefined);
  }

  /** Asks a strategy, by its name, for advice; '' is the strongest. */
  ask(strategy = ''): void {
    if (this.#stream.ask(strategy)) this.hint.asked(strategy !== '');
  }

  /**
   * The name of whoever sits on `seat`, with the seat's number where several have the same; empty
   * while nobody does.
   */
  nameOf(seat: number): string {
    const seats = this.seating?.seats ?? [];
    const names = namesOf(seats);
    const name = names[seats.findIndex((taken) => taken.seat === seat)] ?? '';
    return name && names.filter((other) => other === name).length > 1
      ? `${name} ${seat + 1}`
      : name;
  }

  /** The strategy that plays `seat`; empty when a person does, and where somebody gave up: their
   *  board stays theirs. */
  strategyOf(seat: number): string {
    return this.resigned.has(seat) ? '' : (this.occupantOf(seat)?.strategy ?? '');
  }

  /** "hard": how good the bot on `seat` is; empty for a person, and while it is not known. */
  botLevelOf(seat: number): string {
    const occupant = this.occupantOf(seat);
    if (!occupant?.bot || !this.game) return '';
    const level = levelOf(this.game.name, occupant.strategy);
    return level === undefined ? '' : levelName(level);
  }

  /** Whether there are people who could talk to each other. */
  get sociable(): boolean {
    return (this.seating?.seats.filter(({ bot }) => !bot).length ?? 0) > 1;
  }

  /** The names of the people for whom a bot has played to the end. */
  get finishedByBots(): string[] {
    const left = this.seating?.seats.filter(({ bot, strategy }) => !bot && strategy);
    return left?.map(({ seat }) => this.nameOf(seat)) ?? [];
  }

  presenceOf(seat: number): Presence {
    const occupant = this.occupantOf(seat);
    if (!occupant) return 'free';
    if (this.resigned.has(seat)) return 'resigned';
    if (occupant.bot) return 'bot';
    if (occupant.strategy) return 'stand_in';
    return occupant.connected || seat === this.seat ? 'here' : 'away';
  }

  occupantOf(seat: number): SeatOccupant | undefined {
    return this.seating?.seats.find((taken) => taken.seat === seat);
  }

  /** The player would rather not wait. */
  reconnect(): void {
    this.#stream.start();
    this.#stream.retryNow();
  }

  #wake(): void {
    this.#stream.retryNow();
    this.#stream.probe();
  }

  linkChanged(link: Link): void {
    this.link = link;
    if (link.phase !== 'ended') return;
    if (link.reason === Reason.UNAUTHENTICATED) session.end(session.token, true);
    if (link.reason === Reason.NO_SPECTATORS) void this.learn();
  }

  welcomed(welcome: Welcome): void {
    this.config = welcome.config;
    this.clocks.begin(welcome.serverTimeMs);
    this.talk.begun();
    void this.learn();
    this.#commitment = welcome.commitment;
    this.lostSeat = this.seat !== undefined && welcome.seating?.seat === undefined;
    if (welcome.seating) this.seated(welcome.seating);
    this.game = this.#games.named(welcome.game);
    noteCommitment(this.tableId, welcome.commitment, welcome.version);
  }

  seated(seating: Seating): void {
    const before = this.seating;
    this.seating = seating;
    if (seating.seat !== undefined) this.lostSeat = false;
    this.claims.seated();
    if (before && before.seat !== seating.seat) void this.learn();
    if (seating.waiting) this.#addToDice(seating);
  }

  /** Where the call that took the seat did not. */
  #addToDice({ seats }: Seating): void {
    const { tableId } = this;
    addToDice({ tableId, commitment: this.#commitment, seats }).catch(() => {});
  }

  /** `undone`: how many moves were taken back before, where that is known. */
  positioned(snapshot: Snapshot, undone?: bigint): void {
    this.#undone = undone ?? BigInt(recallInTab(`undone.${this.tableId}`) ?? 0);
    this.#stands(snapshot);
    this.news = undefined;
    if (snapshot.result?.standings.some(({ resigned }) => resigned)) {
      const tell = (event: TableEvent) => newsOf(event, this.#games.unpack(event.body));
      void this.claims.learn(this.tableId, snapshot.version, tell);
    }
    // Asked at once, because these frames wait for a page that is still being built.
    if (snapshot.clocks) this.#stream.probe();
    this.#show(this.#games.unpack(snapshot.view) ?? snapshot.grid);
    this.turnShown = this.turn;
  }

  happened(event: TableEvent): void {
    const body = this.#games.unpack(event.body) ?? event.grid;
    this.#stands(event);
    this.ratings.moved(event.seat, event.strategy !== '');
    const news = newsOf(event, body);
    this.claims.heard(news);
    if (news || !outlasts(this.news, event)) this.news = news;
    if (isMessage(body, UndoneSchema)) {
      this.#undone += 1n;
      if (this.#open) rememberInTab(`undone.${this.tableId}`, String(this.#undone));
      this.#show(this.#games.unpack(body.view) ?? event.grid?.view);
      this.turnShown = this.turn;
    } else if (body) this.#animate(body);
  }

  #show(view: Message | undefined): void {
    this.view = view;
    if (view) this.#watcher?.show(view);
  }

  #animate(body: Message): void {
    const view = this.game?.viewAfter(body);
    if (view) this.view = view; // Else nothing of the game: somebody gave up.
    const { turn } = this;
    const reached = () => void (this.turnShown = turn);
    if (view && this.#watcher) this.#watcher.animate(body, reached);
    else reached();
  }

  #stands({ version, result, turn, clocks }: StandsAt): void {
    this.version = version;
    this.hint.forget();
    this.result = result;
    this.turn = turn?.seats ?? [];
    this.clocks.set(clocks);
    this.#learnRatings();
  }

  clocked(clocks: Clocks): void {
    this.clocks.set(clocks);
  }

  timed(serverTimeMs: bigint): void {
    this.clocks.timed(serverTimeMs);
  }

  heard(said: Said): void {
    this.talk.heard(said, said.seat === this.seat);
  }

  unsaid(why: Returned): void {
    this.talk.unsaid(why);
  }

  confirmed(_move: MoveInFlight): void {
    this.awaiting = false;
    this.#watcher?.answered(true);
  }

  returned(_move: MoveInFlight, why: Returned): void {
    this.awaiting = false;
    this.returnedMove = why;
    this.#watcher?.answered(false);
  }

  advised(hint: Hint): void {
    this.hint.answered(hint);
  }

  unadvised(why?: Returned): void {
    this.hint.unanswered(why);
  }

  unclaimed = (why: Returned) => void (this.claims.refused = why);
}
