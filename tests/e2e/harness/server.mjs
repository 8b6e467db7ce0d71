// The real tesela-server as a child process, on free ports and with a data folder of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const repository = path.resolve(import.meta.dirname, '../../..');
export const binaries = path.resolve(
  process.env.TESELA_BIN ?? path.join(repository, 'build/release/bin'),
);
export const serverProgram = path.join(binaries, 'tesela-server');
export const clientProgram = path.join(binaries, 'tesela');

const readyTimeMaxMs = 20_000;

/** A port of loopback that nobody listens on now. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Runs a program to its end, whatever its exit code: { code, signal, stdout, stderr }. */
export async function run(program, args, options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
  }
  const [code, signal] = await once(child, 'close');
  return { code, signal, ...output };
}

export class Server {
  #child;
  #exited;
  #options;
  /** What the processes printed, all of them one after the other. */
  output = '';

  /**
   * Starts a server with `options` (['--threads', '2', …]) and waits until it is ready. Stop it
   * with `dispose`, which also removes its data.
   */
  static async start(...options) {
    const server = new Server();
    server.#options = options;
    server.data = await mkdtemp(path.join(tmpdir(), 'tesela-e2e-'));
    server.httpPort = await freePort();
    server.grpcPort = await freePort();
    await server.start();
    return server;
  }

  get http() {
    return `http://127.0.0.1:${this.httpPort}`;
  }

  get grpc() {
    return `http://127.0.0.1:${this.grpcPort}`;
  }

  get pid() {
    return this.#child.pid;
  }

  /** The command line, for a test that wants to run it differently. */
  get arguments() {
    return [
      '--data',
      this.data,
      '--http-port',
      String(this.httpPort),
      '--grpc-port',
      String(this.grpcPort),
      ...this.#options,
    ];
  }

  /** Starts the process again, on the same ports and the same data. */
  async start() {
    this.#child = spawn(serverProgram, this.arguments, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    }
    this.#exited = once(this.#child, 'exit').then(([code, signal]) => ({ code, signal }));
    const deadline = Date.now() + readyTimeMaxMs;
    while ((await this.readiness()) !== 200) {
      if (this.#child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`the server did not get ready:\n${this.output}`);
      }
      await sleep(10);
    }
  }

  /** The status of /readyz; 0 when nobody answers. */
  async readiness() {
    try {
      return (await fetch(`${this.http}/readyz`)).status;
    } catch {
      return 0;
    }
  }

  /** Sends SIGTERM. Resolves to { code, signal } of the exit. */
  async terminate() {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }

  /** kill -9. Resolves when the process is gone. */
  async kill() {
    this.#child.kill('SIGKILL');
    return this.#exited;
  }

  async dispose() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill();
    await rm(this.data, { recursive: true, force: true });
  }
}
