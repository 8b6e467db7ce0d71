// The profile `cluster` of the repository's docker-compose.yml, with a port, secrets and a project
// of its own. It answers to what the clients of e2e/harness ask of a server.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { numberOf } from '../e2e/harness/postgres.mjs';
import { freePort, repository, run } from '../e2e/harness/server.mjs';
import { compose } from './engine.mjs';
import { unique } from './image.mjs';

const readyTimeMaxMs = 180_000;

export const nodes = ['node1', 'node2', 'node3'];

export class Cluster {
  #env;
  #secrets;

  static async up(image, proxyImage) {
    const cluster = new Cluster();
    cluster.#secrets = await mkdtemp(path.join(tmpdir(), 'tesela-secrets-'));
    const made = await run(path.join(repository, 'deploy/secrets.sh'), [cluster.#secrets]);
    assert.equal(made.code, 0, made.stderr);
    cluster.httpPort = await freePort();
    cluster.#env = {
      COMPOSE_PROJECT_NAME: `${unique}-cluster`,
      TESELA_IMAGE: image,
      TESELA_HAPROXY_IMAGE: proxyImage,
      TESELA_HTTP_PORT: String(cluster.httpPort),
      TESELA_SECRETS: cluster.#secrets,
    };
    try {
      await cluster.compose('up', '--detach', '--no-build', 'haproxy');
      await cluster.#ready();
    } catch (error) {
      await cluster.down();
      throw error;
    }
    return cluster;
  }

  get http() {
    return `http://127.0.0.1:${this.httpPort}`;
  }

  get ws() {
    return `ws://127.0.0.1:${this.httpPort}`;
  }

  /** Compose with this project and profile: what it printed. */
  compose(...args) {
    return compose(this.#env, '--profile', 'cluster', ...args);
  }

  /** Runs a program in the container of a service, which must succeed: what it printed. */
  exec(service, ...command) {
    return this.compose('exec', '-T', service, ...command);
  }

  async #ready() {
    const deadline = Date.now() + readyTimeMaxMs;
    const isReady = (node) =>
      this.exec(node, 'tesela', 'health').then(
        () => true,
        () => false,
      );
    const answers = () =>
      fetch(`${this.http}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    for (const ready of [...nodes.map((node) => () => isReady(node)), answers]) {
      while (!(await ready())) {
        if (Date.now() > deadline) assert.fail(`not ready in time:\n${await this.#log()}`);
        await sleep(200);
      }
    }
  }

  #log() {
    return this.compose('logs', '--no-color', '--tail', '40');
  }

  /** The host name of the node that has the table; none: undefined. */
  async ownerOf(tableId) {
    const address = await this.exec(
      ...['postgres', 'psql', '--username', 'tesela', '-Atc'],
      'SELECT address FROM lives JOIN heads ON heads.life = lives.id' +
        ` WHERE table_id = ${numberOf(tableId)}`,
    );
    return address.match(/^node:\/\/(\w+):7000$/)?.[1];
  }

  /** Removes everything, the volumes too. */
  async down() {
    await this.compose('down', '--volumes', '--timeout', '20');
    await rm(this.#secrets, { recursive: true, force: true });
  }
}
