// The words of the daily games.
import { i18n, type Dictionary } from './i18n.svelte.js';

const en = {
  title: 'Daily games',
  lead: 'The same dice for everybody, one try a day. Nobody can watch a try until the day is over.',
  next: 'Next games in',
  signIn: 'A name is all it takes to try.',
  play: 'Play today’s game',
  goOn: 'Go on',
  inPlay: 'Your try is in play. It counts when you end it today.',
  fresh: 'You have not tried it yet.',
  result: (points: string) => `You: ${points} points`,
  place: (place: string) => `Place ${place} today`,
  look: 'Your board',
  noPlace: 'It is not on the board.',
  tried: 'You have had your try today.',
  none: 'Nobody has finished yet.',
  board: (game: string) => `Today’s board of ${game}`,
  whole: 'Whole board',
  ended: 'The day is over. A new game is here.',
};

const es: typeof en = {
  title: 'Partidas del día',
  lead:
    'Los mismos dados para todos, un intento al día. Nadie puede mirar un intento hasta que ' +
    'acabe el día.',
  next: 'Las próximas, en',
  signIn: 'Para probar basta un nombre.',
  play: 'Jugar la de hoy',
  goOn: 'Seguir',
  inPlay: 'Tu intento está en juego. Cuenta si lo acabas hoy.',
  fresh: 'Todavía no la has probado.',
  result: (points) => `Tú: ${points} puntos`,
  place: (place) => `Puesto ${place} de hoy`,
  look: 'Tu tablero',
  noPlace: 'No está en la tabla.',
  tried: 'Hoy ya has hecho tu intento.',
  none: 'Nadie ha acabado todavía.',
  board: (game) => `Tabla de hoy de ${game}`,
  whole: 'Tabla completa',
  ended: 'El día ha acabado. Hay una partida nueva.',
};

const dictionary: Dictionary<typeof en> = { en, es };

export const words = () => i18n.words(dictionary);
