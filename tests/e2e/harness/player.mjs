// Somebody at a table: follows the position by the frames, and checks the promise on versions.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResignedSchema, UndoneSchema } from '../gen/tesela/play/v1/course_pb.js';
import { Reason } from '../gen/tesela/play/v1/play_pb.js';
import { moveBody, Stream, unpack } from './stream.mjs';

export class Player {
  /** The table's version, and the view at it. */
  version = 0n;
  view = undefined;
  result = undefined;
  seat = undefined;
  /** Who sits at the table, and the seats that may move. */
  seating = undefined;
  turn = [];
  /** Every event seen, in order: { version, moveId, bytes, value }. */
  events = [];

  constructor(server, tableId, options) {
    this.server = server;
    this.tableId = tableId;
    this.options = options;
  }

  /** Opens a stream and reads Welcome and what follows it. Options as Stream.open. */
  static async join(server, tableId, options = {}) {
    const player = new Player(server, tableId, options);
    await player.resume();
    return player;
  }

  /** Connects again with the last version seen, and reads until the player is up to date. */
  async resume() {
    this.stream = await Stream.open(this.server, this.tableId, {
      ...this.options,
      lastVersion: this.version,
    });
    this.welcome = await this.stream.expect('welcome');
    this.seat = this.welcome.seat;
    this.seating = this.welcome.seating;
    // Version 0: seats are free, and nothing is dealt yet.
    while (this.version < this.welcome.version || (this.welcome.version && !this.view)) {
      await this.step();
    }
    return this;
  }

  /** Comes to a server, knowing nothing of the table, and finds it where it was. */
  async goOnAt(server) {
    const { version, view } = this;
    this.server = server;
    this.version = 0n;
    this.view = undefined;
    await this.resume();
    assert.equal(this.version, version);
    assert.deepEqual(this.view, view);
  }

  /** Reads one frame and takes it in. Returns { kind, value }. */
  async step() {
    const frame = await this.stream.next();
    if (frame.kind === 'snapshot') {
      this.version = frame.value.version;
      this.view = unpack(frame.value.view);
      this.result = frame.value.result;
      this.turn = frame.value.turn.seats;
    } else if (frame.kind === 'seating') {
      this.seating = frame.value;
      this.seat = frame.value.seat;
    } else if (frame.kind === 'event') {
      assert.equal(frame.value.version, this.version + 1n, 'events come without gap or repetition');
      this.version = frame.value.version;
      this.view = this.#viewAfter(unpack(frame.value.body));
      this.result = frame.value.result;
      this.turn = frame.value.turn.seats;
      this.events.push({ ...frame.value, bytes: frame.bytes, value: frame.value });
    }
    return frame;
  }

  /** A resignation leaves the position as it is; a move that is taken back brings another one. */
  #viewAfter({ $typeName, view }) {
    if ($typeName === ResignedSchema.typeName) return this.view;
    return $typeName === UndoneSchema.typeName ? unpack(view) : view;
  }

  /** Reads until the table is at `version`. */
  async reach(version) {
    while (this.version < version) await this.step();
  }

  /** Plays `direction` (the first legal one) and waits for the event it becomes. */
  async play(direction = this.view.legal[0], options) {
    return this.playBody(moveBody(direction), options);
  }

  /** Plays a move of any game, the message of which is in an Any. */
  async playBody(body, options = { atVersion: this.version }) {
    const moveId = this.stream.play(body, options);
    for (;;) {
      const { kind, value } = await this.step();
      if (kind === 'event' && value.moveId === moveId) return value;
      assert.notEqual(kind, 'refusal', value.message);
      assert.notEqual(kind, 'goodbye', value.message);
    }
  }

  /** The same, again while the server says that it comes too soon. */
  async playPatiently(body) {
    for (;;) {
      const moveId = this.stream.play(body, { atVersion: this.version });
      let frame;
      do frame = await this.step();
      while (frame.value.moveId !== moveId);
      if (frame.value.reason !== Reason.RATE_LIMITED) {
        assert.equal(frame.kind, 'event', frame.value.message);
        return frame.value;
      }
      await sleep(50);
    }
  }

  async playMoves(count) {
    for (let n = 0; n < count && !this.result; ++n) await this.play();
  }

  /** Plays until the game is over. Returns the result. */
  async playToEnd() {
    while (!this.result) await this.play();
    return this.result;
  }
}
