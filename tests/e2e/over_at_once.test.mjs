// Games in which the position that is dealt leaves no move: they are over at version 1.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { SameGameConfigSchema } from './gen/tesela/game/v1/samegame_pb.js';
import { BoardKind, LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { bearer, clientOf, config2048, lobbyOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { binaries, repository, Server } from './harness/server.mjs';

const run = promisify(execFile);
const stuck = anyPack(
  SameGameConfigSchema,
  create(SameGameConfigSchema, { rows: 2, columns: 2, colours: 2, cells: [1, 2, 2, 1] }),
);
const reached = config2048({ startValue: 4, objective: 4, stopAtObjective: true });

let server;
before(async () => (server = await Server.start()));
after(() => server.dispose());

for (const [game, config] of [
  ['samegame', stuck],
  ['2048', reached],
]) {
  test(`${game} that is over as it begins ends like any other`, async (t) => {
    const { token, playerId } = await signIn(server);
    const lobby = lobbyOf(server);
    const { table } = await lobby.createTable({ game, config }, bearer(token));
    assert.equal(TableState[table.state], 'OVER');
    assert.equal(table.result.standings.length, 1);

    const player = await Player.join(server, table.tableId, { token });
    assert.equal(player.version, 1n);
    assert.deepEqual(player.result, table.result);
    player.stream.move(1);
    const refusal = await player.stream.expect('refusal');
    assert.ok([Reason.GAME_OVER, Reason.MALFORMED].includes(refusal.reason));
    await player.stream.close();

    const { tableId } = table;
    const { ok, message, versions } = await clientOf(HistoryService, server).verify({ tableId });
    assert.ok(ok, message);
    assert.equal(versions, 1n);
    const answer = await fetch(`${server.http}/${HistoryService.typeName}/GetRecord`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tableId }),
    });
    const folder = await mkdtemp(join(tmpdir(), 'tesela-record-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'record.json');
    await writeFile(file, await answer.text());
    await run(join(binaries, 'tesela'), ['verify', file]);
    await run('python3', [join(repository, 'tests/verify/verify_record.py'), file]);

    const board = await clientOf(LeaderboardService, server).getBoard({
      board: { kind: BoardKind.BEST, game, config },
    });
    assert.deepEqual(
      board.entries.map((entry) => entry.playerId),
      [playerId],
    );
    const again = await lobby.rematchTable({ tableId }, bearer(token));
    assert.notEqual(again.table.tableId, tableId);
  });
}
