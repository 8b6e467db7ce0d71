// How looking back is refused, over every transport: rematches, records, boards and daily games.
// The code is that of the contract, and the sentence one that a player understands.
import { after, before } from 'node:test';
import { Code } from '@connectrpc/connect';
import { BoardKind } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { azul, games } from './harness/games.mjs';
import { lobbyOf, newTableOf, unknownId } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { people, testRefusals } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';

const { AlreadyExists, FailedPrecondition, InvalidArgument, NotFound } = Code;
const { PermissionDenied, Unauthenticated } = Code;
const twoSeats = azul(2).config;

let server;
let who;
const at = {}; // tables by what is special about them: their ids
before(async () => {
  server = await Server.start('--threads', '2', '--bot-pace', '0ms', '--bot-think', '5ms');
  who = await people(server, 'Ada', 'Bob', 'Eve');
  const lobby = lobbyOf(server);
  const make = async (request) =>
    (await lobby.createTable({ game: 'azul', config: twoSeats, ...request }, who.Ada)).table
      .tableId;
  at.open = await make({});
  at.unknown = unknownId(at.open);
  const bots = [{ strategy: 'random' }];
  at.begun = await make({ bots, options: { botPaceMs: 60_000 } });
  at.begunHidden = await make({ bots, options: { botPaceMs: 60_000, inviteOnly: true } });
  at.begunUnwatched = await make({ bots, options: { botPaceMs: 60_000, spectatorsOff: true } });
  for (const name of ['over', 'givenAway', 'givenUp']) at[name] = await finishedGame();
  const { table: given } = await lobby.rematchTable({ tableId: at.givenAway }, who.Ada);
  await lobby.joinTable({ tableId: given.tableId, invite: given.invite }, who.Eve);
  const { table: left } = await lobby.rematchTable({ tableId: at.givenUp }, who.Ada);
  await lobby.freeSeat({ tableId: left.tableId, seat: left.seats[0].seat }, who.Ada);
  at.daily = await make({ game: '2048', config: undefined, daily: true });
  const player = await Player.join(server, at.daily, { token: who.Ada.guest.token });
  await player.playToEnd();
  await player.stream.close();
});
after(() => server.dispose());

/** A game of Ada's and Bob's, once the game is over. */
async function finishedGame() {
  const { tableId } = await newTableOf(server, {
    game: 'azul',
    config: twoSeats,
    owner: who.Ada.guest,
  });
  await lobbyOf(server).joinTable({ tableId }, who.Bob);
  const players = await Promise.all(
    [who.Ada, who.Bob].map(({ guest }) => Player.join(server, tableId, { token: guest.token })),
  );
  for (let n = 0; !players[0].result; ++n) {
    const mover = players[players[0].turn[0]];
    await mover.playBody(games.azul.choose(mover.view, n));
    for (const player of players) await player.reach(mover.version);
  }
  await Promise.all(players.map(({ stream }) => stream.close()));
  return tableId;
}

