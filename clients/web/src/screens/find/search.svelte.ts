// A search for opponents: begins, is told how it stands, and leads to a table. A line or a server
// that breaks is asked again; a player who was matched meanwhile is answered with the table.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { durationMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { findWords } from '../../i18n/words.js';
import { failureOf, type Failure } from '../../net/failure.js';
import {
  FindRequestSchema,
  type FindResponse,
  type Matched,
} from '@tesela/client/gen/lobby/v1/matchmaking_pb.js';
import { matchmaking } from '../../net/services.js';
import { backoffMs } from '@tesela/client';

export type SearchEnd = Failure | 'aborted';

/** What happens when nobody comes for so many seconds. */
export function botsAfterText(seconds: number): string {
  const texts: Readonly<Record<string, string>> = findWords().botsAfter;
  return seconds === 0 ? findWords().botsAfter.never : (texts[`s${seconds}`] ?? '');
}

export class Search {
  /** Since when, Unix time in milliseconds; undefined when nothing is searched. */
  sinceMs = $state<number>();
  /** The place in the queue; 0 while a party is incomplete, undefined before the first word. */
  position = $state<number>();
  /** How much longer it may take. */
  estimateMs = $state<number>();
  partyPresent = $state(0);
  /** Who of the party has come. */
  partyNames = $state.raw<readonly string[]>([]);
  /** The line is broken and is tried again. */
  broken = $state(false);
  /** Why the search has ended without a table. */
  ended = $state.raw<SearchEnd>();
  #current: AbortController | undefined;

  get running(): boolean {
    return this.sinceMs !== undefined;
  }

  /** Searches until there is a table; undefined when it ends before. One search at a time. */
  async find(request: MessageInitShape<typeof FindRequestSchema>): Promise<Matched | undefined> {
    this.cancel();
    const current = (this.#current = new AbortController());
    this.ended = undefined;
    this.position = this.estimateMs = undefined;
    this.partyPresent = 0;
    this.partyNames = [];
    this.sinceMs = Date.now();
    try {
      return await this.#insist(request, current.signal);
    } catch (error) {
      if (!current.signal.aborted) this.ended = endOf(error);
      return undefined;
    } finally {
      if (this.#current === current) this.sinceMs = undefined;
    }
  }

  cancel(): void {
    this.#current?.abort();
    this.#current = undefined;
    this.sinceMs = undefined;
  }

  async #insist(request: MessageInitShape<typeof FindRequestSchema>, signal: AbortSignal) {
    const whole = create(FindRequestSchema, { ...request, contributeLater: true });
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        for await (const { update } of matchmaking.find(whole, { signal })) {
          attempt = 0;
          this.broken = false;
          if (update.case === 'matched') return update.value;
          this.#hear(update);
        }
      } catch (error) {
        if (signal.aborted || failureOf(error) !== 'unreachable') throw error;
        this.broken = true;
      }
      const wait = backoffMs(attempt);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    return undefined;
  }

  #hear(update: FindResponse['update']): void {
    if (update.case !== 'searching') return;
    const { position, estimate, partyPresent, partyNames } = update.value;
    this.position = position;
    this.estimateMs = estimate && durationMs(estimate);
    this.partyPresent = partyPresent;
    this.partyNames = partyNames;
  }
}

const endOf = (error: unknown): SearchEnd =>
  ConnectError.from(error).code === Code.Aborted ? 'aborted' : failureOf(error);
