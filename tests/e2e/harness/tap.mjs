// Between clients and a server: whoever connects here reaches the server, and every byte that it
// answers is kept, whatever the protocol. Use it where a `Server` belongs.
import { once } from 'node:events';
import net from 'node:net';

export class Tap {
  #listeners = [];
  #sockets = new Set();
  #heard = []; // of each connection: its pieces in order

  static async on(server) {
    const tap = new Tap();
    tap.httpPort = await tap.#listen(server.httpPort);
    tap.grpcPort = await tap.#listen(server.grpcPort);
    tap.http = `http://127.0.0.1:${tap.httpPort}`;
    tap.ws = `ws://127.0.0.1:${tap.httpPort}`;
    tap.grpc = `http://127.0.0.1:${tap.grpcPort}`;
    return tap;
  }

  async #listen(port) {
    const listener = net.createServer((client) => {
      const upstream = net.connect(port, '127.0.0.1');
      const pieces = [];
      this.#heard.push(pieces);
      upstream.on('data', (piece) => pieces.push(piece));
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ]) {
        this.#sockets.add(socket);
        socket.on('error', () => {}); // a cut line; `close` follows
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    this.#listeners.push(listener);
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return listener.address().port;
  }

  /** All that the server has sent so far, one connection after the other. */
  heard() {
    return Buffer.concat(this.#heard.flat());
  }

  close() {
    for (const listener of this.#listeners) listener.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
