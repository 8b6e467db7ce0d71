// The path that a player draws. Which steps it may take is in the links of the view; all that is
// computed here is the value of the path.
import type { Any } from '@bufbuild/protobuf/wkt';
import { Game2248MoveSchema, type Game2248View } from '@tesela/client/gen/game/v1/g2248_pb.js';
import { pack } from '@tesela/client';
import { previewOf } from './value.js';

/** As Game2248View.links numbers the directions: [rows down, columns right]. */
const DIRECTIONS = [
  [-1, -1],
  [-1, 0],
  [-1, 1],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 0],
  [1, 1],
] as const;
/** No chain is worth more. */
const VALUE_MAX = 1n << 60n;

/** What touching a cell did to the path. */
export type Touch = 'begun' | 'extended' | 'shortened' | 'refused' | 'same';

export class Path {
  view = $state.raw<Game2248View | undefined>(undefined);
  cells = $state.raw<readonly number[]>([]);

  value = $derived(previewOf(this.cells.map((cell) => this.view?.cells[cell] ?? 0)));
  complete = $derived(this.cells.length > 1 && this.value <= VALUE_MAX);

  get last(): number | undefined {
    return this.cells.at(-1);
  }

  /** Whether the path may go on to `cell`. */
  mayReach(cell: number): boolean {
    const { view, last } = this;
    if (!view || last === undefined || this.cells.includes(cell)) return false;
    const down = Math.floor(cell / view.columns) - Math.floor(last / view.columns);
    const right = (cell % view.columns) - (last % view.columns);
    const direction = DIRECTIONS.findIndex(([d, r]) => d === down && r === right);
    const link = view.links[last] ?? 0;
    const open = this.cells.length === 1 ? link & 0xff : (link & 0xff) | (link >> 8);
    return direction >= 0 && (open & (1 << direction)) !== 0;
  }

  /** Begins, goes on, or takes the last step back when the one before it is touched. */
  touch(cell: number): Touch {
    if (this.cells.length === 0) {
      this.cells = [cell];
      return 'begun';
    }
    if (cell === this.last) return 'same';
    if (cell === this.cells.at(-2)) {
      this.shorten();
      return 'shortened';
    }
    if (!this.mayReach(cell)) return 'refused';
    this.cells = [...this.cells, cell];
    return 'extended';
  }

  shorten(): void {
    this.cells = this.cells.slice(0, -1);
  }

  /** Lays a whole path, as a bot advises it. */
  lay(cells: readonly number[]): void {
    this.cells = cells;
  }

  clear(): void {
    this.cells = [];
  }

  move(): Any {
    return pack(Game2248MoveSchema, {
      move: { case: 'chain', value: { cells: [...this.cells] } },
    });
  }
}

/** The groups of equal neighbours that the booster merges: links tell where a path may begin. */
export function groupsOf({ columns, links }: Pick<Game2248View, 'columns' | 'links'>): number[][] {
  const seen = new Set<number>();
  const neighbours = (cell: number) =>
    DIRECTIONS.flatMap(([down, right], direction) =>
      (links[cell] ?? 0) & (1 << direction) ? [cell + down * columns + right] : [],
    );
  return links.flatMap((_, first) => {
    const group = seen.has(first) ? [] : [first];
    for (const cell of group) {
      const fresh = neighbours(cell).filter((next) => next !== first && !seen.has(next));
      for (const next of fresh) seen.add(next);
      group.push(...fresh);
    }
    return group.length > 1 ? [group] : [];
  });
}

export const boosterMove = (): Any =>
  pack(Game2248MoveSchema, { move: { case: 'booster', value: {} } });
