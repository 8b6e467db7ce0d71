// The pages of the reference, as Markdown: one for each package, and for each game.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { internal, root } from './contract.mjs';

const games = 'tesela.game.v1';
const pictures = 'clients/web/pictures';

/** The page that has a file of proto/. */
const pageOf = (file) => {
  const [, part] = file.package.split('.');
  const game = file.package === games ? `_${path.basename(file.name, '.proto')}` : '';
  return `reference/${part}${game}.md`;
};

/** A comment as Markdown: documents that it names are linked, and what is indented stays so. */
const prose = (comment) =>
  comment
    .replace(/(?<![\w/])(\w+\/)+[A-Z]+\.md/g, (name) => `[${name}](../${name})`)
    .replace(/^ {2,3}(?=\S)/gm, '    ');
const cell = (text) => prose(text).replace(/\s+/g, ' ').replaceAll('|', '\\|');
const rows = (head, lines) => [
  `| ${head.join(' | ')} |`,
  `|${' --- |'.repeat(head.length)}`,
  ...lines,
];

/** Pictures of a game, which begin with its name in the protocol. */
function picturesOf(file) {
  const game = path.basename(file.name, '.proto').replace(/^g(?=\d)/, '');
  const names = readdirSync(path.join(root, pictures)).filter((name) => name.startsWith(game));
  return file.package === games ? names.map((name) => `![${game}](../${pictures}/${name})`) : [];
}

/** The type of a field or method, linked where the reference has it. */
function linkTo(fullName, homes) {
  const [page, anchor] = homes.get(fullName) ?? [];
  return page ? `[${anchor}](${path.basename(page)}#${anchor})` : fullName.split('.').at(-1);
}

function fieldRow(field, homes) {
  const name = field.typeName ? linkTo(field.typeName, homes) : field.type;
  const kind = field.repeated ? `repeated ${name}` : field.optional ? `optional ${name}` : name;
  const group = field.oneof ? `*one of ${field.oneof}*: ` : '';
  return `| \`${field.name}\` = ${field.number} | ${kind} | ${group}${cell(field.comment)} |`;
}

function* linesOf(file, homes) {
  yield `## ${path.basename(file.name)} {#${path.basename(file.name)}}`;
  yield* ['', prose(file.comment), '', ...picturesOf(file), ''];
  for (const { name, comment, methods } of file.services) {
    yield* [`### service ${name} {#${name}}`, '', prose(comment), ''];
    for (const method of methods) {
      const [asks, answers] = [method.input, method.output].map((type) => linkTo(type, homes));
      yield* [`#### ${method.name} {#${name}.${method.name}}`, '', `\`${method.path}\``, ''];
      yield* [`${method.asks}${asks} → ${method.answers}${answers}`, ''];
      yield* [prose(method.comment).replace(/\s(Errors\b[^]*)/, '\n\n$1'), ''];
    }
  }
  for (const { name, comment, fields, oneofs } of file.messages) {
    yield* [`### ${name} {#${name}}`, '', prose(comment), ''];
    yield* oneofs.map((oneof) => `- *one of ${oneof.name}*: ${cell(oneof.comment)}`);
    if (fields.length === 0) continue;
    yield* [
      '',
      ...rows(
        ['field', 'type', 'meaning'],
        fields.map((one) => fieldRow(one, homes)),
      ),
      '',
    ];
  }
  for (const { name, comment, values } of file.enums) {
    const lines = values.map((one) => `| \`${one.name}\` = ${one.number} | ${cell(one.comment)} |`);
    yield* [
      `### enum ${name} {#${name}}`,
      '',
      prose(comment),
      '',
      ...rows(['value', 'meaning'], lines),
      '',
    ];
  }
}

// The file that has the name of its package comes before the others.
const isFirst = ({ name }) => path.basename(name, '.proto') === name.split('/')[1];

/** { pages: path of each page -> Markdown, homeOf: (path of a .proto) -> link to it }. */
export function referenceOf(files) {
  const open = files
    .filter((file) => !internal.includes(file.package))
    .sort((one, other) => isFirst(other) - isFirst(one));
  const types = open.flatMap((file) => {
    return [...file.messages, ...file.enums].map(({ fullName, name }) => [
      fullName,
      [pageOf(file), name],
    ]);
  });
  const homes = new Map(types);
  const pages = new Map();
  const index = [
    '# Reference',
    '',
    'Made from the comments of `proto/`. The calls over HTTP in JSON are ',
  ];
  index.push('also described as [OpenAPI 3.1](openapi.json).', '');
  for (const file of open) {
    const page = pageOf(file);
    if (!pages.has(page)) {
      const name = path.basename(file.name, '.proto');
      const title = file.package === games ? `${file.package}: ${name}` : file.package;
      pages.set(page, [`# ${title}`, '']);
    }
    pages.get(page).push(...linesOf(file, homes));
    for (const { name, methods } of file.services) {
      index.push(`## ${name}`, '');
      for (const method of methods) {
        const summary = cell(method.comment.split(/\.\s/)[0]).replace(/\.$/, '');
        index.push(`- [${method.name}](${page}#${name}.${method.name}): ${summary}.`);
      }
      index.push('');
    }
  }
  index.push(
    '## Messages',
    '',
    ...[...pages].map(([page, [title]]) => `- [${title.slice(2)}](${page})`),
  );
  pages.set('reference.md', index);
  const homeOf = new Map(
    open.map((file) => [`proto/${file.name}`, `${pageOf(file)}#${path.basename(file.name)}`]),
  );
  return { pages: new Map([...pages].map(([page, lines]) => [page, lines.join('\n')])), homeOf };
}
