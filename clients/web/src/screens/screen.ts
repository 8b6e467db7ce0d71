import type { Player } from '../net/session.svelte.js';

/** What the page tells a screen around the tables. */
export interface ScreenProps {
  /** The parts of the path after the screen's name. */
  parts: readonly string[];
  /** Who is signed in. */
  player: Player | undefined;
}
