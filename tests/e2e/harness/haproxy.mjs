// HAProxy with the configuration of deploy/haproxy, in front of servers of a test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, repository } from './server.mjs';

const readyTimeMaxMs = 10_000;

export const haproxyProgram = '/usr/sbin/haproxy';
export const haproxyConfiguration = path.join(repository, 'deploy/haproxy/haproxy.cfg');

/** The configuration with other addresses: of the proxy, and of the servers in their order. */
async function configurationFor(address, httpPort, servers) {
  const text = await readFile(haproxyConfiguration, 'utf8');
  const replaced = servers.reduce(
    (so, { httpPort }, n) => so.replaceAll(` node${n + 1}:8080`, ` 127.0.0.1:${httpPort}`),
    text.replace('bind :8080', `bind ${address}:${httpPort}`),
  );
  assert.doesNotMatch(replaced, /(node\d|bind ):8080/, 'an address of the file is not replaced');
  return replaced;
}

/** It answers to what the clients here ask of a server. */
export class Haproxy {
  #child;
  #folder;
  /** What the process printed. */
  output = '';

  /** Starts it in front of three servers, and waits until it answers for them at the address. */
  static async start(servers, address = '127.0.0.1') {
    if (!existsSync(haproxyProgram)) {
      throw new Error(
        'HAProxy is not installed: install the package haproxy, as tests/run.sh does.',
      );
    }
    const proxy = new Haproxy();
    proxy.httpPort = await freePort();
    proxy.#folder = await mkdtemp(path.join(tmpdir(), 'tesela-haproxy-'));
    await writeFile(proxy.#file, await configurationFor(address, proxy.httpPort, servers));
    await proxy.#begin();
    return proxy;
  }

  get #file() {
    return path.join(this.#folder, 'haproxy.cfg');
  }

  async #begin() {
    this.#child = spawn(haproxyProgram, ['-db', '-f', this.#file], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    }
    await this.#ready();
  }

  get http() {
    return `http://127.0.0.1:${this.httpPort}`;
  }

  get ws() {
    return `ws://127.0.0.1:${this.httpPort}`;
  }

  async #ready() {
    const deadline = Date.now() + readyTimeMaxMs;
    const readiness = () =>
      fetch(`${this.http}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    while ((await readiness()) !== 200) {
      if (this.#child.exitCode !== null || Date.now() > deadline) {
        await this.dispose();
        throw new Error(`HAProxy did not get ready:\n${this.output}`);
      }
      await sleep(20);
    }
  }

  /** Starts it anew, on the same port: all connections are cut. */
  async restart() {
    await this.#kill();
    await this.#begin();
  }

  async #kill() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  async dispose() {
    await this.#kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
