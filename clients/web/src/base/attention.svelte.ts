// Tables that wait for the player, to be marked in the title, the icon and the navigation.
import { router } from './route.svelte.js';

const tableOpen = (): string | undefined =>
  router.route.screen === 'table' ? router.route.tableId : undefined;

class Attention {
  /** The tables with other people that wait for the player's move. */
  tables = $state.raw<readonly string[]>([]);
  /** Whether the table that is open waits for it. */
  here = $state(false);
  /** How many wait beside the one that is open. */
  elsewhere = $derived(this.tables.filter((tableId) => tableId !== tableOpen()).length);
  wanted = $derived(this.here || this.elsewhere > 0);
}

export const attention = new Attention();
