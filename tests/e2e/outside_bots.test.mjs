// Bots from outside: the kit with its engines and the bot that authors copy play whole games, as
// their README starts them, and those that answer nothing, play nonsense or die in mid-game do not
// stop one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { installPackage } from '../clients/python/install.mjs';
import { ActKind } from './gen/tesela/account/v1/conduct_pb.js';
import { BotService } from './gen/tesela/bot/v1/bot_pb.js';
import { moderatorOf, ownAdminOf } from './harness/admin.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import {
  come,
  deciders,
  every,
  isListed,
  movesOf,
  offer,
  playUntil,
  tableOf,
} from './harness/outside_bots.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { repository, run, Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const folder = path.join(repository, 'clients/bots');
let server;
/** Where the bots keep whose they are, and the kit is installed. */
let own;
/** Python with the kit. */
let python;

before(async () => {
  own = await mkdtemp(path.join(tmpdir(), 'tesela-bots-'));
  python = await installPackage(own);
  server = await Server.start('--bot-pace', '0ms', '--bot-answer', '10s');
});
after(async () => {
  await server?.dispose();
  await rm(own, { recursive: true });
});

async function done(program, args, options) {
  const { code, stdout, stderr } = await run(program, args, options);
  assert.equal(code, 0, `${program}: ${stdout}${stderr}`);
  return stdout;
}

/** A program that offers bots, which are there when this resolves. */
async function startBots(t, program, args, ...names) {
  const child = spawn(program, args, { cwd: folder });
  const bots = { child, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (bots.output += text));
  }
  bots.exited = once(child, 'close');
  bots.kill = () => child.kill('SIGKILL') && bots.exited;
  t.after(bots.kill);
  const came = Promise.all(names.map((name) => until(() => isListed(server, `ext/${name}`))));
  await Promise.race([came, bots.exited.then(() => assert.fail(`it ended: ${bots.output}`))]);
  return bots;
}

/** The kit with bots for Azul: `engines` has a command for each name. */
async function startKit(t, engines, processes = 1) {
  const names = Object.keys(engines);
  const bots = names.map(
    (name) => `[[bot]]\ngame = "azul"\nname = "${name}"\nprocesses = ${processes}
engine = ${JSON.stringify(engines[name])}\n`,
  );
  const file = path.join(own, `${names[0]}.toml`);
  const head = `server = "127.0.0.1:${server.grpcPort}"\ntoken_file = "${names[0]}.token"\n`;
  await writeFile(file, head + bots.join(''));
  return startBots(t, python, ['-m', 'tesela.bots', file], ...names);
}

const azulEngine = [path.join(folder, 'azul_engine.py')];

const examples = [
  {
    language: 'Python',
    build: () => {},
    start: (t, name) => startKit(t, { [name]: azulEngine }),
  },
  {
    language: 'TypeScript',
    build: () => done('npm', ['run', '--silent', 'build'], { cwd: folder }),
    start: (t, name) => {
      const tokenFile = path.join(own, `${name}.token`);
      const args = [server.grpc, '--name', name, '--token-file', tokenFile];
      return startBots(t, process.execPath, ['build/azul_bot.js', ...args], name);
    },
  },
];

for (const { language, build, start } of examples) {
  test(`the bot in ${language} plays a whole game and beats random`, async (t) => {
    await build();
    const name = language.toLowerCase();
    await start(t, name);
    const tableId = await tableOf(server, `ext/${name}`, 'random');
    every(await deciders(server, tableId), `ext/${name}`);
    const { table } = await lobbyOf(server).getTable({ tableId });
    assert.equal(table.result.standings[0].rank, 1);
    assert.equal(table.seats[0].displayName, `ext/${name}`);
    assert.ok(table.seats[0].bot);
  });

  test(`the bot in ${language} is replaced when it dies, and plays when it is back`, async (t) => {
    const name = `mortal-${language.toLowerCase()}`;
    const bot = await start(t, name);
    const { token } = await signIn(server);
    const request = { game: 'azul', bots: [{ strategy: `ext/${name}` }] };
    const { table } = await lobbyOf(server).createTable(request, bearer(token));
    const player = await Player.join(server, table.tableId, { token });
    await playUntil(player, (events) => movesOf(events, `ext/${name}`).length >= 2);
    await bot.kill();
    await playUntil(player, (events) => movesOf(events, 'safe').length >= 2);
    assert.ok(!player.result);
    await start(t, name);
    await playUntil(player, (events) => movesOf(events, `ext/${name}`).length >= 2);
    assert.ok(player.result || movesOf(player.events, `ext/${name}`).length >= 4);
    await player.stream.close();
  });
}

test('an engine in shell plays several games at once', async (t) => {
  const kit = await startKit(t, { shell: [path.join(folder, 'first_move.sh')] }, 3);
  const tables = await Promise.all(
    Array.from({ length: 6 }, () => tableOf(server, 'ext/shell', 'random')),
  );
  for (const tableId of tables) every(await deciders(server, tableId), 'ext/shell');
  kit.child.kill('SIGTERM');
  assert.deepEqual(await kit.exited, [0, null]);
  const [, asked, answered] = kit.output.match(/(\d+) questions, (\d+) answered, 0 too late/);
  assert.ok(Number(asked) > 0);
  assert.equal(answered, asked);
});

