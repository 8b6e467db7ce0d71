// One table as the page knows it: what the stream last said, and the way to play on it.
import type { Message } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { gameNamed, unpack } from './games/index.js';
import type { Game } from './games/game.js';
import {
  Reason,
  type Event as TableEvent,
  type Result,
  type Snapshot,
  type Welcome,
} from './gen/tesela/play/v1/play_pb.js';
import { session } from './session.svelte.js';
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

const streamUrl = (tableId: string): string =>
  `${location.origin.replace(/^http/, 'ws')}/v1/tables/${encodeURIComponent(tableId)}/stream`;

export class Table implements Observer {
  readonly tableId: string;
  link = $state.raw<Link>({ phase: 'connecting' });
  game = $state.raw<Game | undefined>(undefined);
  /** True when the server names a game that this page has no renderer for. */
  unknownGame = $state(false);
  config = $state.raw<Any | undefined>(undefined);
  seat = $state<number | undefined>(undefined);
  version = $state(0n);
  result = $state.raw<Result | undefined>(undefined);
  /** The last move that came back, until another is played. */
  returnedMove = $state.raw<Returned | undefined>(undefined);
  /** Whether a move of ours is unanswered. */
  awaiting = $state(false);

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
    this.seat = welcome.seat;
    this.game = gameNamed(welcome.game);
    this.unknownGame = !this.game;
  }

  positioned(snapshot: Snapshot): void {
    this.version = snapshot.version;
    this.result = snapshot.result;
    this.#view = unpack(snapshot.view);
    if (this.#view) this.#watcher?.show(this.#view);
  }

  happened(event: TableEvent): void {
    const body = unpack(event.body);
    this.version = event.version;
    this.result = event.result;
    if (!body || !this.game) return;
    this.#view = this.game.viewAfter(body);
    this.#watcher?.animate(body);
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
}
