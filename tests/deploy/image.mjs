// The image under test, and containers of it that are run without Compose.
import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, run, serverProgram } from '../e2e/harness/server.mjs';
import { docker, inspect } from './engine.mjs';

const readyTimeMaxMs = 30_000;
const answerTimeMaxMs = 1000;

/** A name that no other run has. */
export const unique = `tesela-test-${process.pid}-${Date.now()}`;

/** docker build of deploy/Dockerfile, to the end or to what `options` name. */
const build = (...options) =>
  docker('build', '--quiet', '--file', 'deploy/Dockerfile', ...options, '.');

/**
 * Builds the image as the README says: of the programs in build/release, or all from source where
 * TEST_IMAGE_FROM_SOURCE is 1. Returns its name.
 */
export async function buildImage() {
  const source = process.env.TEST_IMAGE_FROM_SOURCE === '1';
  const name = `${unique}:latest`;
  const version = (await run(serverProgram, ['--version'])).stdout.trim().split(' ')[1];
  const labelled = ['--tag', name, '--build-arg', `VERSION=${version}`];
  await build(...labelled, ...(source ? [] : ['--target', 'prebuilt']));
  // All that the build from source does but compile C++.
  if (!source) await build('--target', 'web');
  return name;
}

/** Forgets the image; its layers stay, for the next build. */
export const removeImage = (name) => docker('rmi', '--force', '--no-prune', name);

/** The size of an image in bytes, and how much of it is not its base. */
export async function imageSizes(name) {
  const size = async (of) => Number(await inspect(of, '{{.Size}}'));
  const base = 'debian:bookworm-slim';
  // BuildKit keeps a base without its name.
  await docker('image', 'inspect', base).catch(() => docker('pull', '--quiet', base));
  const whole = await size(name);
  return { whole, overBase: whole - (await size(base)) };
}

/**
 * The status that a GET is answered with; undefined when it is not. Without `fetch`, which may wait
 * for ever on a connection that the engine takes before the server listens.
 */
function statusOf(url) {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: answerTimeMaxMs }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

/** One container, started with nothing but ports. `dispose` removes it with its volume. */
export class Container {
  /** From `docker run` until /readyz answered 200. */
  readyAfterMs = undefined;

  static async start(image) {
    const container = new Container();
    container.opsPort = await freePort();
    const begin = performance.now();
    container.id = await docker(
      ...['run', '--detach', '--publish', `127.0.0.1:${container.opsPort}:9100`],
      image,
    );
    try {
      await container.#ready();
    } catch (error) {
      await container.dispose();
      throw error;
    }
    container.readyAfterMs = performance.now() - begin;
    return container;
  }

  async #ready() {
    const deadline = Date.now() + readyTimeMaxMs;
    while ((await statusOf(`${this.http}/readyz`)) !== 200) {
      if (Date.now() > deadline || (await this.state('Running')) === 'false') {
        assert.fail(`the container did not get ready:\n${await docker('logs', this.id)}`);
      }
      await sleep(5);
    }
  }

  /** Where harness/metrics.mjs asks. */
  get http() {
    return `http://127.0.0.1:${this.opsPort}`;
  }

  /** One field of the container's state, as text. */
  state(field) {
    return inspect(this.id, `{{.State.${field}}}`);
  }

  /** Runs a program inside, which must succeed: what it printed. */
  exec(...command) {
    return docker('exec', this.id, ...command);
  }

  /** SIGTERM. Returns { exitCode, tookMs }. */
  async stop() {
    const begin = performance.now();
    await docker('stop', '-t', '20', this.id);
    const tookMs = performance.now() - begin;
    return { exitCode: Number(await this.state('ExitCode')), tookMs };
  }

  dispose() {
    return docker('rm', '--force', '--volumes', this.id);
  }
}
