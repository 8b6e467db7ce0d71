// Waits for what comes about elsewhere.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isElsewhere, isForLater, isServerGone } from './stream.mjs';

const isTransient = (error) => isServerGone(error) || isForLater(error) || isElsewhere(error);

const timeMaxMs = 120_000;
const answerTimeMaxMs = 60_000;
const retryMs = 20;

/** Resolves as soon as `condition()`, or what it resolves to, is true; it must be within time. */
export async function until(condition, what = 'what was waited for') {
  const deadline = Date.now() + timeMaxMs;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `${what} did not come`);
    await sleep(retryMs);
  }
}

/**
 * What `call()` resolves to as soon as it is answered. A connection that is kept for the next call
 * may have ended since the last one, with its server or with the proxy.
 */
export async function untilAnswered(call) {
  const deadline = Date.now() + answerTimeMaxMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || Date.now() > deadline) throw error;
    }
    await sleep(retryMs);
  }
}
