// How much time is short, and how time is written.

/** How long players may think, in milliseconds; 0 is no limit. */
export interface Thinking {
  moveMs: number;
  gameMs: number;
}

/** Time is short when this share of all of it is left, within these bounds. */
const SHORT_SHARE = 1 / 3;
const SHORT_MIN_MS = 5_000;
const SHORT_MAX_MS = 20_000;
/** From here on tenths of a second are shown. */
const TENTHS_MS = 10_000;

const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** Below what a player should hurry. */
export function shortMs({ moveMs, gameMs }: Thinking): number {
  const share = SHORT_SHARE * (moveMs || gameMs || Number.POSITIVE_INFINITY);
  return Math.min(SHORT_MAX_MS, Math.max(SHORT_MIN_MS, share));
}

const two = (value: number): string => String(value).padStart(2, '0');

/** "9.4", "0:42", "4:05", "1:02:03", "3 d 04 h": as much as is worth knowing. */
export function clockText(leftMs: number): string {
  if (leftMs < TENTHS_MS) return (Math.floor(leftMs / 100) / 10).toFixed(1);
  const seconds = Math.ceil(leftMs / SECOND_MS);
  const hours = Math.floor((seconds % DAY_S) / HOUR_S);
  if (seconds >= DAY_S) return `${Math.floor(seconds / DAY_S)} d ${two(hours)} h`;
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  const rest = two(seconds % MINUTE_S);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** After how many milliseconds the text is another one. */
export function untilNextText(leftMs: number): number {
  if (leftMs < TENTHS_MS) return (leftMs % 100) + 1;
  const nextMs = (Math.ceil(leftMs / SECOND_MS) - 1) * SECOND_MS;
  return leftMs - Math.max(nextMs, TENTHS_MS) + 1;
}
