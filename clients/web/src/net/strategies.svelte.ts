// The strategies of the games: their levels, and how the bots that play them appear.
import { SvelteMap } from 'svelte/reactivity';
import type { StrategyDescription } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import { recall, remember } from '../base/storage.js';
import { words } from '../i18n/words.js';
import { strategiesOf } from './lobby.js';

/** A bot is called by a person's name, the same one wherever its strategy plays. */
const NAMES: Readonly<Record<string, string>> = {
  novice: 'Nina',
  amateur: 'Aldo',
  search: 'Sofía',
  merger: 'Marta',
  'expectimax-1': 'Oscar',
  glance: 'Gil',
  outlook: 'Olaf',
  'largest-group': 'Luis',
  planner: 'Pedro',
  random: 'Nico',
  diagonal: 'Diego',
  rush: 'Rita',
  safe: 'Selma',
  greedy: 'Greta',
  uct: 'Lucía',
  'expectimax-2': 'Otto',
  'expectimax-3': 'Olga',
  expectimax: 'Max',
  'max-path': 'Paola',
  'max-adjacent': 'Andrés',
  'colour-priority': 'Carla',
};
const OTHER_NAMES = ['Iris', 'Hugo', 'Vera', 'Leo', 'Mila', 'Bruno', 'Alma', 'Theo', 'Nora', 'Pau'];
/** What the name of a bot from outside begins with; it has its own after that. */
const OUTSIDE = 'ext/';

/** What the bot of a strategy is called; `twin` counts those of the same strategy before it. */
export function botName(strategy: string, twin = 0): string {
  if (strategy.startsWith(OUTSIDE)) return strategy.slice(OUTSIDE.length);
  const sum = [...strategy].reduce((total, letter) => total + letter.charCodeAt(0), twin);
  const known = twin === 0 ? NAMES[strategy] : undefined;
  return known ?? OTHER_NAMES[sum % OTHER_NAMES.length]!;
}

/** The name of somebody at a table: the server calls its bots by their strategies. */
export const personName = (displayName: string, strategy: string): string =>
  strategy && displayName === strategy ? botName(strategy) : displayName;

/** "easy": what a level is called. */
export function levelName(level: number): string {
  const names: Readonly<Record<string, string>> = words().bots.levels;
  return names[`l${level}`] ?? '';
}

const levels = new SvelteMap<string, ReadonlyMap<string, number>>();
const asked = new Set<string>();

/** The level of a strategy; undefined until the server has told it. */
export function levelOf(game: string, strategy: string): number | undefined {
  if (!asked.has(game)) void learn(game);
  return levels.get(game)?.get(strategy);
}

async function learn(game: string): Promise<void> {
  await Promise.resolve(); // Not while something is being derived.
  if (asked.has(game)) return;
  asked.add(game);
  try {
    const all = await strategiesOf(game);
    levels.set(game, new Map(all.map(({ name, level }) => [name, level])));
  } catch {
    asked.delete(game);
  }
}

/** "Lucía (hard)". */
export const strategyTitle = ({ name, level }: StrategyDescription): string =>
  words().advice.level({ strategy: botName(name), level: levelName(level) });

/** For whoever has not chosen: bots that a newcomer can beat. */
const FIRST_LEVEL = 2;

/** The levels that the bots of a game have, the weakest first. */
export async function levelsOf(game: string): Promise<number[]> {
  const all = await strategiesOf(game);
  return [...new Set(all.map(({ level }) => level))].filter(Boolean).sort();
}

/** What the player chose last in this game. */
export async function levelChosen(game: string): Promise<number> {
  const all = await levelsOf(game);
  const wanted = Number(recall(`level.${game}`) ?? FIRST_LEVEL);
  return all.includes(wanted) ? wanted : (all[0] ?? 0);
}

export const chooseLevel = (game: string, level: number): void =>
  remember(`level.${game}`, String(level));

/** So many strategies of a level, one after the other, as bots for a table. */
export async function botsOf(game: string, level: number, count: number): Promise<string[]> {
  const all = await strategiesOf(game);
  const fitting = all.filter((strategy) => strategy.level === level);
  const names = (fitting.length > 0 ? fitting : all).map(({ name }) => name);
  return Array.from({ length: count }, (_, index) => names[index % names.length] ?? '');
}

interface Seated {
  displayName: string;
  strategy: string;
  bot: boolean;
}

/** The names of those at a table, in the order of seats. Two bots of one strategy are not called
 *  alike. */
export function namesOf(seats: readonly Seated[] = []): string[] {
  const seen = new Map<string, number>();
  return seats.map(({ displayName, strategy, bot }) => {
    if (!bot || displayName !== strategy) return displayName;
    const twin = seen.get(strategy) ?? 0;
    seen.set(strategy, twin + 1);
    return botName(strategy, twin);
  });
}
