// Folders, and files in them, depend on each other in one direction.
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
  readdirSync(path.join(source, 'games'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['grid', 'motion'].includes(entry.name))
    .map(({ name }) => `games/${name}`),
  ['games'],
  ['screens'],
  ['screens/conduct'],
  ['screens/table'],
  [
    'screens/lobby',
    'screens/find',
    'screens/daily',
    'screens/account',
    'screens/boards',
    'screens/own_games',
    'screens/replay',
    'screens/proof',
  ],
  ['screens/player'],
  ['screens/friends'],
  ['frame', 'console', 'explore'],
  ['.'],
];

const layerOf = (folder: string): number => LAYERS.findIndex((layer) => layer.includes(folder));

interface Import {
  file: string;
  imported: string;
}

function* importsOf(file: string): Generator<Import> {
  const text = readFileSync(path.join(source, file), 'utf8');
  for (const [, target] of text.matchAll(/(?:from |import |import\()'(\.[^']*)'/g)) {
    const imported = path.join(path.dirname(file), target!).replace(/\.js$/, '.ts');
    if (!/^gen\/|^styles\//.test(imported)) yield { file, imported };
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
    .map(({ file, imported }) => ({ file, from: path.dirname(file), to: path.dirname(imported) }))
    .filter(({ from, to }) => to !== from && layerOf(to) >= layerOf(from))
    .map(({ file, to }) => `${file} imports from ${to}/`);
  assert.deepEqual(breaches, []);
});

test('no file imports itself through others', () => {
  const unknown = imports.map(({ imported }) => imported).filter((file) => !files.includes(file));
  assert.deepEqual(unknown, []);
  // What imports nothing that is left, or is not imported by what is left, is on no circle.
  let left = imports;
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const importing = new Set(left.map(({ file }) => file));
    const targets = new Set(left.map(({ imported }) => imported));
    left = left.filter(({ file, imported }) => importing.has(imported) && targets.has(file));
  }
  assert.deepEqual(left, []);
});
