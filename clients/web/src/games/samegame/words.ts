import { SameGamePenalty } from '../../gen/tesela/game/v1/samegame_pb.js';
import { i18n, type Dictionary } from '../../i18n/i18n.svelte.js';

type Penalties = Record<SameGamePenalty, string>;

const en = {
  tagline: 'Take groups of one colour. Large ones pay, a cleared board pays most.',
  group: (count: number) => `Group of ${count}`,
  atEnd: 'Ending now',
  help: 'Arrow keys move, Enter takes the group. With a finger: press to look, lift to take.',
  hint: 'A group of n tiles scores (n − 2)². Two or more of a colour that touch are a group.',
  colours: [
    'empty',
    'blue',
    'yellow',
    'red',
    'black',
    'white',
    'green',
    'violet',
    'orange',
    'sky blue',
  ],
  groupOf: (count: number, colour: string, points: string) =>
    `${count} ${colour}, ${points} points`,
  alone: 'no group',
  takes: (count: number, colour: string) => `the ${count} ${colour}`,
  removed: (count: number, colour: string, points: string) =>
    `Took ${count} ${colour}, ${points} points`,
  cleared: 'The board is cleared!',
  stuck: 'No group is left',
  bonusIs: (points: string) => `${points} at the end`,

  coloursLabel: 'Colours',
  coloursOf: (count: number) => `${count} colours`,
  penalty: 'Tiles left over cost',
  penalties: {
    [SameGamePenalty.UNSPECIFIED]: '',
    [SameGamePenalty.PER_COLOUR]: 'By colour',
    [SameGamePenalty.REMAINING]: 'Together',
    [SameGamePenalty.NONE]: 'Nothing',
  } as Penalties,
};

const es: typeof en = {
  tagline: 'Quita grupos de un color. Los grandes valen más; vaciar el tablero, más que nada.',
  group: (count) => `Grupo de ${count}`,
  atEnd: 'Si acaba ya',
  help: 'Las flechas mueven, Intro quita el grupo. Con el dedo: pulsa y mira, suelta y quita.',
  hint: 'Un grupo de n fichas vale (n − 2)². Dos o más de un color que se tocan son un grupo.',
  colours: [
    'vacía',
    'azul',
    'amarilla',
    'roja',
    'negra',
    'blanca',
    'verde',
    'violeta',
    'naranja',
    'celeste',
  ],
  groupOf: (count, colour, points) => `${count} de color ${colour}, ${points} puntos`,
  alone: 'sin grupo',
  takes: (count, colour) => `las ${count} de color ${colour}`,
  removed: (count, colour, points) => `Quitadas ${count} de color ${colour}, ${points} puntos`,
  cleared: '¡Tablero vacío!',
  stuck: 'No queda ningún grupo',
  bonusIs: (points) => `${points} al final`,

  coloursLabel: 'Colores',
  coloursOf: (count) => `${count} colores`,
  penalty: 'Las que sobran cuestan',
  penalties: {
    [SameGamePenalty.UNSPECIFIED]: '',
    [SameGamePenalty.PER_COLOUR]: 'Por color',
    [SameGamePenalty.REMAINING]: 'En total',
    [SameGamePenalty.NONE]: 'Nada',
  },
};

const dictionary: Dictionary<typeof en> = { en, es };

/** The game's words in the language of now. */
export const words = () => i18n.words(dictionary);
