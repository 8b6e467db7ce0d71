// Compares what the players wrote down with what the server has now: a spectator who was never
// interrupted reads every table from its first event on.
import { Stream } from '../../e2e/harness/stream.mjs';

/** { acknowledged, lost, duplicated, gaps, details }: all but the first must be 0. */
export async function audit(server, gamblers) {
  const found = { acknowledged: 0, lost: 0, duplicated: 0, gaps: 0, details: [] };
  for (const game of gamblers.flatMap(({ games }) => games)) {
    if (game.unserved) {
      found.lost += game.acknowledged.length + 1;
      found.details.push(`table ${game.tableId} is not served: ${game.unserved}`);
    } else {
      compare(game, await replay(server, game), found);
    }
  }
  return found;
}

/** Every event of a table, in the order in which it comes: { version, moveId, body, bytes }. */
async function replay(server, { tableId, protocol }) {
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

function compare(game, log, found) {
  const report = (kind, sentence) => {
    ++found[kind];
    found.details.push(`table ${game.tableId}: ${sentence}`);
  };
  found.acknowledged += game.acknowledged.length;
  if (game.gaps > 0) report('gaps', `${game.gaps} versions came out of order`);
  log.forEach(({ version }, n) => {
    if (version !== BigInt(n) + 2n)
      report('gaps', `version ${version} stands where ${n + 2} belongs`);
  });
  const byVersion = new Map(log.map((event) => [event.version, event]));
  for (const { version, moveId, body } of game.acknowledged) {
    const event = byVersion.get(version);
    if (event?.moveId !== moveId || Buffer.compare(event.body.value, body) !== 0) {
      report('lost', `the move acknowledged as version ${version} is not there`);
    }
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
  for (const { version, bytes } of game.seen) {
    const event = byVersion.get(version);
    if (!event || Buffer.compare(Buffer.from(event.bytes), Buffer.from(bytes)) !== 0) {
      report('lost', `version ${version} is not what its player was shown`);
    }
  }
}
