// The way from the other servers to the node port of one, which can be interrupted. It listens on
// the same port as the server, at an address of its own.
import { once } from 'node:events';
import net from 'node:net';
import { Line } from './line.mjs';

/** Where it listens. The server listens at 127.0.0.1. */
export const linkAddress = '127.0.0.2';

export class NodeLink extends Line {
  #listener;
  #port;

  static async start(port) {
    const link = new NodeLink();
    link.#port = port;
    await link.admit();
    return link;
  }

  /** Takes connections again. */
  async admit() {
    const target = { port: this.#port, host: '127.0.0.1' };
    this.#listener = net.createServer((node) => this.join(node, net.connect(target)));
    this.#listener.listen(this.#port, linkAddress);
    await once(this.#listener, 'listening');
  }

  /** Cuts all connections, and takes no more until `admit`. */
  sever() {
    this.#listener.close();
    this.cut();
  }

  close() {
    this.sever();
  }
}
