// What one player knows of one table: all that the server has said and acknowledged.
import { Reason } from '../../e2e/gen/tesela/play/v1/play_pb.js';
import { unpack } from '../../e2e/harness/stream.mjs';

export class Game {
  /** Moves that the server answered with an Event or a MoveRepeated: { version, moveId, body }. */
  acknowledged = [];
  /** Every event shown to the player, over all connections: { version, bytes, value }. */
  seen = [];
  /** Every Snapshot shown to the player: { version, value }. */
  snapshots = [];
  /** What the clocks were said to be: { version, leftMs }. */
  clocks = [];
  /** What was skipped, repeated, replaced by a Snapshot or refused as stale: in words. */
  gaps = [];
  /** Versions of which the move came after the player's time. */
  late = [];
  seat = undefined;
  version = 0n;
  epoch = 0n;
  behind = 0; // how often it was greeted below that version
  view = undefined;
  turn = [];
  over = false;
  /** The move that was sent and not answered yet: { moveId, body, atVersion }. */
  unanswered = undefined;
  /** Moves that were sent at once, without at_version, and are not answered yet, by their ids. */
  burst = new Map();
  /** How often a move was answered with MoveRepeated. */
  repeated = 0;
  /** Ids of moves: those that were acknowledged, and those of bursts that were refused for good. */
  played = new Set();
  refused = new Set();
  /** Whether something of the burst has to be sent again. */
  isBusy = false;
  /** Why the server does not serve the table any more. */
  unserved = undefined;

  constructor(tableId, protocol) {
    this.tableId = tableId;
    this.protocol = protocol;
  }

  /** Whether there is nothing to do here any more: it is over, or at `versionsMax`. */
  isDone(versionsMax = Infinity) {
    if (this.unserved) return true;
    return !this.unanswered && !this.burst.size && (this.over || this.version >= versionsMax);
  }

  /** Whether an answer is still to come. */
  get isWaiting() {
    return !this.unserved && !this.isBusy && (this.unanswered || this.burst.size > 0);
  }

  get onTurn() {
    return this.turn.includes(this.seat);
  }

  /**
   * The version from which the player resumes. One who forgets begins with nothing, as a page that
   * was opened anew, and is sent a Snapshot.
   */
  resumeFrom({ forgets }) {
    if (forgets) this.view = undefined;
    return this.view ? this.version : 0n;
  }

  /** Takes a frame in. */
  take({ kind, value, bytes }) {
    if (kind === 'welcome') {
      // The server that has refused it was killed before it had played for the player.
      if (this.late.at(-1) === value.version) this.late.pop();
      if (value.version < this.version) {
        this.#gap(`greeted at ${value.version}`);
        ++this.behind; // less than was shown before
      }
      // By a server that has lost the table.
      if (value.epoch < this.epoch) this.#gap(`epoch ${value.epoch} after ${this.epoch}`);
      this.epoch = value.epoch;
      this.seat = value.seat;
    } else if (kind === 'snapshot') {
      if (this.view) this.#gap(`a Snapshot of ${value.version}`);
      this.snapshots.push({ version: value.version, value });
      this.#stand(value.version, unpack(value.view), value);
    } else if (kind === 'event') {
      if (value.version !== this.version + 1n) this.#gap(`version ${value.version}`);
      this.seen.push({ version: value.version, bytes, value });
      this.#stand(value.version, unpack(value.body).view, value);
      this.#answered(value);
    } else if (kind === 'moveRepeated') {
      ++this.repeated;
      this.#answered(value.event);
    } else if (kind === 'clocks') {
      this.#look(value);
    } else if (kind === 'refusal') {
      this.#refused(value);
    } else if (kind === 'goodbye' && !value.reconnect) {
      this.unserved = value.message;
    }
  }

  #gap(what) {
    this.gaps.push(`${what} at ${this.version}`);
  }

  #stand(version, view, { turn, result, clocks }) {
    this.version = version;
    this.view = view;
    this.turn = turn.seats;
    this.over = result !== undefined;
    if (clocks) this.#look(clocks);
  }

  #look({ leftMs }) {
    this.clocks.push({ version: this.version, leftMs: leftMs.map(Number) });
  }

  // A move of a burst is decided on nothing: it may be illegal where it comes to be played.
  #refusedOfBurst({ moveId, reason }) {
    if (reason === Reason.BUSY || reason === Reason.STORE_UNAVAILABLE) {
      this.isBusy = true;
      return;
    }
    if (reason !== Reason.ILLEGAL_MOVE && reason !== Reason.GAME_OVER) {
      this.#gap(`refused: ${Reason[reason]}`);
    }
    this.refused.add(moveId);
    this.burst.delete(moveId);
  }

  // Every move is legal where it was decided, so the table is not where it was then.
  #refused({ moveId, reason }) {
    // What a player says counts over all tables: now and then one speaks too fast.
    if (moveId === '' && reason === Reason.RATE_LIMITED) return;
    if (this.burst.has(moveId)) {
      this.#refusedOfBurst({ moveId, reason });
      return;
    }
    // Or the time ran out while nobody was connected, and the move is sent again.
    const wasAway = reason === Reason.STALE && this.unanswered?.atVersion < this.version;
    if (reason === Reason.TIME_OVER || wasAway) {
      this.late.push(this.unanswered.atVersion);
    } else {
      this.#gap(`refused: ${Reason[reason]}`);
    }
    if (moveId === this.unanswered?.moveId) this.unanswered = undefined;
  }

  // Of a MoveRepeated that came too fast after others, the body is left out.
  #answered({ version, moveId, body }) {
    const isOfBurst = this.burst.delete(moveId);
    if (!isOfBurst && moveId !== this.unanswered?.moveId) return;
    if (!isOfBurst) this.unanswered = undefined;
    if (this.played.has(moveId)) return;
    this.played.add(moveId);
    this.acknowledged.push({ version, moveId, body: body?.value });
  }
}
