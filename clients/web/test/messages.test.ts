// The message catalogues are complete, and what is missing is found.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { messages as spanish } from '../src/gen/messages/es.js';
import { isolated, spanText, writer } from '../src/i18n/writer.js';
// @ts-expect-error: a script of the build, without types.
import { findings, moduleOf, read } from '../scripts/messages.mjs';

const web = path.resolve(import.meta.dirname, '..');

const catalogues = () => ({
  en: { page: { play: 'Play {game}', points: { one: '{count} point', other: '{count} points' } } },
  es: {
    page: {
      play: 'Jugar a {game}',
      points: { one: '{count} punto', many: '{count} puntos', other: '{count} puntos' },
    },
  },
});

describe('the messages', () => {
  test('of every language are those of English', async () => {
    const { names, catalogues } = await read(path.join(web, 'messages'));
    assert.ok(Object.keys(names).length >= 3);
    assert.deepEqual(findings(catalogues), []);
  });

  test('a message that is missing is found', () => {
    const all = catalogues() as { en: object; es: { page: { play?: string } } };
    delete all.es.page.play;
    assert.deepEqual(findings(all), ['es.page.play is missing']);
  });

  test('a message that English does not have is found', () => {
    const all = catalogues();
    Object.assign(all.es.page, { stop: 'Parar' });
    assert.deepEqual(findings(all), ['es.page.stop is not in en']);
  });

  test('a value that is lost in translation is found', () => {
    const all = catalogues();
    all.es.page.play = 'Jugar';
    assert.deepEqual(findings(all), ['es.page.play has the values {}, and {game} in en']);
  });

  test('a plural form that the language has and the catalogue lacks is found', () => {
    const all = catalogues() as unknown as { es: { page: { points: { many?: string } } } };
    delete all.es.page.points.many;
    assert.deepEqual(findings(all), ['es.page.points lacks the plural form many']);
  });

  test('a text that would be code stays a text', () => {
    const text = moduleOf('en', { page: { trick: '`${alert(1)}` \\ {name}', quote: "it's" } });
    assert.match(text, /\\`\\\$\{alert\(1\)\}\\` \\\\ \$\{w\.text\(v\.name\)\}/);
    assert.match(text, /quote: 'it\\'s'/);
  });

  test('numbers and plural forms are written as the language does', () => {
    const forms = { one: () => 'one', other: () => 'other' };
    assert.equal(writer('de').text(1234567), '1.234.567');
    assert.equal(writer('en').text('2048'), '2048');
    assert.equal(writer('es').text(-5n), '−5');
    assert.equal(writer('en').plural(1n, forms), 'one');
    assert.equal(writer('en').plural(0, forms), 'other');
  });
});

test('a time is told in the units that are worth knowing', () => {
  const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
  const texts: [string, number, string][] = [
    ['en', 0, '0 sec'],
    ['en', 41_001, '42 sec'],
    ['en', 2 * minute, '2 min'],
    ['en', 5 * hour + 41 * minute + 55 * second, '5 hr 41 min'],
    ['en', hour + 59 * second, '1 hr'],
    ['es', 5 * hour + 41 * minute + 55 * second, '5 h 41 min'],
    ['es', day + 4 * hour, '1 día 4 h'],
    ['de', 9 * minute + 5 * second, '9 Min. 5 Sek.'],
    ['de', 3 * day, '3 Tage'],
  ];
  for (const [language, ms, text] of texts) {
    assert.equal(spanText(language, ms).replace(/\s/g, ' '), text);
  }
});

test('a Spanish sentence joins its preposition and article', () => {
  const { takes, fromCentre, fromFactory, toFloor } = spanish.azul;
  const from = (source: string) => takes({ tiles: '1 azul', from: source, to: toFloor });
  assert.equal(from(fromCentre), '1 azul del centro al suelo');
  assert.equal(from(fromFactory({ number: 3 })), '1 azul del expositor 3 al suelo');
});

test('no screen of players holds a text of its own', () => {
  const source = path.join(web, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.svelte') && !/^(console|explore)\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(source, file), 'utf8');
      const markup = text
        .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
        .replace(/<!--[\s\S]*?-->/g, '');
      const texts = markup
        .replace(/\{[^{}]*(\{[^{}]*(\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}/g, '')
        .matchAll(/>([^<>]*[A-Za-zÀ-ÿ]{3}[^<>]*)</g);
      return [...texts].map(([, words]) => `${file}: ${words!.trim()}`);
    });
  assert.deepEqual(found, []);
});

test('a name from the right does not take what stands beside it along', () => {
  const { text } = writer('en');
  for (const name of ['שרה', 'ليلى', 'Ana שרה', '\u{1e900}\u{1e921}']) {
    assert.equal(text(name), `\u2068${name}\u2069`);
    assert.equal(isolated(name), text(name));
  }
  for (const name of ['Ana', 'Ελένη', 'Лев', '小明', 'ナナ', '0:42'])
    assert.equal(text(name), name);
});
