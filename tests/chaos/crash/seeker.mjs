// Somebody who looks for an opponent, again after every crash, and plays with who is found.
import { setTimeout as sleep } from 'node:timers/promises';
import { MatchmakingService } from '../../e2e/gen/tesela/lobby/v1/matchmaking_pb.js';
import { azul } from '../../e2e/harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn } from '../../e2e/harness/lobby.mjs';
import { subProtocols } from '../../e2e/harness/stream.mjs';
import { untilAnswered } from '../../e2e/harness/until.mjs';
import { Sitting } from './sitting.mjs';

const seekTimeMaxMs = 120_000;
const request = { game: 'azul', config: azul(2).config };

export class Seeker {
  #person;
  /** At the table of the match. */
  sitting = undefined;

  /**
   * Searches at any of the `servers`, until `signal`; comes to the table by `server`, and rests for
   * `restMs` before each move there.
   */
  constructor(server, dice, { servers = [server], signal = undefined, restMs = 0 } = {}) {
    Object.assign(this, { server, dice, servers, signal, restMs });
  }

  get games() {
    return this.sitting ? [this.sitting.game] : [];
  }

  /** Looks for an opponent and plays to the end, or until the server is gone. */
  async play() {
    await this.seek();
    if (!this.sitting.game.isDone()) await this.sitting.play();
  }

  /** Until there is an opponent. */
  async seek() {
    if (this.sitting) return;
    const { tableId } = await this.#find();
    const { dice, restMs } = this;
    const options = { dice, restMs, protocol: dice.pick(subProtocols) };
    this.sitting = new Sitting(this.server, tableId, this.#person, options);
  }

  async #find() {
    this.#person ??= await signIn(this.server, 'Seeker');
    for await (const { update } of this.search({ signal: this.signal })) {
      if (update.case === 'matched') return update.value.table;
    }
    throw new Error('a search ended without a match');
  }

  search(options) {
    const client = clientOf(MatchmakingService, this.dice.pick(this.servers));
    return client.find(request, { ...bearer(this.#person.token), ...options });
  }

  /** The place in the queue of a search, which is then given up; undefined after a match. */
  async place() {
    this.#person ??= await signIn(this.server, 'Seeker');
    const hangUp = new AbortController();
    const search = this.search({ signal: hangUp.signal })[Symbol.asyncIterator]();
    const { update } = (await search.next()).value;
    hangUp.abort();
    return update.case === 'searching' ? update.value.position : undefined;
  }

  /** Whether the lobby knows of one table of this player, full, and of that alone. */
  async isAtOneTable() {
    const filter = { playerId: this.#person.playerId };
    const { tables } = await lobbyOf(this.server).listTables({ filter });
    return (
      tables.length === 1 &&
      tables[0].tableId === this.sitting.game.tableId &&
      tables[0].seats.length === tables[0].seatCount
    );
  }
}

/**
 * How many seekers find nobody, and how many are not at one table. `another()` is one more, who may
 * be needed for a pair.
 */
export async function auditSeekers(seekers, another) {
  if (seekers.length % 2 === 1) seekers.push(another());
  const late = sleep(seekTimeMaxMs, undefined, { ref: false });
  const all = seekers.map((seeker) => untilAnswered(() => seeker.seek()));
  await Promise.race([late, Promise.all(all)]);
  const found = { stuck: seekers.filter(({ sitting }) => !sitting).length, twice: 0 };
  for (const seeker of seekers.filter(({ sitting }) => sitting)) {
    if (!(await untilAnswered(() => seeker.isAtOneTable()))) ++found.twice;
  }
  // A search that is left behind would stand before this one, or be matched with it.
  const last = another();
  if ((await untilAnswered(() => last.place())) !== 1) ++found.stuck;
  return found;
}
