// The package for Python as an author has it: a wheel, installed without a package index.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { repository, run } from '../../e2e/harness/server.mjs';

/** Debian's, which has the modules that the package needs. */
export const systemPython = '/usr/bin/python3';

export const packageFolder = path.join(repository, 'clients/python');

/** Builds the wheel and installs it into an environment in `folder`: the path of its Python. */
export async function installPackage(folder) {
  const done = async (program, ...args) => {
    const { code, stdout, stderr } = await run(program, args, { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
  };
  const python = path.join(folder, 'venv/bin/python');
  await done(path.join(packageFolder, 'build.sh'), folder);
  const bare = ['--system-site-packages', '--without-pip'];
  await done(systemPython, '-m', 'venv', ...bare, 'venv');
  const [wheel] = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
  await done(systemPython, '-m', 'pip', '--python', python, 'install', '--no-index', wheel);
  return python;
}