test('an engine that dies, hangs or prints nonsense ends neither the kit nor a bot', async (t) => {
  const wrong = {
    exits: 'read -r _',
    nonsense: 'while read -r _; do echo "no move"; done',
    wide: 'while read -r _; do head -c 1000000 /dev/zero; done',
    outside: 'while read -r _; do echo 1000; done',
    flood: 'yes "{"',
    absent: undefined,
  };
  const engines = Object.entries(wrong).map(([name, script]) => [
    name,
    script ? ['sh', '-c', script] : ['/nowhere/engine'],
  ]);
  const kit = await startKit(t, { ...Object.fromEntries(engines), sound: azulEngine });
  const tables = await Promise.all(
    Object.keys(wrong).map((name) => tableOf(server, `ext/${name}`, 'ext/sound')),
  );
  for (const tableId of tables) every(await deciders(server, tableId), 'safe');
  every(await deciders(server, await tableOf(server, 'ext/sound', 'random')), 'ext/sound');
  assert.match(kit.output, /^azul\/exits: its engine has ended without an answer$/m);
  assert.match(kit.output, /^azul\/nonsense: its engine's answer b'no move\\n' is no move: /m);
  assert.match(kit.output, /^azul\/wide: its engine printed a line of more than 65536 bytes$/m);
  assert.match(kit.output, /^azul\/absent: its engine cannot be started: /m);
});

test("another player cannot offer somebody's bot, until an operator frees it", async (t) => {
  const first = ({ legalMoves }) => legalMoves[0];
  const bot = await offer(t, server, 'mine', first);
  bot.leave();
  assert.equal(await bot.ended, undefined);
  const { token } = await signIn(server, 'Mallory');
  assert.equal(await come(t, server, token, 'mine', first).ended, Code.PermissionDenied);
  const admin = await ownAdminOf(server);
  const { players } = await admin.listPlayers({ namePrefix: 'ext/mine' });
  assert.equal(players[0].ownerId, bot.owner);
  await admin.freeBot({ playerId: players[0].playerId });
  assert.equal(await come(t, server, token, 'mine', first).accepted, true);
});

test('a bot is suspended as players are, and its owner is not', async (t) => {
  const first = ({ legalMoves }) => legalMoves[0];
  const bot = await offer(t, server, 'unruly', first);
  const other = come(t, server, bot.token, 'orderly', first);
  assert.ok(await other.accepted);
  const { players } = await (await ownAdminOf(server)).listPlayers({ namePrefix: 'ext/unruly' });
  const [{ playerId }] = players;
  const moderate = await moderatorOf(server);
  const act = { playerId, operator: 'Otto', reason: 'It plays against the rules.' };
  const warned = moderate('actOnPlayer', { ...act, kind: ActKind.WARN });
  await assertRefused(warned, Code.InvalidArgument, /A bot can be suspended or banned/);
  const until = timestampFromMs(Date.now() + 3_600_000);
  const suspend = { ...act, kind: ActKind.SUSPEND, until };
  const { actId } = (await moderate('actOnPlayer', suspend)).act.act;
  assert.equal(await bot.ended, Code.PermissionDenied);
  assert.equal(await isListed(server, 'ext/unruly'), false);
  assert.equal(await come(t, server, bot.token, 'unruly', first).ended, Code.PermissionDenied);
  const refused = tableOf(server, 'ext/unruly', 'ext/orderly');
  await assertRefused(refused, Code.InvalidArgument, /ext\/unruly/);
  every(await deciders(server, await tableOf(server, 'ext/orderly', 'random')), 'ext/orderly');
  await moderate('undoAct', { ...act, actId });
  assert.equal(await come(t, server, bot.token, 'unruly', first).accepted, true);
  await moderate('actOnPlayer', { ...act, kind: ActKind.BAN });
  assert.equal(await isListed(server, 'ext/unruly'), false);
});

test('two bots from outside play each other at many tables at once', async (t) => {
  const first = ({ legalMoves }) => legalMoves[0];
  await offer(t, server, 'left', first);
  await offer(t, server, 'right', first);
  const tables = await Promise.all(
    Array.from({ length: 20 }, () => tableOf(server, 'ext/left', 'ext/right')),
  );
  for (const tableId of tables) every(await deciders(server, tableId), 'ext/left');
});

test('a game goes on over a restart of the server, and so does its bot', async (t) => {
  const [, { start }] = examples;
  await start(t, 'faithful');
  const options = { botPaceMs: 300 };
  const tableId = await tableOf(server, 'ext/faithful', 'greedy', options);
  await server.kill();
  await server.start();
  await until(() => isListed(server, 'ext/faithful'));
  const names = await deciders(server, tableId);
  assert.equal(names.at(-1), 'ext/faithful');
});

test('HTTP says that the stream of a bot is for gRPC', async () => {
  const response = await fetch(`${server.http}/${BotService.typeName}/Play`, {
    method: 'POST',
    headers: { 'content-type': 'application/connect+json' },
    body: '{}',
  });
  assert.equal(response.status, 200);
  const body = Buffer.from(await response.arrayBuffer());
  assert.equal(body[0], 2); // the envelope of the end
  const { error } = JSON.parse(body.subarray(5));
  assert.equal(error.code, 'unimplemented');
  assert.match(error.message, /use gRPC/);
});
