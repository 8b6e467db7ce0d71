// What goes wrong with two servers on one PostgreSQL, one of which players reach by a switch.
import { setTimeout as sleep } from 'node:timers/promises';
import { Postgres } from '../../e2e/harness/postgres.mjs';
import { Server } from '../../e2e/harness/server.mjs';
import { DatabaseLink } from './database_link.mjs';
import { Switch } from './switch.mjs';

const leaseMs = 3000; // ownership_limits.h: kLeaseTime
const databaseDownMs = 10_000;
const slowMs = 1500;
const unheardMs = 6000;
const askMs = 2000;

/** Undefined for a transaction that PostgreSQL has ended because of a deadlock. */
function noDeadlock(error) {
  if (!error.message.includes('deadlock detected')) throw error;
}

export class Troubles {
  /** When the database came back, as the audit of clocks wants it. */
  outages = [];
  #nodes = []; // { server, link }, of which the first is the one that players reach
  #dice;
  #witness;

  static async start(dice, options) {
    const troubles = new Troubles();
    troubles.#dice = dice;
    try {
      await troubles.#begin(options);
    } catch (error) {
      await troubles.dispose();
      throw error;
    }
    return troubles;
  }

  async #begin(options) {
    this.postgres = await Postgres.start();
    while (this.#nodes.length < 2) {
      const node = { link: await DatabaseLink.start(this.postgres) };
      this.#nodes.push(node);
      node.server = await Server.start(...(await this.postgres.options(node.link.url)), ...options);
    }
    this.between = await Switch.start(this.#active.server);
  }

  static get names() {
    return ['kill', 'stop', 'database', 'cut', 'slow', 'isolate', 'misjudge'];
  }

  /** `witness` asks servers that must be silent. */
  watchedBy(witness) {
    this.#witness = witness;
  }

  async dispose() {
    this.between?.close();
    for (const { server, link } of this.#nodes) {
      await server?.dispose();
      await link.close();
    }
    await this.postgres?.dispose();
  }

  get #active() {
    return this.#nodes[0];
  }

  /** Players go to the other server from now on. Returns the one that they have left. */
  #handOver() {
    const left = this.#active;
    this.#nodes.reverse();
    this.between.turnTo(this.#active.server);
    return left;
  }

  async kill() {
    await this.#active.server.kill();
    await this.#handOver().server.start();
  }

  /** For two leases. Whoever has connected meanwhile is there when it goes on. */
  async stop() {
    await this.#witness.stay(this.between, this.#active.server);
    this.#active.server.suspend();
    const { server } = this.#handOver();
    await Promise.all([sleep(2 * leaseMs), this.#witness.playOn(this.between)]);
    const asked = this.#witness.ask(server, { ahead: false, timeMs: askMs });
    await sleep(askMs / 4);
    server.goOn();
    await asked;
    this.#witness.leave();
  }

  async database() {
    await this.postgres.crash();
    await sleep(databaseDownMs);
    this.outages.push({ at: Date.now(), stays: true });
    await this.postgres.start();
  }

  async cut() {
    this.between.cut();
  }

  async slow() {
    this.between.delayMs = this.#dice.between(20, 200);
    await sleep(slowMs);
    this.between.delayMs = 0;
  }

  /** The server does not reach the database for two leases. What it has sent comes late. */
  async isolate() {
    await this.#witness.stay(this.between, this.#active.server);
    this.#active.link.hold();
    const { server, link } = this.#handOver();
    await Promise.all([sleep(2 * leaseMs), this.#witness.playOn(this.between)]);
    await this.#witness.ask(server, { ahead: false, timeMs: askMs });
    link.release();
    await this.#witness.ask(server, { ahead: false, timeMs: askMs / 2 });
    this.#witness.leave();
  }

  /**
   * The server's tables are given away without its hearing of it, as if its clock were wrong. So it
   * speaks on. It may not tell anybody less than they know.
   */
  async misjudge() {
    const { server } = this.#active;
    await this.#witness.stay(this.between, server);
    const [id] = await this.postgres.query(
      `SELECT id FROM lives WHERE state = 'alive' AND address LIKE '%:${server.httpPort}'`,
    );
    // In one transaction, which may meet one of the server in the other order.
    const given = () => this.postgres.query(`UPDATE heads SET life = 0 WHERE life = ${id}`);
    while (!(await given().catch(noDeadlock)));
    this.#handOver();
    await this.#witness.playOn(this.between);
    await this.#witness.ask(server, { ahead: true, timeMs: unheardMs });
    await this.postgres.query(`UPDATE lives SET state = 'dead' WHERE id = ${id}`);
    this.#witness.leave();
  }
}
