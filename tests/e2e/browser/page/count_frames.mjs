// For page.addInitScript: what a page reads of replays.

/**
 * Counts in `globalThis.replayed` the replays that are asked for (`asked`) and the frames that have
 * come of them (`frames`). With `holds`, all but the first wait until `release` is called.
 */
export function countFrames({ holds = false } = {}) {
  const state = { asked: [], frames: 0 };
  const released = new Promise((resolve) => (state.release = resolve));
  const whole = globalThis.fetch;
  globalThis.replayed = state;
  globalThis.fetch = async (input, init) => {
    const url = typeof input === 'string' ? input : (input.url ?? String(input));
    if (!url.endsWith('/Replay')) return whole(input, init);
    if (holds && state.asked.length > 0) await released;
    state.asked.push(url);
    const response = await whole(input, init);
    const left = { bytes: 0, head: [] };
    const counter = new TransformStream({
      // Each message has one byte of flags and four of length before it; the last is no frame.
      transform(chunk, sink) {
        for (let at = 0; at < chunk.length;) {
          const skipped = Math.min(left.bytes, chunk.length - at);
          at += skipped;
          left.bytes -= skipped;
          while (left.bytes === 0 && at < chunk.length && left.head.length < 5) {
            left.head.push(chunk[at++]);
          }
          if (left.head.length < 5) continue;
          const [flags, ...length] = left.head.splice(0);
          left.bytes = length.reduce((sum, byte) => sum * 256 + byte, 0);
          if (flags === 0) state.frames += 1;
        }
        sink.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counter), response);
  };
}
