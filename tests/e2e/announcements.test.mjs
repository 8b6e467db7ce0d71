// What operators tell and forbid everybody, at all servers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { ActKind, ConductService } from './gen/tesela/account/v1/conduct_pb.js';
import { ModerationService } from './gen/tesela/admin/v1/moderation_pb.js';
import { MatchmakingService } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { adminOptions, startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { clientProgram, run } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const { PermissionDenied, InvalidArgument, AlreadyExists } = Code;
const token = 'operator-'.repeat(5);

describe('acts on all servers', () => {
  let postgres;
  const servers = [];
  let act;
  before(async () => {
    postgres = await Postgres.start();
    const options = await adminOptions(postgres, token);
    for (let n = 0; n < 2; ++n) servers.push(await startNode(postgres, options));
    const moderation = servers.map((server) => clientOf(ModerationService, server));
    act = (...how) => act.at(0, ...how);
    act.at = async (at, kind, reason, more = {}) => {
      const request = { kind, operator: 'Otto', reason, ...more };
      return (await moderation[at].actOnServers(request, bearer(token))).act.act.actId;
    };
    act.undo = (actId, at = 0) =>
      moderation[at].undoAct({ actId, operator: 'Otto', reason: 'Over' }, bearer(token));
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.dispose()));
    await postgres.dispose();
  });

  const notices = () =>
    Promise.all(
      servers.map(async (server) => {
        const { announcement } = await clientOf(ConductService, server).getNotice({});
        return announcement;
      }),
    );
  const untilAnnounced = (text) =>
    until(async () => (await notices()).every((notice) => notice === text));

  /** The next announcement that a player's stream hears. */
  async function heard(player) {
    for (;;) {
      const { kind, value } = await player.step();
      if (kind === 'announcement') return value.text;
    }
  }

  test('every stream and every server announces it, until it is undone', async () => {
    const tables = await Promise.all(servers.map((server) => newTable(server)));
    const players = await Promise.all(
      tables.map((table, n) => Player.join(servers[n], table.tableId, { token: table.token })),
    );
    const first = await act(ActKind.ANNOUNCE, 'Works at noon: ½ hour');
    for (const player of players) assert.equal(await heard(player), 'Works at noon: ½ hour');
    await untilAnnounced('Works at noon: ½ hour');
    const second = await act(ActKind.ANNOUNCE, 'Works now');
    for (const player of players) assert.equal(await heard(player), 'Works now');

    await untilAnnounced('Works now');
    const { tableId } = await newTable(servers[1]);
    const watcher = await Player.join(servers[0], tableId, {});
    assert.equal(await heard(watcher), 'Works now', 'also who comes later');

    await act.undo(second);
    for (const player of players) assert.equal(await heard(player), 'Works at noon: ½ hour');
    await act.undo(first);
    for (const player of players) assert.equal(await heard(player), '');
    await untilAnnounced('');
    for (const player of [...players, watcher]) await player.stream.close();
  });

  test('nobody searches while matchmaking is paused, and other games go on', async () => {
    const ada = await signIn(servers[1], 'Ada');
    const find = () =>
      clientOf(MatchmakingService, servers[1])
        .find({ game: 'azul' }, bearer(ada.token))
        [Symbol.asyncIterator]();
    const search = find();
    await search.next();
    const waits = (async () => {
      while (!(await search.next()).done);
    })();
    const pause = await act(ActKind.PAUSE_MATCHMAKING, 'Works');
    const told = /^An operator has paused matchmaking: Works\.$/;
    await assertRefused(waits, PermissionDenied, told, /^PAUSED$/);
    await assertRefused(find().next(), PermissionDenied, told, /^PAUSED$/);
    await lobbyOf(servers[1]).createTable({ game: '2048' }, bearer(ada.token));
    const again = act(ActKind.PAUSE_MATCHMAKING, 'More');
    await assertRefused(again, AlreadyExists, /^Act \w+ is in force \(matchmaking paused\)/);
    await act.undo(pause);
    await until(() =>
      find()
        .next()
        .then(
          () => true,
          () => false,
        ),
    );
  });

  test('nobody signs in while that is paused, and who has a token plays on', async () => {
    const ada = await signIn(servers[1], 'Ada');
    const inTwoSeconds = timestampFromMs(Date.now() + 2000);
    await act(ActKind.PAUSE_SIGN_INS, 'Too many', { until: inTwoSeconds });
    const told = /^An operator has paused sign-ins until .* UTC: Too many\.$/;
    await assertRefused(signIn(servers[0], 'Bob'), PermissionDenied, told, /^PAUSED$/);
    await lobbyOf(servers[0]).createTable({ game: '2048' }, bearer(ada.token));
    await until(() =>
      signIn(servers[0], 'Bob').then(
        () => true,
        () => false,
      ),
    );
  });

  test('of many pauses at once one holds, and of many undoings one is made', async () => {
    const pauses = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => act.at(n % 2, ActKind.PAUSE_MATCHMAKING, 'Works')),
    );
    const accepted = pauses.filter(({ status }) => status === 'fulfilled');
    assert.equal(accepted.length, 1);
    const undoings = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => act.undo(accepted[0].value, n % 2)),
    );
    const made = undoings.filter(({ status }) => status === 'fulfilled');
    assert.equal(made.length, 1);
    const refused = [...pauses, ...undoings].filter(({ reason }) => reason);
    assert.ok(refused.every(({ reason }) => reason.code === AlreadyExists));
  });

  test('other kinds and an empty sentence are refused', async () => {
    await assertRefused(act(ActKind.BAN, 'Insults'), InvalidArgument, /no kind of act on all/);
    await assertRefused(act(263, 'Insults'), InvalidArgument, /no kind of act on all/);
    await assertRefused(act(ActKind.ANNOUNCE, ' '), InvalidArgument, /reason/);
    const moderation = clientOf(ModerationService, servers[0]);
    const { playerId } = await signIn(servers[0], 'Ada');
    const onAda = { playerId, kind: ActKind.PAUSE_SIGN_INS, operator: 'Otto', reason: 'Works' };
    await assertRefused(moderation.actOnPlayer(onAda, bearer(token)), InvalidArgument, /kind/);
  });

  test('tesela admin does the same, and players read it', async (t) => {
    const file = `${postgres.folder}/admin.key`;
    const admin = async (...args) => {
      const options = ['--server', servers[1].http, '--token-file', file];
      const { code, stdout, stderr } = await run(clientProgram, ['admin', ...args, ...options]);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const said = await admin('announce', 'Back at one', '--for', '1h', '--as', 'Olga');
    const [, id] = said.match(/^Act (\w+) is done; `undo` ends it\.$/m);
    assert.match(await admin('acts'), new RegExp(`${id} .* announce +Olga +Back at one`));
    const { tableId } = await newTable(servers[1]);
    const watch = ['watch', tableId, '--plain', '--server', servers[1].http];
    const watching = spawn(clientProgram, watch);
    t.after(() => watching.kill());
    let shown = '';
    for (const output of [watching.stdout, watching.stderr]) output.on('data', (d) => (shown += d));
    await until(() => shown.includes('An operator says: Back at one'));
    await admin('undo', id, '--reason', 'Over', '--as', 'Olga');
    await untilAnnounced('');
  });
});
