// One WebSocket stream, through `ws`, over either sub-protocol.
import {
  clone,
  create,
  fromBinary,
  fromJsonString,
  toBinary,
  toJsonString,
} from '@bufbuild/protobuf';
import { anyPack, anyUnpack } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import WebSocket from 'ws';
import { Game2048MoveSchema } from '../gen/tesela/game/v1/g2048_pb.js';
import {
  ClientFrameSchema,
  EventSchema,
  ServerFrameSchema,
  SnapshotSchema,
} from '../gen/tesela/play/v1/play_pb.js';
import { registry } from './lobby.mjs';

const frameTimeMaxMs = 30_000;

/** The two renderings of a frame. */
export const codecs = {
  'tesela.v1.proto': {
    encode: (frame) => toBinary(ClientFrameSchema, frame),
    decode: (data, isBinary) => {
      if (!isBinary) throw new Error('a text message in the binary protocol');
      // A copy, because what it decodes to would else be Buffers, which compare differently.
      return fromBinary(ServerFrameSchema, new Uint8Array(data));
    },
  },
  'tesela.v1.json': {
    encode: (frame) => toJsonString(ClientFrameSchema, frame, { registry }),
    decode: (data, isBinary) => {
      if (isBinary) throw new Error('a binary message in the JSON protocol');
      return fromJsonString(ServerFrameSchema, data.toString(), { registry });
    },
  },
};

export const subProtocols = Object.keys(codecs);

export function streamUrl(server, tableId) {
  return `${server.ws}/v1/tables/${tableId}/stream`;
}

/** A message as an Any. */
export const pack = (schema, fields) => anyPack(schema, create(schema, fields));

/** The body of a 2048 move, as the Any of a Move frame. */
export const moveBody = (direction) => pack(Game2048MoveSchema, { direction });

/** What an Any of the game holds. */
export function unpack(any) {
  const message = anyUnpack(any, registry);
  if (!message) throw new Error(`an unknown message: ${any.typeUrl}`);
  return message;
}

/** An event as bytes, the same whatever it was read from. */
export function bytesOf(event) {
  return toBinary(EventSchema, event);
}

/** A Snapshot as bytes, without its clocks: those are of the time when it was sent. */
export function bytesOfSnapshot(snapshot) {
  const copy = clone(SnapshotSchema, snapshot);
  copy.clocks = undefined;
  return toBinary(SnapshotSchema, copy);
}

/** The stream has ended, and nothing is left to read. */
export class StreamClosed extends Error {}

/** The stream is open, and nothing came in time. */
export class StreamTimedOut extends Error {}

/** Whether an error, of a stream or of the lobby, means no more than that the server went away. */
export function isServerGone(error) {
  const cause = error instanceof ConnectError ? error.cause : error;
  return cause instanceof StreamClosed || /^E(CONN|PIPE)/.test(cause?.code);
}

/** Whether a call of the lobby has ended with an error, whichever. */
export const isCallFailed = (error) => error instanceof ConnectError;

/** Whether the lobby wants to be asked again later: it stops, or a limit is reached. */
export function isForLater(error) {
  const codes = [Code.Unavailable, Code.ResourceExhausted];
  return error instanceof ConnectError && codes.includes(error.code);
}

/** Whether another server than the one that was asked has what was asked for, or is to have it. */
export const isElsewhere = (error) => error instanceof ConnectError && error.code === Code.Aborted;

/** Whether a server has said Goodbye to a Player, who may come back. */
export const isDismissed = ({ message, actual }) =>
  actual === 'goodbye' || /^expected welcome, got goodbye.*"reconnect":true/.test(message);

/** Whether a proxy has no server for a stream now, or the server wants to be asked again later. */
export const isUpgradeRefused = ({ message }) =>
  /Unexpected server response: (421|429|50[234])$/.test(message);

/** Whether there is nothing of what was asked for. */
export const isNotFound = (error) => error.code === Code.NotFound;

/** Whether the server does not know who calls. */
export const isUnauthenticated = (error) => error.code === Code.Unauthenticated;

