// How long to wait before what failed is tried again.
import { LIMITS, type Limits } from './limits.js';

/** The wait before attempt 0, 1, 2 …: doubles up to a maximum; half of it is chance, so that the
 *  clients of a server that restarts don't come back all at once. */
export function backoffMs(
  attempt: number,
  limits: Limits = LIMITS,
  random: () => number = Math.random,
): number {
  const full = Math.min(limits.backoffMax, limits.backoffFirst * 2 ** attempt);
  return full / 2 + (random() * full) / 2;
}
