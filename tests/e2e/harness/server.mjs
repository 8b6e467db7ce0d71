// The real tesela-server as a child process, on free ports and with a data folder of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

const readyTimeMaxMs = 60_000;

const pause = new Int32Array(new SharedArrayBuffer(4));

const givenPorts = new Set();

/**
 * A port that nobody listens on now, and another one each time. Not one of those that the system
 * gives to clients (32768 and above): one of the many connections of a test that runs beside this
 * one would take it.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if (givenPorts.has(port)) continue;
    const probe = createServer();
    const free = await new Promise((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, () => resolve(true));
    });
    if (!free) continue;
    probe.close();
    await once(probe, 'close');
    givenPorts.add(port);
    return port;
  }
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

/** The options that give a server on PostgreSQL the keys of a data folder. */
export const keysOf = (data) =>
  ['token', 'daily'].flatMap((key) => [`--${key}-secret-file`, path.join(data, `${key}.key`)]);

/** Whether a process has ended, or a signal has stopped every thread of it. */
function standsStill(pid) {
  const tasks = `/proc/${pid}/task`;
  const stands = (task) => / [TZ] [^)]*$/.test(readFileSync(`${tasks}/${task}/stat`, 'utf8'));
  try {
    return readdirSync(tasks).every(stands);
  } catch {
    return !existsSync(tasks); // otherwise a thread has ended meanwhile
  }
}

/** Returns when a process that was sent SIGSTOP stands still: a busy machine takes its time. */
export function waitUntilStill(pid) {
  while (!standsStill(pid)) Atomics.wait(pause, 0, 0, 1);
}

// A test that has failed may not have come to the end of its server.
const alive = new Set();
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')));

export class Server {
  #child;
  #exited;
  #options;
  #program;
  /** What the processes printed, all of them one after the other. */
  output = '';

  /**
   * Starts a server with `options` (['--threads', '2', …]) and waits until it is ready. Its data
   * are in `data`, a new folder unless the options name one (--data). Stop it with `dispose`,
   * which also removes its data.
   */
  static async start(...options) {
    return Server.startProgram(serverProgram, ...options);
  }

  /** The same with another tesela-server. */
  static async startProgram(program, ...options) {
    const server = new Server();
    server.#program = program;
    // Bots alone are watched through the lobby here, and need not be slow. Games are filled through
    // the lobby, and begin at once.
    const standard = [
      ['--bot-pace-alone', '0ms'],
      ['--come-within', '0s'],
    ].filter(([name]) => !options.includes(name));
    server.#options = [...options, ...standard.flat()];
    const named = server.#options.indexOf('--data');
    const own = () => mkdtemp(path.join(tmpdir(), 'tesela-e2e-'));
    server.data = named < 0 ? await own() : server.#options.splice(named, 2)[1];
    for (let tries = 1; ; ++tries) {
      server.httpPort = await freePort();
      server.grpcPort = await freePort();
      try {
        await server.start();
        return server;
      } catch (error) {
        // Another program may have taken a port meanwhile.
        if (tries === 3 || !/Address already in use/.test(server.output)) throw error;
      }
    }
  }

  get #scheme() {
    return this.#options.includes('--tls-certificate-file') ? 'https' : 'http';
  }

  get http() {
    return `${this.#scheme}://127.0.0.1:${this.httpPort}`;
  }

  get grpc() {
    return `${this.#scheme}://127.0.0.1:${this.grpcPort}`;
  }

  /** Where streams are: ws:// or wss://. */
  get ws() {
    return this.http.replace('http', 'ws');
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
    const child = spawn(this.#program, this.arguments, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    alive.add(child);
    child.on('exit', () => alive.delete(child));
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

  /** Sends SIGHUP: read again what may change. */
  hangUp() {
    this.#child.kill('SIGHUP');
  }

  /** Sends SIGSTOP. The process stands still when this returns. */
  suspend() {
    assert.ok(this.#child.kill('SIGSTOP'), 'the process has ended');
    waitUntilStill(this.pid);
  }

  /** Sends SIGCONT: a process that stood still goes on. */
  goOn() {
    this.#child.kill('SIGCONT');
  }

  /** Resolves to { code, signal } when the process has ended. */
  async ended() {
    return this.#exited;
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
