import { AzulBonusKind, AzulColour, AzulOutcome } from '../../gen/tesela/game/v1/azul_pb.js';
import { i18n, type Dictionary } from '../../i18n/i18n.svelte.js';

type Colours = Record<AzulColour, string>;
type Bonuses = Record<AzulBonusKind, string>;
type Ends = Record<AzulOutcome, string>;

const en = {
  tagline: 'Take tiles, fill lines, tile your wall. Mind the floor.',
  seats: 'Players',
  seatsHint: 'The game begins when every seat is taken.',
  players: (count: number) => `${count} players`,

  colours: {
    [AzulColour.UNSPECIFIED]: '',
    [AzulColour.BLUE]: 'blue',
    [AzulColour.YELLOW]: 'yellow',
    [AzulColour.RED]: 'red',
    [AzulColour.BLACK]: 'black',
    [AzulColour.WHITE]: 'white',
  } as Colours,
  tiles: (count: number, colour: string) => `${count} ${colour}`,
  factory: (number: number) => `Factory ${number}`,
  centre: 'Centre',
  withMarker: 'and the starting marker',
  marker: 'Starting marker',
  bag: 'Bag',
  lid: 'Lid',
  round: (round: number) => `Round ${round}`,
  boardOf: (name: string) => `Board of ${name}`,
  you: 'You',
  points: (points: string) => `${points} points`,
  line: (number: number) => `Line ${number}`,
  floor: 'Floor line',
  empty: 'empty',
  lineHolds: (count: number, size: number, colour: string) => `${count} of ${size} ${colour}`,
  wall: 'Wall',
  wallRow: (number: number, colours: string) => `Row ${number}: ${colours}`,
  costs: (points: number) => `costs ${points}`,
  overflows: (count: number) => `${count} to the floor`,
  starter: 'started the round',

  yourTurn: 'Your turn',
  turnOf: (name: string) => `${name} is thinking`,
  pickTiles: 'Pick a colour',
  pickLine: (tiles: string) => `${tiles} in hand: where to?`,
  help:
    'Arrow keys choose among the tiles, digits a factory, C the centre; Enter takes. Then up and ' +
    'down choose a line, F the floor; Enter places, Escape puts back.',
  tilesToTake: 'Tiles to take',
  yourBoard: 'Your board',

  takes: (tiles: string, from: string, to: string) => `${tiles} from ${from} ${to}`,
  fromFactory: (number: number) => `factory ${number}`,
  fromCentre: 'the centre',
  toLine: (number: number) => `to line ${number}`,
  toFloor: 'to the floor',
  fall: (count: number) => `${count} to the floor`,
  tilesRow: (who: string, colour: string, row: number, points: number) =>
    `${who}: ${colour} in row ${row}, +${points}`,
  penalty: (who: string, points: number) => `${who}: floor, ${points}`,
  bonus: (who: string, kind: string, points: number) => `${who}: ${kind}, +${points}`,
  bonuses: {
    [AzulBonusKind.UNSPECIFIED]: '',
    [AzulBonusKind.ROWS]: 'complete rows',
    [AzulBonusKind.COLUMNS]: 'complete columns',
    [AzulBonusKind.COLOURS]: 'complete colours',
  } as Bonuses,
  counting: (kind: string) => `Bonus: ${kind}`,
  dealt: 'The next round is dealt',
  untiled: (rounds: number): string =>
    rounds === 1
      ? 'No tile reached a wall in the last round'
      : 'No tile reached a wall for two rounds: a third one ends the game',
  notYours: 'It is not your turn',

  over: 'Game over',
  ends: {
    [AzulOutcome.UNSPECIFIED]: '',
    [AzulOutcome.IN_PLAY]: '',
    [AzulOutcome.ROW_COMPLETE]: 'A row of a wall is complete',
    [AzulOutcome.NO_TILES]: 'No tile was left to deal',
    [AzulOutcome.NO_TILING]: 'No tile reached a wall for three rounds',
  } as Ends,
  won: 'You won!',
  wonBy: (names: string) => `${names} won`,
  shared: (names: string) => `${names} share the victory`,
  rank: 'Rank',
  player: 'Player',
  score: 'Points',
  rows: 'Rows',
  columns: 'Columns',
  fullColours: 'Colours',
};

