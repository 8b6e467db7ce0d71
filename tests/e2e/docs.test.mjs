// The site of the documents, and whether the reference and openapi.json say what the contract and
// the server do.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { adminToken } from './harness/admin.mjs';
import { azul } from './harness/games.mjs';
import { repository, run, Server, serverProgram } from './harness/server.mjs';

const schemaAt = '#/components/schemas/';
let site;
let pages; // place -> HTML
let openApi;
let files; // the descriptors, as another generator has them

before(async () => {
  site = await mkdtemp(path.join(tmpdir(), 'tesela-docs-'));
  // A dead link ends it.
  const { code, stdout, stderr } = await run(path.join(repository, 'docs/build.sh'), [site]);
  assert.equal(code, 0, stdout + stderr);
  const places = (await readdir(site, { recursive: true })).filter((one) => one.endsWith('.html'));
  const read = async (place) => [place, await readFile(path.join(site, place), 'utf8')];
  pages = new Map(await Promise.all(places.map(read)));
  openApi = JSON.parse(await readFile(path.join(site, 'openapi.json'), 'utf8'));
  const gen = path.join(import.meta.dirname, 'gen/tesela');
  const modules = (await readdir(gen, { recursive: true })).filter((one) => one.endsWith('_pb.js'));
  const exported = await Promise.all(modules.map((one) => import(path.join(gen, one))));
  files = exported
    .flatMap((one) => Object.values(one))
    .filter(({ kind, proto }) => kind === 'file' && !/\.(node|log)\.v1$/.test(proto.package));
});
after(() => rm(site, { recursive: true, force: true }));

test('every page keeps to a strict policy, and what it refers to is there', () => {
  assert.ok(pages.size > 40);
  for (const [place, html] of pages) {
    assert.doesNotMatch(html, /<[^>]+ (style|on\w+)=|<script(?! type="module" src=)|<style/, place);
    for (const [, target] of html.matchAll(/<[^>]+ (?:href|src)="([^"]*)"/g)) {
      if (/^https?:/.test(target)) continue;
      const [file, anchor] = target.split('#');
      const wanted = file ? path.join(path.dirname(place), file) : place;
      assert.ok(existsSync(path.join(site, wanted)), `${place}: ${target}`);
      if (anchor) assert.ok(pages.get(wanted).includes(`id="${anchor}"`), `${place}: ${target}`);
    }
  }
});

test('the reference and openapi.json have all methods, messages, fields and values', () => {
  const names = [...pages].filter(([place]) => place.startsWith('reference/'));
  const all = names.map(([, html]) => html).join('');
  const has = (text) => assert.ok(all.includes(text), text);
  const { schemas } = openApi.components;
  const methods = files.flatMap((file) => file.services).flatMap((service) => service.methods);
  assert.ok(methods.length > 60);
  for (const { parent, name, methodKind } of methods) {
    has(`id="${parent.name}.${name}"`);
    const call = openApi.paths[`/${parent.typeName}/${name}`];
    const expected = methodKind === 'unary' && parent.name !== 'BotService';
    assert.equal(call !== undefined, expected, name);
    if (expected) assert.ok(call.post.description.length > 10, name);
  }
  const isWhole = ({ typeName, nestedEnums = [], nestedMessages = [], ...type }) => {
    has(`id="${typeName.split(/\.v1\./)[1]}"`);
    for (const { name, number, jsonName } of type.fields ?? type.values) {
      has(`<code>${name}</code> = ${number}<`);
      const schema = schemas[typeName];
      assert.ok(type.fields ? schema.properties[jsonName] : schema.enum.includes(name), name);
    }
    [...nestedEnums, ...nestedMessages].forEach(isWhole);
  };
  files.flatMap((file) => [...file.messages, ...file.enums]).forEach(isWhole);
});

