// Bots from outside: the two that authors copy play whole games, as their README starts them, and
// those that answer nothing, play nonsense or die in mid-game do not stop one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { BotService } from './gen/tesela/bot/v1/bot_pb.js';
import { AzulMoveSchema } from './gen/tesela/game/v1/azul_pb.js';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { azul } from './harness/games.mjs';
import { assertTrue } from './harness/judges.mjs';
import { bearer, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { repository, run, Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const folder = path.join(repository, 'clients/bots');
/** Debian's, which has python3-grpcio. */
const python = '/usr/bin/python3';
let server;

before(async () => {
  server = await Server.start('--bot-pace', '0ms', '--bot-answer', '10s');
});
after(() => server.dispose());

async function done(program, args, options) {
  const { code, stdout, stderr } = await run(program, args, options);
  assert.equal(code, 0, `${program}: ${stdout}${stderr}`);
  return stdout;
}

/** Whether ListStrategies shows the bot. */
async function isListed(name, on = server) {
  const { strategies } = await lobbyOf(on).listStrategies({ game: 'azul' });
  return strategies.some((strategy) => strategy.name === name && strategy.level === 0);
}

/** A bot of clients/bots as a process. It is there when this resolves. */
async function startBot(t, program, args, name) {
  const child = spawn(program, [...args, '--name', name], { cwd: folder });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL') && exited;
  t.after(kill);
  const came = until(() => isListed(`ext/${name}`));
  await Promise.race([came, exited.then(() => assert.fail(`the bot ended: ${output}`))]);
  return { kill };
}

/** A bot whose questions `answer` gets, one after the other. */
async function offer(t, name, answer, on = server) {
  const { token } = await signIn(on);
  const toServer = new PassThrough({ objectMode: true });
  const value = { token, game: 'azul', name, description: 'Of a test.' };
  toServer.write({ message: { case: 'offer', value } });
  const stream = createClient(BotService, transports.gRPC(on)).play(toServer);
  const bot = { dismissed: [] };
  const ended = (async () => {
    for await (const { message } of stream) {
      if (message.case === 'dismissed') bot.dismissed.push(message.value.message);
      if (message.case !== 'question') continue;
      const move = answer(message.value);
      const { questionId } = message.value;
      if (move) toServer.write({ message: { case: 'answer', value: { questionId, move } } });
    }
  })();
  t.after(async () => {
    toServer.end();
    await ended;
  });
  await until(() => isListed(`ext/${name}`, on));
  return bot;
}

/** A table with two bots and nobody else. */
async function tableOf(first, second, { on = server, options } = {}) {
  const { token } = await signIn(on);
  const bots = [{ strategy: first }, { strategy: second }];
  const request = { game: 'azul', config: azul(2).config, bots, options, watchOnly: true };
  const { table } = await lobbyOf(on).createTable(request, bearer(token));
  return table.tableId;
}

/** Waits for the end of the game: who decided on the moves of seat 0, as its true record says. */
async function deciders(tableId, on = server) {
  let table;
  await until(async () => {
    ({ table } = await lobbyOf(on).getTable({ tableId }));
    return table.state === TableState.OVER;
  });
  assert.equal(table.result.standings.length, 2);
  const history = createClient(HistoryService, transports['Connect with protobuf'](on));
  const { record } = await history.getRecord({ tableId });
  const { commitment } = table;
  await assertTrue(on, tableId, { commitment, versions: BigInt(record.moves.length) + 1n });
  return record.moves.filter(({ seat }) => seat === 0).map(({ strategy }) => strategy);
}

const every = (names, name) => assert.deepEqual([...new Set(names)], [name]);

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
    const tableId = await tableOf(`ext/${name}`, 'random');
    every(await deciders(tableId), `ext/${name}`);
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
    const game = azul(2);
    const playUntil = async (isEnough) => {
      const first = player.events.length;
      while (!player.result && !isEnough(player.events.slice(first))) {
        if (player.turn[0] !== player.seat) await player.step();
        else await player.playBody(game.choose(player.view, player.events.length));
      }
    };
    const movesOf = (events, strategy) => events.filter((event) => event.strategy === strategy);
    await playUntil((events) => movesOf(events, `ext/${name}`).length >= 2);
    await bot.kill();
    await playUntil((events) => movesOf(events, 'safe').length >= 2);
    assert.ok(!player.result);
    await start(t, name);
    await playUntil((events) => movesOf(events, `ext/${name}`).length >= 2);
    assert.ok(player.result || movesOf(player.events, `ext/${name}`).length >= 4);
    await player.stream.close();
  });
}

test('two bots from outside play each other at many tables at once', async (t) => {
  const first = ({ legalMoves }) => legalMoves[0];
  await offer(t, 'left', first);
  await offer(t, 'right', first);
  const tables = await Promise.all(
    Array.from({ length: 20 }, () => tableOf('ext/left', 'ext/right')),
  );
  for (const tableId of tables) every(await deciders(tableId), 'ext/left');
});

test('a bot that answers nothing is dismissed, and the game ends without it', async (t) => {
  const own = await Server.start('--bot-pace', '0ms', '--bot-answer', '50ms');
  const bot = await offer(t, 'mute', () => undefined, own);
  t.after(() => own.dispose()); // after the bot has left
  const names = await deciders(await tableOf('ext/mute', 'random', { on: own }), own);
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
  const bot = await offer(t, 'cheat', () => anyPack(AzulMoveSchema, illegal));
  const names = await deciders(await tableOf('ext/cheat', 'random'));
  every(names, 'safe');
  assert.equal(bot.dismissed.length, names.length);
  const counted = await counter(server, 'tesela_outside_questions_total', { outcome: 'illegal' });
  assert.equal(counted, names.length);
});

test('a game goes on over a restart of the server, and so does its bot', async (t) => {
  const [, { start }] = examples;
  await start(t, 'faithful');
  const options = { botPaceMs: 300 };
  const tableId = await tableOf('ext/faithful', 'greedy', { options });
  await server.kill();
  await server.start();
  await until(() => isListed('ext/faithful'));
  const names = await deciders(tableId);
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
