// The databases that a server may have, for tests that run on each of them.
import { after, before } from 'node:test';
import { sql } from './database.mjs';
import { Postgres } from './postgres.mjs';
import { Server } from './server.mjs';

/** SQLite: in the data folder of a server. */
class SqliteDatabase {
  options = [];

  /** Runs a statement. */
  async run(server, statement) {
    await sql(server.data, statement);
  }

  /** The number that a query gives. */
  async number(server, query) {
    const [[[number]]] = await sql(server.data, query);
    return number;
  }

  async dispose() {}
}

/** PostgreSQL: the same for all servers with `options`. */
class PostgresDatabase {
  #postgres;

  static async start() {
    const database = new PostgresDatabase();
    database.#postgres = await Postgres.start();
    database.options = await database.#postgres.options();
    return database;
  }

  async run(server, statement) {
    await this.#postgres.query(statement);
  }

  async number(server, query) {
    return Number((await this.#postgres.query(query))[0]);
  }

  async dispose() {
    await this.#postgres.dispose();
  }
}

/**
 * Each has a name and `start()`, which starts one. `options` are those of a server on it. It is
 * disposed of after its servers.
 */
export const databases = [
  { name: 'SQLite', start: async () => new SqliteDatabase() },
  { name: 'PostgreSQL', start: () => PostgresDatabase.start() },
];

/**
 * The hooks of a describe: `use` gets a server with `options`, and its database, of `start`. Both
 * are disposed of after its tests.
 */
export function serverOn(start, use, ...options) {
  let database;
  let server;
  before(async () => {
    database = await start();
    server = await Server.start(...database.options, ...options);
    await use(server, database);
  });
  after(async () => {
    await server.dispose();
    await database.dispose();
  });
}
