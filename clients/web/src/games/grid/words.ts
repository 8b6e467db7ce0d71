// What the games on a grid say alike.
import { i18n, type Dictionary } from '../../i18n/i18n.svelte.js';

const en = {
  score: 'Score',
  goal: 'Goal',
  goalOf: (goal: string) => `goal ${goal}`,
  moves: 'Moves',
  reached: 'reached',
  board: (rows: number, columns: number) => `Board, ${rows} by ${columns}`,
  empty: 'empty',
  scoreIs: (score: string) => `score ${score}`,
  finalScore: (score: string, moves: string) => `${score} points in ${moves} moves`,

  size: 'Board',
  sizes: { small: 'Small', usual: 'Usual', large: 'Large', own: 'Own' },
  sizeOf: (rows: number, columns: number) => `${rows} × ${columns}`,
  rows: 'Rows',
  columns: 'Columns',
};

const es: typeof en = {
  score: 'Puntos',
  goal: 'Meta',
  goalOf: (goal) => `meta ${goal}`,
  moves: 'Jugadas',
  reached: 'alcanzada',
  board: (rows, columns) => `Tablero de ${rows} por ${columns}`,
  empty: 'vacía',
  scoreIs: (score) => `${score} puntos`,
  finalScore: (score, moves) => `${score} puntos en ${moves} jugadas`,

  size: 'Tablero',
  sizes: { small: 'Pequeño', usual: 'Normal', large: 'Grande', own: 'Propio' },
  sizeOf: (rows, columns) => `${rows} × ${columns}`,
  rows: 'Filas',
  columns: 'Columnas',
};

const dictionary: Dictionary<typeof en> = { en, es };

export const words = () => i18n.words(dictionary);
