// What players wrote down, compared with what several servers have when all is over.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isDismissed,
  isElsewhere,
  isForLater,
  isServerGone,
  isUpgradeRefused,
  StreamTimedOut,
} from '../../e2e/harness/stream.mjs';
import { audit, compareSnapshots, shownAgain, shownAt, watched } from '../crash/audit.mjs';
import { auditClocks } from '../crash/clock_audit.mjs';
import { claimsOf, epochsOf, fallingEpochs } from './records.mjs';

const auditTimeMaxMs = 30_000;
const retryMs = 50;

/** Whether a player may go on after it: the server is gone, silent, or has not got the table. */
export const isTrouble = (error) =>
  isServerGone(error) ||
  isForLater(error) ||
  isElsewhere(error) ||
  isUpgradeRefused(error) ||
  isDismissed(error) ||
  error instanceof StreamTimedOut;

/**
 * What is shown of a game, as soon as the server has the table; nothing if it is not served, or if
 * its log cannot be executed: then a Snapshot stands in the place of events.
 */
const later = (read) => async (server, game, version) => {
  const deadline = Date.now() + auditTimeMaxMs;
  for (;;) {
    try {
      return await read(server, game, version);
    } catch (error) {
      if (/where an event belongs|The log is damaged/.test(error.message)) return undefined;
      const isSentAway = /expected welcome, got goodbye/.test(error.message);
      if (!isSentAway && !isTrouble(error)) throw error;
      if (Date.now() > deadline || /"reconnect":false/.test(error.message)) return undefined;
    }
    await sleep(retryMs);
  }
};

/** When a table may have stood still: when a server took it, and with the database. */
async function livesOf(database, { tableId }, outages) {
  const claims = await claimsOf(database, tableId);
  const lives = [{ at: 0 }, ...claims.map((at) => ({ at })), ...outages];
  return lives.sort((a, b) => a.at - b.at);
}

/** The kinds of findings that `judge` counts. */
export const kinds = ['lost', 'duplicated', 'gaps', 'falling', 'charged', 'behind'];

/**
 * How much of each kind is found, { acknowledged, snapshots } that were compared, and `details`.
 * `others` are at tables where several play; those of `companies` have clocks. `outages` has when
 * the database came back, as auditClocks wants it.
 */
export async function judge({ server, database, gamblers, companies, others = [], ...rest }) {
  const { witness, outages } = rest;
  const readAt = later(shownAt);
  const found = await audit(server, gamblers, later(watched), readAt);
  const several = await audit(server, [...companies, ...others], later(shownAgain), readAt);
  for (const [tableId, snapshots] of witness.snapshots) {
    await compareSnapshots(server, { tableId, snapshots }, readAt, found);
  }
  for (const kind of ['acknowledged', 'lost', 'duplicated', 'gaps', 'snapshots']) {
    found[kind] += several[kind];
  }
  const tables = companies.flatMap((company) => company.tables);
  for (const table of tables) {
    table.epochs = await epochsOf(database, table.tableId);
    table.lives = await livesOf(database, table, outages);
  }
  const clocks = await auditClocks(server, tables);
  const sittings = tables.flatMap((table) => table.sittings);
  found.duplicated += sittings.reduce((sum, { echoes }) => sum + echoes, 0);
  const games = [...gamblers, ...companies, ...others].flatMap((player) => player.games);
  found.behind = games.reduce((sum, game) => sum + game.behind, witness.behind);
  found.falling = await fallingEpochs(database);
  found.charged = clocks.charged;
  found.details.push(...several.details, ...clocks.details, ...witness.details);
  for (const line of found.details) console.log(line);
  console.log(
    `tables with clocks ${tables.length} turns ${clocks.turns}, ${clocks.crashed} with a ` +
      `hand-over or an outage, ${clocks.late} timed out`,
  );
  return found;
}
