// How tables stand at which the player is not just now: whose turn it is, the position, and which
// of them wait for the player's move. The lobby does not tell of moves, so each table is looked at
// for a moment.
import { SvelteMap } from 'svelte/reactivity';
import { attention, type Call } from '../base/attention.svelte.js';
import { TableState } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { glanceAt } from '../net/glance.js';
import { lobby } from '../net/lobby.js';
import { groupOf, isSociable, type Stand } from './stand.js';
import type { Table } from './table.svelte.js';

/** At so many tables is looked at the same time. */
const PARALLEL_MAX = 4;

export class Glances {
  readonly #stands = new SvelteMap<string, Stand>();
  readonly #asked = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #looking = 0;

  /** Undefined before it was looked at, and where one may not look. */
  of(tableId: string): Stand | undefined {
    return this.#stands.get(tableId);
  }

  /** Looks at tables; what cannot be seen stays as it was. */
  async look(tableIds: readonly string[]): Promise<void> {
    await Promise.all(tableIds.map((tableId) => this.#look(tableId)));
  }

  /** Looks at a table that was not asked about before. */
  async lookOnce(tableId: string): Promise<void> {
    if (!this.#asked.has(tableId)) await this.#look(tableId);
  }

  async #look(tableId: string): Promise<void> {
    this.#asked.add(tableId);
    if (this.#looking < PARALLEL_MAX) this.#looking += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await this.#lookAt(tableId).catch(() => {}); // The page goes without.
    const next = this.#waiting.shift();
    if (next) next();
    else this.#looking -= 1;
  }

  async #lookAt(tableId: string): Promise<void> {
    const seen = await glanceAt(tableId);
    if (!seen?.snapshot) return;
    const { view, turn, atMs, clocks } = seen.snapshot;
    const { deadlineMs, nowMs = 0n } = clocks ?? {};
    this.#stands.set(tableId, {
      view,
      turn: turn?.seats ?? [],
      movedAtMs: Number(atMs),
      leftMs: deadlineMs === undefined ? undefined : Number(deadlineMs - nowMs),
      attended: seen.seating?.seats.some(({ bot, connected }) => !bot && connected) ?? false,
    });
  }
}

export const glances = new Glances();

const EVERY_MS = 30_000;
/** So many games are looked at, the newest. */
const TABLES_MAX = 20;

const until = (leftMs: number | undefined): number | undefined =>
  leftMs === undefined ? undefined : performance.now() + leftMs;

async function callsOf(playerId: string): Promise<Call[]> {
  const filter = { playerId, state: TableState.IN_PLAY };
  const { tables } = await lobby.listTables({ filter, pageSize: 100 });
  const several = tables.filter(isSociable).slice(0, TABLES_MAX);
  await glances.look(several.map(({ tableId }) => tableId));
  return several.flatMap((table) => {
    const { tableId } = table;
    const stand = glances.of(tableId);
    if (groupOf(table, playerId, stand, Date.now()) !== 'turn') return [];
    return [{ tableId, untilMs: until(stand?.leftMs) }];
  });
}

/** The call of a table that the player leaves; undefined when nobody waits. */
export function callOf({ tableId, seat, inGame, sociable, turn, clocks, thinking }: Table) {
  if (!inGame || !sociable || seat === undefined || !turn.includes(seat)) return undefined;
  return { tableId, untilMs: until(clocks.leftMs(seat, true, thinking)) };
}

/** Keeps the page's attention true; the function it returns ends that. */
export function followCalls(playerId: string): () => void {
  let followed = true;
  const challenges = async () => {
    const { friends } = await import('../net/friends.js'); // no table needs it
    const { toMe } = await friends.listChallenges({});
    if (followed) attention.challenges = toMe.length;
  };
  // What fails is asked again soon. Who asks for challenges is there, as friends see it.
  const ask = () => {
    callsOf(playerId).then(
      (calls) => followed && (attention.calls = calls),
      () => {},
    );
    challenges().catch(() => {});
  };
  const clock = setInterval(ask, EVERY_MS);
  ask();
  return () => {
    followed = false;
    clearInterval(clock);
    attention.calls = [];
    attention.challenges = 0;
  };
}
