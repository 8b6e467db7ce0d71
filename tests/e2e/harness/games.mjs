// Thin clients of every game: they know no rules and choose among what the view allows.
import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { AzulConfigSchema, AzulMoveSchema } from '../gen/tesela/game/v1/azul_pb.js';
import { Game2048ConfigSchema } from '../gen/tesela/game/v1/g2048_pb.js';
import { Game2248ConfigSchema, Game2248MoveSchema } from '../gen/tesela/game/v1/g2248_pb.js';
import { SameGameConfigSchema, SameGameMoveSchema } from '../gen/tesela/game/v1/samegame_pb.js';
import { ResignSchema, UndoSchema } from '../gen/tesela/play/v1/course_pb.js';
import { moveBody } from './stream.mjs';

const pack = (schema, fields) => anyPack(schema, create(schema, fields));

/** What is played in any game: each the body of a Move. */
export const resign = pack(ResignSchema, {});
export const undo = pack(UndoSchema, {});

const configs = {
  2048: Game2048ConfigSchema,
  2248: Game2248ConfigSchema,
  samegame: SameGameConfigSchema,
  azul: AzulConfigSchema,
};

/** A configuration of a game as the Any of CreateTable. */
export const configOf = (game, fields) => pack(configs[game], fields);

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

/**
 * Every game: its configuration for a short game, how many seats that has, and the move, as an Any,
 * that a player chooses from a view and the number of moves before.
 */
export const games = {
  2048: {
    seats: 1,
    config: pack(Game2048ConfigSchema, { size: 3 }),
    choose: (view, n) => moveBody(view.legal[n % view.legal.length]),
  },
  2248: {
    seats: 1,
    config: pack(Game2248ConfigSchema, { rows: 3, columns: 3 }),
    choose: (view, n) =>
      pack(Game2248MoveSchema, {
        move:
          view.booster && n % 5 === 4
            ? { case: 'booster', value: {} }
            : { case: 'chain', value: { cells: chainOf(view) } },
      }),
  },
  samegame: {
    seats: 1,
    config: pack(SameGameConfigSchema, { rows: 8, columns: 8, colours: 3 }),
    choose: (view, n) =>
      pack(SameGameMoveSchema, { cell: view.groups[n % view.groups.length].cells[0] }),
  },
  azul: azul(2),
};

export function azul(players) {
  return {
    seats: players,
    config: pack(AzulConfigSchema, { players }),
    choose: (view, n) => {
      const offer = view.offers[n % view.offers.length];
      return placed(offer, offer.lines.at(-1));
    },
  };
}

/** A move of Azul; without a line the tiles go to the floor. */
function placed({ source, colour }, line) {
  const target =
    line === undefined ? { case: 'floor', value: true } : { case: 'line', value: line };
  return pack(AzulMoveSchema, { source, colour, target });
}

/** A move in a game of Azul of four that lasts: a single tile comes onto a wall in the last round
 *  before the game would end without one. */
export function lastingMove({ offers, round, turn, untiledRounds = 0 }) {
  const tiles = untiledRounds === 2 && turn === round % 4;
  const offer = tiles && offers.find(({ lines }) => lines.includes(0));
  return offer ? placed(offer, 0) : placed(offers[0]);
}
