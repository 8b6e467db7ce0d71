// Builds the site: every document of the repository, the reference, openapi.json and the search.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readContract, root } from './contract.mjs';
import { readPage } from './markdown.mjs';
import { openApiOf } from './openapi.mjs';
import { referenceOf } from './reference.mjs';

const out = process.argv[2];

// The groups of the navigation, and which pages they show, in this order.
const groups = {
  'Quick start': [/^README/, /^clients\/(js|python)\//],
  'The contract': [/^proto\//, /^reference\.md/, /^reference\//],
  Games: [/^engine\/\w+\/RULES/, /^engine\/README/, /strategy/],
  Clients: [/^clients\//],
  Operating: [/^server\/README/, /^deploy\//, /^SECURITY/, /SCALE/, /^server\//, /CHANGELOG/],
  Changing: [/CONTRIBUTING/, /TOUR/, /^docs\//],
  Testing: [/^tests\/README/, /^tests\//],
};

// Names of pages in the navigation, where their title says less.
const names = {
  'README.md': 'Tesela, with curl',
  'clients/js/README.md': 'In TypeScript',
  'clients/python/README.md': 'In Python',
  'proto/README.md': 'Writing a client',
};

/** Where a page stands: docs/TOUR.md at tour.html, clients/js/README.md at clients/js.html. */
function placeOf(file) {
  const lower = file
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '.md')
    .toLowerCase();
  return (lower === 'readme.md' ? 'index.md' : lower).replace(/\.md$/, '.html');
}

const escape = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

function write(place, text) {
  const file = path.join(out, place);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const version = /project\(tesela VERSION (\S+)/.exec(
  readFileSync(path.join(root, 'CMakeLists.txt'), 'utf8'),
)[1];
const contract = readContract();
const reference = referenceOf(contract);
const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' });
const texts = new Map([
  ...listed
    .trim()
    .split('\n')
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  ...reference.pages,
]);
const pages = new Map([...texts].map(([file, text]) => [file, readPage(text)]));
const faults = [];
let diagrams = 0;

/** The navigation, as the page at `place` shows it. */
function navigationAt(place, to) {
  const left = new Set(pages.keys());
  return Object.entries(groups).map(([group, patterns]) => {
    const files = patterns.flatMap((pattern) =>
      [...left].filter((file) => pattern.test(file) && left.delete(file)),
    );
    const items = files.map((file) => {
      const here = placeOf(file) === place ? ' aria-current="page"' : '';
      const name = escape(names[file] ?? pages.get(file).title);
      return `<li><a href="${to(placeOf(file))}"${here}>${name}</a></li>`;
    });
    return `<h2>${group}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
}

function writePage(file, page) {
  const place = placeOf(file);
  const to = (other) => path.posix.relative(path.posix.dirname(place), other);

  function linkOf(target) {
    if (/^\w+:/.test(target)) return target;
    const [wanted, anchor] = decodeURI(target).split('#');
    const joined = path.posix.join(path.posix.dirname(file), wanted);
    const source = (wanted === '' ? file : joined).replace(/\/$/, '');
    if (reference.homeOf.has(source)) return linkTo(reference.homeOf.get(source));
    if (source === 'openapi.json') return to(source);
    if (/\.(png|svg)$/.test(source)) {
      mkdirSync(path.dirname(path.join(out, source)), { recursive: true });
      cpSync(path.join(root, source), path.join(out, source));
      return to(source);
    }
    const found = [source, path.posix.join(source, 'README.md')].find((one) => pages.has(one));
    if (found) return linkTo(anchor ? `${found}#${anchor}` : found);
    if (!existsSync(path.join(root, source))) faults.push(`${file}: ${target} is not there`);
    return undefined;
  }

  function linkTo(target) {
    const [other, anchor] = target.split('#');
    if (anchor && !pages.get(other).sections.some(({ id }) => id === anchor)) {
      faults.push(`${file}: ${target} is not there`);
    }
    return `${other === file && anchor ? '' : to(placeOf(other))}${anchor ? `#${anchor}` : ''}`;
  }

  function addDiagram(svg) {
    diagrams += 1;
    write(`diagrams/${diagrams}.svg`, svg);
    return to(`diagrams/${diagrams}.svg`);
  }

  const inside = page.sections
    .filter(({ level }) => level === 2 || level === 3)
    .map(({ id, heading, level }) => {
      return `<li class="level${level}"><a href="#${id}">${escape(heading)}</a></li>`;
    });
  write(
    place,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} · Tesela</title>
<link rel="icon" href="${to('icon.svg')}">
<link rel="stylesheet" href="${to('style.css')}">
<script type="module" src="${to('search.js')}"></script>
</head>
<body>
<header>
<a href="${to('index.html')}">Tesela</a>
<search>
<input type="search" placeholder="Search" aria-label="Search" hidden>
<ol hidden></ol>
</search>
</header>
<nav aria-label="Pages">
<details><summary>Pages</summary>
${navigationAt(place, to).join('\n')}
</details>
</nav>
<main>
${page.render({ linkOf, addDiagram })}
</main>
<aside aria-label="This page">
<ul>
${inside.join('\n')}
</ul>
</aside>
</body>
</html>
`,
  );
}

rmSync(out, { recursive: true, force: true });
for (const [file, page] of pages) writePage(file, page);
for (const name of ['style.css', 'search.js']) {
  write(name, readFileSync(path.join(import.meta.dirname, name)));
}
write('icon.svg', readFileSync(path.join(root, 'clients/web/public/icon.svg')));
write('openapi.json', JSON.stringify(openApiOf(contract, version), null, 1));
const index = [...pages].flatMap(([file, { title, sections }]) =>
  sections.map(({ id, heading, text }) => [`${placeOf(file)}#${id}`, title, heading, text.trim()]),
);
write('search.json', JSON.stringify(index));
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`${pages.size} pages in ${path.relative(process.cwd(), out) || '.'}`);
