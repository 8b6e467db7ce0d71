// The way from one server to PostgreSQL, which can be interrupted: what either side sends is held
// back, and comes later.
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';

const socketName = '.s.PGSQL.5432';

export class DatabaseLink {
  #folder;
  #listener;
  #sockets = new Set();
  #held; // what to send after `release`; none: nothing is held back

  /** A socket that leads to that of `postgres`. */
  static async start(postgres) {
    const link = new DatabaseLink();
    link.#folder = await mkdtemp('/tmp/tesela-pg-'); // short: so is the path of a socket
    const there = path.join(postgres.folder, socketName);
    link.#listener = net.createServer((server) => {
      const database = net.connect(there);
      link.#forward(server, database);
      link.#forward(database, server);
    });
    link.#listener.listen(path.join(link.#folder, socketName));
    await once(link.#listener, 'listening');
    await chmod(link.#folder, 0o755);
    return link;
  }

  get url() {
    return `postgres://postgres@/postgres?host=${this.#folder}`;
  }

  hold() {
    this.#held ??= [];
  }

  /** Sends what was held back, in its order. */
  release() {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const send of held) send();
  }

  async close() {
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await rm(this.#folder, { recursive: true });
  }

  #forward(from, to) {
    this.#sockets.add(from);
    const pass = (send) => (this.#held ? this.#held.push(send) : send());
    from.on('data', (bytes) => {
      pass(() => {
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.on('error', () => {}); // `close` follows
    from.on('close', () => {
      this.#sockets.delete(from);
      pass(() => to.end()); // not before what was written is sent
    });
  }
}
