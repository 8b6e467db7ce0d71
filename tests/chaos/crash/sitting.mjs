// Somebody on a seat of an Azul table, who plays, talks, sleeps now and then, and comes back after
// every crash.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { azul } from '../../e2e/harness/games.mjs';
import { Stream } from '../../e2e/harness/stream.mjs';
import { Game } from './game.mjs';

const sleepsIn = 0.03; // of all turns, where a move has a second
const talksIn = 0.05; // of all frames
const forgetsIn = 0.25; // of all resumes
const saysMax = 4; // over one connection: less than the server takes at once

export class Sitting {
  /**
   * When this player opened a stream, each time, and when that was answered, as { came, greeted }:
   * Unix time in milliseconds. Without an answer it may have been heard at any time after.
   */
  backs = [];
  /** Sentences heard more than once. */
  echoes = 0;
  #heard = new Set();

  /**
   * `sleeps`: whether the time for a move is short enough to let it run out. Rests for `restMs`
   * before each move.
   */
  constructor(server, tableId, { token }, { dice, protocol, sleeps = false, restMs = 0 }) {
    Object.assign(this, { server, token, dice, sleeps, restMs });
    this.game = new Game(tableId, protocol);
  }

  /** Resumes, and plays until the game is over or the stream ends. */
  async play() {
    const { server, game, token, dice } = this;
    const back = { came: Date.now(), greeted: Infinity };
    const { tableId, protocol } = game;
    const lastVersion = game.resumeFrom({ forgets: dice.next() < forgetsIn });
    const stream = await Stream.open(server, tableId, { protocol, token, lastVersion });
    this.backs.push(back);
    try {
      const welcome = await stream.next();
      back.greeted = Date.now();
      if (welcome.kind === 'goodbye') this.backs.pop(); // the table has heard nothing of it
      game.take(welcome);
      while (!game.unserved && (game.version < welcome.value.version || !game.view)) {
        game.take(await stream.next());
      }
      if (game.unanswered) stream.play(game.unanswered.body, game.unanswered);
      await this.#playOn(stream);
    } finally {
      stream.cut();
    }
  }

  async #playOn(stream) {
    const { game, dice } = this;
    let decidedAt;
    let said = 0;
    while (!game.isDone()) {
      if (!game.unanswered && game.onTurn && decidedAt !== game.version) {
        decidedAt = game.version;
        if (this.restMs) await sleep(this.restMs);
        if (!this.sleeps || dice.next() >= sleepsIn) this.#move(stream);
      }
      if (said < saysMax && dice.next() < talksIn) {
        ++said;
        stream.send({ case: 'say', value: { what: { case: 'text', value: randomUUID() } } });
      }
      const frame = await stream.next();
      if (frame.kind === 'said') this.#hear(frame.value);
      game.take(frame);
    }
  }

  #move(stream) {
    const { game, dice } = this;
    const body = azul().choose(game.view, dice.between(0, 1000));
    game.unanswered = { moveId: randomUUID(), body, atVersion: game.version };
    stream.play(body, game.unanswered);
  }

  #hear({ what }) {
    if (this.#heard.has(what.value)) ++this.echoes;
    this.#heard.add(what.value);
  }
}
