import type { Any } from '@bufbuild/protobuf/wkt';
import { lobby } from './lobby.js';
import { router, tablePath } from './route.svelte.js';

/** Makes a table (without a configuration: of the game's defaults) and goes there. Throws what the
 *  lobby throws. */
export async function newTable(game: string, config?: Any): Promise<void> {
  const { table } = await lobby.createTable(config ? { game, config } : { game });
  if (table) router.go(tablePath(table.tableId));
}
