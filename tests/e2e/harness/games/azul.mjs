import { AzulConfigSchema, AzulMoveSchema } from '../../gen/tesela/game/v1/azul_pb.js';
import { pack } from '../stream.mjs';

export const schema = AzulConfigSchema;
export const game = azul(2);

export function azul(players) {
  return {
    seats: players,
    config: pack(schema, { players }),
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
