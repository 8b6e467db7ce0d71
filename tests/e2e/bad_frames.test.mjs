// Frames that are none: each is answered as play.proto says, and the server goes on serving the
// others.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { Game2048ViewSchema } from './gen/tesela/game/v1/g2048_pb.js';
import { ClientFrameSchema, Reason } from './gen/tesela/play/v1/play_pb.js';
import { Bystander } from './harness/bystander.mjs';
import { newTable } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { RawSocket, opcode } from './harness/raw_socket.mjs';
import { Server } from './harness/server.mjs';
import { Stream, moveBody, subProtocols } from './harness/stream.mjs';

const frameBytesMax = 4096; // limits.h: kFrameBytesMax
const [binary, json] = subProtocols;
let server;
let bystander;
before(async () => {
  server = await Server.start('--threads', '1');
  bystander = await Bystander.at(server);
});
afterEach(() => bystander.assertServed());
after(async () => {
  await bystander.close();
  await server.dispose();
});

function encoded(frame) {
  return toBinary(ClientFrameSchema, create(ClientFrameSchema, { frame }));
}

function moveWith(body) {
  return { case: 'move', value: { moveId: 'm', body } };
}

const game = 'type.googleapis.com/tesela.game.v1.';
const malformed = {
  [binary]: {
    'bytes that are no message': Uint8Array.of(0xff, 0xff, 0xff, 0xff),
    'a message that ends too early': encoded({ case: 'ping', value: { nonce: 300n } }).subarray(
      0,
      3,
    ),
    'an empty message': new Uint8Array(),
    'a field that does not exist': Uint8Array.of(0xfa, 0x01, 0x00),
    'a text message': '{"ping":{"nonce":"1"}}',
    'a move without a body': encoded({ case: 'move', value: { moveId: 'm' } }),
    'a body of an unknown type': encoded(
      moveWith({ typeUrl: `${game}NoMove`, value: new Uint8Array() }),
    ),
    'a body that is no move': encoded(
      moveWith(anyPack(Game2048ViewSchema, create(Game2048ViewSchema, { size: 4 }))),
    ),
    'a body of broken bytes': encoded(moveWith({ ...moveBody(1), value: Uint8Array.of(0xff) })),
  },
  [json]: {
    'text that is no JSON': 'left!',
    'JSON that ends too early': '{"ping":',
    'an empty text': '',
    'an empty frame': '{}',
    'a list': '[{"ping":{}}]',
    'a field that does not exist': '{"leave":{}}',
    'a value of another kind': '{"ping":{"nonce":"left"}}',
    'two frames in one': '{"ping":{"nonce":"1"},"hello":{}}',
    'brackets without end': '['.repeat(frameBytesMax),
    'a binary message': Buffer.from('{"ping":{"nonce":"1"}}'),
    'a move without a body': '{"move":{"moveId":"m"}}',
    'a body of an unknown type': `{"move":{"moveId":"m","body":{"@type":"${game}NoMove"}}}`,
    'a body that is no move': `{"move":{"moveId":"m","body":{"@type":"${game}Game2048View"}}}`,
    'a body without a type': '{"move":{"moveId":"m","body":{"direction":1}}}',
  },
};

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    for (const [what, message] of Object.entries(malformed[protocol])) {
      test(`${what} is refused, and the stream stays open`, async () => {
        const { tableId, token } = await newTable(server);
        const player = await Player.join(server, tableId, { protocol, token });
        player.stream.sendRaw(message);
        const refusal = await player.stream.expect('refusal');
        assert.equal(Reason[refusal.reason], 'MALFORMED');
        assert.equal(refusal.version, 1n);
        assert.match(refusal.message, /\S/);
        await player.play();
        await player.stream.close();
      });
    }

    test('a first frame that is none ends the stream', async () => {
      const { tableId } = await newTable(server);
      const stream = await Stream.connect(server, tableId, { protocol });
      stream.sendRaw(protocol === json ? 'hello' : Uint8Array.of(0xff));
      const { reason, reconnect, close } = await stream.goodbye();
      assert.equal(Reason[reason], 'MALFORMED');
      assert.equal(reconnect, false);
      assert.equal(close.code, 1008);
    });

    test('a first frame that is not Hello ends the stream', async () => {
      const { tableId } = await newTable(server);
      const stream = await Stream.connect(server, tableId, { protocol });
      stream.move(1);
      const { reason, reconnect, close } = await stream.goodbye();
      assert.equal(Reason[reason], 'HELLO_EXPECTED');
      assert.equal(reconnect, false, 'or the client would send it again and again');
      assert.equal(close.code, 1008);
    });

    test('a second Hello is refused, and the stream stays open', async () => {
      const { tableId, token } = await newTable(server);
      const player = await Player.join(server, tableId, { protocol, token });
      player.stream.send({ case: 'hello', value: { token } });
      assert.equal(Reason[(await player.stream.expect('refusal')).reason], 'HELLO_EXPECTED');
      await player.play();
      await player.stream.close();
    });

    test('a frame of exactly the limit is read, and one byte more ends the stream', async () => {
      const { tableId, token } = await newTable(server);
      const sized = (bytes) => {
        if (protocol === json) return '{"ping":{"nonce":"7"}}'.padEnd(bytes);
        const ping = encoded({ case: 'ping', value: { nonce: 7n } });
        // Field 15, which nobody knows, fills it up: two bytes of tag and length, and a half.
        const fill = Buffer.alloc(bytes - ping.length, 0x20);
        fill.set([0x7a, ((fill.length - 3) & 0x7f) | 0x80, (fill.length - 3) >> 7]);
        return Buffer.concat([ping, fill]);
      };
      const player = await Player.join(server, tableId, { protocol, token });
      player.stream.sendRaw(sized(frameBytesMax));
      assert.equal((await player.stream.expect('pong')).nonce, 7n);
      player.stream.sendRaw(sized(frameBytesMax + 1));
      const { reason, reconnect, close } = await player.stream.goodbye();
      assert.equal(Reason[reason], 'TOO_LARGE');
      assert.equal(reconnect, false, 'or the client would send it again and again');
      assert.equal(close.code, 1009);
      await player.resume();
      await player.play();
      await player.stream.close();
    });
  });
}

