// Up to four people who play Azul with each other and with bots, under a clock, table after table.
import { azul } from '../../e2e/harness/games.mjs';
import { bearer, lobbyOf } from '../../e2e/harness/lobby.mjs';
import { subProtocols } from '../../e2e/harness/stream.mjs';
import { Sitting } from './sitting.mjs';

const strategies = ['random', 'safe', 'greedy'];
const gameMs = 3_600_000;

export class Company {
  /** Every table whose making was acknowledged: { tableId, clock, sittings }. */
  tables = [];
  /** The table that the others are on their way to: { tableId, clock, missing }. */
  #open;

  constructor(server, people, dice, restMs = 0) {
    Object.assign(this, { server, people, dice, restMs });
  }

  get games() {
    return this.tables.flatMap(({ sittings }) => sittings.map(({ game }) => game));
  }

  get acknowledged() {
    return this.games.reduce((sum, game) => sum + game.acknowledged.length, 0);
  }

  /** Plays until the server is gone: then it throws what the last call has thrown. */
  async play() {
    for (;;) {
      if (!this.tables.length || this.games.at(-1).isDone()) await this.#gather();
      await playTogether(this.tables.at(-1).sittings);
    }
  }

  async #gather() {
    this.#open ??= await this.#makeTable();
    const { tableId, clock, missing } = this.#open;
    while (missing.length > 0) {
      await lobbyOf(this.server).joinTable({ tableId }, bearer(missing[0].token));
      missing.shift();
    }
    const sittings = this.people.map(
      (person) =>
        new Sitting(this.server, tableId, person, {
          dice: this.dice,
          protocol: this.dice.pick(subProtocols),
          sleeps: clock.moveMs === 1000,
          restMs: this.restMs,
        }),
    );
    this.tables.push({ tableId, clock, sittings });
    this.#open = undefined;
  }

  async #makeTable() {
    const { dice, people } = this;
    const seats = dice.between(Math.max(2, people.length), 4);
    const clock = { moveMs: dice.pick([1000, 20_000]), gameMs, incrementMs: dice.pick([0, 700]) };
    const [owner, ...missing] = people;
    const { table } = await lobbyOf(this.server).createTable(
      {
        game: 'azul',
        config: azul(seats).config,
        bots: Array.from({ length: seats - people.length }, () => ({
          strategy: dice.pick(strategies),
        })),
        options: { clock, timeoutsMax: 100 },
      },
      bearer(owner.token),
    );
    return { tableId: table.tableId, clock, missing };
  }
}

/** Plays a game to its end, or until one of the streams ends, and then all of them. */
export async function playTogether(sittings) {
  const ends = await Promise.allSettled(sittings.map((sitting) => sitting.play()));
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}
