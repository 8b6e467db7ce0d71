import { i18n, type Dictionary } from '../../i18n/i18n.svelte.js';

const en = {
  tagline: 'Draw a path through equal and doubled numbers. It becomes one tile.',
  path: 'This path',
  help:
    'Draw a path with the finger or the mouse. With keys: arrows move, Space adds a tile, ' +
    'Backspace takes one back, Enter plays the path, Escape drops it, C collapses equals.',
  hint: 'Draw a path: two equal tiles, then equal ones or doubles.',
  booster: 'Collapse equals',
  boosterHint: 'Every group of equal neighbours becomes one tile. It scores nothing.',
  maxPath: 'Maximum path',
  maxAdjacent: 'Maximum adjacent',
  shown: (value: string) =>
    `A path worth ${value}. Touch its last tile or press Enter to play it, Escape to drop it.`,
  begun: (value: string) => `Path from ${value}`,
  extended: (value: string, preview: string) => `${value} added, path worth ${preview}`,
  shortened: (preview: string) => `One back, path worth ${preview}`,
  dropped: 'Path dropped',
  noStep: 'The path cannot go there',
  joined: (count: number, value: string) => `${count} tiles became ${value}`,
  collapsed: 'Equal tiles collapsed',
  goalReached: (goal: string) => `You reached the goal of ${goal}`,
  over: 'No path is left',
  overReached: (goal: string) => `No path is left, goal of ${goal} reached`,
};

const es: typeof en = {
  tagline: 'Traza un camino por números iguales o dobles. Se hace una sola ficha.',
  path: 'Este camino',
  help:
    'Traza un camino con el dedo o el ratón. Con teclas: las flechas mueven, Espacio añade una ' +
    'ficha, Retroceso quita una, Intro juega el camino, Escape lo suelta, C colapsa iguales.',
  hint: 'Traza un camino: dos fichas iguales, luego iguales o dobles.',
  booster: 'Colapsar iguales',
  boosterHint: 'Cada grupo de vecinas iguales se hace una ficha. No da puntos.',
  maxPath: 'Camino máximo',
  maxAdjacent: 'Adyacente máximo',
  shown: (value) =>
    `Un camino que vale ${value}. Toca su última ficha o pulsa Intro y se juega; Escape lo suelta.`,
  begun: (value) => `Camino desde ${value}`,
  extended: (value, preview) => `Añadida ${value}, el camino vale ${preview}`,
  shortened: (preview) => `Una menos, el camino vale ${preview}`,
  dropped: 'Camino soltado',
  noStep: 'El camino no puede seguir por ahí',
  joined: (count, value) => `${count} fichas se hicieron ${value}`,
  collapsed: 'Fichas iguales colapsadas',
  goalReached: (goal) => `Has llegado a la meta de ${goal}`,
  over: 'No queda ningún camino',
  overReached: (goal) => `No queda ningún camino, con la meta de ${goal}`,
};

const dictionary: Dictionary<typeof en> = { en, es };

/** The game's words in the language of now. */
export const words = () => i18n.words(dictionary);
