import { Direction } from '../../gen/tesela/game/v1/g2048_pb.js';
import { i18n, type Dictionary } from '../../i18n/i18n.svelte.js';

type Names = Record<Direction, string>;

const en = {
  tagline: 'Slide everything one way. Equal tiles merge, up to 2048 and beyond.',
  help: 'Arrow keys or W A S D slide all tiles. On a touch screen, swipe.',
  pad: 'Slide the tiles',
  directions: {
    [Direction.UNSPECIFIED]: '',
    [Direction.LEFT]: 'Left',
    [Direction.RIGHT]: 'Right',
    [Direction.UP]: 'Up',
    [Direction.DOWN]: 'Down',
  } as Names,

  towards: {
    [Direction.UNSPECIFIED]: '',
    [Direction.LEFT]: 'left',
    [Direction.RIGHT]: 'right',
    [Direction.UP]: 'up',
    [Direction.DOWN]: 'down',
  } as Names,
  moved: (towards: string) => `Moved ${towards}`,
  merged: (value: string) => `merged ${value} and ${value}`,
  mergedTo: (value: string) => `to ${value}`,
  spawned: (value: string, row: number, column: number) =>
    `new ${value} in row ${row}, column ${column}`,
  blocked: (towards: string) => `Cannot move ${towards}`,
  goalReached: (value: string) => `You reached ${value}`,

  won: 'You won!',
  lost: 'Game over',
  lostReached: (value: string) => `Game over, ${value} reached`,
  autoplay: 'Play for me',
  pace: (pace: string) => `Pace: ${pace}`,
  paces: { slow: 'slow', medium: 'medium', fast: 'fast' },

  kind: 'Rules',
  kinds: { classic: 'Classic', amat: 'Amat', own: 'Your own' },
  kindHints: {
    classic: 'The original: 4 × 4, a new tile is mostly a 2, sometimes a 4.',
    amat: '6 × 6, more 4s, starts with 2s, and the game ends at 2048.',
    own: 'Choose everything yourself.',
  },
  startTiles: 'Tiles at the start',
  stop: 'The game ends at the goal',
  weights: 'New tiles',
  weightValue: 'Tile',
  weightShare: 'per 1000',
  addWeight: 'Add a tile',
  removeWeight: (value: string) => `Remove ${value}`,
  sum: (sum: number) => `Together ${sum} of 1000`,
  endsAt: (value: string) => `ends at ${value}`,
};

const es: typeof en = {
  tagline: 'Desliza todo a un lado. Las fichas iguales se unen, hasta 2048 y más.',
  help: 'Las flechas o W A S D deslizan todas las fichas. En una pantalla táctil, desliza el dedo.',
  pad: 'Deslizar las fichas',
  directions: {
    [Direction.UNSPECIFIED]: '',
    [Direction.LEFT]: 'Izquierda',
    [Direction.RIGHT]: 'Derecha',
    [Direction.UP]: 'Arriba',
    [Direction.DOWN]: 'Abajo',
  },

  towards: {
    [Direction.UNSPECIFIED]: '',
    [Direction.LEFT]: 'a la izquierda',
    [Direction.RIGHT]: 'a la derecha',
    [Direction.UP]: 'hacia arriba',
    [Direction.DOWN]: 'hacia abajo',
  },
  moved: (towards) => `Movido ${towards}`,
  merged: (value) => `unidas ${value} y ${value}`,
  mergedTo: (value) => `en ${value}`,
  spawned: (value, row, column) => `nueva ${value} en fila ${row}, columna ${column}`,
  blocked: (towards) => `No se puede mover ${towards}`,
  goalReached: (value) => `Has llegado a ${value}`,

  won: '¡Has ganado!',
  lost: 'Fin de la partida',
  lostReached: (value) => `Fin de la partida, con ${value}`,
  autoplay: 'Juega por mí',
  pace: (pace) => `Ritmo ${pace}`,
  paces: { slow: 'lento', medium: 'medio', fast: 'rápido' },

  kind: 'Reglas',
  kinds: { classic: 'Clásicas', amat: 'Amat', own: 'Propias' },
  kindHints: {
    classic: 'El original: 4 × 4, casi siempre sale un 2, a veces un 4.',
    amat: '6 × 6, más fichas de 4, empieza con 2 y termina en 2048.',
    own: 'Elígelo todo tú.',
  },
  startTiles: 'Fichas al empezar',
  stop: 'La partida termina en la meta',
  weights: 'Fichas nuevas',
  weightValue: 'Ficha',
  weightShare: 'por 1000',
  addWeight: 'Añadir una ficha',
  removeWeight: (value) => `Quitar ${value}`,
  sum: (sum) => `En total ${sum} de 1000`,
  endsAt: (value) => `termina en ${value}`,
};

const dictionary: Dictionary<typeof en> = { en, es };

/** The game's words in the language of now. */
export const words = () => i18n.words(dictionary);
