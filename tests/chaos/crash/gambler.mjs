// A player who goes from table to table and writes down everything that the server acknowledged.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Direction } from '../../e2e/gen/tesela/game/v1/g2048_pb.js';
import { configOf, games as thinClients } from '../../e2e/harness/games.mjs';
import { newTableOf } from '../../e2e/harness/lobby.mjs';
import { Stream, isServerGone, moveBody, subProtocols } from '../../e2e/harness/stream.mjs';
import { Game } from './game.mjs';

// A table is left while a resume still brings all of its events (limits.h: kResumeEventsMax), so
// that the audit can read them through the front door: also when a burst is still to be played.
const versionsMax = 150n;
const burstMax = 64; // limits.h: kInboxMax
const burstsIn = 0.04; // of all turns
const cutsIn = 0.5; // of all bursts: the line, before all answers have come
const framesBeforeCutMax = 20;
const forgetsIn = 0.25; // of all resumes
const waitMinMs = 1000; // for a move, to be noted where it was sent once
const directions = [Direction.LEFT, Direction.RIGHT, Direction.UP, Direction.DOWN];

/** Configurations of a game of one seat; without an entry here it has always the same. */
const configurations = {
  2048: (dice) => ({ size: dice.between(3, 6) }),
  2248: (dice) => ({ rows: dice.between(3, 8), columns: dice.between(3, 6) }),
  samegame: (dice) => ({ rows: dice.between(8, 15), columns: dice.between(8, 15), colours: 4 }),
};

/** Every game of one seat. */
export const gamesOfOne = Object.keys(thinClients).filter((name) => thinClients[name].seats === 1);

export class Gambler {
  /** Every table whose creation was acknowledged, the present one last. */
  games = [];
  /** What was sent at once: bursts, moves in them, those sent again, lines cut. */
  counts = { bursts: 0, moves: 0, again: 0, cuts: 0 };
  /**
   * The moves that were sent over more than one connection, or were not answered for a second: when
   * each was sent first, and how long its answer took, in ms.
   */
  waits = [];
  /** The moves of the last burst, and in how many frames the line is to be cut. */
  #burst = [];
  #framesLeft = Infinity;

  /**
   * Rests for `restMs` before each move; without it, plays as fast as answers come. `kinds`: the
   * games to choose from.
   */
  constructor(server, owner, dice, { restMs = undefined, kinds = ['2048'] } = {}) {
    Object.assign(this, { server, owner, dice, restMs, kinds });
  }

  get acknowledged() {
    return this.games.reduce((sum, game) => sum + game.acknowledged.length, 0);
  }

  /** Plays, one move after the other, until the server is gone. */
  async playUntilCut() {
    try {
      for (;;) {
        if (!this.games.length || this.games.at(-1).isDone(versionsMax)) await this.#sitDown();
        await this.#play(this.games.at(-1));
      }
    } catch (error) {
      if (!isServerGone(error)) throw error;
    }
  }

  async #sitDown() {
    const { dice, owner } = this;
    const kind = dice.pick(this.kinds);
    const fields = configurations[kind]?.(dice);
    const config = fields ? configOf(kind, fields) : thinClients[kind].config;
    const { tableId } = await newTableOf(this.server, { game: kind, config, owner });
    const game = new Game(tableId, dice.pick(subProtocols));
    this.games.push(Object.assign(game, { kind }));
    this.#burst = [];
  }

  /** Resumes where this player was, and plays until the table is done or the stream ends. */
  async #play(game) {
    const { protocol, tableId } = game;
    const stream = await Stream.open(this.server, tableId, {
      protocol,
      token: this.owner.token,
      lastVersion: game.resumeFrom({ forgets: this.dice.next() < forgetsIn }),
    });
    try {
      const welcome = await stream.next();
      game.take(welcome);
      while (!game.unserved && (game.version < welcome.value.version || !game.view)) {
        game.take(await stream.next());
      }
      // The whole burst again, as a client does that does not know which answers it has missed.
      this.#framesLeft = Infinity;
      for (const move of this.#burst) {
        if (game.refused.has(move.moveId)) continue;
        game.burst.set(move.moveId, move);
        ++this.counts.again;
      }
      while (!game.isDone(versionsMax)) {
        if (this.restMs) await sleep(this.restMs);
        this.#send(stream, game);
        const sent = game.unanswered;
        do {
          if (this.#framesLeft-- <= 0) {
            ++this.counts.cuts;
            return;
          }
          game.take(await stream.next());
        } while (game.isWaiting);
        if (sent && !game.unanswered) this.#note(sent);
        if (!game.isBusy) this.#burst = [];
      }
    } finally {
      stream.cut();
    }
  }

  #note({ sentAt, sent }) {
    const ms = Date.now() - sentAt;
    if (sent > 1 || ms > waitMinMs) this.waits.push({ sentAt, ms });
  }

  #beginBurst(game) {
    const { dice, counts } = this;
    this.#burst = Array.from({ length: dice.between(2, burstMax) }, () => ({
      moveId: randomUUID(),
      body: moveBody(dice.pick(directions)),
    }));
    for (const move of this.#burst) game.burst.set(move.moveId, move);
    ++counts.bursts;
    counts.moves += this.#burst.length;
    if (dice.next() < cutsIn) this.#framesLeft = dice.between(0, framesBeforeCutMax);
  }

  /** What is unanswered again, under its ids; else a new move, or many at once. */
  #send(stream, game) {
    game.isBusy = false;
    const isFree = !game.unanswered && game.burst.size === 0;
    const bursts = isFree && !this.restMs && game.kind === '2048';
    if (bursts && this.dice.next() < burstsIn) this.#beginBurst(game);
    if (game.burst.size > 0) {
      for (const move of game.burst.values()) stream.play(move.body, move);
      return;
    }
    game.unanswered ??= {
      moveId: randomUUID(),
      body: thinClients[game.kind].choose(game.view, this.dice.between(0, 1000)),
      atVersion: game.version,
      sentAt: Date.now(),
      sent: 0,
    };
    ++game.unanswered.sent;
    stream.play(game.unanswered.body, game.unanswered);
  }
}
