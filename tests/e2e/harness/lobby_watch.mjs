// Somebody who keeps a list of tables by WatchTables, as the page does.
import { Code } from '@connectrpc/connect';
import { TableState } from '../gen/tesela/lobby/v1/lobby_pb.js';
import { lobbyOf } from './lobby.mjs';

/** What a list shows of a table. */
export function shown({ state, seats, endedAt, result }) {
  return {
    state: TableState[state],
    seats: seats.map(({ seat, playerId, strategy }) => `${seat}: ${strategy || playerId}`),
    ended: endedAt !== undefined,
    standings: result?.standings.map(({ seat, rank }) => `${seat}: ${rank}`),
  };
}

/** All tables of a server's lists, by their ids. */
export async function listed(server, filter = {}) {
  const all = {};
  let pageToken = '';
  do {
    const page = await lobbyOf(server).listTables({ filter, pageSize: 100, pageToken });
    for (const table of page.tables) all[table.tableId] = shown(table);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return all;
}

export class LobbyWatch {
  #hangUp = new AbortController();
  /** What is known of each table, by its id, and the states that were told, in order. */
  tables = {};
  states = {};
  /** How often it had to watch again. */
  again = 0;

  /** Watches, and watches again where the server says so. End it with `close`. */
  constructor(server, filter = {}) {
    this.ended = this.#run(server, filter);
  }

  async #run(server, filter) {
    while (!this.#hangUp.signal.aborted) {
      const { signal } = this.#hangUp;
      try {
        for await (const { table } of lobbyOf(server).watchTables({ filter }, { signal })) {
          if (table) this.#learn(table);
        }
      } catch (error) {
        if (error.code === Code.Canceled) return;
        if (error.code !== Code.ResourceExhausted) throw error;
        this.again += 1;
        this.tables = {};
      }
    }
  }

  #learn(table) {
    this.tables[table.tableId] = shown(table);
    const states = (this.states[table.tableId] ??= []);
    const state = TableState[table.state];
    if (states.at(-1) !== state) states.push(state);
  }

  /** Whether a table was told in this state with so many seats taken. */
  knows(tableId, state, seats) {
    const table = this.tables[tableId];
    return table?.state === state && table.seats.length === seats;
  }

  async close() {
    this.#hangUp.abort();
    await this.ended;
  }
}
