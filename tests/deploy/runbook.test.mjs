// Every command of the runbook, in its order, on a server with a game in play.
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ConductService, ReportKind } from '../e2e/gen/tesela/account/v1/conduct_pb.js';
import { azul } from '../e2e/harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn } from '../e2e/harness/lobby.mjs';
import { binaries, repository, run, Server } from '../e2e/harness/server.mjs';

const page = await readFile(path.join(repository, 'deploy/RUNBOOK.md'), 'utf8');
const blocks = [...page.matchAll(/^## (.*)$|```sh\n([\s\S]*?)```/gm)].reduce(
  ({ title, found }, [, heading, block]) =>
    heading ? { title: heading, found } : { title, found: [...found, { title, block }] },
  { title: 'Runbook', found: [] },
).found;

let folder;
let server;
let game;

/** Where the package has its files. */
const placed = (text) => text.replaceAll(/\/(var|etc)\//g, `${folder}/$1/`);

/** What an operator types. */
const input = 'exec <<<yes\n';

/** Has somebody who sits beside a player report the player. */
async function report({ playerId, token }) {
  const other = await signIn(server, 'Bob');
  const asked = { game: 'azul', config: azul(2).config };
  const { tableId } = (await lobbyOf(server).createTable(asked, bearer(token))).table;
  await lobbyOf(server).joinTable({ tableId }, bearer(other.token));
  const reported = { tableId, playerId, kind: ReportKind.PLAY };
  await clientOf(ConductService, server).reportPlayer(reported, bearer(other.token));
}

/** In the place of systemd: has this test do with the server what is asked. */
const systemctl = '#!/bin/sh\nexec curl -fsS "$SYSTEMCTL/$1"\n';
const asked = createServer(async ({ url }, answer) => {
  if (url !== '/start') await server.terminate();
  if (url !== '/stop') await server.start();
  answer.end();
});

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tesela-runbook-'));
  for (const name of ['var/lib', 'var/tmp', 'etc/tesela', 'etc/cron.daily', 'bin']) {
    await mkdir(path.join(folder, name), { recursive: true });
  }
  await writeFile(path.join(folder, 'bin/systemctl'), systemctl);
  await chmod(path.join(folder, 'bin/systemctl'), 0o755);
  const options = path.join(folder, 'etc/tesela/tesela.toml');
  await writeFile(options, '');
  server = await Server.start('--data', placed('/var/lib/tesela'), '--config', options);
  await new Promise((listening) => asked.listen(0, '127.0.0.1', listening));
  // Private, so that the operator needs a pass.
  const owner = await signIn(server);
  const request = { game: '2048', options: { inviteOnly: true } };
  const { table } = await lobbyOf(server).createTable(request, bearer(owner.token));
  game = { tableId: table.tableId, owner, token: owner.token };
  await report(owner);
});
after(async () => {
  asked.close();
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});

test('every command of a sentence is also one of a block', () => {
  const typed = blocks.map(({ block }) => block).join('');
  const said = page.replaceAll(/```sh\n[\s\S]*?```/g, '').replaceAll(/^\|.*$/gm, '');
  for (const [, name] of said.matchAll(/`tesela admin ([a-z-]+)/g)) {
    assert.ok(typed.includes(`tesela admin ${name}`), name);
  }
});

assert.ok(blocks.length >= 8);
for (const { title, block } of blocks) {
  test(`${title}: ${block.split('\n')[0]}`, async () => {
    const typed = ['-euo', 'pipefail', '-c', input + placed(block)];
    const { code, stdout, stderr } = await run('bash', typed, {
      cwd: folder,
      timeout: 120_000,
      env: {
        ...process.env,
        PATH: `${folder}/bin:${binaries}:${process.env.PATH}`,
        SYSTEMCTL: `http://127.0.0.1:${asked.address().port}`,
        TESELA_DATA: placed('/var/lib/tesela'),
        TESELA_SERVER: `127.0.0.1:${server.httpPort}`,
        TABLE: game.tableId,
        PLAYER: game.owner.playerId,
        NAME: game.owner.displayName,
      },
    });
    assert.equal(code, 0, `${block}\n${stdout}${stderr}`);
    if (!block.includes('systemctl')) return;
    // Whoever was signed in still is.
    await lobbyOf(server).createTable({ game: '2048' }, bearer(game.token));
  });
}
