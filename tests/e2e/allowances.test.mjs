// What one address and one player may take, in calls, tables, connections and frames.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { LobbyService } from './gen/tesela/lobby/v1/lobby_pb.js';
import { MatchmakingService } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import {
  bearer,
  clientOf,
  config2048,
  lobbyOf,
  newTable,
  signIn,
  transports,
} from './harness/lobby.mjs';
import { lobbyFor, untilTooMany, withServer } from './harness/limited.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { RawSocket } from './harness/raw_socket.mjs';
import { Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

/** What a connection of its own from an address is answered. */
function statusFrom(server, localAddress, headers = {}) {
  return new Promise((resolve, reject) =>
    http
      .get(`${server.http}/healthz`, { localAddress, agent: false, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject),
  );
}

/** Signs in behind a proxy that adds a field of its own, without a name: the status of gRPC. */
async function grpcSignInWithFields(server, forwardedFor) {
  const session = http2.connect(server.grpc);
  try {
    const call = session.request({
      ':method': 'POST',
      ':path': '/tesela.lobby.v1.LobbyService/SignIn',
      'content-type': 'application/grpc',
      te: 'trailers',
      'x-forwarded-for': forwardedFor,
    });
    let status;
    for (const event of ['response', 'trailers']) {
      call.on(event, (fields) => (status = fields['grpc-status'] ?? status));
    }
    call.resume().end(Buffer.alloc(5)); // an empty message, not compressed
    await once(call, 'close');
    return Number(status);
  } finally {
    session.close();
  }
}

for (const transport of Object.keys(transports)) {
  withServer(['--sign-in-rate', '5'], (given) => {
    test(`the sixth sign-in by ${transport} within a minute is refused`, async () => {
      const lobby = lobbyOf(given.server, transport);
      const { done, sentence } = await untilTooMany(10, () => lobby.signIn({ displayName: 'Ada' }));
      assert.equal(done, 5);
      assert.equal(
        sentence,
        'Too many players signed in from your address; try again in a minute.',
      );
      const limit = { limit: 'address_sign_ins' };
      assert.equal(await counter(given.server, 'tesela_limited_total', limit), 1);
    });
  });
}

withServer(['--table-rate', '3'], (given) => {
  test('a player makes three tables, and the address no more under another name', async () => {
    const make = async () => newTable(given.server, {}, ada);
    const ada = await signIn(given.server);
    const { done, sentence } = await untilTooMany(5, make);
    assert.equal(done, 3);
    assert.equal(sentence, 'You have made too many tables; try again in a minute.');
    const bob = await signIn(given.server, 'Bob');
    const more = await untilTooMany(5, () => newTable(given.server, {}, bob));
    assert.equal(more.done, 0);
  });

  test('a search for opponents counts as the table that comes of it', async () => {
    const { token } = await signIn(given.server, 'Eve');
    const search = async () => {
      const bots = { after: { seconds: 0n } };
      const finds = clientOf(MatchmakingService, given.server);
      for await (const { update } of finds.find({ game: 'azul', bots }, bearer(token))) {
        if (update.case === 'matched') return;
      }
    };
    const { done, sentence } = await untilTooMany(5, search);
    assert.equal(done, 0, 'the address has made its tables');
    assert.equal(sentence, 'You have made too many tables; try again in a minute.');
  });
});

withServer(['--request-rate', '2'], (given) => {
  test('calls come in bursts, not in floods', async () => {
    const { done } = await untilTooMany(500, () => lobbyOf(given.server).listTables({}));
    assert.ok(done >= 15 && done < 200, `${done} calls`);
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const url = `${given.server.http}/tesela.lobby.v1.LobbyService/ListTables`;
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch(url, { method: 'POST', headers, body: '{}' });
        const { status, headers: told } = response;
        assert.equal(told.get('retry-after'), status === 429 ? '1' : null);
        if (status === 200) {
          assert.equal(told.get('ratelimit-policy'), '"requests";q=20;w=10');
          assert.match(told.get('ratelimit'), /^"requests";r=1?\d;t=(\d|10)$/);
        }
        return status;
      }),
    );
    assert.ok(statuses.includes(429));
    assert.ok(statuses.every((status) => [200, 429].includes(status)));
    // Somebody else is served.
    assert.equal(await statusFrom(given.server, '127.0.0.2'), 200);
  });
});

