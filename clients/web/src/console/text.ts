// Values of the protocol as text.
import { durationMs, timestampDate, type Duration, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { Report } from '../gen/admin/tesela/admin/v1/moderation_pb.js';

/** "2026-11-29 10:15:03 UTC"; '' for a time that is unset. */
export const timeText = (time?: Timestamp): string =>
  time ? `${timestampDate(time).toISOString().slice(0, 19).replace('T', ' ')} UTC` : '';

/** "1 h 5 min", "12.3 s"; '' for a time that is unset. */
export function spanText(span?: Duration): string {
  if (!span) return '';
  const seconds = durationMs(span) / 1000;
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** "in play" of `TableState[TableState.IN_PLAY]`. */
export const wordOf = (name = 'unknown'): string => name.toLowerCase().replaceAll('_', ' ');

/** The values of an enum that can be sent, by their words. */
export const choicesOf = (values: Record<string, string | number>): [string, number][] =>
  Object.entries(values)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0)
    .map(([name, value]) => [wordOf(name), value]);

export const yesNo = (is: boolean): string => (is ? 'yes' : 'no');

const MEBIBYTE = 1 << 20;
export const mebibytes = (bytes: number | bigint): string =>
  `${(Number(bytes) / MEBIBYTE).toFixed(1)} MiB`;

/** "open", "with Otto", "closed by Otto: muted". */
export function reportState(report: Report): string {
  if (report.closedAt) return `closed by ${report.assignee}: ${report.outcome}`;
  return report.assignee ? `with ${report.assignee}` : 'open';
}
