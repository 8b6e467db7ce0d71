// A WebSocket client that does only what it is told: no pong, no Hello, no rules.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

export const opcode = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

export class RawSocket {
  #socket;
  /** What came after the answer to the upgrade. */
  #bytes = Buffer.alloc(0);
  /** Resolves when the server has closed the connection, by whatever means. */
  closed;

  /** A connection to the HTTP port, and nothing said yet but for what TLS takes. */
  static async open(server) {
    const raw = new RawSocket();
    const to = { host: '127.0.0.1', port: server.httpPort };
    const secure = server.http?.startsWith('https:');
    const socket = secure ? tls.connect({ ...to, rejectUnauthorized: false }) : net.connect(to);
    raw.#socket = socket;
    raw.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (data) => (raw.#bytes = Buffer.concat([raw.#bytes, data])));
    await once(socket, secure ? 'secureConnect' : 'connect');
    socket.on('error', () => {}); // a reset is one way of closing
    return raw;
  }

  /**
   * Asks for the stream of a table and resolves when the answer is there: `status`, `headers` and,
   * without an upgrade, `body` are set.
   */
  static async upgrade(server, tableId, { protocol = 'tesela.v1.proto', headers = {}, path } = {}) {
    const raw = await RawSocket.open(server);
    const key = randomBytes(16).toString('base64');
    const lines = [
      `GET ${path ?? `/v1/tables/${tableId}/stream`} HTTP/1.1`,
      `Host: 127.0.0.1:${server.httpPort}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${key}`,
      ...(protocol ? [`Sec-WebSocket-Protocol: ${protocol}`] : []),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    raw.bytes(`${lines.join('\r\n')}\r\n\r\n`);
    await raw.#readAnswer(key);
    return raw;
  }

  async #readAnswer(key) {
    let end;
    while ((end = this.#bytes.indexOf('\r\n\r\n')) < 0) await this.#more();
    const [status, ...lines] = this.#bytes.subarray(0, end).toString().split('\r\n');
    this.status = Number(status.split(' ')[1]);
    this.headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    this.#bytes = this.#bytes.subarray(end + 4);
    if (this.status === 101) {
      const accept = createHash('sha1')
        .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64');
      if (this.headers['sec-websocket-accept'] !== accept) throw new Error('a false accept key');
    } else {
      const length = Number(this.headers['content-length'] ?? 0);
      while (this.#bytes.length < length) await this.#more();
      this.body = this.#bytes.toString();
    }
  }

  async #more() {
    if (this.#socket.destroyed) throw new Error('the server closed the connection');
    await Promise.race([once(this.#socket, 'data'), this.closed]);
  }

  /** Sends one frame as a client must: masked. `fin` false leaves the message open. */
  frame(code, payload, { fin = true } = {}) {
    const data = Buffer.from(payload);
    const long = data.length > 125;
    const head = Buffer.alloc(long ? 4 : 2);
    head[0] = (fin ? 0x80 : 0) | code;
    head[1] = 0x80 | (long ? 126 : data.length);
    if (long) head.writeUInt16BE(data.length, 2);
    const mask = randomBytes(4);
    this.#socket.write(Buffer.concat([head, mask, data.map((byte, i) => byte ^ mask[i % 4])]));
  }

  /** Sends bytes as they are. */
  bytes(data) {
    this.#socket.write(data);
  }

  /** The next frame of the server: { code, payload }. */
  async nextFrame() {
    for (;;) {
      const bytes = this.#bytes;
      if (bytes.length >= 2) {
        const short = bytes[1] & 0x7f;
        const header = short === 126 ? 4 : short === 127 ? 10 : 2;
        if (bytes.length >= header) {
          const size =
            short === 126
              ? bytes.readUInt16BE(2)
              : short === 127
                ? Number(bytes.readBigUInt64BE(2))
                : short;
          if (bytes.length >= header + size) {
            this.#bytes = bytes.subarray(header + size);
            return { code: bytes[0] & 0x0f, payload: bytes.subarray(header, header + size) };
          }
        }
      }
      await this.#more();
    }
  }

  destroy() {
    this.#socket.destroy();
  }
}
