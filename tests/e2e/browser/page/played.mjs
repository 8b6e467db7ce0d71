// Games that were played through the API, in the name of who sits at the page.
import { azul, games, lastingMove } from '../../harness/games.mjs';
import { bearer, lobbyOf, signIn } from '../../harness/lobby.mjs';
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

/**
 * A game of Azul of so many moves or some more, in which it is the owner's turn. Returns { tableId,
 * version, others }, the last of which are the other three players, who are still there.
 */
export async function longAzul(server, owner, moves) {
  const lobby = lobbyOf(server);
  const request = { game: 'azul', config: azul(4).config };
  const { table } = await lobby.createTable(request, bearer(owner.token));
  const { tableId } = table;
  const tokens = [owner.token];
  while (tokens.length < 4) {
    const { token } = await signIn(server, `Guest ${tokens.length}`);
    await lobby.joinTable({ tableId }, bearer(token));
    tokens.push(token);
  }
  const players = await Promise.all(tokens.map((token) => Player.join(server, tableId, { token })));
  const [first, ...others] = players;
  await first.reach(1n);
  while (first.events.length < moves || first.turn[0] !== first.seat) {
    const mover = players.find(({ seat }) => seat === first.turn[0]);
    await mover.reach(first.version);
    await mover.playBody(lastingMove(first.view));
    await first.reach(mover.version);
  }
  return { tableId, version: Number(first.version), others };
}
