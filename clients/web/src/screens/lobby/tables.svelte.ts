// The tables that the lobby shows: one's own by page, and everybody's as they change.
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { SvelteMap } from 'svelte/reactivity';
import { TableState, type Table } from '../../gen/tesela/lobby/v1/lobby_pb.js';
import { lobby } from '../../net/lobby.js';
import { backoffMs, LIMITS } from '../../net/stream.js';

/** Other people's tables in a list; the newest are enough to find one. */
const OTHERS_MAX = 12;

const createdMs = (table: Table): number => (table.createdAt ? timestampMs(table.createdAt) : 0);

const isOver = (table: Table): boolean => table.state === TableState.OVER;

/** What can go on comes first, then the newest. */
const byUse = (a: Table, b: Table): number =>
  Number(isOver(a)) - Number(isOver(b)) || createdMs(b) - createdMs(a);

export class Tables {
  readonly #playerId: string;
  readonly #known = new SvelteMap<string, Table>();
  #nextPage = $state('');
  loaded = $state(false);
  unreachable = $state(false);

  mine = $derived([...this.#known.values()].filter((table) => this.#isMine(table)).sort(byUse));
  /** Tables that wait for somebody. */
  open = $derived(
    this.#othersIn(TableState.OPEN).filter(({ seats, seatCount }) => seats.length < seatCount),
  );
  /** Tables to watch. */
  inPlay = $derived(this.#othersIn(TableState.IN_PLAY));

  constructor(playerId: string) {
    this.#playerId = playerId;
  }

  get hasMore(): boolean {
    return this.#nextPage !== '';
  }

  /** Keeps the lists true while the page is looked at; the function it returns ends that. A
   *  hidden page lets go of its connection: a browser has only six for a server, over all tabs. */
  follow(): () => void {
    let current: AbortController | undefined;
    const turn = () => {
      current?.abort();
      current = new AbortController();
      if (document.visibilityState === 'visible') void this.#run(current.signal);
    };
    document.addEventListener('visibilitychange', turn);
    addEventListener('online', turn);
    turn();
    return () => {
      document.removeEventListener('visibilitychange', turn);
      removeEventListener('online', turn);
      current?.abort();
    };
  }

  async more(): Promise<void> {
    await this.#list(this.#nextPage);
  }

  #isMine(table: Table): boolean {
    return table.seats.some((seat) => seat.playerId === this.#playerId);
  }

  #othersIn(state: TableState): Table[] {
    return [...this.#known.values()]
      .filter((table) => !this.#isMine(table) && table.state === state)
      .sort(byUse)
      .slice(0, OTHERS_MAX);
  }

  async #list(pageToken: string, signal?: AbortSignal): Promise<void> {
    const page = await lobby.listTables(
      { filter: { playerId: this.#playerId }, pageToken },
      signal ? { signal } : {},
    );
    for (const table of page.tables) this.#known.set(table.tableId, table);
    this.#nextPage = page.nextPageToken;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await this.#list('', signal);
        this.loaded = true;
        this.unreachable = false;
        attempt = 0;
        for await (const { table } of lobby.watchTables({}, { signal })) {
          if (table) this.#known.set(table.tableId, table);
        }
      } catch {
        if (signal.aborted) return;
        this.unreachable = true;
      }
      const wait = backoffMs(attempt, LIMITS, Math.random);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
