// The stream against a table at the other end of a real socket.
import { create } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocketOfNode from 'ws';
import { ClaimWish } from '../src/gen/tesela/play/v1/claim_pb.js';
import { Reason } from '../src/gen/tesela/play/v1/play_pb.js';
import { backoffMs } from '../src/net/back_off.js';
import { LIMITS, type Limits } from '../src/net/limits.js';
import { TableStream, type Observer } from '../src/net/stream.js';
import { TableServer, type Line } from './table_server.js';

const QUICK: Limits = {
  welcomeTimeMax: 300,
  pingEvery: 60,
  pongTimeMax: 60,
  backoffFirst: 10,
  backoffMax: 40,
  resendAfter: 10,
  resendsMax: 2,
  askEvery: 30,
};

const MOVE = create(AnySchema, { typeUrl: 'type.googleapis.com/a.Move', value: Uint8Array.of(1) });

/** Writes down what the stream tells, in short words. */
class Diary implements Observer {
  readonly lines: string[] = [];
  #wake: () => void = () => {};

  #write(line: string): void {
    this.lines.push(line);
    this.#wake();
  }

  /** Waits until a line like this one has been written. */
  async has(line: string): Promise<void> {
    while (!this.lines.includes(line)) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  count(line: string): number {
    return this.lines.filter((written) => written === line).length;
  }

  linkChanged: Observer['linkChanged'] = (link) => this.#write(link.phase);
  welcomed: Observer['welcomed'] = () => this.#write('welcome');
  seated: Observer['seated'] = ({ seats }) => this.#write(`seating ${seats.length}`);
  positioned: Observer['positioned'] = ({ version }) => this.#write(`snapshot ${version}`);
  happened: Observer['happened'] = ({ version }) => this.#write(`event ${version}`);
  confirmed: Observer['confirmed'] = () => this.#write('confirmed');
  returned: Observer['returned'] = (_move, { reason }) => this.#write(`returned ${Reason[reason]}`);
  clocked: Observer['clocked'] = ({ deadlineMs }) => this.#write(`clocks ${deadlineMs}`);
  timed: Observer['timed'] = (serverTimeMs) => this.#write(`time ${serverTimeMs}`);
  heard: Observer['heard'] = ({ what }) => this.#write(`heard ${what.value}`);
  unsaid: Observer['unsaid'] = ({ reason }) => this.#write(`unsaid ${Reason[reason]}`);
  advised: Observer['advised'] = ({ strategy }) => this.#write(`advice of ${strategy}`);
  unclaimed: Observer['unclaimed'] = ({ reason }) => this.#write(`unclaimed ${Reason[reason]}`);
  unadvised: Observer['unadvised'] = (why) =>
    this.#write(why ? `no advice ${Reason[why.reason]}` : 'no advice');
}

describe('stream', { timeout: 10_000 }, () => {
  let server: TableServer;
  let diary: Diary;
  let stream: TableStream;

  const join = (limits: Partial<Limits> = {}) => {
    stream = new TableStream({
      url: server.url,
      token: () => 'the token',
      invite: 'the invitation',
      observer: diary,
      openSocket: (url, name) => new WebSocketOfNode(url, name) as unknown as WebSocket,
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
