// The stream against a table at the other end of a real socket.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocketOfNode from 'ws';
import { ClaimWish } from '../src/gen/tesela/play/v1/claim_pb.js';
import { Reason } from '../src/gen/tesela/play/v1/play_pb.js';
import { backoffMs } from '../src/back_off.js';
import { LIMITS, type Limits } from '../src/limits.js';
import { TableStream } from '../src/stream.js';
import { Diary, MOVE, QUICK } from './diary.js';
import { TableServer, type Line } from './table_server.js';

describe('stream', { timeout: 10_000 }, () => {
  let server: TableServer;
  let diary: Diary;
  let stream: TableStream;

  /** `next`: where the next socket goes, if it is not the server. */
  const join = (limits: Partial<Limits> = {}, next = (): string | undefined => undefined) => {
    stream = new TableStream({
      url: server.url,
      token: () => 'the token',
      invite: 'the invitation',
      observer: diary,
      openSocket: (url, name) => new WebSocketOfNode(next() ?? url, name) as unknown as WebSocket,
      limits: { ...QUICK, pingEvery: 60_000, ...limits },
    });
    stream.start();
  };

  /** A line on which the client has been welcomed at version 7. */
  const liveLine = async (): Promise<Line> => {
    const line = await server.line();
    await line.next('hello');
    line.welcome(7n, false);
    await diary.has('snapshot 7');
    return line;
  };

  beforeEach(async () => {
    server = await TableServer.start();
    diary = new Diary();
  });

  afterEach(async () => {
    stream.stop();
    await server.stop();
  });

  test('says Hello first, with the token and no version', async () => {
    join();
    const hello = await (await server.line()).next('hello');
    assert.equal(hello.token, 'the token');
    assert.equal(hello.invite, 'the invitation');
    assert.equal(hello.lastVersion, 0n);
  });

  test('plays a move at the version it was decided on, one at a time', async () => {
    join();
    const line = await liveLine();
    assert.equal(stream.play(MOVE), true);
    assert.equal(stream.play(MOVE), false);
    const move = await line.next('move');
    assert.equal(move.atVersion, 7n);
    assert.match(move.moveId, /^[0-9a-f]{16}-\d+$/);
    line.event(8n, move.moveId);
    await diary.has('confirmed');
    assert.deepEqual(diary.lines.slice(-2), ['event 8', 'confirmed']);
    assert.equal(stream.play(MOVE), true);
    const [session, count] = move.moveId.split('-');
    assert.equal((await line.next('move')).moveId, `${session}-${Number(count) + 1}`);
  });

  test('a move that was played before the line broke is confirmed once', async () => {
    join();
    const first = await liveLine();
    stream.play(MOVE);
    const { moveId } = await first.next('move');
    first.cut();
    const second = await server.line();
    assert.equal((await second.next('hello')).lastVersion, 7n);
    second.welcome(8n, true);
    second.event(8n, moveId);
    assert.equal((await second.next('move')).moveId, moveId);
    second.say({ case: 'moveRepeated', value: { event: { version: 8n, moveId } } });
    second.event(9n);
    await diary.has('event 9');
    assert.equal(diary.count('confirmed'), 1);
    assert.equal(diary.count('event 8'), 1);
  });

  test('a move that a snapshot already holds is confirmed by MoveRepeated', async () => {
    join();
    const first = await liveLine();
    stream.play(MOVE);
    const { moveId } = await first.next('move');
    first.cut();
    const second = await server.line();
    await second.next('hello');
    second.welcome(900n, false);
    await second.next('move');
    second.say({ case: 'moveRepeated', value: { event: { version: 8n, moveId } } });
    await diary.has('confirmed');
    assert.equal(stream.lastVersion, 900n);
  });

  test('MoveRepeated that is ahead of its event waits for the event', async () => {
    join();
    const line = await liveLine();
    stream.play(MOVE);
    const { moveId } = await line.next('move');
    line.say({ case: 'moveRepeated', value: { event: { version: 8n, moveId } } });
    line.event(8n, moveId);
    await diary.has('confirmed');
    assert.deepEqual(diary.lines.slice(-2), ['event 8', 'confirmed']);
  });

  test('a move that is made without a line waits for one, and keeps its version', async () => {
    join();
    (await liveLine()).cut();
    await diary.has('waiting');
    assert.equal(stream.play(MOVE), true);
    const line = await server.line();
    await line.next('hello');
    line.welcome(9n, true);
    const move = await line.next('move');
    assert.equal(move.atVersion, 7n);
    line.event(8n);
    line.event(9n);
    line.say({ case: 'refusal', value: { moveId: move.moveId, reason: Reason.STALE } });
    await diary.has('returned STALE');
    assert.equal(stream.inFlight, undefined);
  });

  test('a busy table gets the same move again', async () => {
    join();
    const line = await liveLine();
    stream.play(MOVE);
    const { moveId } = await line.next('move');
    line.say({ case: 'refusal', value: { moveId, reason: Reason.BUSY } });
    assert.equal((await line.next('move')).moveId, moveId);
    line.event(8n, moveId);
    await diary.has('confirmed');
  });

  test('a table that stays busy gives the move back', async () => {
    join();
    const line = await liveLine();
    stream.play(MOVE);
    for (let sent = 0; sent <= QUICK.resendsMax; sent += 1) {
      const { moveId } = await line.next('move');
      line.say({ case: 'refusal', value: { moveId, reason: Reason.STORE_UNAVAILABLE } });
    }
    await diary.has('returned STORE_UNAVAILABLE');
  });

  test('a refusal of something else leaves the move in flight', async () => {
    join();
    const line = await liveLine();
    stream.play(MOVE);
    const { moveId } = await line.next('move');
    line.say({ case: 'refusal', value: { moveId: '', reason: Reason.MALFORMED } });
    line.event(8n);
    await diary.has('event 8');
    assert.equal(stream.inFlight?.moveId, moveId);
  });

  test('an event is told once, however often it comes', async () => {
    join();
    const line = await liveLine();
    for (const version of [8n, 8n, 7n, 9n]) line.event(version);
    await diary.has('event 9');
    assert.deepEqual(diary.lines.slice(-2), ['event 8', 'event 9']);
  });

  test('after a gap it asks for the whole position', async () => {
    join();
    (await liveLine()).event(9n);
    const again = await server.line();
    assert.equal((await again.next('hello')).lastVersion, 0n);
    assert.equal(diary.count('event 9'), 0);
  });

  test('a server that has lost the table is left, and nothing of it is told', async () => {
    join();
    const first = await server.line();
    await first.next('hello');
    first.welcome(7n, false, 5n);
    await diary.has('snapshot 7');
    stream.play(MOVE);
    const { moveId } = await first.next('move');
    first.cut();
    const older = await server.line();
    await older.next('hello');
    older.welcome(6n, false, 4n);
    await older.closed;
    const newer = await server.line();
    assert.equal((await newer.next('hello')).lastVersion, 7n);
    newer.welcome(8n, true, 6n);
    newer.event(8n, moveId);
    await diary.has('confirmed');
    assert.equal(diary.count('welcome'), 2);
    assert.equal(diary.count('snapshot 6'), 0);
  });

  test('when every server is older the database was restored: it begins anew', async () => {
    join();
    const first = await server.line();
    await first.next('hello');
    first.welcome(7n, false, 5n);
    await diary.has('snapshot 7');
    first.cut();
    for (let met = 0; met < QUICK.olderOwnersMax; met += 1) {
      const older = await server.line();
      assert.equal((await older.next('hello')).lastVersion, 7n);
      older.welcome(3n, false, 2n);
    }
    const line = await server.line();
    assert.equal((await line.next('hello')).lastVersion, 0n);
    line.welcome(3n, false, 2n);
    await diary.has('snapshot 3');
  });

  test('an answered ping keeps the line, a silent line is given up', async () => {
    join({ pingEvery: QUICK.pingEvery });
    const line = await liveLine();
    for (let answered = 0; answered < 3; answered += 1) {
      line.say({ case: 'pong', value: { nonce: (await line.next('ping')).nonce } });
    }
    assert.equal(server.connections, 1);
    await line.next('ping');
    await diary.has('waiting');
    await line.closed;
    await (await server.line()).next('hello');
  });

  test('an upgrade that nobody answers is given up, and the next one finds a server', async () => {
    const still = createServer().listen(0, '127.0.0.1');
    await once(still, 'listening');
    const urls = [`ws://127.0.0.1:${(still.address() as AddressInfo).port}`];
    join({ upgradeTimeMax: 50, welcomeTimeMax: 60_000 }, () => urls.shift());
    await (await server.line()).next('hello');
    still.close();
  });

  test('a server that accepts and says nothing is given up', async () => {
    join({ welcomeTimeMax: 50 });
    await (await server.line()).next('hello');
    await (await server.line()).next('hello');
  });

  test('bytes that are no frame end the line, not the stream', async () => {
    join();
    const line = await liveLine();
    line.raw(Uint8Array.of(0xff, 0xff, 0xff));
    assert.equal((await (await server.line()).next('hello')).lastVersion, 7n);
  });

  test('Goodbye says when to come back', async () => {
    join();
    const line = await liveLine();
    const left = Date.now();
    line.say({
      case: 'goodbye',
      value: { reason: Reason.SERVER_RESTART, reconnect: true, reconnectAfterMs: 150 },
    });
    await server.line();
    assert.ok(Date.now() - left >= 150);
  });

  test('a table that moves to another server is followed there at once', async () => {
    join({ backoffFirst: 60_000, backoffMax: 60_000 });
    const line = await liveLine();
    line.say({
      case: 'goodbye',
      value: { reason: Reason.TABLE_MOVED, reconnect: true, reconnectAfterMs: 5 },
    });
    await (await server.line()).next('hello');
  });

  test('Goodbye for good ends the stream and gives the move back', async () => {
    join();
    const line = await liveLine();
    stream.play(MOVE);
    line.say({ case: 'goodbye', value: { reason: Reason.UNAUTHENTICATED } });
    await diary.has('returned UNAUTHENTICATED');
    await sleep(3 * QUICK.backoffMax);
    assert.equal(server.connections, 1);
    assert.equal(stream.play(MOVE), false);
    stream.start();
    await (await server.line()).next('hello');
  });

  test('one question at a time is answered by its own hint', async () => {
    join();
    const line = await liveLine();
    assert.equal(stream.ask('uct'), true);
    assert.equal(stream.ask('greedy'), false);
    const { hintId, strategy } = await line.next('hintRequest');
    assert.equal(strategy, 'uct');
    line.say({ case: 'hint', value: { hintId: 'of somebody else', strategy: 'greedy' } });
    line.say({ case: 'hint', value: { hintId, strategy } });
    await diary.has('advice of uct');
    assert.equal(diary.count('advice of greedy'), 0);
    assert.equal(stream.ask('greedy'), true);
  });

  test('questions keep their distance, and one that came too soon is asked again', async () => {
    join({ askEvery: 80 });
    const line = await liveLine();
    const asked = performance.now();
    stream.ask('');
    const { hintId } = await line.next('hintRequest');
    line.say({ case: 'refusal', value: { moveId: hintId, reason: Reason.RATE_LIMITED } });
    assert.equal((await line.next('hintRequest')).hintId, hintId);
    assert.ok(performance.now() - asked > 60);
    for (let again = 0; again < QUICK.resendsMax; again += 1) {
      line.say({ case: 'refusal', value: { moveId: hintId, reason: Reason.RATE_LIMITED } });
    }
    await diary.has('no advice RATE_LIMITED');
  });

  test('a question is moot when somebody moves or the line drops', async () => {
    join();
    const line = await liveLine();
    stream.ask('');
    const { hintId } = await line.next('hintRequest');
    line.event(8n);
    await diary.has('event 8');
    assert.equal(diary.lines.at(-2), 'no advice');
    line.say({ case: 'hint', value: { hintId, strategy: 'late' } });
    stream.ask('');
    await line.next('hintRequest');
    line.cut();
    await diary.has('waiting');
    assert.equal(diary.count('no advice'), 2);
    assert.equal(diary.count('advice of late'), 0);
    assert.equal(stream.ask(''), false, 'without a line nobody can be asked');
  });

  test('a claim goes out, and one that is refused is told', async () => {
    join();
    assert.equal(stream.claim(1, ClaimWish.BOT), false, 'without a line');
    const line = await liveLine();
    assert.equal(stream.claim(1, ClaimWish.RESIGNATION), true);
    const { claimId, seat, wish } = await line.next('claim');
    assert.deepEqual([seat, wish], [1, ClaimWish.RESIGNATION]);
    line.say({ case: 'refusal', value: { moveId: claimId, reason: Reason.NOT_AWAY } });
    await diary.has('unclaimed NOT_AWAY');
  });

  test('what is said goes out, and what is not accepted comes back', async () => {
    join();
    assert.equal(stream.say({ what: { case: 'text', value: 'too early' } }), false);
    const line = await liveLine();
    assert.equal(stream.say({ what: { case: 'text', value: 'hello' } }), true);
    assert.equal((await line.next('say')).what.value, 'hello');
    stream.mute('a player', true);
    assert.deepEqual((await line.next('mute')).playerId, 'a player');
    line.say({ case: 'said', value: { seat: 1, what: { case: 'text', value: 'hello too' } } });
    await diary.has('heard hello too');
    line.say({ case: 'refusal', value: { reason: Reason.RATE_LIMITED } });
    await diary.has('unsaid RATE_LIMITED');
  });

  test('the clocks and the time of the server are told', async () => {
    join({ pingEvery: 20 });
    const line = await liveLine();
    line.say({ case: 'clocks', value: { nowMs: 5n, deadlineMs: 8n } });
    await diary.has('clocks 8');
    const { nonce } = await line.next('ping');
    line.say({ case: 'pong', value: { nonce, serverTimeMs: 77n } });
    await diary.has('time 77');
  });

  test('a move for any time names no version', async () => {
    join();
    const line = await liveLine();
    stream.play(MOVE, 'any time');
    assert.equal((await line.next('move')).atVersion, undefined);
  });

  test('retryNow does not wait', async () => {
    join({ backoffFirst: 60_000, backoffMax: 60_000 });
    (await liveLine()).cut();
    await diary.has('waiting');
    stream.retryNow();
    await (await server.line()).next('hello');
  });
});

test('the wait doubles up to a maximum, and half of it is chance', () => {
  const waits = (random: number) =>
    [0, 1, 2, 20].map((attempt) => backoffMs(attempt, LIMITS, () => random));
  assert.deepEqual(waits(0), [150, 300, 600, 5_000]);
  assert.deepEqual(waits(1), [300, 600, 1_200, 10_000]);
});
