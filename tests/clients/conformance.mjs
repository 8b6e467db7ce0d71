// What every client library keeps, whatever its language: the same cases for all of them, on a real
// server, through lines that are delayed and cut, and over the server's death.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Switch } from '../chaos/nodes/switch.mjs';
import { HistoryService } from '../e2e/gen/tesela/lobby/v1/history_pb.js';
import { clientOf } from '../e2e/harness/lobby.mjs';
import { Server } from '../e2e/harness/server.mjs';
import { until } from '../e2e/harness/until.mjs';

/** A program of an author, as a child process. */
class Program {
  /** What it has printed so far. */
  output = '';
  running = true;

  constructor(child) {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    }
    this.ended = once(child, 'close').then(([code]) => {
      this.running = false;
      assert.equal(code, 0, this.output);
      return this.output;
    });
    this.ended.catch(() => {}); // It is awaited later.
  }
}

/**
 * The case of a package's example. `example(url)` starts it and gives its child process: it finds a
 * game of Azul with a bot, prints a line "version N: M stages" at each change, and at the end "The
 * dice were fair."
 */
export function playsItsExample(example) {
  test('the example of the README plays to the end over kill -9, with fair dice', async () => {
    const server = await Server.start('--bot-pace', '0ms');
    try {
      const program = new Program(await example(server.http));
      await until(() => !program.running || program.output.includes('version 6:'));
      await server.kill();
      await server.start();
      const output = await program.ended;
      assert.match(output, /version 2: [1-9]/);
      assert.match(output, /The dice were fair\.\n$/);
    } finally {
      await server.dispose();
    }
  });
}

/**
 * The case of every library. `author(url, games, moves)` starts a program and gives its child
 * process: it plays so many games of 2048 at once, each followed by others until they have had so
 * many moves together. It prints a line of JSON a game: `tableId`; `shown`, the version of each
 * change, "position N" of a position; `told`, the id and the version of each move as its answer
 * told them.
 */
export function losesNothing(author) {
  test('moves under cut lines and kill -9: none lost, none twice, no frame twice', async () => {
    const [games, moves] = [10, Number(process.env.TESELA_TEST_MOVES ?? 2000) / 10];
    const server = await Server.start('--frame-rate', '0', '--shared-frame-rate', '0');
    const line = await Switch.start(server);
    try {
      const program = new Program(await author(line.http, games, moves));
      let troubles = 0;
      for (; program.running; ++troubles) {
        await Promise.race([sleep(700), program.ended.catch(() => {})]);
        line.delayMs = troubles % 3;
        if (troubles % 8 === 5) {
          await server.kill();
          await server.start();
        }
        line.cut();
      }
      const tables = (await program.ended)
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text));
      const told = await Promise.all(tables.map((table) => audit(server, table)));
      assert.equal(
        told.reduce((sum, count) => sum + count),
        games * moves,
      );
      console.log(`${tables.length} games, ${games * moves} moves, ${troubles} cuts`);
    } finally {
      line.close();
      await server.dispose();
    }
  });
}

/** Compares what a client was shown and told with what is stored: the number of its moves. */
async function audit(server, { tableId, shown, told }) {
  const [first, ...rest] = shown;
  assert.equal(first, 'position 1');
  assert.deepEqual(
    rest,
    rest.map((_, at) => String(at + 2)),
    'each version once, in order',
  );
  const { record } = await clientOf(HistoryService, server).getRecord({ tableId });
  const stored = record.moves.map(({ moveId, version }) => [moveId, String(version)]);
  assert.deepEqual(told, stored, 'each move is stored once');
  return told.length;
}
