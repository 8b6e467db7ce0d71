// The screens, each fetched when it is shown.
import type { Component } from 'svelte';
import type { Around, Route } from './base/route.svelte.js';
import type { ScreenProps } from './screens/screen.js';

type Load = () => Promise<{ default: Component<ScreenProps> }>;
const find: Load = () => import('./screens/find/Find.svelte');
export const AROUND: Record<Around, Load> = {
  find,
  party: find,
  daily: () => import('./screens/daily/Daily.svelte'),
  boards: () => import('./screens/boards/Boards.svelte'),
  games: () => import('./screens/own_games/Games.svelte'),
  account: () => import('./screens/account/Account.svelte'),
  player: () => import('./screens/player/Player.svelte'),
  replay: () => import('./screens/replay/Replay.svelte'),
  proof: () => import('./screens/proof/Proof.svelte'),
  friends: () => import('./screens/friends/Friends.svelte'),
  challenge: () => import('./screens/friends/Challenge.svelte'),
};
export const table = () => import('./screens/table/TableScreen.svelte');
export const lobby = () => import('./screens/lobby/Lobby.svelte');

/** Begins to fetch what is about to be shown. Its failure is told when it is shown. */
export function fetchAhead({ screen }: Route, signedIn: boolean): void {
  if (screen === 'nowhere' || (screen === 'lobby' && !signedIn)) return;
  const load = screen === 'table' ? table : screen === 'lobby' ? lobby : AROUND[screen];
  load().catch(() => {});
}
