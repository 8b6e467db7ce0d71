// The screens, each fetched when it is shown.
import type { Component } from 'svelte';
import type { Around, Route } from '../base/route.svelte.js';
import type { ScreenProps } from './screen.js';

type Load = () => Promise<{ default: Component<ScreenProps> }>;
const find: Load = () => import('./find/Find.svelte');
export const AROUND: Record<Around, Load> = {
  find,
  party: find,
  daily: () => import('./daily/Daily.svelte'),
  boards: () => import('./boards/Boards.svelte'),
  games: () => import('./own_games/Games.svelte'),
  account: () => import('./account/Account.svelte'),
  player: () => import('./player/Player.svelte'),
  replay: () => import('./replay/Replay.svelte'),
  proof: () => import('./proof/Proof.svelte'),
  friends: () => import('./friends/Friends.svelte'),
  challenge: () => import('./friends/Challenge.svelte'),
};
export const table = () => import('./table/TableScreen.svelte');
export const lobby = () => import('./lobby/Lobby.svelte');

/** Begins to fetch what is about to be shown. Its failure is told when it is shown. */
export function fetchAhead({ screen }: Route, signedIn: boolean): void {
  if (screen === 'nowhere' || (screen === 'lobby' && !signedIn)) return;
  const load = screen === 'table' ? table : screen === 'lobby' ? lobby : AROUND[screen];
  load().catch(() => {});
}
