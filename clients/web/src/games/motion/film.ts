// Shows what happened one scene after the other, and holds nobody up: `finish` brings it all to its
// end at once.

/** A motion and what is true after it. */
export interface Scene {
  /** Begins the motion; none is fine. */
  start(): Animation[];
  /** Leaves nothing of the motion and draws what is true after it, also when it never began. */
  end(): void;
}

/** Nothing moves for a while. */
export const wait = (element: Element, ms: number): Scene => ({
  start: () => (ms > 0 ? [element.animate([], { duration: ms })] : []),
  end: () => {},
});

/** No motion: what is true when its turn has come. */
export const at = (end: () => void): Scene => ({ start: () => [], end });

/** How many scenes may be to come. Where moves follow each other faster than they are shown, those
 *  before the newest are then ended at once: nobody watches a game that is long over. */
export const SCENES_BEHIND_MAX = 48;

const stillPreferred = (): boolean =>
  matchMedia('(prefers-reduced-motion: reduce)').matches || document.visibilityState === 'hidden';

export class Film {
  readonly #changed: (playing: boolean) => void;
  #scenes: Scene[] = [];
  #animations: Animation[] = [];

  /** `changed` hears when scenes begin to be shown, and when the last has ended. */
  constructor(changed: (playing: boolean) => void) {
    this.#changed = changed;
  }

  get playing(): boolean {
    return this.#scenes.length > 0;
  }

  /** Shows these scenes after those that are still to come. */
  play(scenes: readonly Scene[]): void {
    if (this.#scenes.length > SCENES_BEHIND_MAX) this.finish();
    const idle = !this.playing;
    this.#scenes.push(...scenes);
    if (stillPreferred()) return this.finish();
    if (!idle || !this.playing) return;
    this.#changed(true);
    this.#next();
  }

  finish(): void {
    const scenes = this.#scenes;
    this.#scenes = [];
    this.#drop();
    for (const scene of scenes) scene.end();
    if (scenes.length > 0) this.#changed(false);
  }

  #next(): void {
    const scene = this.#scenes[0];
    if (!scene) return this.#changed(false);
    this.#animations = scene.start();
    Promise.all(this.#animations.map((animation) => animation.finished)).then(
      () => this.#ended(scene),
      () => {}, // Cancelled: by `finish`, which has ended the scene.
    );
  }

  #ended(scene: Scene): void {
    if (this.#scenes[0] !== scene) return;
    this.#drop();
    this.#scenes.shift();
    scene.end();
    this.#next();
  }

  #drop(): void {
    for (const animation of this.#animations.splice(0)) animation.cancel();
  }
}
