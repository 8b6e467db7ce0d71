// How calls are refused, over every transport: the code of the contract, a reason for programs, and
// a sentence that is understood. Here is what tests/server does not show of each service: nobody is
// an operator without the admin token, and what each method passes on of its request.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@connectrpc/connect';
import { AdminService, LogLevel } from './gen/tesela/admin/v1/admin_pb.js';
import { adminOf, adminToken } from './harness/admin.mjs';
import { azul, resign } from './harness/games.mjs';
import { bearer, lobbyOf, signIn, transports, unknownId } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused, people, testRefusals } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';

const { FailedPrecondition, InvalidArgument, NotFound, PermissionDenied, Unauthenticated } = Code;
const nobody = '0000000000001';
const twoSeats = azul(2).config;

let server;
let who;
const at = { nonsense: 'x' }; // tables by what is special about them: their ids
before(async () => {
  server = await Server.start('--threads', '2', '--bot-pace', '0ms', '--bot-think', '5ms');
  who = await people(server, 'Ada', 'Bob');
  who.operator = bearer(await adminToken(server));
  const lobby = lobbyOf(server);
  const make = async (request) =>
    (await lobby.createTable({ game: 'azul', config: twoSeats, ...request }, who.Ada)).table
      .tableId;
  at.open = await make();
  at.unknown = unknownId(at.open);
  at.closed = await make();
  await lobby.freeSeat({ tableId: at.closed, seat: 0 }, who.Ada);
  const bots = [{ strategy: 'random' }];
  at.hidden = await make({ bots, options: { botPaceMs: 60_000, inviteOnly: true } });
  at.unwatched = await make({ bots, options: { botPaceMs: 60_000, spectatorsOff: true } });
  at.daily = await make({ game: '2048', config: undefined, daily: true });
  at.over = await make();
  await lobby.joinTable({ tableId: at.over }, who.Bob);
  const player = await Player.join(server, at.over, { token: who.Ada.guest.token });
  player.stream.play(resign, { atVersion: player.version });
  while (!player.result) await player.step();
  await player.stream.close();
  const { table: left } = await lobby.rematchTable({ tableId: at.over }, who.Ada);
  await lobby.freeSeat({ tableId: left.tableId, seat: left.seats[0].seat }, who.Ada);
});
after(() => server.dispose());

describe('nobody else is an operator:', () => {
  for (const transport of Object.keys(transports)) {
    for (const { localName } of AdminService.methods) {
      test(`${localName} over ${transport}`, async () => {
        const ask = (token) => adminOf(server, token, transport)[localName]();
        const { token: players } = await signIn(server);
        const own = await adminToken(server);
        await assertRefused(ask(''), Unauthenticated, /admin token/, /^UNAUTHENTICATED$/);
        for (const wrong of [players, own.slice(1), `${own}A`, own.toUpperCase(), 'x']) {
          await assertRefused(ask(wrong), Unauthenticated, /not the admin token/);
        }
      });
    }
  }

  test('and what was refused was not done', async () => {
    const { table } = await lobbyOf(server).getTable({ tableId: at.open });
    assert.equal(table.endedAt, undefined);
    assert.equal(await server.readiness(), 200);
  });

  test('an operator is no player', async () => {
    const making = lobbyOf(server).createTable({ game: '2048' }, who.operator);
    await assertRefused(making, Unauthenticated, /token/);
  });
});

test('the operator has no calls under a name that only resolves to the server', async () => {
  const statusUnder = async (host) => {
    const call = http.request(`${server.http}/tesela.admin.v1.AdminService/GetStatus`, {
      method: 'POST',
      headers: { host, 'content-type': 'application/json', ...who.operator.headers },
    });
    const answered = once(call, 'response');
    call.end('{}');
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  };
  assert.equal(await statusUnder('localhost:8080'), 200);
  assert.equal(await statusUnder('rebound.example'), 403);
});

test('wrong tokens are in the log, with where they came from, and not in a flood', async (t) => {
  const own = await Server.start();
  t.after(() => own.dispose());
  const guesses = 50;
  const lines = () => own.output.split('\n').filter((line) => line.includes('was refused'));
  const begin = Date.now();
  for (let i = 0; i < guesses; ++i) {
    const transport = Object.keys(transports)[i % 3];
    const guess = adminOf(own, `a-guess-${i}`, transport).getStatus();
    await assertRefused(guess, Unauthenticated, /not the admin token/);
  }
  const deadline = begin + 20_000;
  while (lines().length === 0) {
    assert.ok(Date.now() < deadline, 'a line did not come');
    await sleep(20);
  }
  assert.match(lines()[0], / warning? admin: somebody at 127\.0\.0\.1 was refused/);
  assert.ok(lines().length <= 2 + (Date.now() - begin) / 1000, lines().join('\n'));
  assert.ok(!own.output.includes('a-guess'));
});

/** The answer of a method, or the first message of its stream. */
async function first(answer) {
  if (!(Symbol.asyncIterator in answer)) return answer;
  for await (const message of answer) return message;
  return undefined;
}

const cases = {};
/**
 * The refusals of a method, called by one of `who`: the request of each, whose `at` is the table
 * that it is about, and what it is refused with.
 */
