// A table's stream, and its frames both ways as they come.
import type { Fields, Json } from './catalogue.js';
import { identity } from './identity.svelte.js';

export interface Frame {
  /** Counts the frames of a stream. */
  number: number;
  sent: boolean;
  at: Date;
  bytes: number;
  /** What is set in it: "welcome", "event". */
  kind: string;
  json: Json;
}

const FRAMES_MAX = 500;

const kindOf = (json: Json): string => Object.keys(json as Fields)[0] ?? 'empty';

/** The token is not shown: screens are. */
const withoutToken = (json: Json): Json =>
  JSON.parse(JSON.stringify(json), (name, value: Json) =>
    name === 'token' && value ? '…' : value,
  ) as Json;

export class TableStream {
  /** The last frames. */
  frames = $state.raw<Frame[]>([]);
  /** The frames that are shown while no new ones shall be. */
  #held = $state.raw<Frame[]>();
  state = $state('Connecting…');
  open = $state(false);
  game = $state('');
  #number = 0;
  readonly #socket: WebSocket;

  constructor(tableId: string, hello: Fields) {
    const url = new URL(`/v1/tables/${encodeURIComponent(tableId)}/stream`, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    this.#socket = new WebSocket(url, 'tesela.v1.json');
    this.#socket.onopen = () => {
      this.state = 'Open';
      this.open = true;
      this.send(JSON.stringify({ hello: { ...hello, token: identity.token } }));
    };
    this.#socket.onmessage = ({ data }) => this.#read(String(data));
    this.#socket.onclose = ({ code, reason }) => {
      this.open = false;
      this.state = `Closed: ${code} ${reason}`;
    };
  }

  get shown(): Frame[] {
    return this.#held ?? this.frames;
  }

  get paused(): boolean {
    return this.#held !== undefined;
  }

  pause(paused: boolean): void {
    this.#held = paused ? this.frames : undefined;
  }

  clear(): void {
    this.frames = [];
    if (this.#held) this.#held = [];
  }

  /** A text that is no JSON is sent too: an author may want to see what the server says. */
  send(text: string): void {
    this.#socket.send(text);
    this.#keep(text, true);
  }

  close(): void {
    this.#socket.close(1000);
  }

  #read(text: string): void {
    const frame = this.#keep(text, false);
    const { welcome } = frame.json as { welcome?: { game: string } };
    if (welcome) this.game = welcome.game;
  }

  #keep(text: string, sent: boolean): Frame {
    let json: Json;
    try {
      json = withoutToken(JSON.parse(text) as Json);
    } catch {
      json = { text };
    }
    this.#number += 1;
    const bytes = new TextEncoder().encode(text).length;
    const frame = { number: this.#number, sent, at: new Date(), bytes, kind: kindOf(json), json };
    this.frames = [...this.frames, frame].slice(-FRAMES_MAX);
    return frame;
  }
}
