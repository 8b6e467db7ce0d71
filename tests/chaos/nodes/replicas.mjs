// A PostgreSQL with a synchronous standby, which takes over when the first one is gone. A commit is
// acknowledged only when both have it, at any time: a standby that was promoted commits nothing
// before it has a standby of its own. So it may be promoted whenever it is there.
import { setTimeout as sleep } from 'node:timers/promises';
import { Postgres } from '../../e2e/harness/postgres.mjs';
import { until } from '../../e2e/harness/until.mjs';

const hangMs = 1000;

export class Replicas {
  /** Those that were there, the present ones last: the places that they take are 0, 1, 0 … */
  #all = [];

  static async start() {
    const replicas = new Replicas();
    try {
      replicas.#all.push(await Postgres.start());
      await replicas.#follow();
    } catch (error) {
      await replicas.dispose();
      throw error;
    }
    return replicas;
  }

  get primary() {
    return this.#all.at(-2);
  }

  get standby() {
    return this.#all.at(-1);
  }

  /** What stands at a place, 0 or 1. */
  at(place) {
    const last = this.#all.length - 1;
    return this.#all[last % 2 === place ? last : last - 1];
  }

  /** The first column of the rows of a query. */
  query(sql) {
    return this.primary.query(sql);
  }

  /** The last one gets a standby. Commits wait for it from now on. */
  async #follow() {
    const primary = this.#all.at(-1);
    const standby = await primary.standby();
    this.#all.push(standby);
    await standby.query("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (standby)'");
    await standby.query("ALTER SYSTEM SET wal_retrieve_retry_interval = '200ms'");
    await standby.query('SELECT pg_reload_conf()');
    await this.#attached();
  }

  async #attached() {
    const states = () => this.query('SELECT sync_state FROM pg_stat_replication');
    await until(async () => (await states()).includes('quorum'), 'the standby');
  }

  /** The primary crashes. It starts again after `downMs`, when `rises` has been called. */
  async crash(downMs, rises) {
    await this.primary.crash();
    await sleep(downMs);
    rises();
    await this.primary.start();
    await this.#attached();
  }

  /**
   * The primary crashes, or hangs for a second more; the standby takes over, and gets a standby
   * where the primary was, when `rises` has been called. `gone(place)`: nothing runs there;
   * `back(place)`: it does again.
   */
  async promote({ hangs, gone, rises, back }) {
    const { primary, standby } = this;
    const place = this.at(0) === primary ? 0 : 1;
    if (hangs) {
      await primary.suspend();
    } else {
      await primary.crash();
      await gone(place);
    }
    await standby.promote();
    if (hangs) {
      await sleep(hangMs);
      await primary.kill(); // it must not go on as a second primary
      await gone(place);
    }
    rises();
    await this.#follow();
    await back(place);
  }

  async dispose() {
    for (const postgres of this.#all) {
      await postgres.kill();
      await postgres.dispose();
    }
  }
}
