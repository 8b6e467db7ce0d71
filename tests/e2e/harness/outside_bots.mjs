// Bots from outside, and the tables where they play.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createClient, ConnectError } from '@connectrpc/connect';
import { BotService } from '../gen/tesela/bot/v1/bot_pb.js';
import { HistoryService } from '../gen/tesela/lobby/v1/history_pb.js';
import { TableState } from '../gen/tesela/lobby/v1/lobby_pb.js';
import { azul } from './games.mjs';
import { assertTrue } from './judges.mjs';
import { bearer, lobbyOf, signIn, transports } from './lobby.mjs';
import { until } from './until.mjs';

/** Whether ListStrategies of the server shows the bot. */
export async function isListed(server, name) {
  const { strategies } = await lobbyOf(server).listStrategies({ game: 'azul' });
  return strategies.some((strategy) => strategy.name === name && strategy.level === 0);
}

/**
 * A stream of a bot, whose questions `answer` gets, one after the other. `accepted` resolves to
 * true when the bot is taken, `ended` with the code of the stream's end; undefined: without an
 * error.
 */
export function come(t, server, token, name, answer) {
  const toServer = new PassThrough({ objectMode: true });
  const value = { token, game: 'azul', name, description: 'Of a test.' };
  toServer.write({ message: { case: 'offer', value } });
  const stream = createClient(BotService, transports.gRPC(server)).play(toServer);
  const bot = { dismissed: [], leave: () => toServer.end() };
  let accept;
  bot.accepted = new Promise((resolve) => (accept = resolve));
  const play = async () => {
    for await (const { message } of stream) {
      if (message.case === 'accepted') accept(true);
      if (message.case === 'dismissed') bot.dismissed.push(message.value.message);
      if (message.case !== 'question') continue;
      const move = answer(message.value);
      const { questionId } = message.value;
      if (move) toServer.write({ message: { case: 'answer', value: { questionId, move } } });
    }
  };
  bot.ended = play().catch((error) => ConnectError.from(error).code);
  t.after(async () => {
    bot.leave();
    await bot.ended;
  });
  return bot;
}

/** The same of a new player. The bot is there when this resolves. */
export async function offer(t, server, name, answer) {
  const { token, playerId } = await signIn(server);
  const bot = come(t, server, token, name, answer);
  await until(() => isListed(server, `ext/${name}`));
  return { ...bot, token, owner: playerId };
}

/** A table with two bots and nobody else. */
export async function tableOf(server, first, second, options) {
  const { token } = await signIn(server);
  const bots = [{ strategy: first }, { strategy: second }];
  const request = { game: 'azul', config: azul(2).config, bots, options, watchOnly: true };
  const { table } = await lobbyOf(server).createTable(request, bearer(token));
  return table.tableId;
}

/** Waits for the end of the game: who decided on the moves of seat 0, as its true record says. */
export async function deciders(server, tableId) {
  let table;
  await until(async () => {
    ({ table } = await lobbyOf(server).getTable({ tableId }));
    return table.state === TableState.OVER;
  });
  assert.equal(table.result.standings.length, 2);
  const history = createClient(HistoryService, transports['Connect with protobuf'](server));
  const { record } = await history.getRecord({ tableId });
  const { commitment } = table;
  await assertTrue(server, tableId, {
    commitment,
    versions: BigInt(record.moves.length) + 1n,
  });
  return record.moves.filter(({ seat }) => seat === 0).map(({ strategy }) => strategy);
}

/** Has a player of azul(2) play until the events from now on are enough, or the game is over. */
export async function playUntil(player, isEnough) {
  const game = azul(2);
  const first = player.events.length;
  while (!player.result && !isEnough(player.events.slice(first))) {
    if (player.turn[0] !== player.seat) await player.step();
    else await player.playBody(game.choose(player.view, player.events.length));
  }
}

export const movesOf = (events, strategy) => events.filter((event) => event.strategy === strategy);

export const every = (names, name) => assert.deepEqual([...new Set(names)], [name]);
