// Bots from outside: the two that authors copy play whole games, as their README starts them, and
// those that answer nothing, play nonsense or die in mid-game do not stop one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { BotService } from './gen/tesela/bot/v1/bot_pb.js';
import { AzulMoveSchema } from './gen/tesela/game/v1/azul_pb.js';
import { ownAdminOf } from './harness/admin.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
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
import { repository, run, Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const folder = path.join(repository, 'clients/bots');
/** Debian's, which has python3-grpcio. */
const python = '/usr/bin/python3';
let server;
/** Where the bots keep whose they are. */
let tokens;

before(async () => {
  tokens = await mkdtemp(path.join(tmpdir(), 'tesela-bots-'));
  server = await Server.start('--bot-pace', '0ms', '--bot-answer', '10s');
});
after(async () => {
  await server?.dispose();
  await rm(tokens, { recursive: true });
});

async function done(program, args, options) {
  const { code, stdout, stderr } = await run(program, args, options);
  assert.equal(code, 0, `${program}: ${stdout}${stderr}`);
  return stdout;
}

/** A bot of clients/bots as a process. It is there when this resolves. */
async function startBot(t, program, args, name) {
  const tokenFile = path.join(tokens, name);
  const own = ['--name', name, '--token-file', tokenFile];
  const child = spawn(program, [...args, ...own], { cwd: folder });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL') && exited;
  t.after(kill);
  const came = until(() => isListed(server, `ext/${name}`));
  await Promise.race([came, exited.then(() => assert.fail(`the bot ended: ${output}`))]);
  return { kill };
}

const examples = [
  {
    language: 'Python',
    build: () => done('./generate_python.sh', [], { cwd: folder }),
    start: (t, name) => startBot(t, python, ['azul_bot.py', `127.0.0.1:${server.grpcPort}`], name),
  },
  {
    language: 'TypeScript',
    build: () => done('npm', ['run', '--silent', 'build'], { cwd: folder }),
    start: (t, name) => startBot(t, process.execPath, ['build/azul_bot.js', server.grpc], name),
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

test('two bots from outside play each other at many tables at once', async (t) => {
  const first = ({ legalMoves }) => legalMoves[0];
  await offer(t, server, 'left', first);
  await offer(t, server, 'right', first);
  const tables = await Promise.all(
    Array.from({ length: 20 }, () => tableOf(server, 'ext/left', 'ext/right')),
  );
  for (const tableId of tables) every(await deciders(server, tableId), 'ext/left');
});

test('a bot that answers nothing is dismissed, and the game ends without it', async (t) => {
  const own = await Server.start('--bot-pace', '0ms', '--bot-answer', '50ms');
  const bot = await offer(t, own, 'mute', () => undefined);
  t.after(() => own.dispose()); // after the bot has left
  const names = await deciders(own, await tableOf(own, 'ext/mute', 'random'));
  every(names, 'safe');
  assert.equal(bot.dismissed.length, names.length);
  assert.equal(bot.dismissed[0], 'Too late.');
});

test('a bot that plays nonsense is told so, and the game ends without it', async (t) => {
  const illegal = create(AzulMoveSchema, {
    source: { case: 'factory', value: 8 },
    colour: 1,
    target: { case: 'floor', value: true },
  });
  const bot = await offer(t, server, 'cheat', () => anyPack(AzulMoveSchema, illegal));
  const names = await deciders(server, await tableOf(server, 'ext/cheat', 'random'));
  every(names, 'safe');
  assert.equal(bot.dismissed.length, names.length);
  const counted = await counter(server, 'tesela_outside_questions_total', { outcome: 'illegal' });
  assert.equal(counted, names.length);
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