export class Stream {
  #socket;
  #codec;
  #waiting = [];
  #wake = () => {};
  /** Every frame of the server: { kind, value, bytes }, in order. */
  received = [];
  /** Resolves to { code, reason } when the socket is closed. */
  closed;

  /** Connects without saying Hello. Rejects when the upgrade is refused. */
  static async connect(server, tableId, { protocol = 'tesela.v1.proto', ...socketOptions } = {}) {
    const stream = new Stream();
    stream.#codec = codecs[protocol];
    const { localAddress } = server;
    const socket = new WebSocket(streamUrl(server, tableId), protocol, {
      localAddress,
      ...socketOptions,
    });
    stream.#socket = socket;
    stream.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        stream.#wake();
      });
    });
    socket.on('message', (data, isBinary) => stream.#take(data, isBinary));
    await once(socket, 'open');
    socket.on('error', () => {}); // a reset by a dying server; `closed` tells
    return stream;
  }

  /** Connects and says Hello. Options: protocol, token, lastVersion, spectate. */
  static async open(server, tableId, { protocol, ...hello } = {}) {
    const stream = await Stream.connect(server, tableId, { protocol });
    stream.send({ case: 'hello', value: { token: '', ...hello } });
    return stream;
  }

  get isOpen() {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  #take(data, isBinary) {
    const { frame } = this.#codec.decode(data, isBinary);
    const entry = { kind: frame.case, value: frame.value, bytes: data };
    this.received.push(entry);
    this.#waiting.push(entry);
    this.#wake();
  }

  /** Sends one frame: { case, value }. */
  send(frame) {
    this.#socket.send(this.#codec.encode(create(ClientFrameSchema, { frame })));
  }

  /** Sends one message as it is: a string as text, bytes as binary. */
  sendRaw(data) {
    this.#socket.send(data);
  }

  /** Sends a move of 2048 and returns its move_id. */
  move(direction, options) {
    return this.play(moveBody(direction), options);
  }

  /** Sends a move of any game, the message of which is in an Any, and returns its move_id. */
  play(body, { moveId = randomUUID(), atVersion } = {}) {
    this.send({ case: 'move', value: { moveId, atVersion, body } });
    return moveId;
  }

  /** The next frame, of any kind: { kind, value, bytes }. */
  async next({ timeMaxMs = frameTimeMaxMs } = {}) {
    const deadline = Date.now() + timeMaxMs;
    while (this.#waiting.length === 0) {
      if (this.#socket.readyState === WebSocket.CLOSED) {
        throw new StreamClosed('the stream is closed and nothing is left to read');
      }
      const left = deadline - Date.now();
      if (left <= 0) throw new StreamTimedOut('no frame came in time');
      let timer;
      await new Promise((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, left);
      });
      clearTimeout(timer);
    }
    return this.#waiting.shift();
  }

  /** The next frame, which must be a `kind`: its value. Who comes and goes may be told before. */
  async expect(kind) {
    let frame;
    do frame = await this.next();
    while (frame.kind === 'seating' && !['seating', 'welcome'].includes(kind));
    if (frame.kind !== kind) {
      const text = JSON.stringify(frame.value, (_, v) => (typeof v === 'bigint' ? `${v}` : v));
      throw new Error(`expected ${kind}, got ${frame.kind}: ${text}`);
    }
    return frame.value;
  }

  /** Reads to the end of the stream: the Goodbye, and as `close` how the socket was closed. */
  async goodbye(waiting = {}) {
    let frame;
    do {
      frame = await this.next(waiting);
    } while (frame.kind !== 'goodbye');
    return { ...frame.value, close: await this.closed };
  }

  /** A round trip: everything the server sent before is read when this returns. */
  async ping(nonce = 1n) {
    this.send({ case: 'ping', value: { nonce } });
    for (;;) {
      const frame = await this.next();
      if (frame.kind === 'pong' && frame.value.nonce === nonce) return frame.value;
    }
  }

  /** Reads nothing until `resume`, not even pings: the server's bytes pile up. */
  pause() {
    this.#socket.pause();
  }

  resume() {
    this.#socket.resume();
  }

  async close() {
    this.#socket.close();
    return this.closed;
  }

  /** Cuts the connection without a word. */
  cut() {
    this.#socket.terminate();
  }
}
