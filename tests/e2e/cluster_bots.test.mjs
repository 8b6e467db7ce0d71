// Bots from outside whose streams are at one server, and the tables of another one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Code, createClient } from '@connectrpc/connect';
import { NodeBotService } from './gen/tesela/node/v1/node_pb.js';
import { bearer, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { ownerOf, startNode } from './harness/node.mjs';
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
import { Postgres } from './harness/postgres.mjs';
import { until } from './harness/until.mjs';

let postgres;
let ann;
let ben;

before(async () => {
  postgres = await Postgres.start();
  const options = ['--bot-pace', '0ms', '--bot-answer', '10s'];
  ann = await startNode(postgres, options);
  ben = await startNode(postgres, options);
});

after(async () => {
  await ann?.dispose();
  await ben?.dispose();
  await postgres?.dispose();
});

const firstMove = ({ legalMoves }) => legalMoves[0];
const questions = (server, outcome) =>
  counter(server, 'tesela_outside_questions_total', { outcome });

/** A bot at ben that ann knows of. */
async function offerAtBen(t, name, answer) {
  const bot = await offer(t, ben, name, answer);
  await until(() => isListed(ann, `ext/${name}`));
  return bot;
}

/** The same offer, until it is taken. */
async function offerUntilTaken(t, server, token, name, answer) {
  for (;;) {
    const bot = come(t, server, token, name, answer);
    if ((await Promise.race([bot.accepted, bot.ended])) === true) return bot;
    assert.equal(await bot.ended, Code.AlreadyExists);
  }
}

test('a bot at one server plays whole games at tables of the other', async (t) => {
  await offerAtBen(t, 'far', firstMove);
  const tables = await Promise.all(
    Array.from({ length: 10 }, () => tableOf(ann, 'ext/far', 'random')),
  );
  let asked = 0;
  for (const tableId of tables) {
    const names = await deciders(ann, tableId);
    every(names, 'ext/far');
    asked += names.length;
  }
  assert.equal(await questions(ann, 'answered'), asked);
  assert.equal(await questions(ben, 'answered'), asked);
});

test('a seat can be given to it where the table is, and where it is not', async (t) => {
  await offerAtBen(t, 'guest', firstMove);
  const host = await signIn(ann, 'Ada');
  const { table } = await lobbyOf(ann).createTable({ game: 'azul' }, bearer(host.token));
  const player = await Player.join(ann, table.tableId, { token: host.token });
  assert.equal(await ownerOf(postgres, [ann, ben], table.tableId), ann);
  const bot = { strategy: 'ext/guest' };
  await lobbyOf(ben).addBot({ tableId: table.tableId, bot }, bearer(host.token));
  await playUntil(player, (events) => movesOf(events, 'ext/guest').length >= 2);
  assert.ok(player.result || movesOf(player.events, 'ext/guest').length >= 2);
  await player.stream.close();
});

test('what leaves at one server is soon unknown to the other', async (t) => {
  const bot = await offerAtBen(t, 'brief', firstMove);
  bot.leave();
  await until(async () => !(await isListed(ann, 'ext/brief')));
  assert.deepEqual(
    await postgres.query("SELECT strategy FROM remote_bots WHERE strategy = 'ext/brief'"),
    [],
  );
});

test('the calls of servers are no calls of clients', async () => {
  const path = '/tesela.node.v1.NodeBotService/AskBot';
  const post = (url) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  assert.equal((await post(`${ann.http}${path}`)).status, 404);
  const overGrpc = createClient(NodeBotService, transports.gRPC(ann));
  await assert.rejects(overGrpc.askBot({}), { code: Code.Unimplemented });
  assert.equal((await post(`http://127.0.0.1:${ann.nodePort}${path}`)).status, 403);
});

test('a game goes on when the server of its bot dies, and with the bot elsewhere', async (t) => {
  const bot = await offerAtBen(t, 'mortal', firstMove);
  const { token } = await signIn(ann, 'Ada');
  const request = { game: 'azul', bots: [{ strategy: 'ext/mortal' }] };
  const { table } = await lobbyOf(ann).createTable(request, bearer(token));
  const player = await Player.join(ann, table.tableId, { token });
  await playUntil(player, (events) => movesOf(events, 'ext/mortal').length >= 2);
  await ben.kill();
  await playUntil(player, (events) => movesOf(events, 'safe').length >= 2);
  assert.ok(!player.result);
  // The name is the dead server's until its death was declared.
  await offerUntilTaken(t, ann, bot.token, 'mortal', firstMove);
  const before = movesOf(player.events, 'ext/mortal').length;
  await playUntil(player, (events) => movesOf(events, 'ext/mortal').length >= 2);
  assert.ok(player.result || movesOf(player.events, 'ext/mortal').length >= before + 2);
  await player.stream.close();
  await ben.start();
});
