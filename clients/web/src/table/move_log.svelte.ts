// What was played at a table, in words: as it happens, and from the beginning on asking.
import type { Message } from '@bufbuild/protobuf';
import type { Event as TableEvent } from '../gen/tesela/play/v1/play_pb.js';
import { history } from '../net/services.js';
import type { Table } from './table.svelte.js';

export interface LogLine {
  readonly version: bigint;
  readonly seat: number;
  readonly text: string;
}

/** Older lines are forgotten; a replay has them all. */
const LINES_MAX = 400;

/** The lines of an event, in the words of its game; none for what is no move of it. */
export type Tell = (body: Message, version: bigint) => readonly LogLine[];

export class MoveLog {
  readonly #table: Table;
  readonly #tell: Tell;
  lines = $state.raw<readonly LogLine[]>([]);
  /** Whether moves were made before the first line. */
  earlier = $state(false);
  reading = $state(false);

  constructor(table: Table, tell: Tell) {
    this.#table = table;
    this.#tell = tell;
  }

  /** The table stands at a version of which no event was seen. */
  begin(version: bigint): void {
    if (this.lines.at(-1)?.version === version) return;
    this.lines = [];
    this.earlier = version > 1n;
  }

  /** Something was played. */
  add(body: Message, version: bigint): void {
    const lines = this.#tell(body, version);
    if (lines.length > 0) this.lines = [...this.lines, ...lines].slice(-LINES_MAX);
  }

  /** Reads what was played before. Without an answer the log stays as it is. */
  async readEarlier(): Promise<void> {
    this.reading = true;
    try {
      const until = this.lines[0]?.version ?? this.#table.version + 1n;
      const before: LogLine[] = [];
      for await (const { frame } of history.replay({ tableId: this.#table.tableId })) {
        if (frame?.frame.case !== 'event') continue;
        if (frame.frame.value.version >= until) break;
        before.push(...this.#linesOf(frame.frame.value));
      }
      this.lines = [...before, ...this.lines].slice(-LINES_MAX);
      this.earlier = false;
    } catch {
      this.earlier = true;
    } finally {
      this.reading = false;
    }
  }

  #linesOf({ body, version }: TableEvent): readonly LogLine[] {
    const message = this.#table.messageIn(body);
    return message ? this.#tell(message, version) : [];
  }
}