/** Calls of gRPC that are no question with one answer about tables: each by its name. */
const otherCalls = {
  ListStrategies: (server) => lobbyOf(server, 'gRPC').listStrategies({}),
  Replay: (server) => refusedOf(clientOf(HistoryService, server, 'gRPC').replay({ tableId: '' })),
  Find: (server) => refusedOf(clientOf(MatchmakingService, server, 'gRPC').find({ game: 'azul' })),
};

/** Reads a stream to its refusal: throws it if it was one too many. */
async function refusedOf(stream) {
  try {
    for await (const _ of stream) assert.fail('it is refused');
  } catch (error) {
    if (ConnectError.from(error).code === Code.ResourceExhausted) throw error;
  }
}

for (const [name, call] of Object.entries(otherCalls)) {
  withServer(['--request-rate', '2'], (given) => {
    test(`calls of ${name} by gRPC come in bursts, not in floods`, async () => {
      const { done, sentence } = await untilTooMany(500, () => call(given.server));
      assert.ok(done >= 15 && done < 200, `${done} calls`);
      assert.equal(sentence, 'Too much comes from your address; go on more slowly.');
    });
  });
}

withServer(['--request-rate', '0'], (given) => {
  test('who is turned away rests before more is read from the connection', async (t) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const url = `${given.server.http}/tesela.lobby.v1.LobbyService/CreateTable`;
    const statusOf = (token) =>
      new Promise((resolve, reject) => {
        const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
        http
          .request(url, { method: 'POST', agent, headers }, (response) => {
            response.resume().once('end', () => resolve(response.statusCode));
          })
          .on('error', reject)
          .end('{"game": "2048"}');
      });
    const fastestOfFive = async (token, status) => {
      const times = [];
      for (let n = 0; n < 5; ++n) {
        const begin = performance.now();
        assert.equal(await statusOf(token), status);
        times.push(performance.now() - begin);
      }
      return Math.min(...times.slice(1));
    };
    const { token } = await signIn(given.server);
    assert.ok((await fastestOfFive(token, 200)) < 240);
    assert.ok((await fastestOfFive('nobody', 401)) > 240);
  });
});

withServer(['--connections-per-address', '20', '--streams-per-player', '3'], (given) => {
  test('the connections of one address end somewhere; another has its own', async () => {
    const sockets = [];
    for (let i = 0; i < 20; ++i) sockets.push(await RawSocket.open(given.server));
    assert.equal(await statusFrom(given.server, '127.0.0.1'), 429);
    assert.equal(await statusFrom(given.server, '127.0.0.2'), 200);
    for (const socket of sockets) socket.destroy();
    while ((await statusFrom(given.server, '127.0.0.1')) === 429) await sleep(20);
  });

  test('a call that stays open takes one place, as its connection does', async () => {
    await newTable(given.server);
    const hangUp = new AbortController();
    const { signal } = hangUp;
    for (let i = 0; i < 15; ++i) {
      const watch = lobbyOf(given.server).watchTables({}, { signal })[Symbol.asyncIterator]();
      assert.ok((await watch.next()).value.table, `watch ${i}`);
    }
    hangUp.abort();
    while ((await statusFrom(given.server, '127.0.0.1')) === 429) await sleep(20);
  });

  test('a player has three streams, and the fourth is told so', async () => {
    const { tableId, token } = await newTable(given.server);
    const others = [];
    for (let i = 0; i < 3; ++i) {
      const { tableId: other } = await newTable(given.server, {}, { token });
      others.push(await Player.join(given.server, other, { token }));
    }
    const fourth = await Stream.open(given.server, tableId, { token });
    const goodbye = await fourth.goodbye();
    assert.equal(Reason[goodbye.reason], 'TOO_MANY_CONNECTIONS');
    assert.equal(goodbye.reconnect, true);
    await others[0].stream.close();
    for (const player of others.slice(1)) await player.playMoves(3);
    // The place of the one that has gone is free again.
    await until(async () => (await counter(given.server, 'tesela_streams_open')) === 2);
    const late = await Player.join(given.server, tableId, { token });
    await late.playMoves(3);
  });
});

withServer(['--connect-rate', '2'], (given) => {
  test('who offends soon cannot connect; who is there already goes on', async () => {
    const { tableId, token } = await newTable(given.server, { size: 8 });
    const player = await Player.join(given.server, tableId, { token });
    const offend = () => statusFrom(given.server, '127.0.0.1', { 'X-Large': 'x'.repeat(9000) });
    let offences = 0;
    // Twenty connections may come at once; an offence takes two more.
    await assert.rejects(async () => {
      for (; offences < 20; ++offences) assert.equal(await offend(), 431);
    }, /ECONNRESET|EPIPE|hang up/);
    assert.ok(offences >= 4 && offences <= 9, `${offences} offences`);
    await player.playMoves(3);
    assert.equal(await statusFrom(given.server, '127.0.0.2'), 200);
  });
});

