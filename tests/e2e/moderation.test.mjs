// Reports of players, and what operators do about them: everywhere, undone, told and answered.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AccountService } from './gen/tesela/account/v1/account_pb.js';
import { ActKind, ConductService, ReportKind } from './gen/tesela/account/v1/conduct_pb.js';
import { MatchmakingService } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { Phrase } from './gen/tesela/play/v1/talk_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { adminKeyFile, moderatorOf, ownAdminOf } from './harness/admin.mjs';
import { databases, serverOn } from './harness/databases.mjs';
import { azul } from './harness/games.mjs';
import { untilTooMany } from './harness/limited.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from './harness/lobby.mjs';
import { adminOptions, startNode } from './harness/node.mjs';
import { come } from './harness/outside_bots.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { assertReason, assertRefused } from './harness/refusals.mjs';
import { clientProgram, run, Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const { PermissionDenied, InvalidArgument, NotFound, AlreadyExists, FailedPrecondition } = Code;
const inAnHour = () => timestampFromMs(Date.now() + 3_600_000);
const why = { operator: 'Otto', reason: 'Insults' };

/** What a player sees and says of reports and acts. */
const conductOf = (server, { token }) => {
  const client = clientOf(ConductService, server);
  return (method, request = {}) => client[method](request, bearer(token));
};

/** Ada and Bob at a game of Azul that has begun. */
async function gameOfTwo(server, guests = undefined, second = server) {
  const [ada, bob] = guests ?? [await signIn(server, 'Ada'), await signIn(server, 'Bob')];
  const request = { game: 'azul', config: azul(2).config };
  const { tableId } = (await lobbyOf(server).createTable(request, bearer(ada.token))).table;
  await lobbyOf(second).joinTable({ tableId }, bearer(bob.token));
  const players = [
    await Player.join(server, tableId, { token: ada.token }),
    await Player.join(second, tableId, { token: bob.token }),
  ];
  return { tableId, ada, bob, players };
}

/** Every way into a game is refused. */
async function assertKeptOut(t, server, { token }, openTable, meaning, reason) {
  const refused = (call) => assertRefused(call, PermissionDenied, meaning, reason);
  const lobby = lobbyOf(server);
  await refused(lobby.createTable({ game: '2048' }, bearer(token)));
  await refused(lobby.joinTable({ tableId: openTable }, bearer(token)));
  await refused(lobby.rematchTable({ tableId: openTable }, bearer(token)));
  const search = clientOf(MatchmakingService, server).find({ game: 'azul' }, bearer(token));
  await refused(search[Symbol.asyncIterator]().next());
  if (t) assert.equal(await come(t, server, token, 'kept-out', () => {}).ended, PermissionDenied);
}

/** An open table of Azul. */
async function openTable(server) {
  const { token } = await signIn(server, 'Olga');
  const request = { game: 'azul', config: azul(2).config };
  return (await lobbyOf(server).createTable(request, bearer(token))).table.tableId;
}

/** Says something at a table: the Refusal, or what everybody hears. */
async function say(player, what) {
  player.stream.send({ case: 'say', value: { what } });
  for (;;) {
    const { kind, value } = await player.step();
    if (kind === 'said' || kind === 'refusal') return { kind, value };
  }
}

const words = (value) => ({ case: 'text', value });

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let database;
    let server;
    serverOn(start, (...started) => ([server, database] = started));

    test('a suspended player gets into no game, plays on, and is told why', async (t) => {
      const moderate = await moderatorOf(server);
      const { ada, players } = await gameOfTwo(server);
      const open = await openTable(server);
      const search = clientOf(MatchmakingService, server).find({ game: 'azul' }, bearer(ada.token));
      const messages = search[Symbol.asyncIterator]();
      await messages.next();
      const bot = come(t, server, ada.token, `of-${name.toLowerCase()}`, () => undefined);
      assert.ok(await bot.accepted);
      const request = { playerId: ada.playerId, kind: ActKind.SUSPEND, ...why };
      await assertRefused(moderate('actOnPlayer', request), InvalidArgument, /until when/);
      const over = { ...request, until: timestampFromMs(1000) };
      await assertRefused(moderate('actOnPlayer', over), InvalidArgument, /is over/);
      const { act } = await moderate('actOnPlayer', { ...request, until: inAnHour() });
      assert.deepEqual([act.before, act.operator], ['free', 'Otto']);
      assert.match(act.after, /^suspended until \d{4}-/);

      const told = /suspended you until .* UTC: Insults\.$/;
      await assertKeptOut(t, server, ada, open, told, /^SUSPENDED$/);
      const waits = (async () => {
        while (!(await messages.next()).done);
      })();
      await assertRefused(waits, PermissionDenied, told, /^SUSPENDED$/);
      assert.equal(await bot.ended, PermissionDenied);
      const [first] = players;
      await players[first.turn[0]].playBody(azul(2).choose(first.view, 0));
      const again = moderate('actOnPlayer', { ...request, until: inAnHour() });
      await assertRefused(again, AlreadyExists, /^Act \w+ is in force \(suspended\)/, /^TAKEN$/);

      await server.kill();
      await server.start();
      await assertKeptOut(undefined, server, ada, open, told, /^SUSPENDED$/);
      const conduct = conductOf(server, ada);
      const [mine] = (await conduct('getConduct')).acts;
      assert.equal(mine.actId, act.act.actId);
      assert.deepEqual([mine.reason, mine.inForce, mine.seen], ['Insults', true, false]);
      await conduct('seeAct', { actId: mine.actId });
      await conduct('seeAct', { actId: mine.actId, answer: ' I am sorry. ' });
      const twice = conduct('seeAct', { actId: mine.actId, answer: 'Or not.' });
      await assertRefused(twice, AlreadyExists, /answered this before/, /^TAKEN$/);
      const other = conductOf(server, await signIn(server, 'Eve'));
      await assertRefused(other('seeAct', { actId: mine.actId }), NotFound, /no such act/);

      const undo = { actId: mine.actId, operator: 'Olga', reason: 'Sorry' };
      await moderate('undoAct', undo);
      await assertRefused(moderate('undoAct', undo), AlreadyExists, /undone before/, /^TAKEN$/);
      await lobbyOf(server).joinTable({ tableId: open }, bearer(ada.token));
      const { acts } = await moderate('listActs', { playerId: ada.playerId });
      assert.deepEqual(
        acts.map(({ act: { kind }, operator, undoesActId }) => [kind, operator, undoesActId]),
        [
          [ActKind.UNDO, 'Olga', mine.actId],
          [ActKind.SUSPEND, 'Otto', ''],
        ],
      );
      assert.equal(acts[0].after, 'free');
      assert.deepEqual([acts[1].act.answer, acts[1].act.seen], ['I am sorry.', true]);
      const undone = { ...undo, actId: acts[0].act.actId };
      await assertRefused(moderate('undoAct', undone), InvalidArgument, /act again/);
    });

    test('a banned player is out of every game, and the sessions end', async () => {
      const moderate = await moderatorOf(server);
      const { tableId, ada, players } = await gameOfTwo(server);
      const account = clientOf(AccountService, server);
      const { code } = await account.makeRecoveryCode({}, bearer(ada.token));
      const request = { playerId: ada.playerId, kind: ActKind.BAN, ...why };
      assert.equal((await moderate('actOnPlayer', request)).endedSessions, 1);
      const goodbye = await players[0].stream.goodbye();
      assertReason(goodbye, Reason.BANNED, /banned you: Insults\.$/);
      const late = await Player.join(server, tableId, { token: ada.token }).catch((error) => error);
      assert.match(late.message, /got goodbye/);
      const call = lobbyOf(server).createTable({ game: '2048' }, bearer(ada.token));
      await assertRefused(call, Code.Unauthenticated, /signed out/, /^SESSION_ENDED$/);

      const { signedIn: back } = await account.signInWithCode({ code });
      const again = lobbyOf(server).createTable({ game: '2048' }, bearer(back.token));
      await assertRefused(again, PermissionDenied, /banned you: Insults\.$/, /^BANNED$/);
      const conduct = conductOf(server, back);
      const [{ actId, kind, inForce, seen }] = (await conduct('getConduct')).acts;
      assert.deepEqual([kind, inForce, seen], [ActKind.BAN, true, false]);
      await conduct('seeAct', { actId, answer: 'It was my brother.' });
      const twice = conduct('seeAct', { actId, answer: 'Really.' });
      await assertRefused(twice, AlreadyExists, /answered this before/, /^TAKEN$/);
      const [{ act }] = (await moderate('listActs', { playerId: ada.playerId })).acts;
      assert.deepEqual([act.answer, act.seen], ['It was my brother.', true]);
    });

    test('a muted player is refused talk, and a renamed one has a neutral name', async () => {
      const moderate = await moderatorOf(server);
      const { tableId, ada, players } = await gameOfTwo(server);
      const [mine, others] = players;
      assert.equal((await say(mine, words('Hi'))).kind, 'said');
      const act = async (kind) =>
        (await moderate('actOnPlayer', { playerId: ada.playerId, kind, ...why })).act;
      const muted = await act(ActKind.MUTE);
      const refusal = await say(mine, { case: 'phrase', value: Phrase.HELLO });
      assertReason(refusal.value, Reason.NO_TALK, /muted you: Insults\.$/);
      const renamed = await act(ActKind.RENAME);
      assert.equal(renamed.before, 'Ada');
      assert.match(renamed.after, /^Player \d{6}$/);
      const nameOf = ({ seats }) => seats[0].displayName;
      while (nameOf(others.seating) !== renamed.after) await others.step();
      assert.equal(nameOf((await lobbyOf(server).getTable({ tableId })).table), renamed.after);
      // The token still has the old name.
      const { table } = await newTable(server, {}, ada);
      assert.equal(nameOf(table), renamed.after);
      const undo = (actId) => moderate('undoAct', { actId, ...why });
      await undo(muted.act.actId);
      await undo(renamed.act.actId);
      while (nameOf(others.seating) !== 'Ada') await others.step();
      assert.equal((await say(mine, words('Again'))).kind, 'said');
      await act(ActKind.WARN);
      await act(ActKind.WARN);
      const { acts } = await conductOf(server, ada)('getConduct');
      const kinds = [ActKind.WARN, ActKind.WARN, ActKind.RENAME, ActKind.MUTE];
      assert.deepEqual(
        acts.map(({ kind }) => kind),
        kinds,
      );
      assert.ok(acts.every(({ inForce }) => !inForce));
    });

    test('a report keeps the talk of its table, for operators alone', async () => {
      const moderate = await moderatorOf(server);
      const { tableId, ada, bob, players } = await gameOfTwo(server);
      const names = ['Ты дурак', 'أنت أحمق', '你是笨蛋', '\u{1F4A9}'];
      for (const text of names) await say(players[0], words(text));
      await say(players[1], { case: 'phrase', value: Phrase.OOPS });
      const report = conductOf(server, bob);
      const request = { tableId, playerId: ada.playerId, kind: ReportKind.TALK, text: names[2] };
      await report('reportPlayer', request);
      await assertRefused(report('reportPlayer', request), AlreadyExists, /reported/, /^TAKEN$/);

      const { reports } = await moderate('listReports', { playerId: ada.playerId });
      assert.equal(reports.length, 1);
      assert.deepEqual(reports[0].lines, []);
      const { reportId } = reports[0];
      const { report: whole } = await moderate('inspectReport', { reportId });
      assert.deepEqual([whole.reporterId, whole.text], [bob.playerId, names[2]]);
      assert.deepEqual(
        whole.lines.map(({ playerId, what }) => [playerId, what.value]),
        [...names.map((text) => [ada.playerId, text]), [bob.playerId, Phrase.OOPS]],
      );

      await moderate('assignReport', { reportId, assignee: 'Otto' });
      const close = { reportId, operator: 'Otto', outcome: 'Muted' };
      const both = await Promise.allSettled([
        moderate('closeReport', close),
        moderate('closeReport', { ...close, operator: 'Olga' }),
      ]);
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const closed = moderate('assignReport', { reportId });
      await assertRefused(closed, FailedPrecondition, /closed before/, /^STARTED$/);
      const open = (await moderate('listReports')).reports;
      assert.ok(!open.some((each) => each.reportId === reportId));
      await report('reportPlayer', request);

      const admin = ['--server', new URL(server.http).host, '--token-file', adminKeyFile(server)];
      const exported = await run(clientProgram, ['admin', 'export', ada.playerId, ...admin]);
      const { conduct } = JSON.parse(exported.stdout);
      assert.deepEqual([conduct.reports, conduct.said.length], [[], 2 * names.length]);
      await (await ownAdminOf(server)).erasePlayer({ playerId: ada.playerId });
      for (const relation of ['reports', 'report_lines']) {
        assert.equal(await database.number(server, `SELECT count(*) FROM ${relation}`), 0);
      }
      const gone = moderate('actOnPlayer', { playerId: ada.playerId, kind: ActKind.WARN, ...why });
      await assertRefused(gone, NotFound, /no such player/);
    });

    test('nobody reports who was not there, or who is a bot of the server', async () => {
      const { tableId, ada } = await gameOfTwo(server);
      const eve = await signIn(server, 'Eve');
      const report = (who, request) =>
        conductOf(server, who)('reportPlayer', { tableId, kind: ReportKind.PLAY, ...request });
      const stranger = report(eve, { playerId: ada.playerId });
      await assertRefused(stranger, PermissionDenied, /You are not at this table/);
      const absent = report(ada, { playerId: eve.playerId });
      await assertRefused(absent, PermissionDenied, /not seen at this table/);
      const oneself = report(ada, { playerId: ada.playerId });
      await assertRefused(oneself, InvalidArgument, /another player/);
      const request = { game: 'azul', config: azul(2).config, bots: [{ strategy: 'greedy' }] };
      const { table } = await lobbyOf(server).createTable(request, bearer(eve.token));
      const bot = table.seats.find(({ bot: is }) => is).playerId;
      const ofBot = report(eve, { tableId: table.tableId, playerId: bot });
      await assertRefused(ofBot, InvalidArgument, /bot of the server/);
      const moderate = await moderatorOf(server);
      const acted = moderate('actOnPlayer', { playerId: bot, kind: ActKind.BAN, ...why });
      await assertRefused(acted, InvalidArgument, /bot of the server/);
    });

    test('of two operators at once one suspends, and one undoes', async () => {
      const moderate = await moderatorOf(server);
      const { playerId } = await signIn(server);
      const request = { playerId, kind: ActKind.SUSPEND, until: inAnHour(), ...why };
      const outcomes = async (call) =>
        (await Promise.allSettled([call(), call(), call()])).map(({ status }) => status).sort();
      const once = ['fulfilled', 'rejected', 'rejected'];
      assert.deepEqual(await outcomes(() => moderate('actOnPlayer', request)), once);
      const [{ act }] = (await moderate('listActs', { playerId })).acts;
      const undo = { actId: act.actId, ...why };
      assert.deepEqual(await outcomes(() => moderate('undoAct', undo)), once);
      assert.equal((await moderate('listActs', { playerId })).acts.length, 2);
    });
  });
}

