// The wall clock of a server, which an operator or NTP may set while it runs.
import { access, chmod, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { binaries, serverProgram } from './server.mjs';

export class WallClock {
  #folder;

  /** A clock that is right, for servers that are started by `program`. */
  static async make() {
    const clock = new WallClock();
    clock.#folder = await mkdtemp(path.join(tmpdir(), 'tesela-clock-'));
    await writeFile(clock.#file, Buffer.alloc(8));
    /** A program that becomes a tesela-server with this clock. */
    clock.program = path.join(clock.#folder, 'tesela-server');
    const library = path.join(binaries, 'libtesela_wall_clock.so');
    await access(library); // The loader would only warn.
    await writeFile(
      clock.program,
      `#!/bin/sh\nexec env LD_PRELOAD='${library}' TESELA_WALL_CLOCK='${clock.#file}' ` +
        `'${serverProgram}' "$@"\n`,
    );
    await chmod(clock.program, 0o755);
    return clock;
  }

  get #file() {
    return path.join(this.#folder, 'off_ms');
  }

  /** From now on it is off by `offMs`, in servers that run, too. */
  async setOff(offMs) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(offMs));
    const file = await open(this.#file, 'r+');
    await file.write(bytes, 0, 8, 0);
    await file.close();
  }

  async dispose() {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
