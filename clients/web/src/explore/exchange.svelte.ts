// One call by the Connect protocol in JSON, and what comes back, as it comes.
import type { Json } from './catalogue.js';
import type { Detail } from './details.js';

export interface Received {
  /** Since the call was made. */
  ms: number;
  bytes: number;
  json: Json;
}

export interface Failure {
  code: string;
  message?: string;
  details?: Detail[];
}

const MESSAGES_MAX = 500;
const HEAD_BYTES = 5; // of an envelope: flags and length
const END_OF_STREAM = 2;

const decoder = new TextDecoder();

/** A message as streaming calls have it: a byte of flags and four of length before it. */
function enveloped(text: string): Uint8Array<ArrayBuffer> {
  const message = new TextEncoder().encode(text);
  const bytes = new Uint8Array(HEAD_BYTES + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, HEAD_BYTES);
  return bytes;
}

export class Exchange {
  status = $state(0);
  headers = $state.raw<[name: string, value: string][]>([]);
  /** From the call to its end. */
  ms = $state(0);
  bytes = $state(0);
  /** The last ones of a stream. */
  messages = $state.raw<Received[]>([]);
  failure = $state.raw<Failure>();
  running = $state(true);
  readonly #begun = performance.now();
  readonly #stop = new AbortController();

  constructor(path: string, body: string, token: string, streams: boolean) {
    void this.#run(path, body, token, streams);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(path: string, text: string, token: string, streams: boolean): Promise<void> {
    const headers: HeadersInit = {
      'content-type': streams ? 'application/connect+json' : 'application/json',
      'connect-protocol-version': '1',
    };
    if (token) headers.authorization = `Bearer ${token}`;
    try {
      const response = await fetch(`/${path}`, {
        method: 'POST',
        headers,
        body: streams ? enveloped(text) : text,
        signal: this.#stop.signal,
      });
      this.status = response.status;
      this.headers = [...response.headers];
      const type = response.headers.get('content-type') ?? '';
      if (type.startsWith('application/connect+json')) await this.#readStream(response);
      else this.#readWhole(response.ok, new Uint8Array(await response.arrayBuffer()));
    } catch (error) {
      const aborted = this.#stop.signal.aborted;
      const { message } = error as Error;
      if (!aborted) this.failure = { code: 'The call did not come to its end', message };
    }
    this.ms = performance.now() - this.#begun;
    this.running = false;
  }

  #readWhole(ok: boolean, body: Uint8Array): void {
    this.bytes = body.length;
    const text = decoder.decode(body);
    try {
      const json = JSON.parse(text) as Json;
      if (ok) this.#received(json, body.length);
      else this.failure = json as unknown as Failure;
    } catch {
      this.failure = { code: 'The answer is no JSON', message: text };
    }
  }

  async #readStream(response: Response): Promise<void> {
    let left = new Uint8Array();
    for (const reader = response.body!.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.bytes += value.length;
      const bytes = new Uint8Array(left.length + value.length);
      bytes.set(left);
      bytes.set(value, left.length);
      left = this.#readEnvelopes(bytes);
    }
  }

  /** Returns what is left: the beginning of an envelope. */
  #readEnvelopes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    let at = 0;
    while (at + HEAD_BYTES <= bytes.length) {
      const length = new DataView(bytes.buffer).getUint32(at + 1);
      const end = at + HEAD_BYTES + length;
      if (end > bytes.length) break;
      const json = JSON.parse(decoder.decode(bytes.subarray(at + HEAD_BYTES, end))) as Json;
      if (bytes[at]! & END_OF_STREAM) this.failure = (json as { error?: Failure }).error;
      else this.#received(json, length);
      at = end;
    }
    return bytes.slice(at);
  }

  #received(json: Json, bytes: number): void {
    const ms = performance.now() - this.#begun;
    this.messages = [...this.messages, { ms, bytes, json }].slice(-MESSAGES_MAX);
  }
}
