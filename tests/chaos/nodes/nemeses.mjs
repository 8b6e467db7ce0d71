// What goes wrong with three servers behind a proxy, one thing at a time. Each method returns when
// it is over; players may still be on their way back then.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../e2e/harness/until.mjs';
import { isTrouble } from './verdict.mjs';

const leaseMs = 3000; // ownership_limits.h: kLeaseTime
const silentMs = leaseMs + 1500;
const askMs = 1500;
const downMaxMs = 1500;
const slowMs = { min: 20, max: 200 };
const slowTimeMs = 1500;
const severedMs = { min: 500, max: 2500 };
// Shorter than a lease, and longer.
const databaseDownMs = [
  { min: 100, max: 1500 },
  { min: leaseMs + 500, max: 2 * leaseMs },
];
const proxySeesMs = 1500; // deploy/haproxy: two checks, and their answers

export class Nemeses {
  /** When the database came back after longer than a lease, as the audit of clocks wants it. */
  outages = [];

  constructor(cluster, witness, dice) {
    Object.assign(this, { cluster, witness, dice });
  }

  static get names() {
    return [
      ...['kill', 'matcher', 'stop', 'roll', 'proxy'],
      ...['database', 'promote', 'isolate', 'slow', 'sever'],
    ];
  }

  get #anyNode() {
    return this.dice.pick(this.cluster.nodes);
  }

  #between({ min, max }) {
    return this.dice.between(min, max);
  }

  async #killAndStart({ server }) {
    await server.kill();
    await sleep(this.dice.between(0, downMaxMs));
    await server.start();
  }

  /** kill -9 of a server, which is started again. */
  async kill() {
    await this.#killAndStart(this.#anyNode);
  }

  /** The same of the one that makes the tables of searches. */
  async matcher() {
    let node;
    await until(async () => (node = await this.cluster.matcher()), 'a matcher');
    await this.#killAndStart(node);
  }

  /** SIGSTOP for longer than a lease. Whoever has connected meanwhile is there when it goes on. */
  async stop() {
    const { server } = this.#anyNode;
    await this.#stayAt(server);
    server.suspend();
    await this.#playOnBesides(server);
    const asked = this.witness.ask(server, { ahead: false, timeMs: askMs });
    await sleep(askMs / 4);
    server.goOn();
    await asked;
    this.witness.leave();
  }

  /** As soon as the server is over what went wrong before. */
  async #stayAt(server) {
    const isThere = async () => {
      try {
        await this.witness.stay(server, server);
        return true;
      } catch (error) {
        if (!isTrouble(error)) throw error;
        return false;
      }
    };
    await until(isThere, 'a table of the witness');
  }

  #playOnBesides(server) {
    const other = this.dice.pick(this.cluster.servers.filter((one) => one !== server));
    return Promise.all([sleep(silentMs), this.witness.playOn(other)]);
  }

  /** Every server is replaced, one after the other. */
  async roll() {
    for (const server of this.cluster.servers) {
      assert.deepEqual(await server.terminate(), { code: 0, signal: null }, server.output);
      await server.start();
      await sleep(proxySeesMs);
    }
  }

  /** The proxy starts anew: all streams are cut. */
  async proxy() {
    await this.cluster.proxy.restart();
  }

  /** The database crashes. */
  async database() {
    const down = Date.now();
    const downMs = this.#between(this.dice.pick(databaseDownMs));
    await this.cluster.replicas.crash(downMs, () => this.#remember(down));
  }

  /** The standby takes over from a database that crashes or hangs. */
  async promote() {
    const { nodes, replicas } = this.cluster;
    const down = Date.now();
    const each = (change) => Promise.all(nodes.map(change));
    await replicas.promote({
      hangs: this.dice.next() < 0.5,
      gone: (place) => each(({ databases }) => databases[place].refuse()),
      rises: () => this.#remember(down),
      back: (place) => each(({ databases }) => databases[place].leadTo(replicas.at(place))),
    });
  }

  /** The database, which went down then, is there again from now on. */
  #remember(down) {
    const at = Date.now();
    if (at - down >= leaseMs) this.outages.push({ at, stays: true });
  }

  /** A server does not reach the database for longer than a lease. What it has sent comes late. */
  async isolate() {
    const { server, databases } = this.#anyNode;
    await this.#stayAt(server);
    for (const link of databases) link.hold();
    await this.#playOnBesides(server);
    await this.witness.ask(server, { ahead: false, timeMs: askMs });
    for (const link of databases) link.release();
    await this.witness.ask(server, { ahead: false, timeMs: askMs / 2 });
    this.witness.leave();
  }

  /** What a server says to the database, and what others say to it, comes late. */
  async slow() {
    const { databases, link } = this.#anyNode;
    const lines = [...databases, link];
    for (const line of lines) line.delayMs = this.#between(slowMs);
    await sleep(slowTimeMs);
    for (const line of lines) line.delayMs = 0;
  }

  /** A server is not reached by the others. */
  async sever() {
    const { link } = this.#anyNode;
    link.sever();
    await sleep(this.#between(severedMs));
    await link.admit();
  }
}