test('reports of one address have a limit', async (t) => {
  const server = await Server.start('--exempt-addresses', 'none');
  t.after(() => server.dispose());
  const { tableId, ada, bob } = await gameOfTwo(server);
  const request = { tableId, kind: ReportKind.OTHER };
  const { done, sentence } = await untilTooMany(10, async (n) => {
    const [who, whom] = n % 2 ? [ada, bob] : [bob, ada];
    const call = conductOf(server, who)('reportPlayer', { ...request, playerId: whom.playerId });
    await call.catch((error) => {
      if (error.code !== AlreadyExists) throw error;
    });
  });
  assert.equal(done, 5);
  assert.match(sentence, /try again in an hour/);
});

test('an operator does all of it with the terminal program', async (t) => {
  const server = await Server.start();
  t.after(() => server.dispose());
  const { tableId, ada, bob, players } = await gameOfTwo(server);
  await say(players[0], words('You fool'));
  const request = { tableId, playerId: ada.playerId, kind: ReportKind.TALK, text: 'Rude' };
  await conductOf(server, bob)('reportPlayer', request);
  const given = ['--server', new URL(server.http).host, '--token-file', adminKeyFile(server)];
  const admin = async (...args) => {
    const { code, stdout, stderr } = await run(clientProgram, ['admin', ...args, ...given]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const list = await admin('reports');
  const [, reportId] = list.match(/^(\w{13}) .* talk .* open$/m);
  assert.match(await admin('report', reportId), /You fool/);
  await admin('assign', reportId, '--to', 'Otto');
  assert.match(await admin('reports'), / with Otto$/m);
  const as = ['--as', 'Otto'];
  const reason = ['--reason', 'Insults', ...as];
  const done = await admin('act', 'suspend', ada.playerId, '--for', '7d', ...reason);
  const [, actId] = done.match(/^Act (\w{13}) is done: the player was free, and is suspended/);
  await admin('close-report', reportId, '--outcome', 'Suspended', ...as);
  assert.match(await admin('reports'), /^No reports/);
  assert.match(await admin('acts', ada.playerId), /suspend +Otto +Insults/);
  assert.match(await admin('undo', actId, ...reason), /is undone/);
});

describe('with three servers', () => {
  let postgres;
  let token;
  const servers = [];
  before(async () => {
    postgres = await Postgres.start();
    token = 'operator-'.repeat(5);
    const options = await adminOptions(postgres, token);
    for (let n = 0; n < 3; ++n) servers.push(await startNode(postgres, options));
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.dispose()));
    await postgres.dispose();
  });

  const mayMake = async (server, { token: own }) => {
    const call = lobbyOf(server).createTable({ game: '2048' }, bearer(own));
    const [{ status }] = await Promise.allSettled([call]);
    return status === 'fulfilled';
  };

  /** Waits for an effect of an act, which comes within a second. */
  async function within(effect) {
    const asked = Date.now();
    await until(effect);
    const late = Date.now() - asked;
    assert.ok(late < 1000, `${late} ms`);
  }

  test('what an operator does holds within a second at each', async () => {
    for (let round = 0; round < 3; ++round) {
      const moderate = await moderatorOf(servers[round], token);
      const ada = await signIn(servers[0], 'Ada');
      const open = await openTable(servers[1]);
      const request = { playerId: ada.playerId, kind: ActKind.SUSPEND, until: inAnHour(), ...why };
      const { act } = await moderate('actOnPlayer', request);
      assert.equal(await mayMake(servers[round], ada), false);
      for (const server of servers) await within(async () => !(await mayMake(server, ada)));
      if (round === 2) servers.push(await startNode(postgres)); // it knows from its start
      await assertKeptOut(undefined, servers.at(-1), ada, open, /suspended you/, /^SUSPENDED$/);
      await moderate('undoAct', { actId: act.act.actId, ...why });
      for (const server of servers) await within(() => mayMake(server, ada));
    }
  });

  test('a ban ends streams at each, and a report is taken where the table is', async () => {
    const guests = [await signIn(servers[0], 'Ada'), await signIn(servers[1], 'Bob')];
    const { tableId, ada, bob, players } = await gameOfTwo(servers[1], guests, servers[2]);
    await say(players[0], words('You fool'));
    const report = { tableId, playerId: ada.playerId, kind: ReportKind.TALK };
    await conductOf(servers[0], bob)('reportPlayer', report);
    const moderate = await moderatorOf(servers[0], token);
    const { reports } = await moderate('listReports');
    const { reportId } = reports.find(({ playerId }) => playerId === ada.playerId);
    const { lines } = (await moderate('inspectReport', { reportId })).report;
    assert.deepEqual(
      lines.map(({ what }) => what.value),
      ['You fool'],
    );
    const asked = Date.now();
    await moderate('actOnPlayer', { playerId: ada.playerId, kind: ActKind.RENAME, ...why });
    while (players[1].seating.seats[0].displayName === 'Ada') await players[1].step();
    await moderate('actOnPlayer', { playerId: ada.playerId, kind: ActKind.BAN, ...why });
    assertReason(await players[0].stream.goodbye(), Reason.BANNED, /banned you/);
    assert.ok(Date.now() - asked < 2000);
  });
});
