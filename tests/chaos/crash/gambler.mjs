// A player who goes from table to table and writes down everything that the server acknowledged.
import { randomUUID } from 'node:crypto';
import { newTable } from '../../e2e/harness/lobby.mjs';
import { Stream, isServerGone, subProtocols, unpack } from '../../e2e/harness/stream.mjs';

// A table is left while a resume still brings all of its events (limits.h: kResumeEventsMax), so
// that the audit can read them through the front door.
const versionsMax = 200n;

/** What one player knows of one table. */
export class Game {
  /** Moves that the server answered with an Event or a MoveRepeated: { version, moveId, cells }. */
  acknowledged = [];
  /** Every event shown to the player, over all connections: { version, bytes }. */
  seen = [];
  /** Versions that were skipped, repeated, replaced by a Snapshot or refused as stale. */
  gaps = 0;
  version = 0n;
  view = undefined;
  over = false;
  /** The move that was sent and not answered yet: { moveId, direction, atVersion }. */
  unanswered = undefined;
  /** Why the server does not serve the table any more. */
  unserved = undefined;

  constructor(tableId, protocol) {
    this.tableId = tableId;
    this.protocol = protocol;
  }

  get done() {
    return this.unserved || (!this.unanswered && (this.over || this.version >= versionsMax));
  }

  /** Takes a frame in. */
  take({ kind, value, bytes }) {
    if (kind === 'snapshot') {
      if (this.view) ++this.gaps;
      this.#stand(value.version, unpack(value.view), value);
    } else if (kind === 'event') {
      if (value.version !== this.version + 1n) ++this.gaps;
      this.seen.push({ version: value.version, bytes });
      this.#stand(value.version, unpack(value.body).view, value);
      this.#answered(value);
    } else if (kind === 'moveRepeated') {
      this.#answered(value.event);
    } else if (kind === 'refusal') {
      // Every move is legal where it was decided, so the table is not where it was then.
      ++this.gaps;
      this.unanswered = undefined;
    } else if (kind === 'goodbye') {
      this.unserved = value.message;
    }
  }

  #stand(version, view, { result }) {
    this.version = version;
    this.view = view;
    this.over = result !== undefined;
  }

  #answered({ version, moveId, body }) {
    if (moveId !== this.unanswered?.moveId) return;
    this.acknowledged.push({ version, moveId, cells: unpack(body).view.cells });
    this.unanswered = undefined;
  }
}

export class Gambler {
  /** Every table whose creation was acknowledged, the present one last. */
  games = [];

  constructor(server, owner, dice) {
    Object.assign(this, { server, owner, dice });
  }

  get acknowledged() {
    return this.games.reduce((sum, game) => sum + game.acknowledged.length, 0);
  }

  /** Plays, one move after the other, until the server is gone. */
  async playUntilCut() {
    try {
      for (;;) {
        if (!this.games.length || this.games.at(-1).done) await this.#sitDown();
        await this.#play(this.games.at(-1));
      }
    } catch (error) {
      if (!isServerGone(error)) throw error;
    }
  }

  async #sitDown() {
    const { tableId } = await newTable(this.server, { size: this.dice.between(3, 6) }, this.owner);
    this.games.push(new Game(tableId, this.dice.pick(subProtocols)));
  }

  /** Resumes where this player was, and plays until the table is done or the stream ends. */
  async #play(game) {
    const { protocol, tableId } = game;
    const stream = await Stream.open(this.server, tableId, {
      protocol,
      token: this.owner.token,
      lastVersion: game.version,
    });
    try {
      const welcome = await stream.next();
      game.take(welcome);
      while (!game.unserved && (game.version < welcome.value.version || !game.view)) {
        game.take(await stream.next());
      }
      while (!game.done) {
        this.#send(stream, game);
        do game.take(await stream.next());
        while (game.unanswered && !game.unserved);
      }
    } finally {
      stream.cut();
    }
  }

  /** The unanswered move again, under its id; else a new one. */
  #send(stream, game) {
    game.unanswered ??= {
      moveId: randomUUID(),
      direction: this.dice.pick(game.view.legal),
      atVersion: game.version,
    };
    stream.move(game.unanswered.direction, game.unanswered);
  }
}
