// The moves of a table in words: new ones as they happen, and earlier ones on request.
import type { Message } from '@bufbuild/protobuf';
import type { Event as TableEvent } from '@tesela/client/gen/play/v1/play_pb.js';
import { history } from '../net/services.js';
import type { Table } from './table.svelte.js';

export interface LogLine {
  readonly version: bigint;
  readonly seat: number;
  readonly text: string;
}

/** Older lines are forgotten; a replay has them all. */
const LINES_MAX = 400;
/** As many versions are read at once. */
const WINDOW = 100n;

/** The lines of an event, in the words of its game, each of another seat; none for what is no move
 *  of it. */
export type Tell = (body: Message, version: bigint) => readonly LogLine[];

export class MoveLog {
  readonly #table: Table;
  readonly #tell: Tell;
  lines = $state.raw<readonly LogLine[]>([]);
  /** Whether moves were made before the first line. */
  earlier = $state(false);
  reading = $state(false);
  /** There is no room for what was played before the first line. */
  readonly full = $derived(this.lines.length >= LINES_MAX);
  /** The first version that need not be read any more. */
  #first = 1n;

  constructor(table: Table, tell: Tell) {
    this.#table = table;
    this.#tell = tell;
  }

  /** The table stands at a version of which no event was seen. */
  begin(version: bigint): void {
    if (this.lines.at(-1)?.version === version) return;
    const past = this.#table.past?.(version) ?? [];
    this.#first = past[0]?.version ?? version + 1n;
    this.earlier = this.#first > 2n;
    this.#hold(past.flatMap((event) => this.#linesOf(event)));
  }

  /** Something was played. */
  add(body: Message, version: bigint): void {
    const lines = this.#tell(body, version);
    if (lines.length > 0) this.#hold([...this.lines, ...lines]);
  }

  /** Reads some of what was played before. Without an answer the log stays as it is. */
  async readEarlier(): Promise<void> {
    const first = this.#first;
    const until = first - 1n;
    // A replay begins with a position, to which no event leads.
    const from = until > WINDOW ? until - WINDOW : 1n;
    this.reading = true;
    try {
      const before: LogLine[] = [];
      const { tableId } = this.#table;
      const request = { tableId, fromVersion: from, toVersion: until };
      for await (const { frame } of history.replay(request)) {
        if (frame?.frame.case === 'event') before.push(...this.#linesOf(frame.frame.value));
      }
      // Meanwhile the log may have begun anew.
      if (first !== this.#first) return;
      this.#first = from + 1n;
      this.earlier = from > 1n;
      this.#hold([...before, ...this.lines]);
    } catch {
      // It can be asked for again.
    } finally {
      this.reading = false;
    }
  }

  #hold(lines: readonly LogLine[]): void {
    this.lines = lines.slice(-LINES_MAX);
    if (lines.length > LINES_MAX) this.earlier = true;
  }

  #linesOf({ body, version }: TableEvent): readonly LogLine[] {
    const message = this.#table.messageIn(body);
    return message ? this.#tell(message, version) : [];
  }
}
