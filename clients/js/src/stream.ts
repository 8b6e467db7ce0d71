// The stream of one table: opens it, comes back after a loss, sees a move through until it is
// confirmed or given back, asks for advice, carries talk. Knows no game and no page.
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import {
  ClientFrameSchema,
  Reason,
  ServerFrameSchema,
  type Event as TableEvent,
  type Goodbye,
  type Hint,
  type MoveRepeated,
  type Refusal,
  type ServerFrame,
  type Snapshot,
  type Welcome,
} from './gen/tesela/play/v1/play_pb.js';
import type { ClaimWish } from './gen/tesela/play/v1/claim_pb.js';
import type { SaySchema } from './gen/tesela/play/v1/talk_pb.js';
import { backoffMs } from './back_off.js';
import { newId } from './id.js';
import { LIMITS, type Limits } from './limits.js';
import type { Link, MoveInFlight, Observer, Returned } from './observer.js';
import { Question } from './question.js';
import { Wait } from './wait.js';

export type { Link, MoveInFlight, Observer, Returned };

export const SUB_PROTOCOL = 'tesela.v1.proto';

/** Refusals after which the same move is sent again. */
const LATER = [Reason.BUSY, Reason.STORE_UNAVAILABLE, Reason.RATE_LIMITED];

export interface StreamOptions {
  url: string;
  /** Asked at every Hello. Empty: a spectator without a name. */
  token: () => string;
  /** What lets a stranger come to a private table. */
  invite?: string;
  observer: Observer;
  openSocket?: (url: string, subProtocol: string) => WebSocket;
  limits?: Limits;
  random?: () => number;
}

export class TableStream {
  readonly #url: string;
  readonly #token: () => string;
  readonly #invite: string;
  readonly #observer: Observer;
  readonly #openSocket: (url: string, subProtocol: string) => WebSocket;
  readonly #limits: Limits;
  readonly #random: () => number;

  #socket: WebSocket | undefined;
  #link: Link = { phase: 'connecting' };
  #lastVersion = 0n;
  #epoch = 0n; // the highest that a Welcome has told
  #olderOwners = 0; // Welcomes in a row with a lower one
  #claimId = '';
  #inFlight: MoveInFlight | undefined;
  #resends = 0;
  #attempt = 0;
  #nonce = 0n;
  #pongAwaited = false;
  readonly #retry = new Wait();
  readonly #heartbeat = new Wait();
  readonly #resend = new Wait();
  readonly #question: Question;

