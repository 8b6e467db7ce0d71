// Whether the clocks of the tables have charged anybody for a time in which the server was down.
import { HistoryService } from '../../e2e/gen/tesela/lobby/v1/history_pb.js';
import { clientOf } from '../../e2e/harness/lobby.mjs';
import { untilAnswered } from '../../e2e/harness/until.mjs';

// What is charged and when are of two clocks, which are read one after the other: on a busy machine
// a thread may lose its processor in between.
const clocksApartMs = 50;
// A turn whose event took longer to store begins when it is shown (limits.h: kStoreTimeFree).
const storeTimeFreeMs = 200;
// After a restart the clock waits so long for the player on turn (limits.h: kClockGrace).
const clockGraceMs = 30_000;

/**
 * { charged, details, turns, crashed, late }: the latter three are how many turns were looked at,
 * in how many of them the server was killed, and in how many the time ran out. `lives` has when
 * each server was started, in order, as { at }: Unix time in milliseconds. Where `stays`, players
 * stayed connected. Of tables with `epochs` (those of their events) it is known which turns were
 * handed over, and that others may have been interrupted by a freeze. A table may have `lives` of
 * its own: when servers took it.
 */
export async function auditClocks(server, tables, lives) {
  const found = { charged: 0, details: [], turns: 0, crashed: 0, late: 0 };
  for (const table of tables) {
    const history = clientOf(HistoryService, server);
    const { record } = await untilAnswered(() => history.getRecord({ tableId: table.tableId }));
    const own = table.lives ?? lives;
    found.turns += record.moves.length;
    found.crashed += crashesIn(record, own);
    found.late += record.moves.filter(({ timedOut }) => timedOut).length;
    for (const sentence of chargesOf(table, record, own)) {
      ++found.charged;
      found.details.push(`table ${table.tableId}: ${sentence}`);
    }
  }
  return found;
}

function crashesIn({ dealtAtMs, moves }, lives) {
  const times = [dealtAtMs, ...moves.map(({ atMs }) => atMs)].map(Number);
  return lives.filter(({ at }) => at > times[0] && at < times.at(-1)).length;
}

/** When a turn of `seat` that began at `began` has begun to be charged, at the earliest. */
function chargedFrom({ sittings }, { seat, strategy, timedOut }, began, life) {
  const from = Math.max(began, life.at);
  if (life.stays) return from;
  const sitting = sittings.find(({ game }) => game.seat === seat);
  if (!sitting || (strategy && !timedOut)) return from;
  const back = sitting.backs.find(({ greeted }) => greeted >= from);
  return Math.min(back ? Math.max(from, back.came) : Infinity, from + clockGraceMs);
}

/** Whether a turn that ended with `version` was on when the server of `life` began. */
function isInterrupted({ epochs }, { version }, life, began) {
  if (life.at <= began) return false;
  return !epochs || life.stays || epochs.get(version) !== epochs.get(version - 1n);
}

function* chargesOf(table, record, lives) {
  const { moveMs, gameMs, incrementMs } = table.clock;
  const left = Array(record.table.seatCount).fill(gameMs);
  const leftAt = new Map([[1n, [...left]]]);
  let began = Number(record.dealtAtMs);
  for (const move of record.moves) {
    const [at, spent] = [Number(move.atMs), Number(move.spentMs)];
    const life = lives.findLast((one) => one.at <= at);
    const first = move.version === 2n; // it waits for its player, as after a crash
    if (!isInterrupted(table, move, life, began) && !first) {
      const free = at - began - spent;
      const isShort = free > clocksApartMs && free <= storeTimeFreeMs - clocksApartMs;
      if (free < -clocksApartMs || (isShort && !table.epochs)) {
        yield `${spent} ms for a turn of ${at - began}: ${move.version}`;
      }
    } else {
      const from = chargedFrom(table, move, began, life);
      if (spent > at - from + clocksApartMs) {
        yield `${spent} ms for a turn that nobody began before ${from}, at ${at}: ${move.version}`;
      }
    }
    if (move.timedOut && spent < moveMs) yield `timed out after ${spent} ms: ${move.version}`;
    left[move.seat] += incrementMs - spent;
    leftAt.set(move.version, [...left]);
    began = at;
  }
  // What people were shown before a crash and after it is the same, and what the log says.
  for (const { game } of table.sittings) {
    for (const { version, leftMs } of game.clocks) {
      if (`${leftMs}` !== `${leftAt.get(version)}`) {
        yield `version ${version} showed ${leftMs} ms, and the log says ${leftAt.get(version)}`;
      }
    }
  }
}