test('what is announced and never sent is refused at once', async () => {
  const { tableId } = await newTable(server);
  const hello = encoded({ case: 'hello', value: {} });
  for (const length of ['7fffffffffffffff', '0000000100000000', '0000000000010000']) {
    const raw = await RawSocket.upgrade(server, tableId);
    raw.frame(opcode.binary, hello);
    assert.equal((await raw.nextFrame()).code, opcode.binary, 'the Welcome');
    assert.equal((await raw.nextFrame()).code, opcode.binary, 'the Snapshot');
    const head = Buffer.concat([Buffer.from([0x82, 0xff]), Buffer.from(length, 'hex')]);
    raw.bytes(Buffer.concat([head, Buffer.from([1, 2, 3, 4])]));
    let frame = await raw.nextFrame();
    while (frame.code === opcode.binary) frame = await raw.nextFrame(); // Seating, and the Goodbye
    assert.equal(frame.code, opcode.close);
    assert.equal(frame.payload.readUInt16BE(), 1009, length);
    raw.destroy();
  }
});

test('a message in pieces is one frame, and its pieces count together', async () => {
  const { tableId } = await newTable(server);
  const hello = encoded({ case: 'hello', value: {} });
  const raw = await RawSocket.upgrade(server, tableId);
  raw.frame(opcode.binary, hello.subarray(0, 1), { fin: false });
  raw.frame(0, hello.subarray(1));
  assert.equal((await raw.nextFrame()).code, opcode.binary);
  raw.destroy();
  const large = await RawSocket.upgrade(server, tableId);
  large.frame(opcode.binary, Buffer.alloc(1000), { fin: false });
  for (let n = 0; n < 5; ++n) large.frame(0, Buffer.alloc(1000), { fin: false });
  assert.equal((await large.nextFrame()).code, opcode.binary);
  assert.equal((await large.nextFrame()).payload.readUInt16BE(), 1009);
  large.destroy();
});

test('what breaks WebSocket itself closes the connection', async () => {
  const { tableId } = await newTable(server);
  const breaches = {
    'an unmasked frame': (raw) => raw.bytes(Buffer.from([0x82, 0x01, 0x00])),
    'a reserved opcode': (raw) => raw.frame(0x3, 'x'),
    'a continuation of nothing': (raw) => raw.frame(0, 'x'),
    'a ping of 126 bytes': (raw) => raw.frame(opcode.ping, Buffer.alloc(126)),
    'text that is not UTF-8': (raw) => raw.frame(opcode.text, Buffer.from([0xc3, 0x28])),
  };
  for (const protocol of subProtocols) {
    for (const send of Object.values(breaches)) {
      const raw = await RawSocket.upgrade(server, tableId, { protocol });
      send(raw);
      await raw.closed;
      await bystander.assertServed();
    }
  }
});

test('a client that is gone in mid-frame leaves nothing behind', async () => {
  const { tableId, token } = await newTable(server);
  for (let n = 0; n < 20; ++n) {
    const raw = await RawSocket.upgrade(server, tableId);
    raw.bytes(Buffer.from([0x82, 0xfe]));
    raw.destroy();
  }
  const player = await Player.join(server, tableId, { token });
  await player.play();
  await player.stream.close();
});
