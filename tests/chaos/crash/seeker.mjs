// Somebody who looks for an opponent, again after every crash, and plays with who is found.
import { MatchmakingService } from '../../e2e/gen/tesela/lobby/v1/matchmaking_pb.js';
import { azul } from '../../e2e/harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn } from '../../e2e/harness/lobby.mjs';
import { subProtocols } from '../../e2e/harness/stream.mjs';
import { Sitting } from './sitting.mjs';

const request = { game: 'azul', config: azul(2).config };

export class Seeker {
  #person;
  /** At the table of the match. */
  sitting = undefined;

  constructor(server, dice) {
    Object.assign(this, { server, dice });
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
    const protocol = this.dice.pick(subProtocols);
    this.sitting = new Sitting(this.server, tableId, this.#person, { dice: this.dice, protocol });
  }

  async #find() {
    this.#person ??= await signIn(this.server, 'Seeker');
    for await (const { update } of this.search()) {
      if (update.case === 'matched') return update.value.table;
    }
    throw new Error('a search ended without a match');
  }

  search(options) {
    const client = clientOf(MatchmakingService, this.server);
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
