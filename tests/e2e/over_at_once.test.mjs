// Games in which the position that is dealt leaves no move are over at version 1, and true.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { SameGameConfigSchema } from './gen/tesela/game/v1/samegame_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { assertTrue } from './harness/judges.mjs';
import { bearer, config2048, lobbyOf, signIn } from './harness/lobby.mjs';
import { Server } from './harness/server.mjs';

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
  test(`${game} that is over as it begins ends like any other`, async () => {
    const { token } = await signIn(server);
    const lobby = lobbyOf(server);
    const { table } = await lobby.createTable({ game, config }, bearer(token));
    assert.equal(TableState[table.state], 'OVER');
    assert.equal(table.result.standings.length, 1);
    const { tableId, commitment } = table;
    await assertTrue(server, tableId, { commitment, versions: 1n });
    const again = await lobby.rematchTable({ tableId }, bearer(token));
    assert.notEqual(again.table.tableId, tableId);
  });
}