withServer(['--shared-frame-rate', '20', '--frame-rate', '0'], (given) => {
  test('frames are counted over all streams of a player', async () => {
    const owner = await signIn(given.server);
    const players = [];
    for (let i = 0; i < 4; ++i) {
      const { tableId } = await newTable(given.server, { size: 8 }, owner);
      players.push(await Player.join(given.server, tableId, { token: owner.token }));
    }
    // Each stays below what one stream may send; together they do not.
    const goodbyes = players.map(async (player) => {
      for (let i = 0; i < 30; ++i) player.stream.move(player.view.legal[0], { atVersion: 1n });
      return Reason[(await player.stream.goodbye()).reason];
    });
    assert.equal(await Promise.any(goodbyes), 'RATE_LIMITED');
  });
});

withServer(['--sign-in-rate', '2', '--trusted-proxies', '127.0.0.0/8'], (given) => {
  test('behind a proxy of ours each client has an account of its own', async () => {
    const signIns = (forwardedFor) =>
      untilTooMany(4, () => lobbyFor(given.server, forwardedFor).signIn({ displayName: 'Ada' }));
    assert.equal((await signIns('192.0.2.1')).done, 2);
    assert.equal((await signIns('192.0.2.2')).done, 2);
    // What a client says of itself stands before what the proxy saw.
    assert.equal((await signIns('198.51.100.7, 192.0.2.1')).done, 0);
    // Neighbours in one IPv6 network are one.
    assert.equal((await signIns('2001:db8:1:2::1')).done, 2);
    assert.equal((await signIns('2001:db8:1:2:ffff::9')).done, 0);
    assert.equal((await signIns('2001:db8:1:3::1')).done, 2);
  });

  test('of the fields that proxies add the last is believed by gRPC too', async () => {
    const byGrpc = [];
    for (let i = 0; i < 4; ++i) {
      byGrpc.push(await grpcSignInWithFields(given.server, [`198.51.100.${i}`, '192.0.2.10']));
    }
    assert.deepEqual(
      byGrpc.map((status) => status === Code.ResourceExhausted),
      [false, false, true, true],
    );
  });

  test('a client cannot say where it comes from by our own header', async () => {
    const response = await fetch(`${given.server.http}/tesela.lobby.v1.LobbyService/SignIn`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Tesela-Client-Address': '203.0.113.5',
        'X-Forwarded-For': '192.0.2.1',
      },
      body: '{"displayName":"Ada"}',
    });
    assert.equal(response.status, 429);
  });
});

withServer(['--sign-in-rate', '2'], (given) => {
  test('who is no proxy of ours is not believed', async () => {
    const signIns = (forwardedFor) =>
      untilTooMany(4, () => lobbyFor(given.server, forwardedFor).signIn({ displayName: 'Ada' }));
    assert.equal((await signIns('192.0.2.1')).done, 2);
    assert.equal((await signIns('192.0.2.2')).done, 0);
  });
});

test('this machine is exempt unless the operator says otherwise', async () => {
  const server = await Server.start('--sign-in-rate', '1', '--table-rate', '1');
  try {
    for (let i = 0; i < 5; ++i) {
      const owner = await signIn(server);
      const created = await lobbyOf(server).createTable(
        { game: '2048', config: config2048({}) },
        bearer(owner.token),
      );
      assert.ok(created.table.tableId);
    }
  } finally {
    await server.dispose();
  }
});

withServer([], (given) => {
  test('who sends frames that cannot be read is read more slowly, and nobody else is', async () => {
    const { tableId, token } = await newTable(given.server, { size: 8 });
    const player = await Player.join(given.server, tableId, { token });
    const stranger = await Stream.open(given.server, tableId);
    await stranger.expect('welcome');
    await stranger.expect('snapshot');
    const begin = performance.now();
    for (let n = 0; n < 8; ++n) {
      stranger.sendRaw(Buffer.from([0xff]));
      let frame;
      do frame = await stranger.next();
      while (frame.kind === 'seating');
      assert.equal(Reason[frame.value.reason], 'MALFORMED');
    }
    assert.ok(performance.now() - begin > 1500, 'four at once, and then one a second');
    await player.playMoves(3);
  });
});
