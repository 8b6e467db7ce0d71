// Something that a player asks for at a button: whether it is under way, and why it failed last.
import { failureOf, type Failure } from './failure.js';

export class Attempt {
  /** Whether it is under way. */
  busy = $state(false);
  failure = $state.raw<Failure>();

  /** Tries it; how it went before is forgotten. Does not throw. */
  async make(deed: () => unknown): Promise<void> {
    this.busy = true;
    this.failure = undefined;
    try {
      await deed();
    } catch (error) {
      this.failure = failureOf(error);
    } finally {
      this.busy = false;
    }
  }
}
