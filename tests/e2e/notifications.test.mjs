// How players are called back when they are away: Web Push, and the operator's webhook.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { AccountService } from './gen/tesela/account/v1/account_pb.js';
import { FriendService } from './gen/tesela/account/v1/friends_pb.js';
import { NotificationService } from './gen/tesela/account/v1/notifications_pb.js';
import { ownAdminOf } from './harness/admin.mjs';
import { sql } from './harness/database.mjs';
import { databases } from './harness/databases.mjs';
import { azul, resign } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn } from './harness/lobby.mjs';
import { startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { PushService } from './harness/accounts/push_service.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { freePort, Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const { config, choose } = azul(2);
const byDays = {
  game: 'azul',
  config,
  options: { clock: { moveMs: DAY_MS } },
};

/** Calls a service for a player. */
const as = (service, server, { token }) => {
  const client = clientOf(service, server);
  return new Proxy(client, {
    get: (methods, name) => (request) => methods[name](request, bearer(token)),
  });
};

/** The id of a new challenge. */
async function challenge(server, from, to) {
  const whom = { who: { case: 'playerId', value: to.playerId } };
  const request = { ...byDays, whom };
  return (await as(FriendService, server, from).challenge(request)).challenge.challengeId;
}

for (const { name, start } of databases) {
  describe(`on ${name}`, () => {
    let database;
    let pushes;
    let server;
    before(async () => {
      database = await start();
      pushes = await PushService.start();
      server = await Server.start(...database.options, ...pushes.options);
    });
    after(async () => {
      await server.dispose();
      await database.dispose();
      await pushes.dispose();
    });

    const of = (player) => as(NotificationService, server, player);
    const endpointsOf = async (player) => (await of(player).getNotifications({})).endpoints;
    /** A new guest with a subscribed device. */
    async function away(displayName) {
      const player = await signIn(server, displayName);
      const device = pushes.device();
      await of(player).subscribe(device.subscription);
      return { ...player, device };
    }
    /** Both at a table: { onTurn, other }, each with the player's stream in `at`. */
    async function seated(tableId, ...players) {
      for (const player of players) player.at = await Player.join(server, tableId, player);
      const [onTurn] = players.filter(({ at }) => at.turn.includes(at.seat));
      return { onTurn, other: players.find((player) => player !== onTurn) };
    }
    const leave = ({ at }) => at.stream.close();
    const play = ({ at }) => at.playBody(choose(at.view, at.events.length));

    test('a challenge, its acceptance, and each turn reach who is away', async () => {
      const [ada, bob] = [await away('Ada'), await away('Bob')];
      const challengeId = await challenge(server, ada, bob);
      const { until: expires, ...challenged } = await bob.device.next();
      assert.deepEqual(challenged, {
        kind: 'challenge',
        challenge: challengeId,
        game: 'azul',
        from: 'Ada',
      });
      assert.ok(expires > Date.now());
      const { table } = await as(FriendService, server, bob).acceptChallenge({ challengeId });
      const { tableId } = table;
      const { until: told, ...accepted } = await ada.device.next();
      assert.ok(told > Date.now());
      assert.deepEqual(accepted, {
        kind: 'challenge',
        challenge: challengeId,
        table: tableId,
        game: 'azul',
        from: 'Bob',
      });
      const { publicKey } = await clientOf(NotificationService, server).getPushKey({});
      assert.deepEqual(Buffer.from(publicKey), pushes.key);
      let { onTurn, other } = await seated(tableId, ada, bob);
      for (let turn = 0; turn < 2; ++turn) {
        await leave(other);
        await play(onTurn);
        const push = await other.device.next();
        assert.equal(other.device.tries.length, 2);
        assert.deepEqual(
          [push.kind, push.table, push.game, push.from],
          ['your-turn', tableId, 'azul', onTurn.displayName],
        );
        assert.ok(Math.abs(push.until - Date.now() - DAY_MS) < MINUTE_MS);
        const { headers } = other.device.tries.at(-1);
        assert.match(headers.topic, /^[\w-]{32}$/);
        assert.ok(headers.ttl > 86_000 && headers.ttl <= 86_400);
        other.at = await Player.join(server, tableId, other);
        [onTurn, other] = [other, onTurn];
      }
      // Both are there.
      await play(onTurn);
      await other.device.assertSilent();
      // Ada is asked for a rematch when she is away.
      await leave(ada);
      await bob.at.reach(onTurn.at.version);
      await bob.at.playBody(resign);
      await lobbyOf(server).rematchTable({ tableId }, bearer(bob.token));
      const { kind, table: over, from } = await ada.device.next();
      assert.deepEqual([kind, over, from], ['rematch', tableId, 'Bob']);
      await leave(bob);
    });

    test('who has not moved an hour before the time is over is told', async () => {
      const [ada, bob] = [await away('Ada'), await away('Bob')];
      const request = { ...byDays, options: { clock: { moveMs: HOUR_MS + 4000 } } };
      const { table } = await lobbyOf(server).createTable(request, bearer(ada.token));
      const { tableId } = table;
      await lobbyOf(server).joinTable({ tableId }, bearer(bob.token));
      const { onTurn, other } = await seated(tableId, ada, bob);
      await leave(other);
      await play(onTurn);
      assert.equal((await other.device.next()).kind, 'your-turn');
      const { until: end, ...push } = await other.device.next();
      const from = onTurn.displayName;
      assert.deepEqual(push, { kind: 'time-short', table: tableId, game: 'azul', from });
      assert.ok(Math.abs(end - Date.now() - HOUR_MS) < MINUTE_MS);
      const [turn, short] = other.device.tries.map(({ headers }) => headers);
      assert.deepEqual([turn.urgency, short.urgency], ['normal', 'high']);
      assert.equal(turn.topic, short.topic, 'the later one takes the place of the former');
      await leave(onTurn);
    });

    test('what was not accepted is sent again, also after a kill', async () => {
      const [ada, bob] = [await away('Ada'), await away('Bob')];
      pushes.status = 503;
      await challenge(server, ada, bob);
      await until(() => bob.device.tries.length > 0);
      await server.kill();
      pushes.status = 201;
      await server.start();
      assert.equal((await bob.device.next()).kind, 'challenge');
      await bob.device.assertSilent();
    });

    test('a device that is gone is not told again', async () => {
      const [ada, bob] = [await away('Ada'), await away('Bob')];
      const second = pushes.device();
      await of(bob).subscribe(second.subscription);
      assert.deepEqual(await endpointsOf(bob), [second.endpoint, bob.device.endpoint]);
      pushes.status = 410;
      await challenge(server, ada, bob);
      await until(async () => (await endpointsOf(bob)).length === 0);
      pushes.status = 201;
    });

    test('a device is told as long as its session lasts', async () => {
      const [ada, bob] = [await away('Ada'), await away('Bob')];
      await as(AccountService, server, bob).endSession({ which: { case: 'current', value: true } });
      const count = await database.number(
        server,
        `SELECT count(*) FROM push_devices WHERE endpoint = '${bob.device.endpoint}'`,
      );
      assert.equal(count, 0);
      await of(ada).subscribe(bob.device.subscription);
      assert.deepEqual(await endpointsOf(ada), [bob.device.endpoint, ada.device.endpoint]);
      await of(ada).unsubscribe({ endpoint: ada.device.endpoint });
      const request = { playerId: ada.playerId };
      const { notifications } = await (await ownAdminOf(server)).exportPlayer(request);
      assert.deepEqual(notifications.endpoints, [bob.device.endpoint]);
      await (await ownAdminOf(server)).erasePlayer(request);
      assert.equal(
        await database.number(
          server,
          'SELECT count(*) FROM notices n JOIN push_devices d' +
            ` ON d.id = n.device_id WHERE d.endpoint = '${bob.device.endpoint}'`,
        ),
        0,
      );
    });

    test('nothing inside the network is asked, and nobody but push services', async () => {
      const ada = await signIn(server);
      const { subscription } = pushes.device();
      for (const endpoint of [
        'https://127.0.0.1/send/1',
        'https://169.254.169.254/latest/meta-data/',
        'https://id.example/send/1',
        'https://localhost.id.example/send/1',
        'http://localhost/send/1',
        `https://localhost/${'x'.repeat(1024)}`,
        '',
      ]) {
        const subscribed = of(ada).subscribe({ ...subscription, endpoint });
        await assertRefused(subscribed, Code.InvalidArgument, /endpoint|--push-hosts/);
      }
      for (const keys of [{ auth: randomBytes(15) }, { p256dh: randomBytes(65) }]) {
        const subscribed = of(ada).subscribe({ ...subscription, ...keys });
        await assertRefused(subscribed, Code.InvalidArgument, /65 bytes/);
      }
      await assertRefused(of({}).subscribe(subscription), Code.Unauthenticated, /sign in/);
    });

    test('what a player does not want is not sent, and in quiet hours later', async () => {
      const [ada, bob] = [await away('Ada'), await away('Bob')];
      const { choices } = await of(bob).getNotifications({});
      assert.deepEqual(
        [choices.yourTurn, choices.timeShort, choices.challenges, choices.rematches, choices.quiet],
        [true, true, true, true, undefined],
      );
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const inKolkata = (at) => (at + 330) % 1440;
      const quiet = {
        fromMinute: inKolkata(minute - 60),
        toMinute: inKolkata(minute + 60),
        timeZone: 'Asia/Kolkata',
      };
      await of(bob).setNotifications({ choices: { challenges: true, quiet } });
      const stored = (await of(bob).getNotifications({})).choices;
      assert.deepEqual([stored.yourTurn, stored.quiet.toMinute], [false, quiet.toMinute]);
      await challenge(server, ada, bob);
      const due =
        `SELECT due_ms FROM notices n JOIN push_devices d ON d.id = n.device_id` +
        ` WHERE d.endpoint = '${bob.device.endpoint}'`;
      const end = (minute + 60) * MINUTE_MS;
      await until(async () => (await database.number(server, due)) === end);
      assert.deepEqual(bob.device.tries, []);
      await of(bob).setNotifications({ choices: {} });
      const eve = await signIn(server, 'Eve');
      await challenge(server, eve, bob);
      await bob.device.assertSilent();
      for (const wrong of [{ timeZone: 'Europe/Tesela' }, { timeZone: 'UTC', toMinute: 1440 }]) {
        const set = of(bob).setNotifications({ choices: { quiet: wrong } });
        await assertRefused(set, Code.InvalidArgument, /time zone|1,439/);
      }
    });
  });
}

test('a turn at one of two servers is pushed once, whoever took the device', async (t) => {
  const postgres = await Postgres.start();
  const pushes = await PushService.start();
  const servers = [];
  for (let n = 0; n < 2; ++n) servers.push(await startNode(postgres, pushes.options));
  t.after(async () => {
    await Promise.all(servers.map((server) => server.dispose()));
    await postgres.dispose();
    await pushes.dispose();
  });
  const [here, there] = servers;
  const [ada, bob] = [await signIn(here, 'Ada'), await signIn(there, 'Bob')];
  for (const player of [ada, bob]) {
    player.device = pushes.device();
    await as(NotificationService, here, player).subscribe(player.device.subscription);
  }
  const { table } = await lobbyOf(there).createTable(byDays, bearer(ada.token));
  await lobbyOf(here).joinTable({ tableId: table.tableId }, bearer(bob.token));
  const first = await Player.join(there, table.tableId, ada);
  const [onTurn, other] = first.turn.includes(first.seat) ? [ada, bob] : [bob, ada];
  if (onTurn === ada) {
    await first.playBody(choose(first.view, 0));
  } else {
    assert.equal((await onTurn.device.next()).kind, 'your-turn');
    const at = await Player.join(here, table.tableId, bob);
    await first.stream.close();
    await at.playBody(choose(at.view, 0));
  }
  const { kind, table: tableId } = await other.device.next();
  assert.deepEqual([kind, tableId], ['your-turn', table.tableId]);
  await other.device.assertSilent();
});

test('the webhook gets every notice, signed, and again until it takes it', async (t) => {
  const calls = [];
  let status = 500;
  const port = await freePort();
  const hook = createServer(async (request, response) => {
    calls.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status).end();
  });
  await once(hook.listen(port), 'listening');
  const folder = await mkdtemp(path.join(tmpdir(), 'tesela-hook-'));
  const file = path.join(folder, 'secret');
  const secret = randomBytes(24);
  await writeFile(file, `whsec_${secret.toString('base64')}\n`, { mode: 0o600 });
  const server = await Server.start(
    ...['--push-hosts', 'none', '--webhook-secret-file', file],
    ...['--webhook-url', `http://localhost:${port}/told`],
  );
  t.after(async () => {
    await server.dispose();
    hook.close();
    await rm(folder, { recursive: true });
  });
  const { publicKey } = await clientOf(NotificationService, server).getPushKey({});
  assert.equal(publicKey.length, 0, 'no pushes are sent');
  const [ada, bob] = [await signIn(server, 'Ada'), await signIn(server, 'Bob')];
  const challengeId = await challenge(server, ada, bob);
  // Until the answer is stored, the notice is another server's only after a while.
  const due = 'SELECT max(due_ms) FROM notices WHERE tries > 0';
  const waits = async () => {
    const [[[dueMs]]] = await sql(server.data, due);
    return dueMs && dueMs < Date.now() + MINUTE_MS;
  };
  await until(waits, 'a refused call');
  await server.kill();
  const refused = calls.length;
  status = 204;
  await server.start();
  await until(() => calls.length > refused);
  assert.equal(calls.length, refused + 1);
  assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1);
  for (const { headers, body } of calls) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', secret).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${signature}`);
    const { type, data } = JSON.parse(body);
    assert.equal(type, 'notice.challenge');
    assert.deepEqual(
      [data.player, data.name, data.kind, data.challenge, data.game, data.from, data.link],
      [
        bob.playerId,
        'Bob',
        'challenge',
        challengeId,
        'azul',
        'Ada',
        `http://localhost:${server.httpPort}/challenge#${challengeId}`,
      ],
    );
  }
});
