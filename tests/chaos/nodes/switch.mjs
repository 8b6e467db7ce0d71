// The address of two servers, of which clients reach one at a time: a TCP switch in front of them.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../e2e/harness/server.mjs';

export class Switch {
  #listener;
  #port;
  #sockets = new Set();
  #target;
  /** How long what either side sends is held back. */
  delayMs = 0;

  /** Connections go to `target` from now on. */
  static async start(target) {
    const between = new Switch();
    between.#target = target;
    between.#port = await freePort();
    between.#listener = net.createServer((client) => between.#connect(client));
    between.#listener.listen(between.#port, '127.0.0.1');
    await once(between.#listener, 'listening');
    return between;
  }

  get http() {
    return `http://127.0.0.1:${this.#port}`;
  }

  get ws() {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** The folder of the server that clients reach now. */
  get data() {
    return this.#target.data;
  }

  /** Cuts all connections; the next ones go to `target`. */
  turnTo(target) {
    this.#target = target;
    this.cut();
  }

  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  close() {
    this.#listener.close();
    this.cut();
  }

  #connect(client) {
    const server = net.connect(this.#target.httpPort, '127.0.0.1');
    this.#forward(client, server);
    this.#forward(server, client);
  }

  #forward(from, to) {
    this.#sockets.add(from);
    let sent = Promise.resolve();
    from.on('data', (bytes) => {
      sent = sent.then(async () => {
        if (this.delayMs) await sleep(this.delayMs);
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.on('error', () => {}); // `close` follows
    from.on('close', () => {
      this.#sockets.delete(from);
      sent.then(() => to.destroy());
    });
  }
}
