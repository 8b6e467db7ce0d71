// The words of one's own games.
import { i18n, type Dictionary } from './i18n.svelte.js';

const en = {
  title: 'My games',
  lead: 'Every game you sat down for, with every move of it.',
  which: 'Which games',
  running: 'Running',
  finished: 'Finished',
  game: 'Game',
  all: 'All games',
  noneRunning: 'No game is running. Begin one, and it will wait here for you.',
  noneFinished: 'You have not finished a game yet.',
  play: 'Play a game',
  won: 'Won',
  shared: 'First place shared',
  place: (rank: number, count: number) => `Place ${rank} of ${count}`,
  points: (points: string) => `${points} points`,
  resigned: 'Gave up',
  closed: 'Closed',
  ranked: 'Ranked',
  daily: (date: string) => `Daily game of ${date}`,
  goOn: 'Go on',
  wait: 'To the table',
  replay: 'Replay',
  proof: 'Verify',
  shown: (count: number) => (count === 1 ? '1 game' : `${count} games`),
  signIn: 'Sign in to see your games.',
};

const es: typeof en = {
  title: 'Mis partidas',
  lead: 'Todas las partidas que has jugado, con cada jugada.',
  which: 'Qué partidas',
  running: 'En juego',
  finished: 'Terminadas',
  game: 'Juego',
  all: 'Todos los juegos',
  noneRunning: 'No hay ninguna partida en juego. Empieza una y te esperará aquí.',
  noneFinished: 'Todavía no has terminado ninguna partida.',
  play: 'Jugar una partida',
  won: 'Ganada',
  shared: 'Primer puesto compartido',
  place: (rank, count) => `Puesto ${rank} de ${count}`,
  points: (points) => `${points} puntos`,
  resigned: 'Abandonada',
  closed: 'Cerrada',
  ranked: 'Puntúa',
  daily: (date) => `Partida del día ${date}`,
  goOn: 'Seguir',
  wait: 'A la mesa',
  replay: 'Repetición',
  proof: 'Verificar',
  shown: (count) => (count === 1 ? '1 partida' : `${count} partidas`),
  signIn: 'Entra para ver tus partidas.',
};

const dictionary: Dictionary<typeof en> = { en, es };

export const words = () => i18n.words(dictionary);
