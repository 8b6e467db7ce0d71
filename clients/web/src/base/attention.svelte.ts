// Tables that wait for the player, to be told on every screen: in a banner, the title, the icon and
// the navigation.
import { router } from './route.svelte.js';

/** A table that waits for the player's move. */
export interface Call {
  readonly tableId: string;
  /** Until when, by this machine's performance.now(); undefined where nothing limits it. */
  readonly untilMs: number | undefined;
}

const tableOpen = (): string | undefined =>
  router.route.screen === 'table' ? router.route.tableId : undefined;

const urgency = ({ untilMs = Infinity }: Call): number => untilMs;

class Attention {
  /** The tables that wait, as they were seen last. */
  calls = $state.raw<readonly Call[]>([]);
  /** Open challenges to the player, as they were seen last. */
  challenges = $state(0);
  /** Whether the table that is open waits for it. */
  here = $state(false);
  /** Those beside the one that is open, the most urgent first. */
  others = $derived(
    this.calls
      .filter(({ tableId }) => tableId !== tableOpen())
      .sort((a, b) => urgency(a) - urgency(b)),
  );
  elsewhere = $derived(this.others.length);
  wanted = $derived(this.here || this.elsewhere > 0);

  /** The player leaves a table, which waits for the move with `call`. */
  leave(tableId: string, call: Call | undefined): void {
    const others = this.calls.filter((one) => one.tableId !== tableId);
    this.calls = call ? [...others, call] : others;
  }
}

export const attention = new Attention();
