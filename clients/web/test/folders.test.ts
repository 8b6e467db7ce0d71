// Folders depend on each other in one direction.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const source = path.resolve(import.meta.dirname, '../src');

/** From the bottom up: a folder may import from those that stand before it, and from gen/. Several
 *  on one line know nothing of each other. */
const LAYERS = [
  ['base'],
  ['i18n'],
  ['net'],
  ['table'],
  ['widgets'],
  ['widgets/fields'],
  ['games/motion'],
  ['games/grid'],
  ['games/any_grid', 'games/azul', 'games/g2048', 'games/g2248', 'games/samegame'],
  ['games'],
  ['screens'],
  ['screens/table'],
  [
    'screens/lobby',
    'screens/find',
    'screens/daily',
    'screens/boards',
    'screens/own_games',
    'screens/replay',
    'screens/proof',
  ],
  ['frame'],
  ['.'],
];

const layerOf = (folder: string): number => LAYERS.findIndex((layer) => layer.includes(folder));

interface Import {
  file: string;
  from: string;
  to: string;
}

function* importsOf(file: string): Generator<Import> {
  const from = path.dirname(file);
  const text = readFileSync(path.join(source, file), 'utf8');
  for (const [, target] of text.matchAll(/(?:from |import |import\()'(\.[^']*)'/g)) {
    const to = path.dirname(path.normalize(path.join(from, target!)));
    if (to !== from && to.split('/')[0] !== 'gen' && to !== 'styles') yield { file, from, to };
  }
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(ts|svelte)$/.test(file) && !file.startsWith('gen/'),
);
const imports = files.flatMap((file) => [...importsOf(file)]);

test('every folder has its place', () => {
  const unknown = files.map(path.dirname).filter((folder) => layerOf(folder) < 0);
  assert.deepEqual([...new Set(unknown)], []);
  assert.ok(imports.length > 300, 'the imports are found');
});

test('a folder imports only from folders below it', () => {
  const breaches = imports
    .filter(({ from, to }) => layerOf(to) >= layerOf(from))
    .map(({ file, to }) => `${file} imports from ${to}/`);
  assert.deepEqual(breaches, []);
});
