// The clocks of a table: what each seat has left by the server's time, which is told by frames and
// never by this machine's own clock.
import type { Thinking } from '../base/clock_text.js';
import type { Clocks } from '@tesela/client/gen/play/v1/play_pb.js';

export class TableClocks {
  readonly #nowMs: () => number;
  /** The server's clock minus this machine's. A frame comes later than it was written, so that the
   *  largest difference seen on a line is the truest; an event that comes late says little. */
  #aheadMs = Number.NEGATIVE_INFINITY;
  /** What was said last; undefined at a table without clocks. */
  said = $state.raw<Clocks | undefined>(undefined);
  /** Whether somebody's time runs. */
  running = $derived(this.said?.deadlineMs !== undefined);

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** A new line begins, with the server's time. */
  begin(serverTimeMs: bigint): void {
    this.#aheadMs = Number.NEGATIVE_INFINITY;
    this.timed(serverTimeMs);
  }

  /** A frame that has just come says the server's time. */
  timed(serverTimeMs: bigint): void {
    this.#aheadMs = Math.max(this.#aheadMs, Number(serverTimeMs) - this.#nowMs());
  }

  set(clocks: Clocks | undefined): void {
    if (clocks) this.timed(clocks.nowMs);
    this.said = clocks;
  }

  /** The milliseconds that a seat has left; undefined where nothing limits it. */
  leftMs(seat: number, onTurn: boolean, { moveMs }: Thinking): number | undefined {
    const { said } = this;
    if (!said) return undefined;
    if (onTurn && said.deadlineMs !== undefined) {
      return Math.max(0, Number(said.deadlineMs) - (this.#nowMs() + this.#aheadMs));
    }
    const left = said.leftMs[seat];
    if (left === undefined) return moveMs || undefined;
    return Number(left);
  }
}
