// Calls of which nothing is heard any more, through the interceptor that ends them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Code, createClient, createRouterTransport } from '@connectrpc/connect';
import { LobbyService } from '../src/gen/tesela/lobby/v1/lobby_pb.js';
import { endSilence } from '../src/silence.js';

const minuteMs = 60_000;
const unavailable = { code: Code.Unavailable, rawMessage: 'The server does not answer.' };

/** A lobby that answers no question, and tells of so many tables before it falls silent. */
function silentLobby(tables: number) {
  const transport = createRouterTransport(
    ({ service }) =>
      service(LobbyService, {
        getTable: () => new Promise(() => {}),
        async *watchTables() {
          for (let n = 0; n < tables; n += 1) yield { table: { tableId: String(n) } };
          await new Promise(() => {});
        },
      }),
    { transport: { interceptors: [endSilence] } },
  );
  return createClient(LobbyService, transport);
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('a call without an answer ends after a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = assert.rejects(silentLobby(0).getTable({ tableId: 'x' }), unavailable);
  for (let i = 0; i < 20; i += 1) await soon();
  t.mock.timers.tick(minuteMs);
  await asked;
});

test('a stream ends a minute after the last message was read', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen: string[] = [];
  const watching = assert.rejects(async () => {
    for await (const { table } of silentLobby(2).watchTables({})) {
      seen.push(table!.tableId);
      t.mock.timers.tick(2 * minuteMs); // What its reader takes is not counted.
    }
  }, unavailable);
  for (let i = 0; i < 20; i += 1) await soon();
  t.mock.timers.tick(minuteMs);
  await watching;
  assert.deepEqual(seen, ['0', '1']);
});

test('a caller may still end the call', async () => {
  const caller = new AbortController();
  const asked = silentLobby(0).getTable({ tableId: 'x' }, { signal: caller.signal });
  caller.abort();
  await assert.rejects(asked, { code: Code.Canceled });
});
