// A player who goes from table to table and writes down everything that the server acknowledged.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newTable } from '../../e2e/harness/lobby.mjs';
import { Stream, isServerGone, moveBody, subProtocols } from '../../e2e/harness/stream.mjs';
import { Game } from './game.mjs';

// A table is left while a resume still brings all of its events (limits.h: kResumeEventsMax), so
// that the audit can read them through the front door.
const versionsMax = 200n;

export class Gambler {
  /** Every table whose creation was acknowledged, the present one last. */
  games = [];

  /** Rests for `restMs` before each move; without it, plays as fast as answers come. */
  constructor(server, owner, dice, restMs = undefined) {
    Object.assign(this, { server, owner, dice, restMs });
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
      while (!game.isDone(versionsMax)) {
        if (this.restMs) await sleep(this.restMs);
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
      body: moveBody(this.dice.pick(game.view.legal)),
      atVersion: game.version,
    };
    stream.play(game.unanswered.body, game.unanswered);
  }
}
