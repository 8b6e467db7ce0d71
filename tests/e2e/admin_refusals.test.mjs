// How the operator's calls are refused: nobody gets in without the admin token, and what cannot be
// done is told by the code of the contract and a sentence.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@connectrpc/connect';
import { AdminService, LogLevel } from './gen/tesela/admin/v1/admin_pb.js';
import { adminOf, adminToken } from './harness/admin.mjs';
import { bearer, lobbyOf, newTable, newTableOf, signIn, transports } from './harness/lobby.mjs';
import { azul } from './harness/games.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused, testRefusals } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';

const { FailedPrecondition, InvalidArgument, NotFound, Unauthenticated } = Code;
const nobody = '0000000000001';

let server;
let operator;
const at = {};
before(async () => {
  server = await Server.start('--threads', '2');
  operator = bearer(await adminToken(server));
  at.open = (await newTableOf(server, { game: 'azul', config: azul(2).config })).tableId;
  const over = await newTable(server, { size: 3 });
  const player = await Player.join(server, over.tableId, { token: over.token });
  await player.playToEnd();
  await player.stream.close();
  at.over = over.tableId;
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
    const making = lobbyOf(server).createTable({ game: '2048' }, operator);
    await assertRefused(making, Unauthenticated, /token/);
  });
});

test('the operator has no calls under a name that only resolves to the server', async () => {
  const statusUnder = async (host) => {
    const call = http.request(`${server.http}/tesela.admin.v1.AdminService/GetStatus`, {
      method: 'POST',
      headers: { host, 'content-type': 'application/json', ...operator.headers },
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

const asked = (method, request) => (clients) => clients.admin[method](request, operator);
/** `which` is one of `at`, which is known only when the test runs. */
const closed = (which, reason) => (clients) =>
  clients.admin.closeTable({ tableId: at[which], reason }, operator);

testRefusals(() => server, {
  'a page that is too long': [
    asked('listTables', { pageSize: 101 }),
    [InvalidArgument, /page_size/],
  ],
  "another server's page": [
    asked('listPlayers', { pageToken: 'AAAA' }),
    [InvalidArgument, /page_token/],
  ],
  'a game that is none': [
    asked('listTables', { filter: { game: 'chess' } }),
    [InvalidArgument, /no game 'chess'/],
  ],
  'a state that is none': [
    asked('listTables', { filter: { state: 9 } }),
    [InvalidArgument, /state 9/],
  ],
  "a table's id that is none": [
    asked('inspectTable', { tableId: 'table' }),
    [InvalidArgument, /table_id/],
  ],
  "a player's id that is none": [
    asked('inspectPlayer', { playerId: 'me' }),
    [InvalidArgument, /player_id/],
  ],
  'a table that is not there': [asked('inspectTable', { tableId: nobody }), [NotFound, /table/]],
  'a player who is not there': [asked('inspectPlayer', { playerId: nobody }), [NotFound, /player/]],
  'closing a table that is not there': [
    asked('closeTable', { tableId: nobody, reason: 'spam' }),
    [NotFound, /table/],
  ],
  'closing a game that is over': [
    closed('over', 'spam'),
    [FailedPrecondition, /over/, /^GAME_OVER$/],
  ],
  'closing without a reason': [closed('open', '  '), [InvalidArgument, /reason/]],
  'a reason that cannot be shown': [closed('open', 'a\u202eb'), [InvalidArgument, /reason/]],
  'a reason that is too long': [closed('open', 'x'.repeat(201)), [InvalidArgument, /200/]],
  'a log level that is none': [
    asked('setLogLevel', { level: LogLevel.UNSPECIFIED }),
    [InvalidArgument, /level/],
  ],
});
