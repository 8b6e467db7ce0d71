// Turns frames into scenes: pieces fly over the table from where they lay to where they lie. The
// table itself is drawn by the components; places are found by their numbers (data-place).
import { flushSync } from 'svelte';
import { AzulStageKind as Kind, type AzulTable } from '@tesela/client/gen/game/v1/azul_pb.js';
import type { Scene } from '../motion/film.js';
import type { Flight, Frame, Gain } from './frames.js';
import { signed } from './names.js';
import { MARKER } from './places.js';

const FLY_MS = 420;
const TILE_MS = 380;
const GAIN_MS = 850;
/** At the end each line is counted after the one before, cell by cell. */
const LINE_MS = 550;
const SWEEP_MS = 60;
const EASE = 'cubic-bezier(0.3, 0.05, 0.2, 1)';
/** How long one piece waits for the one before, by the kind of the stage. */
const STAGGER_MS: Partial<Record<Kind, number>> = { [Kind.TAKE]: 45, [Kind.DEAL]: 16 };

/** Where a piece was, and how it looked. */
interface Departure {
  rect: DOMRect;
  look: Element | null;
}

/** Where a piece comes to; without `piece` it is not drawn there. */
interface Arrival {
  rect: DOMRect;
  piece: SVGElement | null;
}

export interface Stage {
  /** Holds every element with a place. */
  root: HTMLElement;
  /** Above everything: what flies, and points. */
  air: HTMLElement;
  /** Draws a table. */
  show(table: AzulTable): void;
  /** Says what a picture is about. */
  tell(frame: Frame): void;
}

/** A motion and when it happens, in milliseconds of its scene. */
interface Motion {
  ghost: HTMLElement;
  frames: (Keyframe & { offset: number })[];
  duration: number;
  delay: number;
}

/** The frames of a motion as a part of a longer time, before and after which nothing moves. */
function within({ frames, duration, delay }: Motion, whole: number): Keyframe[] {
  const parts = frames.map((frame) => ({
    ...frame,
    offset: Math.min(1, (delay + frame.offset * duration) / whole),
  }));
  const [first, last] = [parts[0]!, parts.at(-1)!];
  return [
    ...(first.offset > 0 ? [{ ...first, offset: 0 }] : []),
    ...parts,
    ...(last.offset < 1 ? [{ ...last, offset: 1 }] : []),
  ];
}

const pieceName = (piece: number): string => (piece === MARKER ? 'marker' : String(piece));

class FrameScene implements Scene {
  readonly #stage: Stage;
  readonly #frame: Frame;
  readonly #next: FrameScene | undefined;
  #departures: (Departure | undefined)[] | undefined;
  #ghosts: HTMLElement[] = [];
  #hidden: SVGElement[] = [];
  #motions: Motion[] = [];

  /** `next` follows it without a pause. */
  constructor(stage: Stage, frame: Frame, next?: FrameScene) {
    this.#stage = stage;
    this.#frame = frame;
    this.#next = next;
  }

