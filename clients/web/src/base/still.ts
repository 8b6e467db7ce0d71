// Waits for what moves.

/** Ends when nothing under `area` moves any more; motions run at `rate` until then. False when
 *  `signal` was aborted before. */
export async function stillness(
  area: Element,
  rate: number,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const motions = area
      .getAnimations({ subtree: true })
      .filter(({ playState, effect }) => playState === 'running' && endsSoon(effect));
    if (motions.length === 0) return true;
    for (const motion of motions) if (motion.playbackRate !== rate) motion.playbackRate = rate;
    await pause(FRAME_MS, signal);
  }
  return false;
}

const FRAME_MS = 16;

const endsSoon = (effect: AnimationEffect | null): boolean =>
  effect?.getComputedTiming().iterations !== Infinity;

/** A wait that an abort ends early. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const clock = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(clock), resolve()), { once: true });
  });
}
