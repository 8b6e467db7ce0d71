// Another machine, whose line dies without a word: a network of its own at the other end of a wire.
// The test itself is in a network that nobody else is in (browser/page/own_network.sh), so that no
// neighbour meets the wire.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { run } from './server.mjs';
import { until } from './until.mjs';

const here = '198.51.100.1';
const there = '198.51.100.2';
const card = '02:00:00:00:00:02';
const clientProgram = path.join(import.meta.dirname, 'far_client.mjs');

async function ip(...args) {
  const { code, stderr } = await run('ip', args);
  assert.equal(code, 0, `ip ${args.join(' ')}: ${stderr}`);
}

export class FarMachine {
  #keeper; // the process that the machine's network belongs to
  #clients = [];

  /** What a test says that cannot have one; false where it can. */
  static async skip() {
    const { code } = await run('ip', ['link', 'show', 'lan']);
    return code !== 0 && 'needs a network of its own: run browser/page/own_network.sh node FILE';
  }

  static async start() {
    const machine = new FarMachine();
    machine.#keeper = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
    const network = (pid) => readlink(`/proc/${pid}/ns/net`);
    await until(async () => (await network(machine.#keeper.pid)) !== (await network('self')));
    const peer = ['peer', 'name', 'wire', 'address', card, 'netns', String(machine.#keeper.pid)];
    await ip('link', 'add', 'near', 'type', 'veth', ...peer);
    await ip('address', 'add', `${here}/24`, 'dev', 'near');
    await ip('link', 'set', 'near', 'up');
    // As behind a router: a machine that is gone is no error of this machine's own network.
    await ip('neigh', 'add', there, 'lladdr', card, 'dev', 'near', 'nud', 'permanent');
    await machine.#there('ip', 'address', 'add', `${there}/24`, 'dev', 'wire');
    await machine.#there('ip', 'link', 'set', 'wire', 'up');
    return machine;
  }

  #inside(...command) {
    return [`--net=/proc/${this.#keeper.pid}/ns/net`, ...command];
  }

  async #there(...command) {
    const { code, stderr } = await run('nsenter', this.#inside(...command));
    assert.equal(code, 0, `${command.join(' ')}: ${stderr}`);
  }

  /** Opens a stream, or several, on this machine from there (far_client.mjs). */
  async open(stream, server) {
    const { httpPort, grpcPort } = server;
    const [http, grpc, ws] = [
      ['http', httpPort],
      ['http', grpcPort],
      ['ws', httpPort],
    ].map(([scheme, port]) => `${scheme}://${here}:${port}`);
    const what = JSON.stringify({ ...stream, server: { http, grpc, ws } });
    const client = spawn('nsenter', this.#inside(process.execPath, clientProgram, what), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#clients.push(client);
    const word = await Promise.race([
      once(client.stdout.setEncoding('utf8'), 'data').then(([text]) => text),
      once(client, 'exit'),
    ]);
    assert.equal(word, 'open\n');
  }

  /** From now on nothing that it sends arrives, and nothing that is sent to it is answered. */
  async cut() {
    await this.#there('ip', 'address', 'flush', 'dev', 'wire');
  }

  async dispose() {
    for (const process of [...this.#clients, this.#keeper]) process.kill('SIGKILL');
    // With its last process the other network ends, and the wire with it, but not while the system
    // still tries to end its connections.
    await run('ip', ['link', 'delete', 'near']);
  }
}
