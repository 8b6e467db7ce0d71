// Draws the board: one element a tile, moved by transforms. Written without a framework, because
// the timing of a move is the whole feel of the game.
import { at, COLOURS_MAX } from '../grid/tiles.js';
import type { Change, Tile } from './state.js';

const SLIDE_MS = 110;
const POP_MS = 160;
const SPAWN_MS = 140;
const NUDGE_MS = 140;
/** Pops and spawns begin a little before the slide has ended: it feels quicker and hides
 *  nothing. */
const LANDED_MS = 90;

const valueOf = (exponent: number): number => 2 ** exponent;

export class BoardRender {
  readonly #root: HTMLElement;
  readonly #elements = new Map<number, HTMLElement>();
  readonly #leaving: HTMLElement[] = [];
  #animations: Animation[] = [];
  #size = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Draws the position as it is, without a motion. */
  place(size: number, tiles: readonly Tile[]): void {
    this.finish();
    this.#size = size;
    for (const element of this.#elements.values()) element.remove();
    this.#elements.clear();
    for (const tile of tiles) this.#add(tile);
  }

  /** Animates one move; what was still moving is finished first. */
  animate(change: Change): void {
    this.finish();
    const merged = new Set(change.merges.flatMap((merge) => merge.partners));
    for (const { tile, from, to } of change.slides) {
      const element = this.#elements.get(tile.id);
      if (!element) continue;
      this.#move(element, from, to);
      if (merged.has(tile)) this.#retire(tile.id, element);
    }
    for (const { tile } of change.merges) this.#appear(tile, 'pop');
    for (const tile of change.spawns) this.#appear(tile, 'spawn');
    this.#finishWhenDone();
  }

  /** Answers a move that is not possible: the board leans that way and comes back. */
  nudge(x: number, y: number): void {
    this.finish();
    const there = `translate(${x * 6}px, ${y * 6}px)`;
    this.#play(this.#root, [{ transform: 'none' }, { transform: there }, { transform: 'none' }], {
      duration: NUDGE_MS,
      easing: 'ease-out',
    });
    this.#finishWhenDone();
  }

  /** Brings whatever moves to its end at once. */
  finish(): void {
    const animations = this.#animations;
    this.#animations = [];
    for (const animation of animations) {
      animation.onfinish = null;
      animation.cancel();
    }
    for (const element of this.#leaving.splice(0)) element.remove();
  }

  #finishWhenDone(): void {
    const last = this.#animations.reduce<Animation | undefined>(
      (latest, animation) => (endOf(animation) >= endOf(latest) ? animation : latest),
      undefined,
    );
    if (last) last.onfinish = () => this.finish();
    else this.finish();
  }

  #add(tile: Tile): HTMLElement {
    const element = document.createElement('div');
    element.className = 'tile';
    element.dataset.colour = String(Math.min(tile.exponent, COLOURS_MAX));
    element.dataset.digits = String(valueOf(tile.exponent)).length.toString();
    element.style.transform = at(tile.cell, this.#size);
    const face = document.createElement('div');
    face.className = 'face';
    face.textContent = String(valueOf(tile.exponent));
    element.append(face);
    this.#elements.set(tile.id, element);
    this.#root.append(element);
    return element;
  }

  #move(element: HTMLElement, from: number, to: number): void {
    element.style.transform = at(to, this.#size);
    if (from === to) return;
    this.#play(element, [{ transform: at(from, this.#size) }, { transform: at(to, this.#size) }], {
      duration: SLIDE_MS,
      easing: 'cubic-bezier(0.25, 0.1, 0.25, 1)',
    });
  }

  /** The element goes when the motions end: until then it is seen arriving under the merged
   *  tile. */
  #retire(id: number, element: HTMLElement): void {
    this.#elements.delete(id);
    this.#leaving.push(element);
  }

  #appear(tile: Tile, how: 'pop' | 'spawn'): void {
    const element = this.#add(tile);
    const scales = how === 'pop' ? [0.7, 1.14, 1] : [0.3, 1];
    const frames = scales.map((scale, index) => ({
      transform: `scale(${scale})`,
      opacity: index === 0 && how === 'spawn' ? 0 : 1,
    }));
    const duration = how === 'pop' ? POP_MS : SPAWN_MS;
    const easing = 'ease-out';
    this.#play(element.firstElementChild!, frames, { duration, easing, delay: LANDED_MS });
    // Hidden until the slide has landed: a delay alone would show it at once.
    this.#play(element, [{ opacity: 0 }, { opacity: 0 }], { duration: LANDED_MS });
  }

  #play(element: Element, frames: Keyframe[], timing: KeyframeAnimationOptions): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.#animations.push(element.animate(frames, { ...timing, fill: 'backwards' }));
  }
}

const endOf = (animation: Animation | undefined): number =>
  Number(animation?.effect?.getComputedTiming().endTime ?? -1);
