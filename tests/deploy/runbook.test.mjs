// Every command of the runbook, in its order, on a server with a game in play.
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { bearer, lobbyOf, signIn } from '../e2e/harness/lobby.mjs';
import { binaries, repository, run, Server } from '../e2e/harness/server.mjs';

const page = await readFile(path.join(repository, 'deploy/RUNBOOK.md'), 'utf8');
const blocks = [...page.matchAll(/^## (.*)$|```sh\n([\s\S]*?)```/gm)].reduce(
  ({ title, found }, [, heading, block]) =>
    heading ? { title: heading, found } : { title, found: [...found, { title, block }] },
  { found: [] },
).found;

let folder;
let server;
let game;

/** Where the package has its files. */
const placed = (text) => text.replaceAll(/\/(var|etc)\//g, `${folder}/$1/`);

/** In the place of systemd: tells this test what to do with the server. */
const systemctl = `#!/bin/sh\necho "$1" >>"$SYSTEMCTL"\n`;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-runbook-'));
  for (const name of ['var/lib', 'var/backups', 'var/tmp', 'etc/tesela', 'bin']) {
    await mkdir(path.join(folder, name), { recursive: true });
  }
  await writeFile(path.join(folder, 'bin/systemctl'), systemctl);
  await chmod(path.join(folder, 'bin/systemctl'), 0o755);
  const options = path.join(folder, 'etc/tesela/tesela.toml');
  await writeFile(options, '');
  server = await Server.start('--data', placed('/var/lib/tesela'), '--config', options);
  // Private, so that the operator needs a pass.
  const owner = await signIn(server);
  const request = { game: '2048', options: { inviteOnly: true } };
  const { table } = await lobbyOf(server).createTable(request, bearer(owner.token));
  game = { tableId: table.tableId, owner, token: owner.token };
});
after(async () => {
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});

assert.ok(blocks.length >= 7);
for (const { title, block } of blocks) {
  test(`${title}: ${block.split('\n')[0]}`, async () => {
    const asked = path.join(folder, 'systemctl');
    await writeFile(asked, '');
    const { code, stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', placed(block)], {
      cwd: folder,
      timeout: 120_000,
      env: {
        ...process.env,
        PATH: `${folder}/bin:${binaries}:${process.env.PATH}`,
        SYSTEMCTL: asked,
        TESELA_DATA: placed('/var/lib/tesela'),
        TESELA_SERVER: `127.0.0.1:${server.httpPort}`,
        TABLE: game.tableId,
        PLAYER: game.owner.playerId,
      },
    });
    assert.equal(code, 0, `${block}\n${stdout}${stderr}`);
    if ((await readFile(asked, 'utf8')) !== 'restart\n') return;
    await server.terminate();
    await server.start();
    // Whoever was signed in still is.
    await lobbyOf(server).createTable({ game: '2048' }, bearer(game.token));
  });
}
