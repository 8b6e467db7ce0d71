// `tesela` as a player has it on a machine.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { clientProgram, run } from '../server.mjs';

export class Machine {
  #env;

  /** A new one, where `player` is signed in, or nobody. */
  static async of(server, name, player = undefined) {
    const { hostname, port } = new URL(server.http);
    const machine = new Machine();
    const state = path.join(server.data, name);
    machine.#env = { ...process.env, XDG_STATE_HOME: state, TESELA_SERVER: `${hostname}:${port}` };
    await mkdir(path.join(state, 'tesela'), { recursive: true });
    if (player) {
      const { token, playerId, displayName } = player;
      const file = path.join(state, 'tesela', `player-${hostname}-${port}.json`);
      await writeFile(file, JSON.stringify({ token, playerId, displayName }));
    }
    return machine;
  }

  /** Runs it, with a line of input: { code, stdout, stderr }. */
  async run(args, line = '') {
    const typed = ['-c', 'printf "%s\\n" "$LINE" | exec "$0" "$@"', clientProgram, ...args];
    return run('sh', typed, { env: { ...this.#env, LINE: line } });
  }

  /** What it says when it succeeds. */
  async says(args, line) {
    const { code, stdout, stderr } = await this.run(args, line);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  /** Runs it; it fails with a sentence. */
  async assertFails(args, sentence, line) {
    const { code, stdout, stderr } = await this.run(args, line);
    assert.notEqual(code, 0, stdout);
    assert.match(stderr, sentence);
  }
}
