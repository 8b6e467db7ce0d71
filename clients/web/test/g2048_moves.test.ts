// The player's moves on their way: what is sent, what waits, what is turned down with a word.
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Direction, Game2048MoveSchema } from '@tesela/client/gen/game/v1/g2048_pb.js';
import { Moves } from '../src/games/g2048/moves.js';

const { LEFT, RIGHT, UP, DOWN } = Direction;

let legal: Direction[];
let live: boolean;
let sent: Direction[];
let blocked: Direction[];
let moves: Moves;

beforeEach(() => {
  legal = [LEFT, RIGHT, UP, DOWN];
  live = true;
  sent = [];
  blocked = [];
  moves = new Moves({
    legal: () => legal,
    live: () => live,
    play: (move) => sent.push(anyUnpack(move, Game2048MoveSchema)!.direction) > 0,
    blocked: (direction) => blocked.push(direction),
  });
});

test('keys pressed while a move is in flight follow in order', () => {
  moves.push(LEFT);
  moves.push(UP);
  moves.push(RIGHT);
  assert.deepEqual(sent, [LEFT]);
  moves.answered(true);
  moves.answered(true);
  assert.deepEqual(sent, [LEFT, UP, RIGHT]);
});

test('a move that the server does not list is turned down here, and the next one goes', () => {
  moves.push(LEFT);
  moves.push(LEFT);
  moves.push(DOWN);
  legal = [DOWN];
  moves.answered(true);
  assert.deepEqual(blocked, [LEFT]);
  assert.deepEqual(sent, [LEFT, DOWN]);
});

test('what waited behind a move that was given back is forgotten', () => {
  moves.push(LEFT);
  moves.push(UP);
  moves.answered(false);
  assert.deepEqual(sent, [LEFT]);
  moves.push(DOWN);
  assert.deepEqual(sent, [LEFT, DOWN]);
});

test('without a line one move waits and the next is turned down', () => {
  live = false;
  moves.push(LEFT);
  moves.push(UP);
  assert.deepEqual(sent, [LEFT]);
  assert.deepEqual(blocked, [UP]);
});

test('a player who is too far ahead is told', () => {
  for (let pressed = 0; pressed < 10; pressed += 1) moves.push(LEFT);
  assert.equal(blocked.length, 1);
});

test('a key that is held down does not pile up', () => {
  moves.push(LEFT);
  moves.push(LEFT, true);
  moves.push(LEFT, true);
  moves.answered(true);
  assert.deepEqual(sent, [LEFT]);
});
