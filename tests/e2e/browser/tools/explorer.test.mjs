// The explorer of the calls and streams: what it sends, shows and gives to be copied.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { installPackage } from '../../../clients/python/install.mjs';
import { repository, run } from '../../harness/server.mjs';
import { inspect, looks } from '../page/inspect.mjs';
import { describeSite } from '../page/site.mjs';
import { Visitor } from '../page/visitor.mjs';

const LOBBY = 'tesela.lobby.v1.LobbyService';
const generated = path.resolve(import.meta.dirname, '../../gen/tesela');

/** Paths of all methods of the services of players, by what protobuf-es makes of the contract. */
async function methodsOfPlayers() {
  const folders = ['account', 'bot', 'lobby'].map((name) => path.join(generated, name, 'v1'));
  const files = (await Promise.all(folders.map((folder) => readdir(folder)))).flatMap((names, at) =>
    names.filter((name) => name.endsWith('_pb.js')).map((name) => path.join(folders[at], name)),
  );
  const modules = await Promise.all(files.map((file) => import(file)));
  return modules
    .flatMap((module) => Object.values(module))
    .filter(({ kind }) => kind === 'service')
    .flatMap(({ typeName, methods }) => methods.map(({ name }) => `${typeName}/${name}`));
}

// Chromium tells of each answer that is an error.
describeSite('the explorer', { except: /status of 4\d\d/ }, (site) => {
  let folder;
  let python;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tesela-explorer-'));
    python = await installPackage(folder);
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    await symlink(path.join(repository, 'clients/node_modules'), path.join(folder, 'node_modules'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const button = (page, name) => page.getByRole('button', { name, exact: true });

  async function open(method, options = {}) {
    const page = await site.newPage({
      permissions: ['clipboard-read'],
      ...options,
    });
    await page.goto(`/explore#${method}`);
    await page.locator('h1').waitFor();
    return page;
  }

  async function signIn(page, name = 'Ada') {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await button(page, 'New guest').click();
    await page.locator('.caller', { hasText: name }).waitFor();
  }

  /** Sends the request as it is: the answer's JSON. */
  async function send(page) {
    await button(page, 'Send').click();
    return answerOf(page);
  }

  const answerOf = async (page) =>
    JSON.parse(await page.locator('section[data-running=false] pre').first().textContent());

  async function copied(page, language) {
    await button(page, `Copy as ${language}`).click();
    await page.getByText(`Copied as ${language}.`).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  }

  async function tokenOf(page) {
    await button(page, 'Copy the token for a shell').click();
    await button(page, 'Copied').waitFor();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    return line.replace('export TESELA_TOKEN=', '');
  }

  test('it lists every method of players, and finds them by words of their comments', async () => {
    const page = await open('');
    const links = page.getByRole('navigation').getByRole('link');
    const listed = await links.evaluateAll((all) => all.map(({ hash }) => hash.slice(1)));
    const methods = await methodsOfPlayers();
    assert.ok(methods.length > 40);
    assert.deepEqual(listed.sort(), [...methods, 'stream'].sort());
    await page.getByLabel('Search').fill('chooses a shared game that goes once more');
    await page.getByText('No method has these words.').waitFor();
    await page.getByLabel('Search').fill('once more, by somebody');
    await page.getByRole('link', { name: 'RematchTable' }).waitFor();
    assert.equal(await links.count(), 2);
  });

  test('a guest makes a table by the form, and plays a move in its stream', async () => {
    const page = await open('');
    await signIn(page);
    await page.getByRole('link', { name: 'CreateTable' }).click();
    await page.locator('h1', { hasText: 'CreateTable' }).waitFor();
    await page.getByLabel('game', { exact: true }).fill('2048');
    await page.getByLabel('config', { exact: true }).selectOption({ label: 'Game2048Config' });
    await page.getByLabel('size', { exact: true }).fill('5');
    const { table } = await send(page);
    assert.equal(table.seats[0].displayName, 'Ada');
    assert.equal(table.config.size, 5);

    await page.getByRole('link', { name: `Open the stream of ${table.tableId}` }).click();
    const frames = page.getByRole('region', { name: 'Frames' }).locator('li');
    await frames.filter({ hasText: 'snapshot' }).waitFor();
    for (const direction of ['LEFT', 'DOWN']) {
      await page.getByLabel('direction').selectOption(`DIRECTION_${direction}`);
      await button(page, 'Send').click();
    }
    const event = frames.filter({ hasText: 'event' }).first();
    await event.locator('summary').click();
    const shown = JSON.parse(await event.locator('pre').textContent());
    assert.match(shown.event.body['@type'], /Game2048Event$/);
    assert.match(await event.textContent(), /\d\d:\d\d:\d\d\.\d{3} · \d+ bytes/);
    assert.match(await frames.last().textContent(), /sent.*hello.*"token":"…"/);
    assert.ok((await frames.filter({ hasText: /→.*move/ }).count()) >= 2);
  });

  test('what is copied runs as it is, and is answered the same', async () => {
    const page = await open(`${LOBBY}/CreateTable`);
    await signIn(page, "O'Neil");
    const { table } = await send(page);
    const env = { ...process.env, TESELA_TOKEN: await tokenOf(page) };
    const done = async (program, ...args) => {
      const { code, stdout, stderr } = await run(program, args, {
        cwd: folder,
        env,
      });
      assert.equal(code, 0, stdout + stderr);
      return stdout;
    };
    /** What the three programs print of the call that is shown. */
    const outputs = async () => {
      const curl = await done('sh', '-c', await copied(page, 'curl'));
      await writeFile(path.join(folder, 'call.ts'), await copied(page, 'TypeScript'));
      const conditions = ['--conditions=@tesela/source', '--import', 'tsx'];
      const script = await done(process.execPath, ...conditions, 'call.ts');
      await writeFile(path.join(folder, 'call.py'), await copied(page, 'Python'));
      return { curl, script, python: await done(python, 'call.py') };
    };

    await page.goto(`/explore#${LOBBY}/GetTable`);
    await page.locator('h1', { hasText: 'GetTable' }).waitFor();
    const answer = await send(page);
    assert.equal(answer.table.tableId, table.tableId);
    const unary = await outputs();
    assert.deepEqual(JSON.parse(unary.curl), answer);
    assert.deepEqual(JSON.parse(unary.python), answer);
    assert.match(unary.script, new RegExp(`tableId: '${table.tableId}'`));

    await page.goto(`/explore#${LOBBY}/CreateTable`);
    await button(page, '2048 on 3 × 3').click();
    const made = await outputs();
    for (const text of Object.values(made)) assert.match(text, /O'Neil/);

    await page.goto('/explore#tesela.lobby.v1.HistoryService/Replay');
    await page.locator('h1', { hasText: 'Replay' }).waitFor();
    await page.getByLabel('tableId', { exact: true }).fill(table.tableId);
    assert.equal((await send(page)).frame.snapshot.version, '1');
    const replayed = await outputs();
    for (const text of Object.values(replayed)) assert.match(text, /Game2048View/);
  });

  test('a refusal is shown with its details', async () => {
    const page = await open(`${LOBBY}/CreateTable`);
    await button(page, 'Send').click();
    await page.getByText('HTTP 401').waitFor();
    const failure = page.locator('.failure');
    assert.match(await failure.textContent(), /unauthenticated.*google\.rpc\.ErrorInfo/);
    assert.deepEqual(JSON.parse(await failure.locator('pre').first().textContent()), {
      reason: 'UNAUTHENTICATED',
      domain: 'tesela',
    });
  });

  test("a stream's answers come as they happen, until it is stopped", async () => {
    const page = await open(`${LOBBY}/WatchTables`);
    await button(page, 'Send').click();
    await page.getByText('Waiting for more…').waitFor();
    const other = await open(`${LOBBY}/CreateTable`);
    await signIn(other, 'Bea');
    const { table } = await send(other);
    await page.locator('pre', { hasText: table.tableId }).first().waitFor();
    await button(page, 'Stop').click();
    await page.locator('section[data-running=false]').waitFor();
  });

  test("it can be the page's player, and leaves that player as it is", async () => {
    const page = await site.newPage();
    await Visitor.arrive(page, 'Cleo');
    const player = () => page.evaluate(() => localStorage.getItem('tesela.player'));
    const before = await player();
    await page.goto(`/explore#tesela.account.v1.AccountService/GetAccount`);
    await button(page, 'Be Cleo, as in the page').click();
    await page.locator('.caller', { hasText: 'Cleo' }).waitFor();
    assert.equal((await send(page)).displayName, 'Cleo');
    await button(page, 'Be nobody').click();
    assert.equal(await player(), before);
  });

  for (const look of looks) {
    test(`it is fit for everybody: ${look.name}`, async () => {
      const page = await open(`${LOBBY}/CreateTable`, look);
      await signIn(page);
      await send(page);
      const visitor = new Visitor(page);
      await inspect(visitor, look, 'explorer-method');
      await page.getByRole('link', { name: /^Open the stream/ }).click();
      await page.getByText('snapshot').first().waitFor();
      await inspect(visitor, look, 'explorer-stream');
    });
  }
});
