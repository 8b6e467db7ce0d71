// A board of tiles and its film: one scene a stage.
import { flushSync } from 'svelte';
import { Film, type Scene } from '../motion/film.js';
import { cellUnder, cursorAfter } from './cursor.js';
import { at, cellsOf, step, tilesOf, type Change, type GridStage, type Tile } from './tiles.js';

const MOVE_MS = 150;
const MOVE_MS_PER_CELL = 28;
const GONE_MS = 170;
const BORN_MS = 190;
const CHANGED_MS = 220;
const FALL_EASE = 'cubic-bezier(0.4, 0, 0.7, 1)';

export class BoardFilm {
  /** What is drawn. */
  tiles = $state.raw<Tile[]>([]);
  playing = $state(false);
  /** Holds the elements of the tiles, each with its id (data-id). */
  surface = $state<HTMLElement>();
  columns = $state(1);
  rows = $state(1);

  readonly #film = new Film((playing) => (this.playing = playing));
  /** The tiles at the end of the film. */
  #last: Tile[] = [];

  /** Draws a position as it is. */
  place(cells: readonly number[], columns: number): void {
    this.#film.finish();
    this.columns = columns;
    this.rows = cells.length / columns;
    this.#last = this.tiles = tilesOf(cells);
  }

  /** Shows a move; `cells` is the truth after it, whatever the stages say. */
  animate(stages: readonly GridStage[], cells: readonly number[], columns: number): void {
    let tiles = this.#last;
    const scenes = stages.map((stage): Scene => {
      const change = step(tiles, stage);
      tiles = change.tiles;
      return { start: () => this.#start(change), end: () => (this.tiles = change.tiles) };
    });
    const reached = cellsOf(tiles, cells.length);
    if (cells.some((kind, cell) => kind !== reached[cell])) return this.place(cells, columns);
    this.#last = tiles;
    this.#film.play(scenes);
  }

  /** Brings whatever moves to its end at once. */
  finish(): void {
    this.#film.finish();
  }

  /** The cell under the pointer. `drawing` looks at the middle of the cells alone. */
  under(event: PointerEvent, drawing = false): number | undefined {
    return this.surface && cellUnder(event, this.surface, this.rows, this.columns, drawing);
  }

  /** The cell after an arrow key; undefined for another key. */
  cursorAfter(key: string, cell: number): number | undefined {
    return cursorAfter(key, cell, this.rows, this.columns);
  }

  /** Gives the keys to the board. */
  focus(): void {
    this.surface?.closest<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
  }

  #start(change: Change): Animation[] {
    this.tiles = [...change.gone.map(({ tile }) => tile), ...change.tiles];
    flushSync();
    return [
      ...change.gone.map(({ tile, to }) => this.#leave(tile, to)),
      ...change.moved.map(({ tile, from }) => this.#move(tile, from)),
      ...change.changed.map((tile) => this.#pop(tile)),
      ...change.born.map((tile) => this.#arrive(tile)),
    ].filter((animation) => animation !== undefined);
  }

  #element(tile: Tile): Element | null | undefined {
    return this.surface?.querySelector(`[data-id="${tile.id}"]`);
  }

  #leave(tile: Tile, to: number): Animation | undefined {
    const there = at(to, this.columns);
    const end = to === tile.cell ? `${there} scale(0.3)` : there;
    const frames = [
      { transform: at(tile.cell, this.columns), opacity: 1 },
      { transform: end, opacity: 0 },
    ];
    return this.#element(tile)?.animate(frames, { duration: GONE_MS, fill: 'forwards' });
  }

  #move(tile: Tile, from: number): Animation | undefined {
    const [down, right] = [
      Math.floor(tile.cell / this.columns) - Math.floor(from / this.columns),
      (tile.cell % this.columns) - (from % this.columns),
    ];
    const way = Math.abs(down) + Math.abs(right);
    const frames = [from, tile.cell].map((cell) => ({ transform: at(cell, this.columns) }));
    const duration = MOVE_MS + MOVE_MS_PER_CELL * way;
    return this.#element(tile)?.animate(frames, { duration, easing: FALL_EASE });
  }

  #pop(tile: Tile): Animation | undefined {
    const frames = [1, 1.16, 1].map((scale) => ({ transform: `scale(${scale})` }));
    return this.#element(tile)?.firstElementChild?.animate(frames, { duration: CHANGED_MS });
  }

  #arrive(tile: Tile): Animation | undefined {
    const frames = [
      { transform: 'translateY(-60%) scale(0.8)', opacity: 0 },
      { transform: 'none', opacity: 1 },
    ];
    const timing = { duration: BORN_MS, easing: 'ease-out' };
    return this.#element(tile)?.firstElementChild?.animate(frames, timing);
  }
}
