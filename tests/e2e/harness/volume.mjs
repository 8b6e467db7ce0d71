// A small disk of a test's own: it really gets full, and it really can be read-only. Needs the
// right to mount.
import { mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './server.mjs';

async function must(program, ...args) {
  const { code, stdout, stderr } = await run(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
}

export class Volume {
  /** A new disk of so many MiB, or undefined where this process may not mount one. */
  static async mount(mebibytes) {
    const folder = await mkdtemp(path.join(tmpdir(), 'tesela-volume-'));
    const options = `size=${mebibytes}m,mode=0755`;
    const { code } = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).catch(
      () => ({ code: -1 }),
    );
    if (code !== 0) {
      await rmdir(folder);
      return undefined;
    }
    const volume = new Volume();
    volume.folder = folder;
    return volume;
  }

  get #ballast() {
    return path.join(this.folder, 'ballast');
  }

  /** Leaves not one block. */
  async fill() {
    const { bavail, bsize } = await statfs(this.folder);
    await writeFile(this.#ballast, Buffer.alloc(Number(bavail * bsize)), { flag: 'a' });
  }

  async makeRoom() {
    await rm(this.#ballast);
  }

  /** From now on nothing here can be written; nobody may have a file open for that. */
  async setReadOnly() {
    await must('mount', '-o', 'remount,ro', this.folder);
  }

  async dispose() {
    await must('umount', '--lazy', this.folder);
    await rmdir(this.folder);
  }
}

/** A disk for one test, or a loud word that the test was not run. */
export async function volumeOf(t, mebibytes) {
  const volume = await Volume.mount(mebibytes);
  if (volume) {
    t.after(() => volume.dispose());
  } else {
    console.error(`NOT RUN: "${t.name}" needs the right to mount a disk`);
    t.skip('needs the right to mount a disk');
  }
  return volume;
}
