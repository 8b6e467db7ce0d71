// What events are beside moves of the game.
import { isMessage, type Message } from '@bufbuild/protobuf';
import { ResignedSchema, UndoneSchema } from '@tesela/client/gen/play/v1/course_pb.js';
import type { Event as TableEvent } from '@tesela/client/gen/play/v1/play_pb.js';

export type News =
  | { kind: 'timed_out'; seat: number; strategy: string }
  | { kind: 'resigned'; seat: number }
  /** The player was away, and the one on seat `by` has claimed the game. */
  | { kind: 'claimed'; seat: number; by: number }
  | { kind: 'undone' };

/** What an event tells beside its move, if anything. */
export function newsOf(
  { seat, strategy, timedOut }: TableEvent,
  body: Message | undefined,
): News | undefined {
  if (isMessage(body, ResignedSchema)) {
    const { claimedBy: by } = body;
    return by === undefined ? { kind: 'resigned', seat } : { kind: 'claimed', seat, by };
  }
  if (isMessage(body, UndoneSchema)) return { kind: 'undone' };
  return timedOut ? { kind: 'timed_out', seat, strategy } : undefined;
}

/**
 * Whether news are still worth saying after a later event that brings none. That somebody gave up
 * is, though a strategy plays their seat on at once; that they were late is until they move.
 */
export function outlasts(news: News | undefined, event: TableEvent): boolean {
  if (!news || news.kind === 'undone') return false;
  return news.kind === 'resigned' || news.kind === 'claimed' || news.seat !== event.seat;
}
