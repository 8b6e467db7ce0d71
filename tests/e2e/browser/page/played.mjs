// Games that are over already: played through the API, in the name of who sits at the page.
import { games } from '../../harness/games.mjs';
import { bearer, lobbyOf } from '../../harness/lobby.mjs';
import { Player } from '../../harness/player.mjs';

/** Who is signed in on a page: { token, playerId, … }. */
export const ownerOf = (page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('tesela.player')));

/** Plays a table of the owner's to its end. Returns { tableId, events, result }. */
export async function playOut(server, { token }, game, tableId) {
  const player = await Player.join(server, tableId, { token });
  for (let moves = 0; !player.result;) {
    if (!player.turn.includes(player.seat)) await player.step();
    else await player.playBody(games[game].choose(player.view, moves++));
  }
  await player.stream.close();
  return { tableId, events: player.events, result: player.result };
}

/** A new game of the owner's, with bots where others must sit, played to its end. */
export async function played(server, owner, game, request = { config: games[game].config }) {
  const bots = Array.from({ length: games[game].seats - 1 }, () => ({
    strategy: 'random',
  }));
  const { table } = await lobbyOf(server).createTable(
    { game, bots, ...request },
    bearer(owner.token),
  );
  return playOut(server, owner, game, table.tableId);
}
