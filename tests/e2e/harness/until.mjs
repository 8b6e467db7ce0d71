// A wait for what comes about elsewhere.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const timeMaxMs = 120_000;

/** Resolves as soon as `condition()`, or what it resolves to, is true; it must be within time. */
export async function until(condition, what = 'what was waited for') {
  const deadline = Date.now() + timeMaxMs;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `${what} did not come`);
    await sleep(20);
  }
}
