// Finds the games with other people that wait for the player's move, wherever on the page the
// player is.
import { attention } from '../base/attention.svelte.js';
import { TableState } from '../gen/tesela/lobby/v1/lobby_pb.js';
import { lobby } from '../net/lobby.js';
import { glances } from './glances.svelte.js';
import { groupOf, isSociable } from './stand.js';

const EVERY_MS = 30_000;
/** So many games are looked at, the newest. */
const TABLES_MAX = 20;

async function callsOf(playerId: string): Promise<string[]> {
  const filter = { playerId, state: TableState.IN_PLAY };
  const { tables } = await lobby.listTables({ filter, pageSize: 100 });
  const several = tables.filter(isSociable).slice(0, TABLES_MAX);
  await glances.look(several.map(({ tableId }) => tableId));
  const waits = several.filter((table) => {
    const stand = glances.of(table.tableId);
    return groupOf(table, playerId, stand, Date.now()) === 'turn';
  });
  return waits.map(({ tableId }) => tableId);
}

/** Keeps the page's attention true; the function it returns ends that. */
export function followCalls(playerId: string): () => void {
  let followed = true;
  const ask = () =>
    callsOf(playerId).then(
      (tables) => followed && (attention.tables = tables),
      () => {}, // Asked again soon.
    );
  const clock = setInterval(ask, EVERY_MS);
  void ask();
  return () => {
    followed = false;
    clearInterval(clock);
    attention.tables = [];
  };
}
