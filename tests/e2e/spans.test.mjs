// Traces of OpenTelemetry: what a call and a move take, at one server and across two.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { bearer, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { playing, startNode } from './harness/node.mjs';
import { Player } from './harness/player.mjs';
import { Postgres } from './harness/postgres.mjs';
import { Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const spans = [];
let collector;
let postgres;
let ann;
let ben;

const text = (attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));

const optionsOf = (oneIn) => [
  ...['--otlp-url', `http://127.0.0.1:${collector.address().port}/v1/traces`],
  ...['--otlp-one-in', String(oneIn)],
];

before(async () => {
  collector = http.createServer(async (request, response) => {
    assert.equal(request.headers['content-type'], 'application/json');
    const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()));
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = text(resource.attributes);
      for (const { spans: sent } of scopeSpans) {
        for (const span of sent) {
          spans.push({ ...span, server: service['service.instance.id'], ...text(span.attributes) });
        }
      }
    }
    response.end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  postgres = await Postgres.start();
  [ann, ben] = await Promise.all([
    startNode(postgres, optionsOf(1)),
    startNode(postgres, optionsOf(1)),
  ]);
});

after(async () => {
  await Promise.all([ann, ben].map((server) => server.dispose()));
  await postgres.dispose();
  collector.close();
});

/** Spans that fit, as soon as there are so many. */
async function come(count, fits) {
  let found;
  await until(() => (found = spans.filter(fits)).length >= count, 'a span');
  return found;
}

test('a move is received, committed and shown', async () => {
  const player = await playing(ann, {});
  const moves = await come(3, ({ name, table }) => name === 'move' && table === player.tableId);
  assert.deepEqual(moves.map(({ version }) => version).sort(), ['2', '3', '4']);
  for (const move of moves) {
    const [commit] = await come(1, ({ parentSpanId }) => parentSpanId === move.spanId);
    assert.equal(commit.name, 'commit');
    assert.equal(commit.traceId, move.traceId);
    // By two readings of the system's clock: no step is longer than the whole.
    const took = (span) => BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano);
    assert.ok(took(commit) > 0n && took(commit) < took(move) + 1_000_000n);
  }
  player.stream.cut();
});

for (const [n, transport] of Object.keys(transports).entries()) {
  test(`${transport}: a call that another server answers is one trace`, async () => {
    const host = await signIn(ann, 'Ada');
    const { table } = await lobbyOf(ann).createTable({ game: 'azul' }, bearer(host.token));
    const player = await Player.join(ann, table.tableId, { token: host.token });
    const guest = await signIn(ben, 'Bob');
    const traceId = `${n}af7651916cd43dd8448eb211c80319c`;
    const { headers } = bearer(guest.token);
    await lobbyOf(ben, transport).joinTable(
      { tableId: table.tableId },
      { headers: { ...headers, traceparent: `00-${traceId}-b7ad6b7169203331-01` } },
    );
    const calls = await come(2, (span) => span.traceId === traceId);
    const first = calls.find((span) => span.parentSpanId === 'b7ad6b7169203331');
    const second = calls.find((span) => span.parentSpanId === first.spanId);
    for (const [span, server] of [
      [first, ben],
      [second, ann],
    ]) {
      assert.equal(span.name, '/tesela.lobby.v1.LobbyService/JoinTable');
      assert.equal(span.code, 'ok');
      assert.equal(span.kind, 2);
      assert.ok(span.server.endsWith(`:${server.nodePort}`), span.server);
    }
    player.stream.cut();
  });
}

test('a header that is no traceparent is ignored, and few traces are few', async () => {
  const server = await Server.start(...optionsOf(1_000_000));
  const count = spans.length;
  for (const traceparent of ['00', 'x'.repeat(55), `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`]) {
    await lobbyOf(server).signIn({ displayName: 'Ada' }, { headers: { traceparent } });
  }
  // The others still send, so that what this one sends would have come.
  await signIn(ann, 'Cyd');
  await until(() => spans.slice(count).some(({ name }) => name.endsWith('SignIn')));
  await server.dispose();
  const servers = new Set(spans.map((span) => span.server));
  assert.equal(servers.size, 2, [...servers].join());
});
