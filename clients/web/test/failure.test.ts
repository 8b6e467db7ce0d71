// What a failed call means to a player, and what it names to the operator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Code, ConnectError } from '@connectrpc/connect';
import { failureOf } from '../src/net/failure.js';

/** A refusal of the server, with the id of its call where there is one. */
function refusal(code: Code, id?: string): ConnectError {
  const error = new ConnectError('sentence', code);
  const value = Uint8Array.from([10, id?.length ?? 0, ...new TextEncoder().encode(id)]);
  error.details = [
    { type: 'google.rpc.ErrorInfo', value: Uint8Array.from([10, 1, 65]) },
    ...(id ? [{ type: 'google.rpc.RequestInfo', value }] : []),
  ];
  return error;
}

test('a refusal names its call as the server does', () => {
  const request = '0123456789abc';
  const refused = { code: Code.Internal, sentence: '' };
  assert.deepEqual(failureOf(refusal(Code.Internal, request)), { ...refused, request });
  assert.deepEqual(failureOf(refusal(Code.Internal)), { ...refused, request: '' });
});

test('what came from the network has no call', () => {
  assert.equal(failureOf(new TypeError('Failed to fetch')), 'unreachable');
  assert.equal(failureOf(refusal(Code.Unavailable, '0123456789abc')), 'unreachable');
});
