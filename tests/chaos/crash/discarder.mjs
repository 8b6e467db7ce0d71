// Somebody whose tables nobody needs: each is closed after a few moves, and the server deletes it
// (--keep-games).
import { ownAdminOf } from '../../e2e/harness/admin.mjs';
import { sql } from '../../e2e/harness/database.mjs';
import { isGone, newTable } from '../../e2e/harness/lobby.mjs';
import { Player } from '../../e2e/harness/player.mjs';
import { isServerGone } from '../../e2e/harness/stream.mjs';
import { untilAnswered } from '../../e2e/harness/until.mjs';

const moves = 3;

/** Where a deleted table must leave no row. */
const places = ['events', 'seats', 'snapshots', 'archives'];
const rowsIn = (place) =>
  `SELECT count(*) FROM ${place} WHERE table_id NOT IN (SELECT id FROM tables)`;
/** How many rows of deleted tables a database has: the sum of these. */
export const remains = ['SELECT count(*) FROM removed_tables', ...places.map(rowsIn)];

export class Discarder {
  /** How many tables were closed, and those of them that may not be deleted yet. */
  #closed = 0;
  #left = [];
  /** The table whose closing is not acknowledged yet. */
  #open;

  /** `admin()`: the operator who closes the tables. */
  constructor(server, owner, admin = () => ownAdminOf(server)) {
    Object.assign(this, { server, owner, admin });
  }

  get count() {
    return this.#closed;
  }

  /** Makes and closes tables until the server is gone. */
  async playUntilCut() {
    try {
      for (;;) await this.discard();
    } catch (error) {
      if (!isServerGone(error)) throw error;
    }
  }

  /** Makes a table, or takes the one of before, and closes it. */
  async discard() {
    this.#open ??= await this.#makeTable();
    await this.#close();
  }

  async #makeTable() {
    const { tableId, token } = await newTable(this.server, { size: 3 }, this.owner);
    this.#open = tableId;
    const player = await Player.join(this.server, tableId, { token });
    await player.playMoves(moves);
    await player.stream.close();
    return tableId;
  }

  async #close() {
    const admin = await this.admin();
    try {
      await admin.closeTable({ tableId: this.#open, reason: 'Nobody needs it' });
    } catch (error) {
      // Before the crash it may have been closed, and deleted after it.
      if (isServerGone(error) || !(await isGone(this.server, this.#open))) throw error;
    }
    ++this.#closed;
    this.#left.push(this.#open);
    this.#open = undefined;
  }

  /**
   * Whether the server has deleted every table that was closed. Asks for one after the other, and
   * never again for one that is gone: a proxy turns away who makes many connections at once.
   */
  async isAllGone() {
    while (this.#left.length > 0) {
      if (!(await untilAnswered(() => isGone(this.server, this.#left[0])))) return false;
      this.#left.shift();
    }
    return true;
  }
}

/** How many rows of deleted tables a server's folder has. */
export async function countRemains(data) {
  const counts = await sql(data, ...remains, rowsIn('recent_events'));
  return counts.reduce((sum, [[count]]) => sum + count, 0);
}
