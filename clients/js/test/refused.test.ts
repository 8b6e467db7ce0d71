// What a caller is told when a call fails: a refusal of the server, or the network's own error.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Code, ConnectError } from '@connectrpc/connect';
import { Refused, refusalOf } from '../src/refused.js';
import { Tesela } from '../src/tesela.js';

test('a server that is not there has refused nothing', async () => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const { port } = nobody.address() as AddressInfo;
  nobody.close();
  const error = await Tesela.connect(`http://127.0.0.1:${port}`).catch((why: unknown) => why);
  assert.ok(error instanceof Error && !(error instanceof Refused), String(error));
});

test('a refusal has the reason that the server gives', () => {
  const error = new ConnectError('The seat is taken.', Code.FailedPrecondition);
  const value = Uint8Array.from([10, 5, ...new TextEncoder().encode('TAKEN'), 18, 0]);
  error.details.push({ type: 'google.rpc.ErrorInfo', value });
  const refused = refusalOf(error);
  assert.ok(refused instanceof Refused);
  assert.deepEqual([refused.reason, refused.message], ['TAKEN', 'The seat is taken.']);
});
