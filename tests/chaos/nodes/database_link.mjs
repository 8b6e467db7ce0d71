// The way from one server to PostgreSQL, which can be interrupted.
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { Line } from './line.mjs';

const socketName = '.s.PGSQL.5432';

export class DatabaseLink extends Line {
  #listener;
  /** Where the socket is. */
  folder;

  /** A socket that leads to that of `postgres`. */
  static async start(postgres) {
    const link = new DatabaseLink();
    link.folder = await mkdtemp('/tmp/tesela-pg-'); // short: so is the path of a socket
    await chmod(link.folder, 0o755);
    await link.leadTo(postgres);
    return link;
  }

  get url() {
    return `postgres://postgres@/postgres?host=${this.folder}`;
  }

  /** New connections go to `postgres`. */
  async leadTo(postgres) {
    await this.refuse();
    const there = path.join(postgres.folder, socketName);
    this.#listener = net.createServer((server) => this.join(server, net.connect(there)));
    this.#listener.listen(path.join(this.folder, socketName));
    await once(this.#listener, 'listening');
  }

  /** There is no socket any more, as on a machine where no PostgreSQL runs. */
  async refuse() {
    this.#listener?.close();
    this.#listener = undefined;
    await rm(path.join(this.folder, socketName), { force: true });
  }

  async close() {
    await this.refuse();
    this.cut();
    await rm(this.folder, { recursive: true });
  }
}
