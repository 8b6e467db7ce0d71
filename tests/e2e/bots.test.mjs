// Bots on every seat: hundreds of games of Azul at once through the real server, each record
// executed again by `tesela verify`; and a hint over the stream.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createClient } from '@connectrpc/connect';
import { toBinary } from '@bufbuild/protobuf';
import {
  GameRecordSchema,
  GetRecordResponseSchema,
  HistoryService,
} from './gen/tesela/lobby/v1/history_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { watchBots } from './harness/bots.mjs';
import { azul, games } from './harness/games.mjs';
import { assertTrue } from './harness/judges.mjs';
import { bearer, lobbyOf, newTableOf, signIn, transports } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { binaries, Server } from './harness/server.mjs';

const run = promisify(execFile);
const gamesAtOnce = 200;
let server;
before(async () => {
  server = await Server.start('--threads', '2', '--bot-pace', '0ms', '--bot-think', '2ms');
});
after(() => server.dispose());

const historyOf = (on) => createClient(HistoryService, transports['Connect with protobuf'](on));

/** The strategies that sit at table `n`, two to four of them. */
function seatsOf(n, strategies) {
  return Array.from({ length: 2 + (n % 3) }, (_, seat) => ({
    strategy: strategies[(n + seat * 5) % strategies.length].name,
  }));
}

/** Watches the table, so that its bots need not be slow, and asks for it until its game is over. */
async function finished(tableId, token) {
  const watcher = await Player.join(server, tableId);
  for (;;) {
    const { table } = await lobbyOf(server).getTable({ tableId }, bearer(token));
    if (table.state === TableState.OVER) {
      await watcher.stream.close();
      return table;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

test(`${gamesAtOnce} games of Azul at once, bots on every seat, end and are true`, async (t) => {
  const { token } = await signIn(server);
  const lobby = lobbyOf(server);
  const { strategies } = await lobby.listStrategies({ game: 'azul' });
  const tables = await Promise.all(
    Array.from({ length: gamesAtOnce }, async (_, n) => {
      const bots = seatsOf(n, strategies);
      const { config } = azul(bots.length);
      const request = { game: 'azul', config, bots, watchOnly: true };
      return (await lobby.createTable(request, bearer(token))).table;
    }),
  );
  assert.ok(tables.every(({ state }) => state === TableState.IN_PLAY));
  const over = await Promise.all(tables.map(({ tableId }) => finished(tableId, token)));
  assert.ok(over.every(({ result, seats }) => result.standings.length === seats.length));

  const folder = await mkdtemp(join(tmpdir(), 'tesela-records-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = await Promise.all(
    tables.map(async ({ tableId, commitment }, n) => {
      const answer = await historyOf(server).getRecord({ tableId });
      const { record } = answer;
      assert.deepEqual(record.table.commitment, commitment);
      const file = join(folder, tableId);
      // The record alone, or the whole answer.
      const bytes =
        n % 2 ? toBinary(GetRecordResponseSchema, answer) : toBinary(GameRecordSchema, record);
      await writeFile(file, bytes);
      return file;
    }),
  );
  const { stdout } = await run(join(binaries, 'tesela'), ['verify', ...files]);
  assert.equal(stdout.match(/^true {3}azul/gm).length, gamesAtOnce);
});

test('every game that bots have played is true for the second verifier too', async () => {
  const { token } = await signIn(server);
  const lobby = lobbyOf(server);
  const played = Object.entries({ ...games, azul: azul(3) });
  const isTrue = async ([game, { seats = 3, config }]) => {
    const bots = Array(seats).fill({ strategy: 'random' });
    const request = { game, config, bots, watchOnly: true };
    const { table } = await lobby.createTable(request, bearer(token));
    const { tableId, commitment } = table;
    await finished(tableId, token);
    const { record } = await historyOf(server).getRecord({ tableId });
    await assertTrue(server, tableId, { commitment, versions: BigInt(record.moves.length) + 1n });
  };
  await Promise.all(played.map(isTrue));
});

test('a hint is a move of the strategy that was asked', async () => {
  const { tableId, token } = await newTableOf(server, { game: '2248' });
  const player = await Player.join(server, tableId, { token });
  for (const strategy of ['max-path', 'max-adjacent', '']) {
    player.stream.send({ case: 'hintRequest', value: { hintId: 'h', strategy } });
    let frame;
    do frame = await player.step();
    while (frame.kind === 'seating');
    assert.equal(frame.kind, 'hint', frame.value.message);
    assert.equal(frame.value.hintId, 'h');
    assert.equal(frame.value.version, player.version);
    if (strategy) assert.equal(frame.value.strategy, strategy);
    await player.playBody(frame.value.move);
    await new Promise((resolve) => setTimeout(resolve, 300)); // hints come a few a second
  }
  assert.equal(player.seating.assisted, true);
  await player.stream.close();
});

test('bots play on after a kill -9', async () => {
  const own = await Server.start('--bot-pace', '20ms');
  try {
    const watcher = await watchBots(own, 5n);
    await own.kill();
    await own.start();
    await watcher.resume();
    while (!watcher.result) await watcher.step();
    const verdict = await historyOf(own).verify({ tableId: watcher.tableId });
    assert.ok(verdict.ok, verdict.message);
    await watcher.stream.close();
  } finally {
    await own.dispose();
  }
});
