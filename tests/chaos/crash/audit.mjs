// Compares what the players wrote down with what the server has now, to whom was never interrupted.
import { setTimeout as sleep } from 'node:timers/promises';
import { HistoryService } from '../../e2e/gen/tesela/lobby/v1/history_pb.js';
import { clientOf } from '../../e2e/harness/lobby.mjs';
import {
  bytesOf,
  bytesOfSnapshot,
  isForLater,
  isNotFound,
  Stream,
} from '../../e2e/harness/stream.mjs';

const retryMs = 20;
const answerTimeMaxMs = 60_000;

/**
 * { acknowledged, lost, duplicated, gaps, snapshots, details }: the middle three must be 0;
 * `snapshots` is how many were compared. `read` is how the events of a game are read, `readAt` how
 * its Snapshot of a version is.
 */
export async function audit(server, gamblers, read = watched, readAt = shownAt) {
  const found = { acknowledged: 0, lost: 0, duplicated: 0, gaps: 0, snapshots: 0, details: [] };
  for (const game of gamblers.flatMap(({ games }) => games)) {
    if (game.unserved) {
      found.lost += game.acknowledged.length + 1;
      found.details.push(`table ${game.tableId} is not served: ${game.unserved}`);
    } else {
      compare(game, (await read(server, game)) ?? [], found);
      await compareSnapshots(server, game, readAt, found);
    }
  }
  return found;
}

/** The Snapshots of { tableId, snapshots } beside those of the replay. */
export async function compareSnapshots(server, game, readAt, found) {
  const byVersion = new Map();
  for (const { version, value } of game.snapshots) {
    if (!byVersion.has(version)) byVersion.set(version, await readAt(server, game, version));
    ++found.snapshots;
    const again = byVersion.get(version);
    if (again && Buffer.compare(bytesOfSnapshot(again), bytesOfSnapshot(value)) === 0) continue;
    ++found.lost;
    found.details.push(`table ${game.tableId}: the Snapshot of version ${version} is another one`);
  }
}

/** What a new spectator is sent who asks for every event: { version, moveId, body, bytes }. */
export async function watched(server, { tableId, protocol }) {
  const stream = await Stream.open(server, tableId, { protocol, lastVersion: 1n });
  try {
    const { version } = await stream.expect('welcome');
    const events = [];
    while (events.length + 1 < version) {
      const { kind, value, bytes } = await stream.next();
      if (kind !== 'event') throw new Error(`table ${tableId}: ${kind} where an event belongs`);
      events.push({ ...value, bytes });
    }
    return events;
  } finally {
    stream.cut();
  }
}

/** What HistoryService shows, of games whose events are too many for a spectator at once. */
export async function shownAgain(server, { tableId }) {
  const events = [];
  for await (const { frame } of clientOf(HistoryService, server).replay({ tableId })) {
    if (frame.frame.case === 'event') events.push(frame.frame.value);
  }
  return events;
}

/**
 * The Snapshot of a version as HistoryService shows it, as soon as the server answers; nothing if
 * the game has no such version.
 */
export async function shownAt(server, { tableId }, version) {
  const request = { tableId, fromVersion: version, toVersion: version };
  const deadline = Date.now() + answerTimeMaxMs;
  for (;;) {
    try {
      const shown = clientOf(HistoryService, server).replay(request);
      for await (const { frame } of shown) return frame.frame.value;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isForLater(error) || Date.now() > deadline) throw error;
    }
    await sleep(retryMs);
  }
}

/** Whether somebody was shown this event: byte for byte, where both have the bytes. */
function isSame(event, shown) {
  if (event.bytes) return Buffer.compare(Buffer.from(event.bytes), Buffer.from(shown.bytes)) === 0;
  return Buffer.compare(bytesOf(event), bytesOf(shown.value)) === 0;
}

function compare(game, log, found) {
  const report = (kind, sentence) => {
    ++found[kind];
    found.details.push(`table ${game.tableId}: ${sentence}`);
  };
  found.acknowledged += game.acknowledged.length;
  if (game.gaps.length > 0) report('gaps', `out of order: ${game.gaps.join(', ')}`);
  log.forEach(({ version }, n) => {
    if (version !== BigInt(n) + 2n)
      report('gaps', `version ${version} stands where ${n + 2} belongs`);
  });
  const byVersion = new Map(log.map((event) => [event.version, event]));
  for (const { version, moveId, body } of game.acknowledged) {
    const event = byVersion.get(version);
    const isThere = event?.moveId === moveId;
    if (!isThere || (body && Buffer.compare(event.body.value, body) !== 0)) {
      report('lost', `the move acknowledged as version ${version} is not there`);
    }
  }
  for (const { version, moveId } of log) {
    if (game.refused.has(moveId)) report('lost', `version ${version} was refused, and was played`);
  }
  // Whoever lets the time run out is played for, and else nobody.
  for (const version of game.late) {
    if (!byVersion.get(version + 1n)?.timedOut) {
      report('lost', `the move at version ${version} was refused as late, and was not`);
    }
  }
  const moveIds = new Set(log.map(({ moveId }) => moveId));
  if (moveIds.size < log.length) {
    report('duplicated', `${log.length - moveIds.size} moves were played twice`);
  }
  for (const shown of game.seen) {
    const event = byVersion.get(shown.version);
    if (!event || !isSame(event, shown)) {
      report('lost', `version ${shown.version} is not what its player was shown`);
    }
  }
}