test('the server has the site at /docs/, and says when it cannot read it', async (t) => {
  const server = await Server.start('--docs', site);
  t.after(() => server.dispose());
  const page = await fetch(`${server.http}/docs`);
  assert.equal(page.url, `${server.http}/docs/`);
  assert.match(await page.text(), /Tesela, with curl/);
  assert.match(page.headers.get('content-security-policy'), /^default-src 'self';/);
  const json = await fetch(`${server.http}/docs/openapi.json`);
  assert.equal(json.headers.get('content-type'), 'application/json');
  assert.equal((await json.json()).openapi, openApi.openapi);
  assert.equal((await fetch(`${server.http}/docs/nothing`)).status, 404);
  const data = path.join(site, 'data');
  const { code, stderr } = await run(serverProgram, ['--docs', '/nowhere', '--data', data]);
  assert.equal(code, 1);
  assert.match(stderr, /--docs: \/nowhere has no openapi\.json\. .*docs\/build\.sh/);
});

test('the messages of each game stand beside a picture of it', () => {
  const games = [...pages].filter(([place]) => place.startsWith('reference/game_'));
  const shown = games.filter(([, html]) => /<img src="[^"]*pictures/.test(html));
  assert.ok(shown.length >= 4);
});

test('openapi.json is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(openApi));
  assert.ok(valid, JSON.stringify(errors, null, 1));
  assert.equal(validator.version, '3.1');
});

/** `check(schema, value)`: fails where `value` is not as the schema says, or has more fields. */
function checker() {
  const closed = structuredClone(openApi);
  for (const schema of Object.values(closed.components.schemas)) {
    if (schema.properties && !schema.properties['@type']) schema.additionalProperties = false;
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['date-time', 'int32']);
  ajv.addSchema(closed, 'openapi');
  return function check(name, value) {
    const isValid = ajv.getSchema(`openapi${schemaAt}${name}`);
    assert.ok(
      isValid(value),
      `${name}: ${JSON.stringify(isValid.errors)} ${JSON.stringify(value)}`,
    );
    // What is inside an Any has a schema too.
    JSON.stringify(value, (_, inner) => {
      const { '@type': type, ...message } = Object(inner);
      if (type) check(type.replace(/^.*\//, ''), message);
      return inner;
    });
  };
}

test('the real server takes and answers what openapi.json says', async (t) => {
  const server = await Server.start();
  t.after(() => server.dispose());
  const check = checker();
  const schemaOf = ({ content }) => content['application/json'].schema.$ref.slice(schemaAt.length);
  const admin = await adminToken(server);
  let token;
  async function call(place, request, { mayFail = false, anonymous = false } = {}) {
    const { requestBody, responses, security } = openApi.paths[place].post;
    check(schemaOf(requestBody), request);
    const shown = security.some(({ operator }) => operator) ? admin : token;
    const authorization = anonymous ? {} : { authorization: `Bearer ${shown}` };
    const response = await fetch(server.http + place, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(request),
    });
    const answer = await response.json();
    assert.ok(response.ok || mayFail, `${place}: ${JSON.stringify(answer)}`);
    check(schemaOf(responses[response.status] ?? responses.default), answer);
    return answer;
  }
  const lobby = '/tesela.lobby.v1.LobbyService/';
  const device = Buffer.alloc(16, 7).toString('base64');
  const ada = await call(`${lobby}SignIn`, { displayName: 'Ada', deviceSecret: device });
  ({ token } = ada);
  const { config } = azul(2);
  const type = `type.googleapis.com/${config.typeUrl.replace(/^.*\//, '')}`;
  const { table } = await call(`${lobby}CreateTable`, {
    game: 'azul',
    config: { '@type': type, players: 2 },
    bots: [{ strategy: 'greedy' }],
  });
  assert.equal(table.config['@type'], type);
  await call(`${lobby}GetTable`, { tableId: table.tableId });
  await call('/tesela.admin.v1.AdminService/InspectTable', { tableId: table.tableId });
  await call('/tesela.account.v1.ProfileService/GetProfile', { playerId: ada.playerId });
  // And every method with nothing: some answer, the others refuse.
  const codes = new Set();
  for (const place of Object.keys(openApi.paths)) {
    if (/Drain|SignOut|EndSession|SignIn/.test(place)) continue;
    codes.add((await call(place, {}, { mayFail: true })).code);
    const { code } = await call(place, {}, { mayFail: true, anonymous: true });
    const isOpen = openApi.paths[place].post.security.some((kind) => !Object.keys(kind).length);
    assert.ok(!isOpen || code !== 'unauthenticated', `${place} needs a token`);
  }
  for (const code of [undefined, 'invalid_argument', 'not_found']) assert.ok(codes.has(code), code);
});