const es: typeof en = {
  tagline: 'Toma azulejos, llena líneas, cubre tu pared. Cuidado con el suelo.',
  seats: 'Jugadores',
  seatsHint: 'La partida empieza cuando se ocupan todos los asientos.',
  players: (count) => `${count} jugadores`,

  colours: {
    [AzulColour.UNSPECIFIED]: '',
    [AzulColour.BLUE]: 'azul',
    [AzulColour.YELLOW]: 'amarillo',
    [AzulColour.RED]: 'rojo',
    [AzulColour.BLACK]: 'negro',
    [AzulColour.WHITE]: 'blanco',
  },
  tiles: (count, colour) => `${count} ${colour}`,
  factory: (number) => `Fábrica ${number}`,
  centre: 'Centro',
  withMarker: 'y la ficha inicial',
  marker: 'Ficha inicial',
  bag: 'Bolsa',
  lid: 'Tapa',
  round: (round) => `Ronda ${round}`,
  boardOf: (name) => `Tablero de ${name}`,
  you: 'Tú',
  points: (points) => `${points} puntos`,
  line: (number) => `Línea ${number}`,
  floor: 'Suelo',
  empty: 'vacía',
  lineHolds: (count, size, colour) => `${count} de ${size} ${colour}`,
  wall: 'Pared',
  wallRow: (number, colours) => `Fila ${number}: ${colours}`,
  costs: (points) => `cuesta ${points}`,
  overflows: (count) => `${count} al suelo`,
  starter: 'empezó la ronda',

  yourTurn: 'Te toca',
  turnOf: (name) => `${name} está pensando`,
  pickTiles: 'Elige un color',
  pickLine: (tiles) => `${tiles} en la mano: ¿adónde?`,
  help:
    'Las flechas eligen los azulejos, los números una fábrica, C el centro; Intro los toma. ' +
    'Después arriba y abajo eligen la línea, F el suelo; Intro los coloca, Escape los devuelve.',
  tilesToTake: 'Azulejos que tomar',
  yourBoard: 'Tu tablero',

  takes: (tiles, from, to) => `${tiles} de ${from} ${to}`,
  fromFactory: (number) => `la fábrica ${number}`,
  fromCentre: 'el centro',
  toLine: (number) => `a la línea ${number}`,
  toFloor: 'al suelo',
  fall: (count) => `${count} al suelo`,
  tilesRow: (who, colour, row, points) => `${who}: ${colour} en la fila ${row}, +${points}`,
  penalty: (who, points) => `${who}: suelo, ${points}`,
  bonus: (who, kind, points) => `${who}: ${kind}, +${points}`,
  bonuses: {
    [AzulBonusKind.UNSPECIFIED]: '',
    [AzulBonusKind.ROWS]: 'filas completas',
    [AzulBonusKind.COLUMNS]: 'columnas completas',
    [AzulBonusKind.COLOURS]: 'colores completos',
  },
  counting: (kind) => `Premio: ${kind}`,
  dealt: 'Se reparte la ronda siguiente',
  untiled: (rounds) =>
    rounds === 1
      ? 'Ningún azulejo llegó a una pared en la última ronda'
      : 'Ningún azulejo llegó a una pared en dos rondas: una tercera acaba la partida',
  notYours: 'No es tu turno',

  over: 'Fin de la partida',
  ends: {
    [AzulOutcome.UNSPECIFIED]: '',
    [AzulOutcome.IN_PLAY]: '',
    [AzulOutcome.ROW_COMPLETE]: 'Una fila de una pared está completa',
    [AzulOutcome.NO_TILES]: 'No quedaba ningún azulejo que repartir',
    [AzulOutcome.NO_TILING]: 'Ningún azulejo llegó a una pared en tres rondas',
  },
  won: '¡Has ganado!',
  wonBy: (names) => `Gana ${names}`,
  shared: (names) => `${names} comparten la victoria`,
  rank: 'Puesto',
  player: 'Jugador',
  score: 'Puntos',
  rows: 'Filas',
  columns: 'Columnas',
  fullColours: 'Colores',
};

const dictionary: Dictionary<typeof en> = { en, es };

/** The game's words in the language of now. */
export const words = () => i18n.words(dictionary);
