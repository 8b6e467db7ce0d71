// A table at the other end of a real socket, which says what a test tells it to say.
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  ClientFrameSchema,
  ServerFrameSchema,
  type ClientFrame,
} from '../src/gen/tesela/play/v1/play_pb.js';

type Frame = ClientFrame['frame'];
type Case = NonNullable<Frame['case']>;
type ValueOf<Name extends Case> = Extract<Frame, { case: Name }>['value'];

/** One connection of the client, from the table's side. */
export class Line {
  readonly #socket: WebSocket;
  readonly #heard: Frame[] = [];
  #wake: () => void = () => {};
  readonly closed: Promise<unknown>;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = once(socket, 'close');
    socket.on('message', (data: Buffer) => {
      this.#heard.push(fromBinary(ClientFrameSchema, data).frame);
      this.#wake();
    });
  }

  /** The next frame, which must be of this kind. Pings are passed over unless they are asked
   *  for. */
  async next<Name extends Case>(name: Name): Promise<ValueOf<Name>> {
    for (;;) {
      const frame = this.#heard.shift();
      if (frame?.case === name) return frame.value as ValueOf<Name>;
      if (frame && frame.case !== 'ping') throw new Error(`expected ${name}, heard ${frame.case}`);
      if (!frame) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  say(frame: MessageInitShape<typeof ServerFrameSchema>['frame']): void {
    if (!frame) return;
    this.#socket.send(toBinary(ServerFrameSchema, create(ServerFrameSchema, { frame })));
  }

  raw(bytes: Uint8Array): void {
    this.#socket.send(bytes);
  }

  /** `epoch` 0n: a server that does not tell it. */
  welcome(version: bigint, resumed: boolean, epoch = 0n): void {
    this.say({ case: 'welcome', value: { game: '2048', seat: 0, version, resumed, epoch } });
    if (!resumed) this.say({ case: 'snapshot', value: { version } });
  }

  event(version: bigint, moveId = 'of somebody else'): void {
    this.say({ case: 'event', value: { version, moveId } });
  }

  /** The network is gone: no goodbye, no close. */
  cut(): void {
    this.#socket.terminate();
  }
}

export class TableServer {
  readonly #server: WebSocketServer;
  readonly #lines: Line[] = [];
  #wake: () => void = () => {};
  connections = 0;

  static async start(): Promise<TableServer> {
    const server = new TableServer();
    await once(server.#server, 'listening');
    return server;
  }

  private constructor() {
    this.#server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      this.#lines.push(new Line(socket));
      this.#wake();
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/tables/t/stream`;
  }

  async line(): Promise<Line> {
    for (;;) {
      const line = this.#lines.shift();
      if (line) return line;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
