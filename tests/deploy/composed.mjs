// `docker compose up` of the repository's file, with ports and a project of its own. It answers to
// what the clients of e2e/harness ask of a server.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../e2e/harness/server.mjs';
import { compose, inspect } from './engine.mjs';
import { unique } from './image.mjs';

const healthyTimeMaxMs = 90_000;

export class Composed {
  #env;

  static async up(image) {
    const composed = new Composed();
    composed.httpPort = await freePort();
    composed.grpcPort = await freePort();
    composed.#env = {
      COMPOSE_PROJECT_NAME: unique,
      TESELA_IMAGE: image,
      TESELA_HTTP_PORT: String(composed.httpPort),
      TESELA_GRPC_PORT: String(composed.grpcPort),
    };
    try {
      await composed.up();
    } catch (error) {
      await composed.down();
      throw error;
    }
    return composed;
  }

  get http() {
    return `http://127.0.0.1:${this.httpPort}`;
  }

  get ws() {
    return `ws://127.0.0.1:${this.httpPort}`;
  }

  get grpc() {
    return `http://127.0.0.1:${this.grpcPort}`;
  }

  /** Compose with this project: what it printed. */
  compose(...args) {
    return compose(this.#env, ...args);
  }

  /** Starts what is not running, and waits until HEALTHCHECK finds it healthy. */
  async up() {
    await this.compose('up', '--detach', '--no-build');
    this.id = await this.compose('ps', '--quiet', 'tesela');
    await this.healthy();
  }

  async healthy() {
    const deadline = Date.now() + healthyTimeMaxMs;
    while ((await this.inspect('.State.Health.Status')) !== 'healthy') {
      const log = () => this.compose('logs', '--no-color', 'tesela');
      if (Date.now() > deadline) assert.fail(`not healthy in time:\n${await log()}`);
      await sleep(100);
    }
  }

  /** One field of what the engine knows of the container, as text. */
  inspect(field) {
    return inspect(this.id, `{{${field}}}`);
  }

  /** SIGTERM, and the same container again. */
  restart() {
    return this.compose('restart', '--timeout', '20', 'tesela');
  }

  /** SIGKILL, and the same container again. */
  async crash() {
    await this.compose('kill', 'tesela');
    await this.compose('up', '--detach', '--no-build', 'tesela');
  }

  /** SIGTERM. Returns the exit code. */
  async stop() {
    await this.compose('stop', 'tesela');
    return Number(await this.inspect('.State.ExitCode'));
  }

  /** Removes everything, the volume too. */
  down() {
    return this.compose('down', '--volumes', '--timeout', '20');
  }
}
