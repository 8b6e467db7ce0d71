// One table as the page knows it: what the stream last said, and the way to play on it.
import type { Message } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { gameNamed, unpack } from './games/index.js';
import type { Game } from './games/game.js';
import {
  Reason,
  type Hint,
  type Event as TableEvent,
  type Result,
  type SeatOccupant,
  type Seating,
  type Snapshot,
  type Turn,
  type Welcome,
} from './gen/tesela/play/v1/play_pb.js';
import { session } from './session.svelte.js';
import { noteCommitment } from './promises.js';
import {
  TableStream,
  type Link,
  type MoveInFlight,
  type Observer,
  type Returned,
} from './stream.js';

/** Who draws a table. Called in the order in which things happened, each event once. */
export interface Watcher {
  /** The whole position: forget what was drawn. */
  show(view: Message): void;
  /** One event: its body says what to animate. */
  animate(body: Message): void;
  /** A move of ours was confirmed (true) or given back (false): the next one may go. */
  answered(confirmed: boolean): void;
}

/** What a strategy would play. */
export interface Advice {
  strategy: string;
  /** A move of the game. */
  move: Message;
  /** What it expects of the move, and what that counts; undefined where it does not judge. */
  value: number | undefined;
  measure: string;
}

/** What a Snapshot and an Event say alike. */
interface StandsAt {
  version: bigint;
  result?: Result | undefined;
  turn?: Turn | undefined;
}

const streamUrl = (tableId: string): string =>
  `${location.origin.replace(/^http/, 'ws')}/v1/tables/${encodeURIComponent(tableId)}/stream`;

export class Table implements Observer {
  readonly tableId: string;
  link = $state.raw<Link>({ phase: 'connecting' });
  game = $state.raw<Game | undefined>(undefined);
  /** True when the server names a game that this page has no renderer for. */
  unknownGame = $state(false);
  config = $state.raw<Any | undefined>(undefined);
  /** Who sits where, and our own seat; undefined before the first Welcome. */
  seating = $state.raw<Seating | undefined>(undefined);
  seat = $derived(this.seating?.seat);
  /** The seats that may move now. */
  turn = $state.raw<readonly number[]>([]);
  version = $state(0n);
  /** Version 1 is the table's beginning; every other is a move. */
  moves = $derived(this.version > 1n ? this.version - 1n : 0n);
  result = $state.raw<Result | undefined>(undefined);
  /** The last move that came back, until another is played. */
  returnedMove = $state.raw<Returned | undefined>(undefined);
  /** Whether a move of ours is unanswered. */
  awaiting = $state(false);
  /** Whether a move of ours can go out now. */
  mayMove = $derived(
    this.seat !== undefined && this.turn.includes(this.seat) && !this.awaiting && !this.result,
  );
  /** What a strategy that was asked advises for the position as it is. */
  advice = $state.raw<Advice | undefined>(undefined);
  /** Whether a strategy is thinking about it. */
  asking = $state(false);
  /** Why the last question was not answered, until another is asked. */
  noAdvice = $state.raw<Returned | undefined>(undefined);

  #view: Message | undefined;
  #watcher: Watcher | undefined;
  readonly #stream: TableStream;

  constructor(tableId: string) {
    this.tableId = tableId;
    this.#stream = new TableStream({
      url: streamUrl(tableId),
      token: () => session.token,
      observer: this,
    });
  }

  /** Opens the stream; the function it returns closes it for good. */
  open(): () => void {
    const awake = () => document.visibilityState === 'visible' && this.#wake();
    const online = () => this.#wake();
    const offline = () => this.#stream.probe();
    addEventListener('online', online);
    addEventListener('offline', offline);
    document.addEventListener('visibilitychange', awake);
    this.#stream.start();
    return () => {
      removeEventListener('online', online);
      removeEventListener('offline', offline);
      document.removeEventListener('visibilitychange', awake);
      this.#stream.stop();
    };
  }

  /** Draws through `watcher` from now on, beginning with the position as it is. */
  watch(watcher: Watcher): () => void {
    this.#watcher = watcher;
    if (this.#view) watcher.show(this.#view);
    return () => (this.#watcher = undefined);
  }

  /** Plays a move; false when it cannot be taken now. What becomes of it comes through the
   *  watcher. */
  play(move: Any): boolean {
    if (!this.#stream.play(move)) return false;
    this.returnedMove = undefined;
    this.awaiting = true;
    return true;
  }

  /** Asks a strategy, by its name, for advice; '' is the strongest. */
  ask(strategy = ''): void {
    if (!this.#stream.ask(strategy)) return;
    this.advice = undefined;
    this.noAdvice = undefined;
    this.asking = true;
  }

  /** The player has seen the advice. */
  forgetAdvice(): void {
    this.advice = undefined;
  }

  /** The name of whoever sits on `seat`; empty while nobody does. */
  nameOf(seat: number): string {
    return this.#occupantOf(seat)?.displayName ?? '';
  }

  /** The strategy that plays `seat`; empty when a person does. */
  strategyOf(seat: number): string {
    return this.#occupantOf(seat)?.strategy ?? '';
  }

  /** The strategies of the bots at the table, in the order of seats. */
  get bots(): string[] {
    return (this.seating?.seats ?? []).flatMap(({ bot, strategy }) => (bot ? [strategy] : []));
  }

  #occupantOf(seat: number): SeatOccupant | undefined {
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
    if (link.phase === 'ended' && link.reason === Reason.UNAUTHENTICATED) session.end(true);
  }

  welcomed(welcome: Welcome): void {
    this.config = welcome.config;
    if (welcome.seating) this.seated(welcome.seating);
    this.game = gameNamed(welcome.game);
    this.unknownGame = !this.game;
    noteCommitment(this.tableId, welcome.commitment, welcome.version);
  }

  seated(seating: Seating): void {
    this.seating = seating;
  }

  positioned(snapshot: Snapshot): void {
    this.#stands(snapshot);
    this.#view = unpack(snapshot.view);
    if (this.#view) this.#watcher?.show(this.#view);
  }

  happened(event: TableEvent): void {
    const body = unpack(event.body);
    this.#stands(event);
    if (!body || !this.game) return;
    this.#view = this.game.viewAfter(body);
    this.#watcher?.animate(body);
  }

  #stands({ version, result, turn }: StandsAt): void {
    this.version = version;
    this.advice = undefined;
    this.result = result;
    this.turn = turn?.seats ?? [];
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

  advised({ strategy, move: body, value, measure }: Hint): void {
    this.asking = false;
    const move = unpack(body);
    if (move) this.advice = { strategy, move, value, measure };
  }

  unadvised(why?: Returned): void {
    this.asking = false;
    this.noAdvice = why;
  }
}
