// Two servers on one PostgreSQL, with node ports: a call about a table may come to either of them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@connectrpc/connect';
import { adminOf } from './harness/admin.mjs';
import { adminKey, ann, ben, options, postgres } from './harness/ann_and_ben.mjs';
import { azul, resign } from './harness/games.mjs';
import { bearer, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { nodeAnswers, ownerOf, relayedFor, startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { assertRefused } from './harness/refusals.mjs';

/** An open table that `server` has: its host follows it there. */
async function openTable(server, seats, fields = {}) {
  const host = await signIn(server, 'Ada');
  const { table } = await lobbyOf(server).createTable(
    { game: 'azul', config: azul(seats).config, ...fields },
    bearer(host.token),
  );
  const player = await Player.join(server, table.tableId, { token: host.token });
  return { tableId: table.tableId, invite: table.invite, host, player };
}

const passedOn = (server) => counter(server, 'tesela_relays_total', { outcome: 'call' });

/** What a call at ben answers, which the owner of the table must have been asked for. */
async function byOwner(call) {
  const before = await passedOn(ben);
  const answer = await call();
  assert.equal(await passedOn(ben), before + 1);
  return answer;
}

/** What a call at ben is refused with, which must be ben's own word. */
async function refusedByBen(call, ...refusal) {
  const before = await passedOn(ben);
  await assertRefused(call, ...refusal);
  assert.equal(await passedOn(ben), before);
}

for (const transport of Object.keys(transports)) {
  test(`${transport}: seats of a table are taken, freed and filled at another server`, async () => {
    const { tableId, host, player } = await openTable(ann, 4);
    const lobby = lobbyOf(ben, transport);
    const guest = await signIn(ben, 'Bob');
    const joined = await byOwner(() => lobby.joinTable({ tableId }, bearer(guest.token)));
    assert.equal(joined.table.seats[1].displayName, 'Bob');
    const other = await signIn(ben, 'Cyd');
    await byOwner(() => lobby.joinTable({ tableId, seat: 3 }, bearer(other.token)));
    const cyd = { tableId, playerId: other.playerId };
    await byOwner(() => lobby.removePlayer(cyd, bearer(host.token)));
    const bot = { strategy: 'random' };
    const filled = await byOwner(() => lobby.addBot({ tableId, bot }, bearer(host.token)));
    assert.equal(filled.table.seats[2].strategy, 'random');
    const freed = await byOwner(() => lobby.freeSeat({ tableId, seat: 1 }, bearer(guest.token)));
    assert.deepEqual(
      freed.table.seats.map(({ seat }) => seat),
      [0, 2],
    );
    const bots = { case: 'strategy', value: 'random' };
    await byOwner(() => lobby.startTable({ tableId, bots }, bearer(host.token)));
    await player.reach(1n);
    assert.equal(await ownerOf(postgres, [ann, ben], tableId), ann);
    player.stream.cut();
  });
}

test('players add to the dice at another server', async () => {
  const { tableId, host, player } = await openTable(ann, 2, { contributeLater: true });
  const guest = await signIn(ben, 'Bob');
  const lobby = lobbyOf(ben);
  const contributeLater = true;
  await byOwner(() => lobby.joinTable({ tableId, contributeLater }, bearer(guest.token)));
  for (const { token } of [host, guest]) {
    const contribution = randomBytes(16);
    const { begun } = await byOwner(() =>
      lobby.contribute({ tableId, contribution }, bearer(token)),
    );
    assert.equal(begun, token === guest.token);
  }
  await player.reach(1n);
  player.stream.cut();
});

test('a rematch is offered at another server, and all come to the same table', async () => {
  const { tableId, host, player } = await openTable(ann, 2);
  const guest = await signIn(ben, 'Bob');
  await byOwner(() => lobbyOf(ben).joinTable({ tableId }, bearer(guest.token)));
  await player.reach(1n);
  player.stream.play(resign, { atVersion: player.version });
  while (!player.result) await player.step();
  const { table } = await byOwner(() =>
    lobbyOf(ben).rematchTable({ tableId }, bearer(guest.token)),
  );
  while (player.seating.rematchTableId !== table.tableId) await player.step();
  // The new table is ben's, because the stream of the guest comes there first.
  const second = await Player.join(ben, table.tableId, { token: guest.token });
  assert.equal(await ownerOf(postgres, [ann, ben], table.tableId), ben);
  const before = await passedOn(ann);
  const again = await lobbyOf(ann).rematchTable({ tableId }, bearer(host.token));
  assert.equal(again.table.tableId, table.tableId);
  assert.equal(await passedOn(ann), before + 1);
  await second.reach(1n);
  for (const { stream } of [player, second]) stream.cut();
});

test('what the owner refuses is refused in its words', async () => {
  const { tableId, invite, player } = await openTable(ann, 2, { options: { inviteOnly: true } });
  const guest = bearer((await signIn(ben, 'Bob')).token);
  const call = (server, request) => lobbyOf(server).joinTable({ tableId, ...request }, guest);
  const messages = [];
  for (const server of [ann, ben]) {
    await assertRefused(() => call(server), Code.PermissionDenied, /invite/, /^INVITE_NEEDED$/);
    messages.push(await call(server).catch(({ rawMessage }) => rawMessage));
  }
  assert.equal(messages[0], messages[1]);
  await byOwner(() => call(ben, { invite }));
  await player.reach(1n);
  player.stream.cut();
});

test('strangers are refused where they come in', async () => {
  const { tableId, player } = await openTable(ann, 2);
  await refusedByBen(
    () => lobbyOf(ben).joinTable({ tableId }, bearer('forged')),
    Code.Unauthenticated,
    /token|sign in/i,
  );
  await refusedByBen(
    () => adminOf(ben, 'b'.repeat(40)).closeTable({ tableId, reason: 'no operator' }),
    Code.Unauthenticated,
    /admin token/,
  );
  await player.stream.ping();
  player.stream.cut();
});

test('an operator looks at a table and closes it at another server', async () => {
  const { tableId, player } = await openTable(ann, 2);
  const operator = adminOf(ben, adminKey);
  const { seating } = await byOwner(() => operator.inspectTable({ tableId }));
  assert.ok(seating.seats[0].connected, 'what only the owner knows');
  await byOwner(() => operator.closeTable({ tableId, reason: 'a test' }));
  assert.match((await player.stream.goodbye()).message, /closed by the operator: a test/);
});

test('over gRPC nobody is an operator where operators have a port of their own', async () => {
  const server = await startNode(postgres, [...options, '--ops-port', '0']);
  const { tableId, player } = await openTable(ann, 2);
  await assertRefused(
    () => adminOf(server, adminKey, 'gRPC').closeTable({ tableId, reason: 'a test' }),
    Code.PermissionDenied,
    /--ops-port/,
  );
  await player.stream.ping();
  player.stream.cut();
  await server.dispose();
});

test('after kill -9 of the owner a call is answered where it comes in', async () => {
  const server = await startNode(postgres, options);
  const { tableId } = await openTable(server, 3);
  const { token } = await signIn(ben, 'Bob');
  await byOwner(() => lobbyOf(ben).joinTable({ tableId }, bearer(token)));
  const takeovers = await counter(ben, 'tesela_takeovers_total');
  await server.kill();
  const { table } = await lobbyOf(ben).joinTable({ tableId }, bearer(token));
  assert.equal(table.seats[1].displayName, 'Bob');
  assert.equal(await ownerOf(postgres, [ann, ben], tableId), ben);
  assert.equal(await counter(ben, 'tesela_takeovers_total'), takeovers + 1);
  await server.dispose();
});

test('what nobody waits for any more is not done by an owner that stood still', async () => {
  const server = await startNode(postgres, options);
  const { tableId, player } = await openTable(server, 3);
  const { token } = await signIn(ben, 'Bob');
  server.suspend();
  const late = lobbyOf(ben).joinTable({ tableId }, { ...bearer(token), timeoutMs: 1000 });
  await assert.rejects(late, ({ code }) => code === Code.DeadlineExceeded);
  await sleep(500); // Ben's server gives the call up by its own clock.
  server.goOn();
  await player.stream.ping();
  const seatOfBob = (table) => table.seats.findIndex(({ displayName }) => displayName === 'Bob');
  assert.equal(seatOfBob((await lobbyOf(ben).getTable({ tableId })).table), -1);
  // It is asked again, and this time in time.
  const { table } = await byOwner(() => lobbyOf(ben).joinTable({ tableId }, bearer(token)));
  assert.equal(seatOfBob(table), 1);
  player.stream.cut();
  await server.dispose();
});

/** What a node port answers to the head of a call about a table. */
function atNode(server, tableId) {
  const headers = { 'Content-Type': 'application/json', ...relayedFor, 'Tesela-Table': tableId };
  return nodeAnswers(server, '/tesela.lobby.v1.LobbyService/JoinTable', headers, 2);
}

test('what was passed on is not passed on again', async () => {
  const { tableId, player } = await openTable(ann, 2);
  assert.equal(await atNode(ben, tableId), 421);
  assert.equal(await atNode(ann, tableId), 100);
  player.stream.cut();
});
