// Days as the server counts them: in UTC, "2026-11-21".

const DAY_MS = 24 * 3_600_000;

export const today = (now = Date.now()): string => new Date(now).toISOString().slice(0, 10);

export const dayAfter = (date: string, days: number): string =>
  today(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);

/** "5:12:03"; hours are left out while there are none. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (part: number) => String(part).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** When a day is over, Unix time in milliseconds. */
export const dayEndMs = (date: string): number => Date.parse(`${dayAfter(date, 1)}T00:00:00Z`);
