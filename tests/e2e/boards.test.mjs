// Ratings, best scores and the daily game, by people and bots over real sockets.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { BoardKind, LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { azul } from './harness/games.mjs';
import { bearer, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { clientProgram, run, Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';

let server;
before(async () => {
  server = await Server.start('--bot-pace', '0ms', '--bot-think', '5ms');
});
after(() => server.dispose());

function boardsOf(on, transport = 'Connect with protobuf') {
  return createClient(LeaderboardService, transports[transport](on));
}

/** Signs in, takes the daily game's one try, and sits down: { player, owner, table }. */
async function tryDaily(name) {
  const owner = await signIn(server, name);
  const request = { game: '2048', daily: true };
  const { table } = await lobbyOf(server).createTable(request, bearer(owner.token));
  const player = await Player.join(server, table.tableId, { token: owner.token });
  return { player, owner, table };
}

async function assertRefused(call, code, sentence) {
  await assert.rejects(call, (error) => {
    assert.equal(Code[ConnectError.from(error).code], Code[code]);
    assert.match(ConnectError.from(error).rawMessage, sentence);
    return true;
  });
}

test('the daily game is the same for all, tried once, and has its board', async () => {
  const ana = await tryDaily('Ana');
  const bob = await tryDaily('Bob');
  const daily = await boardsOf(server).getDaily({ game: '2048' });
  assert.deepEqual(ana.player.view.cells, bob.player.view.cells);
  assert.deepEqual(ana.table.commitment, daily.commitment);
  assert.equal(daily.serverSeed.length, 0);
  await assertRefused(
    lobbyOf(server).createTable({ game: '2048', daily: true }, bearer(ana.owner.token)),
    Code.AlreadyExists,
    /next one begins on \d{4}-\d\d-\d\d at 00:00 UTC/,
  );

  const scores = new Map();
  for (const { player, owner } of [ana, bob]) {
    if (player === bob.player) await player.play(player.view.legal.at(-1));
    const result = await player.playToEnd();
    scores.set(owner.playerId, result.standings[0].points);
    await player.stream.close();
  }
  for (const transport of Object.keys(transports)) {
    const { entries } = await boardsOf(server, transport).getBoard({ board: daily.board });
    assert.equal(entries.length, 2);
    assert.ok(entries[0].points >= entries[1].points);
    for (const { playerId, points } of entries) assert.equal(points, scores.get(playerId));
  }
  const best = await boardsOf(server).getBoard({ board: { game: '2048' } });
  assert.equal(best.entries.length, 0, 'its dice come twice for who has two accounts');
});

test('nobody else watches a try before the day is over', async () => {
  const { table, player } = await tryDaily('Cem');
  const stream = await Stream.open(server, table.tableId, {});
  const goodbye = await stream.goodbye();
  assert.equal(Reason[goodbye.reason], Reason[Reason.NOT_SHOWN_YET]);
  assert.match(goodbye.message, /once its day is over/);
  await player.stream.close();
});

test('a game for one is on the board of the day, and its player finds the place', async () => {
  const owner = await signIn(server, 'Dora');
  const { table } = await lobbyOf(server).createTable({ game: '2048' }, bearer(owner.token));
  const player = await Player.join(server, table.tableId, { token: owner.token });
  const result = await player.playToEnd();
  await player.stream.close();
  const request = { board: { kind: BoardKind.BEST_OF_DAY, game: '2048' }, aroundMe: true };
  const { entries } = await boardsOf(server).getBoard(request, bearer(owner.token));
  const mine = entries.find(({ playerId }) => playerId === owner.playerId);
  assert.equal(mine.points, result.standings[0].points);
  assert.equal(mine.tableId, table.tableId);
  await assertRefused(boardsOf(server).getBoard(request), Code.Unauthenticated, /\.$/);
});

test('tesela board prints a board', async () => {
  const { code, stdout, stderr } = await run(clientProgram, [
    'board',
    '2048',
    '--today',
    '--server',
    new URL(server.http).host,
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Best scores of 2048 on \d{4}-\d\d-\d\d\n {3,}1 +\d+ {2}Dora\n$/);
});

test('tesela games lists the finished games of a player, page after page', async () => {
  const owner = await signIn(server, 'Eva');
  const made = [];
  for (let i = 0; i < 5; ++i) {
    const { table } = await lobbyOf(server).createTable({ game: '2048' }, bearer(owner.token));
    const player = await Player.join(server, table.tableId, { token: owner.token });
    const [{ points }] = (await player.playToEnd()).standings;
    await player.stream.close();
    made.unshift(`2048      ${table.tableId}  Eva ${points}`);
  }
  const listed = [];
  const pages = [];
  const of = ['games', '--server', new URL(server.http).host, '--player', owner.playerId];
  for (let page; page !== '';) {
    const { code, stdout, stderr } = await run(clientProgram, [
      ...of,
      ...['--count', '2'],
      ...(page ? ['--page', page] : []),
    ]);
    assert.equal(code, 0, stderr);
    const lines = stdout.match(/^\d{4}-\d\d-\d\d \d\d:\d\d .*$/gm);
    pages.push(lines.length);
    listed.push(...lines.map((line) => line.slice('2026-11-21 07:22  '.length)));
    page = /add --page (\S+)/.exec(stdout)?.[1] ?? '';
  }
  assert.deepEqual(pages, [2, 2, 1]);
  assert.deepEqual(listed, made);
  const none = await run(clientProgram, [...of, 'azul']);
  assert.equal(none.stdout, 'No game has been finished yet.\n');
  const wrong = await run(clientProgram, [...of.slice(0, -1), 'nobody']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /player_id/);
});

test('every ranked game counts once, though the server is killed among them', async () => {
  const tables = 30;
  const { token } = await signIn(server);
  const made = await Promise.all(
    Array.from({ length: tables }, () =>
      lobbyOf(server).createTable(
        {
          game: 'azul',
          config: azul(2).config,
          options: { ranked: true },
          bots: [{ strategy: 'safe' }, { strategy: 'rush' }],
          watchOnly: true,
        },
        bearer(token),
      ),
    ),
  );
  const ended = async () => {
    const states = await Promise.all(
      made.map(({ table }) => lobbyOf(server).getTable({ tableId: table.tableId })),
    );
    return states.filter(({ table }) => table.state === TableState.OVER).length;
  };
  while ((await ended()) < 3) await sleep(10);
  await server.kill();
  await server.start();
  while ((await ended()) < tables) await sleep(100);
  const { entries } = await boardsOf(server).getBoard({ board: { game: 'azul' } });
  assert.deepEqual(entries.map(({ displayName }) => displayName).sort(), ['rush', 'safe']);
  for (const { playerId, displayName, strategy, rating, points } of entries) {
    assert.equal(strategy, displayName, 'the line of a bot says so');
    assert.equal(rating.games, tables);
    assert.equal(Number(points), rating.shown);
    const answer = await boardsOf(server).getRating({ game: 'azul', playerId });
    assert.deepEqual(answer.rating, rating);
  }
});
