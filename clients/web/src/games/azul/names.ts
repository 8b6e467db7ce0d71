// The names of Azul's things in the current language.
import { AzulBonusKind, AzulColour, AzulOutcome } from '@tesela/client/gen/game/v1/azul_pb.js';
import { azulWords as words } from '../../i18n/words.js';

type Colour = keyof ReturnType<typeof words>['colours'];

const COLOURS: Partial<Record<number, Colour>> = {
  [AzulColour.BLUE]: 'blue',
  [AzulColour.YELLOW]: 'yellow',
  [AzulColour.RED]: 'red',
  [AzulColour.BLACK]: 'black',
  [AzulColour.WHITE]: 'white',
};

/** "blue"; empty for what is no colour. */
export const colourName = (colour: number): string => {
  const name = COLOURS[colour];
  return name ? words().colours[name] : '';
};

/** "3 blue". */
export const tilesText = (count: number, colour: number): string => {
  const name = COLOURS[colour];
  return name ? words().tiles[name]({ count }) : '';
};

/** "+5", "−2", "0". */
export const signed = (points: number): string =>
  points === 0 ? '0' : `${points < 0 ? '−' : '+'}${Math.abs(points)}`;

/** "complete rows". */
export const bonusName = (bonus: AzulBonusKind): string => {
  const { rows, columns, colours } = words().bonuses;
  if (bonus === AzulBonusKind.ROWS) return rows;
  if (bonus === AzulBonusKind.COLUMNS) return columns;
  return bonus === AzulBonusKind.COLOURS ? colours : '';
};

/** Why the game ended; empty while it is played. */
export const endText = (outcome: AzulOutcome): string => {
  const { rowComplete, noTiles, noTiling } = words().ends;
  if (outcome === AzulOutcome.ROW_COMPLETE) return rowComplete;
  if (outcome === AzulOutcome.NO_TILES) return noTiles;
  return outcome === AzulOutcome.NO_TILING ? noTiling : '';
};