  constructor(options: StreamOptions) {
    this.#url = options.url;
    this.#token = options.token;
    this.#invite = options.invite ?? '';
    this.#observer = options.observer;
    this.#openSocket = options.openSocket ?? ((url, name) => new WebSocket(url, name));
    this.#limits = options.limits ?? LIMITS;
    this.#random = options.random ?? Math.random;
    this.#question = new Question({
      send: (value) => this.#send({ case: 'hintRequest', value }),
      newId,
      askEvery: this.#limits.askEvery,
      againMax: this.#limits.resendsMax,
    });
  }

  get lastVersion(): bigint {
    return this.#lastVersion;
  }

  get inFlight(): MoveInFlight | undefined {
    return this.#inFlight;
  }

  /** Opens the stream, also again after it has ended. */
  start(): void {
    if (!this.#socket && this.#link.phase !== 'waiting') this.#open();
  }

  /** Closes for good. Nothing is told to the observer any more. */
  stop(): void {
    this.#retry.cancel();
    this.#question.drop();
    this.#drop();
  }

  /** Comes back at once instead of waiting: the network is there again, or the player asks. */
  retryNow(): void {
    if (this.#link.phase === 'waiting') this.#open();
  }

  /** Doubts the line: unless a sign of life comes soon, it is given up. */
  probe(): void {
    if (this.#link.phase === 'live' && !this.#pongAwaited) this.#ping();
  }

  /** Plays a move at the version last seen, at the one it was decided on, or at any. One at a time:
   *  false while another is in flight, and after the end. Without a line it waits for the next. */
  play(body: Any, at: bigint | 'now' | 'any time' = 'now'): boolean {
    if (this.#inFlight || this.#link.phase === 'ended') return false;
    const decided = at === 'any time' ? {} : { atVersion: at === 'now' ? this.#lastVersion : at };
    this.#inFlight = { moveId: newId(), body, ...decided };
    this.#resends = 0;
    if (this.#link.phase === 'live') this.#sendMove();
    return true;
  }

  /** Asks a strategy, by its name, what it would play in the position of now; '' is the strongest.
   *  One question at a time: false while one waits, and without a line. */
  ask(strategy: string): boolean {
    return this.#link.phase === 'live' && this.#question.ask(strategy);
  }

  /** Says something; false without a line. */
  say(what: MessageInitShape<typeof SaySchema>): boolean {
    if (this.#link.phase !== 'live') return false;
    this.#send({ case: 'say', value: what });
    return true;
  }

  /** Hears a player no more, or again, until the line drops. */
  mute(playerId: string, muted: boolean): void {
    this.#send({ case: 'mute', value: { playerId, muted } });
  }

  /** Claims the seat of a player who is away; false without a line. */
  claim(seat: number, wish: ClaimWish): boolean {
    this.#claimId = newId();
    if (this.#link.phase !== 'live') return false;
    this.#send({ case: 'claim', value: { claimId: this.#claimId, seat, wish } });
    return true;
  }

  #open(): void {
    this.#retry.cancel();
    this.#drop();
    this.#setLink({ phase: 'connecting' });
    const socket = this.#openSocket(this.#url, SUB_PROTOCOL);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.#hello();
    socket.onmessage = (message) => this.#read(message.data as ArrayBuffer);
    socket.onclose = () => this.#comeBackAfter(0);
    socket.onerror = () => {}; // A close follows.
    this.#socket = socket;
    this.#heartbeat.start(this.#limits.upgradeTimeMax, () => this.#comeBackAfter(0));
  }

  /** Leaves the socket behind; whatever it still says is not heard. */
  #drop(): void {
    this.#heartbeat.cancel();
    this.#resend.cancel();
    this.#pongAwaited = false;
    this.#dropQuestion();
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #comeBackAfter(atLeastMs: number, atOnce = false): void {
    this.#drop();
    const wait = atLeastMs + (atOnce ? 0 : backoffMs(this.#attempt, this.#limits, this.#random));
    this.#attempt += 1;
    this.#setLink({ phase: 'waiting', retryAtMs: Date.now() + wait });
    this.#retry.start(wait, () => this.#open());
  }

  #setLink(link: Link): void {
    this.#link = link;
    this.#observer.linkChanged(link);
  }

  #send(frame: MessageInitShape<typeof ClientFrameSchema>['frame']): void {
    if (!frame || this.#socket?.readyState !== 1) return;
    this.#socket.send(toBinary(ClientFrameSchema, create(ClientFrameSchema, { frame })));
  }

  #hello(): void {
    this.#heartbeat.start(this.#limits.welcomeTimeMax, () => this.#comeBackAfter(0));
    const value = { token: this.#token(), lastVersion: this.#lastVersion, invite: this.#invite };
    this.#send({ case: 'hello', value });
  }

  #sendMove(): void {
    const move = this.#inFlight;
    if (move) this.#send({ case: 'move', value: move });
  }

  #ping(): void {
    this.#pongAwaited = true;
    this.#nonce += 1n;
    this.#send({ case: 'ping', value: { nonce: this.#nonce } });
    this.#heartbeat.start(this.#limits.pongTimeMax, () => this.#comeBackAfter(0));
  }

  #read(data: ArrayBuffer): void {
    let frame: ServerFrame['frame'];
    try {
      frame = fromBinary(ServerFrameSchema, new Uint8Array(data)).frame;
    } catch {
      return this.#comeBackAfter(0);
    }
    switch (frame.case) {
      case 'welcome':
        return this.#onWelcome(frame.value);
      case 'seating':
        return this.#observer.seated(frame.value);
      case 'snapshot':
        return this.#onSnapshot(frame.value);
      case 'event':
        return this.#onEvent(frame.value);
      case 'moveRepeated':
        return this.#onMoveRepeated(frame.value);
      case 'hint':
        return this.#onHint(frame.value);
      case 'refusal':
        return this.#onRefusal(frame.value);
      case 'clocks':
        return this.#observer.clocked(frame.value);
      case 'said':
        return this.#observer.heard(frame.value);
      case 'announcement':
        return this.#observer.announced?.(frame.value.text, Number(frame.value.untilMs));
      case 'pong':
        return this.#onPong(frame.value.serverTimeMs);
      case 'goodbye':
        return this.#onGoodbye(frame.value);
    }
  }

  #onWelcome(welcome: Welcome): void {
    if (this.#isOlderOwner(welcome.epoch)) return this.#comeBackAfter(0);
    this.#observer.welcomed(welcome);
    this.#setLink({ phase: 'live' });
    this.#onQuiet();
    this.#sendMove();
  }

  /** Whether another server has taken the table over since, as this client knows. */
  #isOlderOwner(epoch: bigint): boolean {
    if (epoch === 0n || epoch >= this.#epoch) {
      if (epoch > 0n) this.#epoch = epoch;
      this.#olderOwners = 0;
      return false;
    }
    this.#olderOwners += 1;
    if (this.#olderOwners === this.#limits.olderOwnersMax) {
      // The database was restored: what this client knows is of no table any more.
      this.#epoch = 0n;
      this.#lastVersion = 0n;
      this.#olderOwners = 0;
    }
    return true;
  }

  #onQuiet(): void {
    this.#pongAwaited = false;
    this.#heartbeat.start(this.#limits.pingEvery, () => this.#ping());
  }

  #onPong(serverTimeMs: bigint): void {
    this.#observer.timed(serverTimeMs);
    this.#attempt = 0; // A line that has answered is a good line: a Welcome alone proves less.
    this.#onQuiet();
  }

  #onSnapshot(snapshot: Snapshot): void {
    this.#dropQuestion();
    this.#lastVersion = snapshot.version;
    this.#observer.positioned(snapshot);
  }

  #onEvent(event: TableEvent): void {
    if (event.version <= this.#lastVersion) return;
    if (event.version !== this.#lastVersion + 1n) {
      // A gap: what we know is worth nothing, so ask for the whole position.
      this.#lastVersion = 0n;
      this.#comeBackAfter(0);
      return;
    }
    this.#dropQuestion();
    this.#lastVersion = event.version;
    this.#observer.happened(event);
    if (event.moveId === this.#inFlight?.moveId) this.#confirm(this.#inFlight, event);
  }

  #onMoveRepeated(repeated: MoveRepeated): void {
    const event = repeated.event;
    if (!event || event.moveId !== this.#inFlight?.moveId) return;
    // A version that is still on its way confirms the move when it arrives.
    if (event.version <= this.#lastVersion) this.#confirm(this.#inFlight, event);
  }

  #confirm(move: MoveInFlight, event: TableEvent): void {
    this.#inFlight = undefined;
    this.#resend.cancel();
    this.#observer.confirmed(move, event);
  }

  #onHint(hint: Hint): void {
    if (this.#question.isAnsweredBy(hint)) this.#observer.advised(hint);
  }

  #dropQuestion(): void {
    if (this.#question.drop()) this.#observer.unadvised();
  }

  #onRefusal(refusal: Refusal): void {
    if (!refusal.moveId) return this.#observer.unsaid(refusal);
    if (this.#question.isEndedBy(refusal)) return this.#observer.unadvised(refusal);
    if (refusal.moveId === this.#claimId) return this.#observer.unclaimed(refusal);
    if (!this.#inFlight || refusal.moveId !== this.#inFlight.moveId) return;
    if (LATER.includes(refusal.reason) && this.#resends < this.#limits.resendsMax) {
      this.#resend.start(this.#limits.resendAfter * 2 ** this.#resends, () => this.#sendMove());
      this.#resends += 1;
      return;
    }
    this.#giveBack(refusal);
  }

  #giveBack(why: Returned): void {
    const move = this.#inFlight;
    if (!move) return;
    this.#inFlight = undefined;
    this.#observer.returned(move, why);
  }

  #onGoodbye(goodbye: Goodbye): void {
    if (goodbye.reconnect) {
      // Handed over by the server that had it. Others may say so again and again.
      const moved = goodbye.reason === Reason.TABLE_MOVED && this.#link.phase === 'live';
      return this.#comeBackAfter(goodbye.reconnectAfterMs, moved);
    }
    this.#drop();
    this.#setLink({ phase: 'ended', reason: goodbye.reason, message: goodbye.message });
    this.#giveBack(goodbye);
  }
}