  start(): Animation[] {
    const { table, flights, gains } = this.#frame;
    const departures = this.#departures ?? this.#depart();
    this.#stage.tell(this.#frame);
    this.#stage.show(table);
    flushSync();
    // All is measured before anything is added: a measure after a change lays the page out anew.
    // What the next scene begins with is measured with it.
    const arrivals = flights.map((flight) => this.#arrival(flight));
    const places = gains.map(({ at, cells }) => [at, ...cells].map((place) => this.#rect(place)));
    if (this.#next) this.#next.#departures = this.#next.#depart();
    departures.forEach((departure, index) => this.#fly(index, departure, arrivals[index]));
    gains.forEach((gain, index) => this.#rise(gain, places[index] ?? []));
    return this.#move();
  }

  end(): void {
    for (const ghost of this.#ghosts.splice(0)) ghost.remove();
    for (const piece of this.#hidden.splice(0)) piece.style.visibility = '';
    this.#stage.show(this.#frame.table);
  }

  #place(place: number): HTMLElement | null {
    return this.#stage.root.querySelector(`[data-place="${place}"]`);
  }

  #rect(place: number): DOMRect | undefined {
    return this.#place(place)?.getBoundingClientRect();
  }

  #depart(): (Departure | undefined)[] {
    const used = new Map<Element, number>();
    return this.#frame.flights.map(({ from, piece }) => {
      const place = this.#place(from);
      if (!place) return undefined;
      const looks = place.querySelectorAll(`svg[data-piece="${pieceName(piece)}"]`);
      const key = looks[0] ?? place;
      const index = Math.min(used.get(key) ?? 0, Math.max(0, looks.length - 1));
      used.set(key, index + 1);
      const look = looks[index] ?? null;
      return {
        rect: (look ?? place).getBoundingClientRect(),
        look: look?.cloneNode(true) as Element,
      };
    });
  }

  #arrival({ to, piece }: Flight): Arrival | undefined {
    const place = this.#place(to);
    if (!place) return undefined;
    const arrived = place.querySelector<SVGElement>(
      `svg[data-piece="${pieceName(piece)}"]:not(.printed *)`,
    );
    return { rect: (arrived ?? place).getBoundingClientRect(), piece: arrived };
  }

  #fly(index: number, from: Departure | undefined, to: Arrival | undefined): void {
    const look = from?.look ?? to?.piece?.cloneNode(true);
    if (!from || !to || !look) return;
    const width = to.piece ? to.rect.width : 0;
    const size = Math.max(from.rect.width, width);
    const at = (rect: DOMRect, width: number): string => {
      const [x, y] = [rect.x + (rect.width - size) / 2, rect.y + (rect.height - size) / 2];
      return `translate(${x}px, ${y}px) scale(${width / size})`;
    };
    const ghost = this.#ghost('flight', size);
    ghost.append(look);
    const fading = to.piece ? [{}, {}] : [{ opacity: 1 }, { opacity: 0.2 }];
    this.#motions.push({
      ghost,
      frames: [
        { transform: at(from.rect, from.rect.width), easing: EASE, offset: 0, ...fading[0] },
        { transform: at(to.rect, width), offset: 1, ...fading[1] },
      ],
      duration: this.#frame.kind === Kind.TILE ? TILE_MS : FLY_MS,
      delay: (STAGGER_MS[this.#frame.kind] ?? 0) * index,
    });
    if (to.piece) this.#hide(to.piece);
  }

  /** Its ghost lies there until the end of the scene: to draw each piece as it arrives would cost
   *  the others frames. */
  #hide(piece: SVGElement): void {
    piece.style.visibility = 'hidden';
    this.#hidden.push(piece);
  }

  #rise(gain: Gain, [at, ...cells]: (DOMRect | undefined)[]): void {
    if (!at) return;
    const text = this.#ghost('gain', 0);
    text.textContent = signed(gain.points);
    text.style.fontSize = `${Math.min(18, Math.max(11, at.width * 0.45))}px`;
    text.dataset.sign = gain.points < 0 ? 'loss' : 'win';
    const x = at.x + at.width / 2;
    const above = (up: number) => `translate(${x}px, ${at.y - up}px) translate(-50%, 0)`;
    const delay = (this.#frame.kind === Kind.TILE ? TILE_MS * 0.8 : 0) + gain.after * LINE_MS;
    const frames = [
      { transform: above(-8), opacity: 0, offset: 0 },
      { transform: above(6), opacity: 1, offset: 0.2 },
      { transform: above(10), opacity: 1, offset: 0.75 },
      { transform: above(20), opacity: 0, offset: 1 },
    ];
    this.#motions.push({ ghost: text, frames, duration: GAIN_MS, delay });
    const sweep = this.#frame.kind === Kind.BONUS ? SWEEP_MS : 0;
    cells.forEach((cell, index) => this.#glow(cell, delay + sweep * index));
  }

  /** A frame over a cell: what is only moved and faded costs no painting. */
  #glow(rect: DOMRect | undefined, delay: number): void {
    if (!rect) return;
    const there = `translate(${rect.x}px, ${rect.y}px)`;
    const shining = { transform: `${there} scale(1.06)`, opacity: 1 };
    const frames = [
      { transform: there, opacity: 0, offset: 0 },
      { ...shining, offset: 0.25 },
      { ...shining, offset: 0.7 },
      { transform: there, opacity: 0, offset: 1 },
    ];
    const ghost = this.#ghost('glow', rect.width);
    this.#motions.push({ ghost, frames, duration: GAIN_MS, delay });
  }

  /** All motions begin and end together: each end of its own is a frame that the page's main
   *  thread computes while others still move. */
  #move(): Animation[] {
    const motions = this.#motions.splice(0);
    const whole = Math.max(0, ...motions.map(({ delay, duration }) => delay + duration));
    return motions.map((motion) =>
      motion.ghost.animate(within(motion, whole), { duration: whole, fill: 'both' }),
    );
  }

  #ghost(kind: string, size: number): HTMLElement {
    const ghost = document.createElement('div');
    ghost.className = kind;
    if (size) ghost.style.width = ghost.style.height = `${size}px`;
    this.#stage.air.append(ghost);
    this.#ghosts.push(ghost);
    return ghost;
  }
}

/** The scenes of one move, each of which knows what follows. */
export function scenesOf(stage: Stage, frames: readonly Frame[]): Scene[] {
  const scenes: FrameScene[] = [];
  for (const frame of [...frames].reverse()) {
    scenes.unshift(new FrameScene(stage, frame, scenes[0]));
  }
  return scenes;
}
