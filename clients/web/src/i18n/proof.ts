// The words of the check whether a game was fair.
import { i18n, type Dictionary } from './i18n.svelte.js';

const en = {
  title: 'Verify this game',
  lead:
    'Before the first move the server bound itself to its dice with a promise. Now the dice are ' +
    'open, and everybody can check that they were not changed on the way.',
  game: (game: string, names: string) => `${game}, played by ${names}`,
  checking: 'Checking…',

  fair: 'This game was fair.',
  fairHow:
    'The dice are those the server had promised, and every move and every point follows from them.',
  unfair: 'Something is not right with this game.',
  unfairHow: 'Below it says what does not hold.',
  half: 'The server vouches for this game; this browser could not check it.',
  states: { yes: 'Holds', no: 'Does not hold', unknown: 'Not checked' },

  promise: 'The promise',
  promiseSays: 'Shown with the table before the first move: a SHA-256 that hides the seed.',
  noted: (when: string) => `This browser noted the same promise on ${when}, before the first move.`,
  notedLate: (when: string) =>
    `This browser noted the same promise on ${when}, after the first moves.`,
  notedOther: (when: string) => `On ${when} this browser noted another promise for this table:`,
  notNoted: 'This browser was not there and noted no promise: here the server is believed.',

  seed: 'The server’s seed',
  seedSays: 'Secret until the end. Its SHA-256, computed in this browser, is the promise.',
  seedDiffers: 'Its SHA-256, computed in this browser, is another one:',

  added: 'What the players added',
  addedSays: 'Mixed into the dice, so that the server could not choose them alone.',
  addedNone: 'Nobody added anything; the dice are those of the server’s seed alone.',
  seat: (name: string) => `${name} added`,
  yours: 'What you added is among it, unchanged.',
  yoursMissing: 'What this browser added is not there:',
  addedAfter:
    'This browser had the promise before it sent that: the server could not choose the dice after.',
  addedBefore:
    'This browser had no promise when it sent that: the server could have chosen its seed after.',
  withheld: (name: string) => `${name} sent nothing in time`,

  dice: 'The seed of the dice',
  diceSays: 'Mixed of the two in this browser; it is the one the game was played with.',
  diceDiffers: 'Mixed of the two in this browser, it is another one:',

  shown: 'Rules and seats',
  shownSays: 'What the table shows of them is what the promise and the dice were made of.',

  moves: 'Moves and points',
  notCovered: 'What no check covers',
  movesYes: (versions: string) =>
    `The server has played the whole game once more, ${versions} positions, and each is the same.`,
  movesNo: 'Played once more, the game differs:',

  cannot:
    'Browsers compute such checks only over https. Open this page over https, or check it with ' +
    'tesela verify.',
  noSeed: 'There is no seed: the game is from before there were promises.',

  self: 'Check it yourself, without this server',
  selfSays:
    'The record holds everything: the promise, the seed, what was added, and every move. ' +
    'tesela verify plays it once more on your own computer.',
  download: 'Download the record',
  orCommand: 'Or fetch it with',
  fileName: (tableId: string) => `tesela-${tableId}.json`,
  replay: 'Replay',
  table: 'To the table',

  notOver: 'This game cannot be checked yet: it is being played, or its day is not over.',
  noGame: 'There is no such game',
};

const es: typeof en = {
  title: 'Verificar esta partida',
  lead:
    'Antes de la primera jugada el servidor se ató a sus dados con una promesa. Ahora los dados ' +
    'están a la vista, y cualquiera puede comprobar que nadie los cambió por el camino.',
  game: (game, names) => `${game}, jugada por ${names}`,
  checking: 'Comprobando…',

  fair: 'Esta partida fue justa.',
  fairHow:
    'Los dados son los que el servidor prometió, y de ellos salen todas las jugadas y los puntos.',
  unfair: 'Algo no cuadra en esta partida.',
  unfairHow: 'Abajo dice qué es lo que no se cumple.',
  half: 'El servidor responde por esta partida; este navegador no pudo comprobarla.',
  states: { yes: 'Se cumple', no: 'No se cumple', unknown: 'Sin comprobar' },

  promise: 'La promesa',
  promiseSays: 'Mostrada con la mesa antes de la primera jugada: un SHA-256 que oculta la semilla.',
  noted: (when) => `Este navegador anotó la misma promesa el ${when}, antes de la primera jugada.`,
  notedLate: (when) => `Este navegador anotó la misma promesa el ${when}, cuando ya había jugadas.`,
  notedOther: (when) => `El ${when} este navegador anotó otra promesa para esta mesa:`,
  notNoted: 'Este navegador no estaba y no anotó ninguna promesa: aquí se cree al servidor.',

  seed: 'La semilla del servidor',
  seedSays: 'Secreta hasta el final. Su SHA-256, calculado en este navegador, es la promesa.',
  seedDiffers: 'Su SHA-256, calculado en este navegador, es otro:',

  added: 'Lo que añadieron los jugadores',
  addedSays: 'Se mezcla con los dados para que el servidor no pueda elegirlos solo.',
  addedNone: 'Nadie añadió nada; los dados salen solo de la semilla del servidor.',
  seat: (name) => `${name} añadió`,
  yours: 'Lo que tú añadiste está ahí, sin cambios.',
  yoursMissing: 'Lo que añadió este navegador no está:',
  addedAfter:
    'Este navegador ya tenía la promesa al enviarlo: el servidor no pudo elegir los dados después.',
  addedBefore:
    'Este navegador no tenía la promesa al enviarlo: el servidor pudo elegir la semilla después.',
  withheld: (name) => `${name} no envió nada a tiempo`,

  dice: 'La semilla de los dados',
  diceSays: 'Mezclada con ambas en este navegador; es la misma con la que se jugó.',
  diceDiffers: 'Mezclada con ambas en este navegador, es otra:',

  shown: 'Reglas y asientos',
  shownSays: 'Lo que muestra la mesa es aquello de lo que se hicieron la promesa y los dados.',

  moves: 'Jugadas y puntos',
  notCovered: 'Lo que ninguna comprobación cubre',
  movesYes: (versions) =>
    `El servidor ha vuelto a jugar toda la partida, ${versions} posiciones, y todas coinciden.`,
  movesNo: 'Jugada otra vez, la partida difiere:',

  cannot:
    'Los navegadores solo calculan estas comprobaciones por https. Abre esta página por https, o ' +
    'compruébala con tesela verify.',
  noSeed: 'No hay semilla: la partida es de antes de que hubiera promesas.',

  self: 'Compruébalo tú, sin este servidor',
  selfSays:
    'El registro lo contiene todo: la promesa, la semilla, lo añadido y cada jugada. ' +
    'tesela verify vuelve a jugarla en tu propio ordenador.',
  download: 'Descargar el registro',
  orCommand: 'O consíguelo con',
  fileName: (tableId) => `tesela-${tableId}.json`,
  replay: 'Repetición',
  table: 'A la mesa',

  notOver: 'Esta partida aún no se puede comprobar: está en juego, o su día no ha acabado.',
  noGame: 'No existe esa partida',
};

const dictionary: Dictionary<typeof en> = { en, es };

export const words = () => i18n.words(dictionary);