const looks = {};
const rematches = {
  'a rematch of what is no table': ['x', 'Ada', [InvalidArgument, /not a table's id/]],
  'a rematch of no table': ['unknown', 'Ada', [NotFound, /no such table/]],
  'a rematch of a game that goes on': [
    'begun',
    'Ada',
    [FailedPrecondition, /once the game is over/, /^NOT_OVER$/],
  ],
  "a rematch of somebody else's game": ['over', 'Eve', [PermissionDenied, /Only a player/]],
  'a rematch of a daily game': ['daily', 'Ada', [AlreadyExists, /tried once/]],
  'a rematch whose seat is taken': [
    'givenAway',
    'Bob',
    [FailedPrecondition, /is taken|sits there/],
  ],
  'a rematch that was left': ['givenUp', 'Bob', [NotFound, /closed/]],
};
for (const [title, [table, name, refusal]] of Object.entries(rematches)) {
  looks[title] = [
    ({ lobby }) => lobby.rematchTable({ tableId: at[table] ?? table }, who[name]),
    refusal,
  ];
}

/** The answer of a method, or the end of its stream. */
async function asked(answer) {
  if (!(Symbol.asyncIterator in answer)) return answer;
  for await (const _ of answer);
  return undefined;
}

for (const [title, table, refusal, methods] of [
  ['what is no table', 'x', [InvalidArgument, /not a table's id/]],
  ['no table', 'unknown', [NotFound, /no such table/]],
  ['a game that has not begun', 'open', [FailedPrecondition, /has not begun/, /^NOT_STARTED$/]],
  ["a try at today's game", 'daily', [FailedPrecondition, /once its day is over/]],
  [
    'a private game in play',
    'begunHidden',
    [PermissionDenied, /to its players alone/, /^NO_SPECTATORS$/],
  ],
  [
    'a game that nobody watches',
    'begunUnwatched',
    [PermissionDenied, /to its players alone/, /^NO_SPECTATORS$/],
  ],
  [
    'a game in play',
    'begun',
    [FailedPrecondition, /until then its seed is secret/, /^NOT_OVER$/],
    ['verify'],
  ],
  [
    'a game in play',
    'begun',
    [FailedPrecondition, /analysed once it is over/, /^NOT_OVER$/],
    ['analyse'],
  ],
]) {
  for (const method of methods ?? ['getRecord', 'verify', 'analyse']) {
    looks[`${method} of ${title}`] = [
      (services) => asked(services.history[method]({ tableId: at[table] ?? table })),
      refusal,
    ];
  }
}

const boards = {
  'a board of no game': [{ board: { game: 'go' } }, [InvalidArgument, /no game 'go'/]],
  'a board of no kind': [{ board: { game: '2048', kind: 9 } }, [InvalidArgument, /kind 9/]],
  'a board of no day': [
    { board: { game: '2048', kind: BoardKind.BEST_OF_DAY, date: 'yesterday' } },
    [InvalidArgument, /'yesterday' is not a date/],
  ],
  'ratings of a configuration': [
    { board: { game: 'azul', kind: BoardKind.RATINGS, config: twoSeats } },
    [InvalidArgument, /leave board.config out/],
  ],
  'a daily board of a game for several': [
    { board: { game: 'azul', kind: BoardKind.DAILY } },
    [InvalidArgument, /no daily game/],
  ],
  'a page of thousands': [
    { board: { game: '2048' }, pageSize: 1000 },
    [InvalidArgument, /at most 100/],
  ],
  'a page that is none': [
    { board: { game: '2048' }, pageToken: '!' },
    [InvalidArgument, /not one of this server's/],
  ],
  'my place without a token': [
    { board: { game: 'azul' }, aroundMe: true },
    [Unauthenticated, /sign in/],
  ],
};
for (const [title, [request, refusal, name]] of Object.entries(boards)) {
  looks[title] = [(services) => services.boards.getBoard(request, who[name]), refusal];
}
const rating = (game, playerId) => (services) => services.boards.getRating({ game, playerId });
const daily = (request) => (services) => services.boards.getDaily(request);
Object.assign(looks, {
  'a rating in no game': [rating('go', '1'), [InvalidArgument, /no game 'go'/]],
  'a rating of nobody': [rating('azul', 'x'), [InvalidArgument, /not a player's id/]],
  'a rating of a stranger': [rating('azul', '1234567890abc'), [NotFound, /no such player/]],
  'the daily game of no game': [daily({ game: 'go' }), [InvalidArgument, /no game 'go'/]],
  'the daily game for several': [daily({ game: 'azul' }), [InvalidArgument, /several players/]],
  'the daily game of tomorrow': [
    daily({ game: '2048', date: '9999-01-01' }),
    [InvalidArgument, /not known before its day/],
  ],
});

testRefusals(() => server, looks);
