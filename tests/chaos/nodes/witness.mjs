// Asks a server for tables, past the switch: nobody who connects after a version was shown may be
// greeted below that version.
import { setTimeout as sleep } from 'node:timers/promises';
import { newTableOf } from '../../e2e/harness/lobby.mjs';
import { Player } from '../../e2e/harness/player.mjs';
import { Stream } from '../../e2e/harness/stream.mjs';

const answerTimeMaxMs = 700; // a silent server answers nobody
const pauseMs = 50;
const watchedMax = 8; // tables at a time
const playOnTimeMaxMs = 30_000;

export class Witness {
  #games;
  /** A table of its own: where a move waits for the database, newcomers wait behind it, and at this
   *  one nobody plays while a server is asked. */
  #own;
  #anchors = [];
  /** How often a server was asked, has greeted, and has greeted below what was shown. */
  asked = 0;
  greeted = 0;
  behind = 0;
  details = [];
  /** Every Snapshot that a server has sent: { version, value } by the ids of tables. */
  snapshots = new Map();

  /** `games()`: what players know of their tables now. */
  constructor(games) {
    this.#games = games;
  }

  /** The tables in play, and the newest version that was shown of each. */
  #shown() {
    const shown = new Map();
    for (const { tableId, version, over } of [...this.#games(), this.#own]) {
      if (over || version === 0n) continue;
      const before = shown.get(tableId) ?? 0n;
      shown.set(tableId, version > before ? version : before);
    }
    return [...shown].slice(-watchedMax);
  }

  /** Watches the tables at `server`, so that it keeps them in memory, until `leave`; one of them is
   *  made through `between`, which leads there. */
  async stay(between, server) {
    const { tableId, token } = await newTableOf(between, { game: '2048' });
    this.#own = { tableId, token, version: 1n, over: false };
    const watch = async ([tableId]) => {
      const stream = await Stream.open(server, tableId);
      this.#anchors.push(stream);
      await stream.next();
      await this.#keep(stream, tableId);
    };
    await Promise.allSettled(this.#shown().map(watch));
  }

  /** Plays at its own table where `between` leads now, until a move was shown. */
  async playOn(between) {
    const { tableId, token } = this.#own;
    const end = Date.now() + playOnTimeMaxMs;
    for (;;) {
      const player = new Player(between, tableId, { token });
      try {
        await player.resume();
        await player.play();
        this.#own.version = player.version;
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        await sleep(pauseMs);
      } finally {
        player.stream?.cut();
      }
    }
  }

  leave() {
    for (const stream of this.#anchors.splice(0)) stream.cut();
  }

  /** Asks `server` again and again for `timeMs`; `ahead`: as one who knows what was shown. */
  async ask(server, { ahead, timeMs }) {
    const end = Date.now() + timeMs;
    while (Date.now() < end) {
      await Promise.all(this.#shown().map((table) => this.#askOne(server, table, ahead)));
      await sleep(pauseMs);
    }
  }

  async #askOne(server, [tableId, shown], ahead) {
    ++this.asked;
    let stream;
    try {
      stream = await Stream.open(server, tableId, { lastVersion: ahead ? shown : 0n });
      const { kind, value } = await stream.next({ timeMaxMs: answerTimeMaxMs });
      if (kind !== 'welcome') return;
      ++this.greeted;
      if (value.version < shown) {
        ++this.behind;
        this.details.push(
          `table ${tableId}: greeted at ${value.version}, after ${shown} was shown`,
        );
      }
      if (!ahead) await this.#keep(stream, tableId);
    } catch {
      // It is silent, or gone.
    } finally {
      stream?.cut();
    }
  }

  /** Keeps the Snapshot that follows a Welcome. */
  async #keep(stream, tableId) {
    let frame;
    do frame = await stream.next({ timeMaxMs: answerTimeMaxMs });
    while (frame.kind !== 'snapshot');
    const kept = this.snapshots.get(tableId) ?? [];
    this.snapshots.set(tableId, [...kept, { version: frame.value.version, value: frame.value }]);
  }
}
