import { Game2248ConfigSchema, Game2248MoveSchema } from '../../gen/tesela/game/v1/g2248_pb.js';
import { pack } from '../stream.mjs';

// As Game2248View.links numbers them: [rows down, columns right].
const directions = [
  [-1, -1],
  [-1, 0],
  [-1, 1],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 0],
  [1, 1],
];

/** The cells that `mask` of 8 directions leads to from `cell`. */
function neighbours(cell, mask, columns) {
  return directions.flatMap(([down, right], d) =>
    mask & (1 << d) ? [cell + down * columns + right] : [],
  );
}

/** A chain of up to four cells, drawn by the links alone. */
function chainOf({ links, columns }) {
  const first = links.findIndex((link) => link & 0xff);
  const chain = [first, neighbours(first, links[first] & 0xff, columns)[0]];
  while (chain.length < 4) {
    const link = links[chain.at(-1)];
    const next = neighbours(chain.at(-1), (link & 0xff) | (link >> 8), columns);
    const step = next.find((cell) => !chain.includes(cell));
    if (step === undefined) break;
    chain.push(step);
  }
  return chain;
}

export const schema = Game2248ConfigSchema;
export const game = {
  seats: 1,
  config: pack(schema, { rows: 3, columns: 3 }),
  choose: (view, n) =>
    pack(Game2248MoveSchema, {
      move:
        view.booster && n % 5 === 4
          ? { case: 'booster', value: {} }
          : { case: 'chain', value: { cells: chainOf(view) } },
    }),
};