function refuses(service, method, name, refusals) {
  for (const [title, [{ at: table, ...fields }, ...refusal]] of Object.entries(refusals)) {
    cases[`${method} with ${title}`] = [
      (clients) => {
        const request = table ? { tableId: at[table], ...fields } : fields;
        return first(clients[service][method](request, who[name]));
      },
      refusal,
    ];
  }
}

refuses('lobby', 'joinTable', 'Bob', {
  'a full table': [{ at: 'unwatched' }, FailedPrecondition, /Every seat .* taken/, /^SEAT_TAKEN$/],
  'a table that was closed': [{ at: 'closed' }, NotFound, /was closed/],
  'too much for the dice': [
    { at: 'open', contribution: new Uint8Array(65) },
    InvalidArgument,
    /at most 64 bytes, not 65/,
  ],
});
refuses('lobby', 'rematchTable', 'Bob', {
  'a rematch that was left': [{ at: 'over' }, NotFound, /closed/],
});

const newTables = {
  'too much for the dice': [{ contribution: new Uint8Array(65) }, /at most 64 bytes, not 65/],
  'a clock of a month': [{ gameMs: 2_592_000_000 }, /game_ms.*604800000/],
  'no time-outs at all': [{ timeoutsMax: 0 }, /timeouts_max must be 1 to 100, not 0/],
  'a substitute that does not exist': [{ autoplay: 'nobody' }, /nobody.*safe/],
  'bots that come after a day': [{ botsAfterMs: 86_400_000 }, /bots_after_ms.*3600000/],
  'a level without bots': [{ botLevel: 2 }, /set both/],
  'bots of no level': [{ botsAfterMs: 1000, botLevel: 77 }, /no bot of level 77/],
  'talk of no kind': [{ talk: 7 }, /TALK_PHRASES/],
};
for (const [title, [{ contribution, gameMs, ...options }, meaning]] of Object.entries(newTables)) {
  if (gameMs) options.clock = { gameMs };
  const request = { game: 'azul', config: twoSeats, contribution, options };
  refuses('lobby', 'createTable', 'Ada', { [title]: [request, InvalidArgument, meaning] });
}
refuses('matchmaking', 'find', 'Bob', {
  'a party of one': [
    { game: 'azul', party: { code: '12345678', size: 1 } },
    InvalidArgument,
    /party.size must be 2 to 2/,
  ],
});

for (const method of ['replay', 'verify', 'analyse']) {
  const secret = [PermissionDenied, /to its players alone/, /^NO_SPECTATORS$/];
  refuses('history', method, undefined, {
    'what is no table': [{ at: 'nonsense' }, InvalidArgument, /not a table's id/],
    'no table': [{ at: 'unknown' }, NotFound, /no such table/],
    'a game to come': [{ at: 'open' }, FailedPrecondition, /has not begun/, /^NOT_STARTED$/],
    'a private game in play': [{ at: 'hidden' }, ...secret],
    'a game that nobody watches': [{ at: 'unwatched' }, ...secret],
  });
}
refuses('history', 'replay', undefined, {
  'the game of today': [{ at: 'daily' }, FailedPrecondition, /its day is over/],
});
refuses('boards', 'getBoard', undefined, {
  'no kind': [{ board: { game: '2048', kind: 9 } }, InvalidArgument, /kind 9/],
  'my place, without a token': [
    { board: { game: 'azul' }, aroundMe: true },
    Unauthenticated,
    /sign in/,
  ],
});
refuses('boards', 'getRating', undefined, {
  'no game': [{ game: 'go', playerId: '1' }, InvalidArgument, /no game 'go'/],
  'no id': [{ game: 'azul', playerId: 'x' }, InvalidArgument, /not a player's id/],
  'a stranger': [{ game: 'azul', playerId: '1234567890abc' }, NotFound, /no such player/],
});

refuses('admin', 'listTables', 'operator', {
  'a page that is too long': [{ pageSize: 101 }, InvalidArgument, /page_size/],
  'no game': [{ filter: { game: 'chess' } }, InvalidArgument, /no game 'chess'/],
  'no state': [{ filter: { state: 9 } }, InvalidArgument, /state 9/],
});
refuses('admin', 'listPlayers', 'operator', {
  "another server's page": [{ pageToken: 'AAAA' }, InvalidArgument, /page_token/],
});
refuses('admin', 'inspectTable', 'operator', {
  'no id': [{ at: 'nonsense' }, InvalidArgument, /table_id/],
  'no table': [{ at: 'unknown' }, NotFound, /table/],
});
refuses('admin', 'inspectPlayer', 'operator', {
  'no id': [{ playerId: 'me' }, InvalidArgument, /player_id/],
  'no player': [{ playerId: nobody }, NotFound, /player/],
});
refuses('admin', 'closeTable', 'operator', {
  'no table': [{ at: 'unknown', reason: 'spam' }, NotFound, /table/],
  'a game that is over': [{ at: 'over', reason: 'x' }, FailedPrecondition, /over/, /^GAME_OVER$/],
  'no reason': [{ at: 'open', reason: '  ' }, InvalidArgument, /reason/],
  'a reason that cannot be shown': [{ at: 'open', reason: 'a\u202eb' }, InvalidArgument, /reason/],
  'a reason that is too long': [{ at: 'open', reason: 'x'.repeat(201) }, InvalidArgument, /200/],
});
refuses('admin', 'setLogLevel', 'operator', {
  'no level': [{ level: LogLevel.UNSPECIFIED }, InvalidArgument, /level/],
});

testRefusals(() => server, cases);
