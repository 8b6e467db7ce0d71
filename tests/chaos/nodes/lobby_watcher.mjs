// Somebody who watches the tables of the lobby at one server, again whenever the stream ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { TableState } from '../../e2e/gen/tesela/lobby/v1/lobby_pb.js';
import { lobbyOf, unixMs } from '../../e2e/harness/lobby.mjs';
import { idOf } from '../../e2e/harness/postgres.mjs';
import { isCallFailed } from '../../e2e/harness/stream.mjs';

const retryMs = 50;
const ended = [TableState.OVER, TableState.CLOSED];
const firstMax = 100; // tables that a stream begins with, the newest

/** What the lobby says of a table, for comparing. */
const toldOf = ({ state, seats, createdAt, endedAt }) => ({
  state,
  seats: seats.map(({ playerId, strategy }) => `${playerId}:${strategy}`).join(' '),
  created: unixMs(createdAt),
  ended: unixMs(endedAt),
});

/** The same of all tables, as the database has them, by their ids. */
export async function storedTables(database) {
  const rows = await database.query(
    `SELECT id, game, state, created_ms, coalesce(ended_ms, 0),
       coalesce((SELECT string_agg(player_id || ':' || strategy, ' ' ORDER BY seat)
         FROM seats WHERE table_id = tables.id), '')
       FROM tables WHERE public`,
  );
  const stored = new Map();
  for (const row of rows) {
    const [id, game, state, created, ended, seats] = row.split('|');
    stored.set(idOf(BigInt(id)), {
      game,
      told: {
        state: Number(state),
        seats: seats.replaceAll(/(?<=^| )\d+/g, (player) => idOf(BigInt(player))),
        created: Number(created),
        ended: Number(ended),
      },
    });
  }
  return stored;
}

export class LobbyWatcher {
  /** What the present stream has told last of each table, by their ids. */
  #told = new Map();
  /** When the last of the tables was made that the stream began with, if those were not all. */
  #since;
  #hangUp = new AbortController();
  /** How many streams there were, and what they told. */
  streams = 0;
  news = 0;

  /** `filter`: { game, state }, of which each may be missing. */
  constructor(server, filter) {
    Object.assign(this, { server, filter });
  }

  /** Until `leave`. */
  async watch() {
    const { signal } = this.#hangUp;
    while (!signal.aborted) {
      try {
        await this.#watchOnce(signal);
      } catch (error) {
        if (!isCallFailed(error)) throw error;
      }
      await sleep(retryMs);
    }
  }

  leave() {
    this.#hangUp.abort();
  }

  async #watchOnce(signal) {
    this.#told = new Map();
    this.#since = 0;
    let told = 0;
    const news = lobbyOf(this.server).watchTables({ filter: this.filter }, { signal });
    for await (const { table } of news) {
      if (!table) continue; // nothing to tell
      if (told++ === 0) ++this.streams;
      if (told === firstMax) this.#since = unixMs(table.createdAt);
      ++this.news;
      this.#told.set(table.tableId, toldOf(table));
    }
  }

  /**
   * The tables of which it was told last what the database does not say: in words. Of a merge not
   * everybody is told: `merged` has the accounts of guests.
   */
  differences(stored, merged) {
    const nowOf = (id) => merged.get(id) ?? id;
    const { game, state } = this.filter;
    const found = [];
    const compare = (id, told, is) => {
      const [one, other] = [told, is].map((it) => (it ? JSON.stringify(it) : 'nothing'));
      if (one !== other) found.push(`table ${id}: told ${one}, is ${other}`);
    };
    for (const [id, told] of this.#told) {
      // Of one that has left the state of the filter nothing more is told.
      if (state && told.state !== state && stored.get(id)?.told.state !== state) continue;
      // What was over or closed may be deleted.
      if (!stored.has(id) && ended.includes(told.state)) continue;
      const seats = told.seats.replaceAll(/\w+(?=:)/g, nowOf);
      compare(id, { ...told, seats }, stored.get(id)?.told);
    }
    for (const [id, { game: played, told }] of stored) {
      const isMeant = (!game || played === game) && (!state || told.state === state);
      if (isMeant && told.created > this.#since && !this.#told.has(id))
        compare(id, undefined, told);
    }
    return found;
  }
}
