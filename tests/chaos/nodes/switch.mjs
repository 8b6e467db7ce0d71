// The address of two servers, of which clients reach one at a time: a TCP switch in front of them.
import { once } from 'node:events';
import net from 'node:net';
import { freePort } from '../../e2e/harness/server.mjs';
import { Line } from './line.mjs';

export class Switch extends Line {
  #listener;
  #port;
  #target;

  /** Connections go to `target` from now on. */
  static async start(target) {
    const between = new Switch();
    between.#target = target;
    between.#port = await freePort();
    between.#listener = net.createServer((client) => {
      between.join(client, net.connect(between.#target.httpPort, '127.0.0.1'));
    });
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

  close() {
    this.#listener.close();
    this.cut();
  }
}
