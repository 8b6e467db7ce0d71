// Tables where bots play among themselves.
import { azul } from './games.mjs';
import { bearer, lobbyOf, signIn } from './lobby.mjs';
import { Player } from './player.mjs';

/** A table of Azul of two bots, at this version or a later one: somebody who watches it. */
export async function watchBots(server, version) {
  const { token } = await signIn(server);
  const request = {
    game: 'azul',
    config: azul(2).config,
    bots: [{ strategy: 'safe' }, { strategy: 'rush' }],
    watchOnly: true,
  };
  const { table } = await lobbyOf(server).createTable(request, bearer(token));
  const watcher = await Player.join(server, table.tableId);
  await watcher.reach(version);
  return watcher;
}
