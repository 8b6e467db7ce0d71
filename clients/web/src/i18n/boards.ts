// The words of the leaderboards.
import { i18n, type Dictionary } from './i18n.svelte.js';

const en = {
  title: 'Rankings',
  lead: 'Who plays best, in every game and every configuration.',
  game: 'Game',
  kind: 'Best scores',
  tabs: { ratings: 'Ratings', best: 'Ever', day: 'Of a day', daily: 'Daily game' },
  kinds: { ratings: 'Ratings', best: 'Best ever', day: 'Best of a day', daily: 'Daily game' },
  about: {
    ratings:
      'Ranked games move the ratings of all at the table. A rating rises as more is known about ' +
      'a player; ± says how much is not known yet.',
    best:
      'Each player’s best score in this configuration, in games played alone and without ' +
      'hints.',
    day: 'Each player’s best score of the games that ended on this day (UTC).',
    daily: 'Everybody plays the same game once. It counts when it ends before the day does (UTC).',
  },
  options: 'Configuration',
  show: 'Show this board',
  date: 'Day',
  before: 'The day before',
  after: 'The day after',
  from: 'Which part',
  top: 'From the top',
  aroundMe: 'Around me',
  caption: (what: string) => `Places: ${what}`,
  place: 'Place',
  player: 'Player',
  points: 'Points',
  rating: 'Rating',
  games: 'Games',
  when: 'When',
  replay: 'Replay',
  replayOf: (name: string) => `Replay of ${name}`,
  you: '(you)',
  uncertain: (deviation: string) => `plus or minus ${deviation}`,
  none: 'Nobody stands here yet. You could be the first.',
  notYou: 'You are not on this board yet.',
  yours: (rating: string, deviation: string) => `Your rating: ${rating} ± ${deviation}`,
  yourGames: (games: number) => (games === 1 ? 'from 1 ranked game' : `from ${games} ranked games`),
  unrated: 'You have not played a ranked game yet.',
  playRanked: 'Play a ranked game',
  shown: (count: number) => (count === 1 ? '1 player' : `${count} players`),
};

const es: typeof en = {
  title: 'Ranking',
  lead: 'Quién juega mejor, en cada juego y en cada configuración.',
  game: 'Juego',
  kind: 'Mejores puntos',
  tabs: { ratings: 'Niveles', best: 'De siempre', day: 'De un día', daily: 'Diaria' },
  kinds: {
    ratings: 'Niveles',
    best: 'Mejores de siempre',
    day: 'Mejores de un día',
    daily: 'Partida del día',
  },
  about: {
    ratings:
      'Las partidas que puntúan mueven el nivel de todos en la mesa. El nivel sube cuanto más se ' +
      'sabe de un jugador; ± dice cuánto falta por saber.',
    best:
      'La mejor puntuación de cada jugador en esta configuración, jugando a solas y sin ' +
      'pistas.',
    day: 'La mejor puntuación de cada jugador en las partidas que acabaron ese día (UTC).',
    daily: 'Todos juegan una vez la misma partida. Cuenta si acaba antes que el día (UTC).',
  },
  options: 'Configuración',
  show: 'Ver esta tabla',
  date: 'Día',
  before: 'El día anterior',
  after: 'El día siguiente',
  from: 'Qué parte',
  top: 'Desde arriba',
  aroundMe: 'Cerca de mí',
  caption: (what) => `Puestos: ${what}`,
  place: 'Puesto',
  player: 'Jugador',
  points: 'Puntos',
  rating: 'Nivel',
  games: 'Partidas',
  when: 'Cuándo',
  replay: 'Repetición',
  replayOf: (name) => `Repetición de ${name}`,
  you: '(tú)',
  uncertain: (deviation) => `más o menos ${deviation}`,
  none: 'Aquí no hay nadie todavía. Podrías ser el primero.',
  notYou: 'Todavía no estás en esta tabla.',
  yours: (rating, deviation) => `Tu nivel: ${rating} ± ${deviation}`,
  yourGames: (games) =>
    games === 1 ? 'de 1 partida que puntúa' : `de ${games} partidas que puntúan`,
  unrated: 'Todavía no has jugado ninguna partida que puntúe.',
  playRanked: 'Jugar una que puntúe',
  shown: (count) => (count === 1 ? '1 jugador' : `${count} jugadores`),
};

const dictionary: Dictionary<typeof en> = { en, es };

export const words = () => i18n.words(dictionary);
