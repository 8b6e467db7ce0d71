// The tables that the lobby shows: one's own, the newest, and everybody's as they change.
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { SvelteMap } from 'svelte/reactivity';
import { TableState, type Table } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { lobby } from '../../net/lobby.js';
import { backoffMs } from '@tesela/client';
import { today } from '../../base/day.js';
import { glances } from '../../table/glances.svelte.js';
import { groupOf, type Group } from '../../table/stand.js';

/** Other people's tables in a list; the newest are enough to find one. */
const OTHERS_MAX = 12;

const createdMs = (table: Table): number => (table.createdAt ? timestampMs(table.createdAt) : 0);

/** One's own games in the lobby; there is a screen for all of them. */
const OWN_MAX = 20;
const FINISHED_MAX = 6;
/** A game that was begun so long ago may have been left. Before, players may still come. */
const FRESH_MS = 60_000;
/** Whether somebody is there is looked at so often, at so many tables, the newest. */
const LOOK_EVERY_MS = 60_000;
const LOOKED_AT_MAX = 24;
/** And after so long it has been, whatever there is to see. */
const OLD_MS = 24 * 3_600_000;

const byAge = (a: Table, b: Table): number => createdMs(b) - createdMs(a);

const ORDER: readonly Group[] = ['turn', 'waiting', 'alone', 'left'];

/** A running game from its player's side. */
export const groupIn = (table: Table, playerId: string): Group =>
  groupOf(table, playerId, glances.of(table.tableId), Date.now());

/** A try at a daily game is nobody's to see before its day is over. */
const mayBeWatched = ({ dailyDate, options }: Table): boolean =>
  !options?.spectatorsOff && (dailyDate === '' || dailyDate < today());

/** Whether one of its players is there, as far as is known. */
const isAttended = (table: Table): boolean =>
  Date.now() - createdMs(table) < FRESH_MS || (glances.of(table.tableId)?.attended ?? false);

export class Tables {
  readonly #playerId: string;
  readonly #known = new SvelteMap<string, Table>();
  loaded = $state(false);
  unreachable = $state(false);

  #mine = $derived([...this.#known.values()].filter((table) => this.#isMine(table)).sort(byAge));
  /** One's own games that go on: what waits for the player first. */
  running = $derived(
    this.#mine
      .filter(({ state }) => state === TableState.OPEN || state === TableState.IN_PLAY)
      .sort((a, b) => this.#urgency(a) - this.#urgency(b)),
  );
  finished = $derived(
    this.#mine.filter(({ state }) => state === TableState.OVER).slice(0, FINISHED_MAX),
  );
  /** Tables that wait for somebody. */
  open = $derived(
    this.#othersIn(TableState.OPEN)
      .filter(({ seats, seatCount }) => seats.length < seatCount)
      .slice(0, OTHERS_MAX),
  );
  /** Tables to watch. */
  #watchable = $derived(this.#othersIn(TableState.IN_PLAY).filter(mayBeWatched));
  inPlay = $derived(this.#watchable.filter(isAttended).slice(0, OTHERS_MAX));

  constructor(playerId: string) {
    this.#playerId = playerId;
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
    const clock = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      const looked = this.#watchable.slice(0, LOOKED_AT_MAX);
      void glances.look(looked.map(({ tableId }) => tableId));
    }, LOOK_EVERY_MS);
    return () => {
      clearInterval(clock);
      document.removeEventListener('visibilitychange', turn);
      removeEventListener('online', turn);
      current?.abort();
    };
  }

  #urgency(table: Table): number {
    return ORDER.indexOf(groupIn(table, this.#playerId));
  }

  /** Something is known of a table. Whether somebody is there is looked at once. */
  #learn(table: Table): void {
    this.#known.set(table.tableId, table);
    const age = Date.now() - createdMs(table);
    if (table.state !== TableState.IN_PLAY || this.#isMine(table) || age > OLD_MS) return;
    if (mayBeWatched(table)) void glances.lookOnce(table.tableId);
  }

  #isMine(table: Table): boolean {
    return table.seats.some((seat) => seat.playerId === this.#playerId);
  }

  #othersIn(state: TableState): Table[] {
    return [...this.#known.values()]
      .filter((table) => !this.#isMine(table) && table.state === state)
      .sort(byAge);
  }

  /** The newest, and where there are more than those, what goes on. */
  async #listOwn(signal: AbortSignal): Promise<void> {
    const list = async (state: TableState) => {
      const filter = { playerId: this.#playerId, state };
      const page = await lobby.listTables({ filter, pageSize: OWN_MAX }, { signal });
      for (const table of page.tables) this.#learn(table);
      return page.nextPageToken !== '';
    };
    const more = await list(TableState.UNSPECIFIED);
    if (more) await Promise.all([TableState.OPEN, TableState.IN_PLAY].map(list));
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await this.#listOwn(signal);
        this.loaded = true;
        this.unreachable = false;
        attempt = 0;
        for await (const { table } of lobby.watchTables({}, { signal })) {
          if (table) this.#learn(table);
        }
      } catch {
        if (signal.aborted) return;
        this.unreachable = true;
      }
      const wait = backoffMs(attempt);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
