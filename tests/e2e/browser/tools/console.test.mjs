// The operators' console: what an operator does there by keyboard alone, and that it is for
// everyone.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { ConductService, ReportKind } from '../../gen/tesela/account/v1/conduct_pb.js';
import { TableState } from '../../gen/tesela/lobby/v1/lobby_pb.js';
import { MatchmakingService } from '../../gen/tesela/lobby/v1/matchmaking_pb.js';
import { adminToken, ownAdminOf } from '../../harness/admin.mjs';
import { azul } from '../../harness/games.mjs';
import { bearer, clientOf, lobbyOf, newTable, signIn } from '../../harness/lobby.mjs';
import { Player } from '../../harness/player.mjs';
import { assertRefused } from '../../harness/refusals.mjs';
import { until } from '../../harness/until.mjs';
import { desktop, phone, shots } from '../page/chromium.mjs';
import { inspect } from '../page/inspect.mjs';
import { Operator } from '../page/operator.mjs';
import { describeSite } from '../page/site.mjs';
import { Visitor } from '../page/visitor.mjs';

const folder = await mkdtemp(path.join(tmpdir(), 'tesela-console-'));
const operators = path.join(folder, 'operators');
const rosa = randomBytes(24).toString('hex');
await writeFile(operators, `Rosa read ${rosa}`, { mode: 0o600 });

const looks = [
  { name: 'desktop-light', ...desktop, theme: 'light' },
  { name: 'phone-dark', ...phone, theme: 'dark' },
];

const options = ['--operators-file', operators];

describeSite('the console', { options, except: /status of 40[1348]|ERR_FAILED/ }, (site) => {
  before(() => mkdir(shots, { recursive: true }));
  after(() => rm(folder, { recursive: true }));

  const arrive = async (token, looks = {}) =>
    Operator.arrive(await site.newPage(looks), token ?? (await adminToken(site.server)));

  /** Bea insults Ada at a game of Azul, and is reported: { tableId, ada, bea }. */
  async function reported() {
    const { server } = site;
    const [ada, bea] = [await signIn(server, 'Ada'), await signIn(server, 'Beatrix')];
    const request = { game: 'azul', config: azul(2).config };
    const { tableId } = (await lobbyOf(server).createTable(request, bearer(ada.token))).table;
    await lobbyOf(server).joinTable({ tableId }, bearer(bea.token));
    await Player.join(server, tableId, { token: ada.token });
    const talker = await Player.join(server, tableId, { token: bea.token });
    talker.stream.send({ case: 'say', value: { what: { case: 'text', value: 'You fool' } } });
    while ((await talker.step()).kind !== 'said');
    const report = { tableId, playerId: bea.playerId, kind: ReportKind.TALK, text: 'An insult' };
    await clientOf(ConductService, server).reportPlayer(report, bearer(ada.token));
    return { tableId, ada, bea };
  }

  test('a wrong token is refused with a sentence, and what was typed stays', async () => {
    const operator = new Operator(await site.newPage());
    await operator.page.goto('/admin');
    await operator.fill('Token', 'x'.repeat(40));
    await operator.fill('Your name', 'Otto');
    await operator.press('button', 'Sign in');
    await operator.page.getByRole('alert').getByText('not the admin token').waitFor();
    assert.equal(await operator.page.getByLabel('Token').inputValue(), 'x'.repeat(40));
    await operator.fill('Token', await adminToken(site.server));
    await operator.press('button', 'Sign in');
    await operator.at('Players');
    await operator.page.reload();
    await operator.at('Players');
    await operator.press('button', 'Sign out');
    await operator.at('Tesela Console');
  });

  test('a player is found, suspended, refused, and free again', async () => {
    const { server } = site;
    const { token } = await signIn(server, 'Zoe');
    const operator = await arrive();
    await operator.fill('The beginning of a name, or an id', 'Zo');
    await operator.press('button', 'Search');
    await operator.press('link', 'Zoe');
    await operator.at('Zoe');
    await operator.press('button', 'Act …');
    await operator.choose('Act', 's');
    await operator.choose('For', '7');
    await operator.fill('Reason, which the player reads', 'Insults');
    await operator.press('button', 'Act');
    await operator.told('Done: suspend (Zoe). Before: free. Now: suspended until');
    const game = () => lobbyOf(server).createTable({ game: '2048' }, bearer(token));
    await assertRefused(game(), Code.PermissionDenied, /Insults/, /^SUSPENDED$/);

    await operator.press('button', 'Undo suspend');
    await operator.fill('Reason', 'A mistake');
    await operator.press('button', 'Undo');
    await operator.told('The act is undone.');
    await operator.page.getByText('A mistake').waitFor();
    await until(() => game().then(Boolean, () => false));
  });

  test('what is announced is on every page, until it is closed or undone', async () => {
    const operator = await arrive();
    await operator.press('link', 'Everybody');
    await operator.press('button', 'Act …');
    await operator.fill('Sentence, which everybody reads', 'Works at noon');
    await operator.press('button', 'Act');
    await operator.told('Done: announce (all servers).');
    const visitor = new Visitor(await site.newPage());
    const announced = visitor.page.getByRole('status').getByText('Works at noon');
    await visitor.page.goto('/');
    await announced.waitFor(); // before anybody signs in
    await visitor.page.locator('#name').fill('Ada');
    await visitor.page.locator('form button').click();
    await visitor.page.locator('.games').waitFor();
    await announced.waitFor();
    await visitor.page.getByRole('button', { name: 'Understood' }).click();
    await announced.waitFor({ state: 'detached' });

    await operator.press('button', 'Act …');
    await operator.choose('Act', 'pause s');
    await operator.choose('For', '1');
    await operator.fill('Sentence, which everybody reads', 'Too many');
    await operator.press('button', 'Act');
    await operator.told('Now: sign-ins paused until');
    const { page } = new Visitor(await site.newPage());
    await page.goto('/');
    await page.locator('#name').fill('Late');
    await page.keyboard.press('Enter');
    await page.getByText('An operator has paused sign-ins until').waitFor();
    for (const word of ['pause sign ins', 'announce']) {
      await operator.press('button', `Undo ${word}`);
      await operator.fill('Reason', 'Over');
      await operator.press('button', 'Undo');
      await operator.page.getByText(word, { exact: true }).first().waitFor();
      await operator.told('The act is undone.');
    }
    assert.equal((await clientOf(ConductService, site.server).getNotice({})).announcement, '');
  });

  test('matchmaking is paused, and goes on', async () => {
    const { server } = site;
    const { token } = await signIn(server, 'Seeker');
    const find = async () => {
      const search = clientOf(MatchmakingService, server).find({ game: 'azul' }, bearer(token));
      for await (const first of search) return first;
    };
    const operator = await arrive();
    await operator.press('link', 'Everybody');
    await operator.press('button', 'Act …');
    await operator.choose('Act', 'pause m');
    await operator.choose('For', '1');
    await operator.fill('Sentence, which everybody reads', 'Too few');
    await operator.press('button', 'Act');
    await operator.told('Now: matchmaking paused until');
    await assertRefused(find(), Code.PermissionDenied, /paused matchmaking until .*: Too few/);
    await operator.press('button', 'Undo pause matchmaking');
    await operator.fill('Reason', 'Over');
    await operator.press('button', 'Undo');
    await operator.told('The act is undone.');
    await until(() => find().then(Boolean, () => false));
  });

  test('everything about a player is saved as a file, and then erased', async () => {
    const { server } = site;
    const { owner } = await newTable(server, {}, await signIn(server, 'Yves'));
    const operator = await arrive();
    await operator.fill('The beginning of a name, or an id', owner.playerId);
    await operator.press('button', 'Search');
    await operator.at('Yves');
    const saving = operator.page.waitForEvent('download');
    await operator.press('button', 'Export');
    const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8'));
    assert.equal(saved.account.player.displayName, 'Yves');
    assert.equal(saved.tables.length, 1);

    await operator.press('button', 'Erase …');
    const erase = operator.page.getByRole('button', { name: 'Erase', exact: true });
    assert.ok(await erase.isDisabled());
    await operator.fill('Type “Yves” to confirm', 'Yves');
    await operator.press('button', 'Erase');
    await operator.told('Yves is erased');
  });

  test('a report is read with its talk, assigned and closed', async () => {
    await reported();
    const operator = await arrive();
    await operator.press('link', 'Reports');
    await operator.press('link', /^talk, /);
    await operator.at(/^Report /);
    await operator.page.getByText('You fool').waitFor();
    await operator.press('button', 'Assign …');
    await operator.press('button', 'Assign');
    await operator.told('The report is with Otto.');
    await operator.page.getByText('with Otto', { exact: true }).waitFor();
    await operator.press('button', 'Act …');
    await operator.fill('Reason, which the player reads', 'Be friendly');
    await operator.press('button', 'Act');
    await operator.told('Done: warn');
    await operator.press('button', 'Close …');
    await operator.fill('What came of it', 'Warned');
    await operator.press('button', 'Close');
    await operator.page.getByText('closed by Otto: Warned').waitFor();
  });

  test('a table is found, looked on at, and closed with a reason', async () => {
    const { server } = site;
    const { tableId, ada } = await reported();
    const operator = await arrive();
    await operator.press('link', 'Tables');
    await operator.fill('Table id', tableId);
    await operator.press('button', 'Search');
    await operator.at(`Table ${tableId}`);
    await operator.page.getByText('handles no command').waitFor();
    await operator.press('button', 'Look on …');
    const link = await operator.page.getByRole('link', { name: 'Open the table' });
    assert.match(await link.getAttribute('href'), /\/t\/\w+#watch_\d+_[\w-]+$/);
    await operator.press('button', 'Done');
    await operator.press('button', 'Close the table …');
    await operator.fill('Reason, which the players read', 'Maintenance');
    await operator.press('button', 'Close the table');
    await operator.told('The table is closed.');
    const { table } = await lobbyOf(server).getTable({ tableId }, bearer(ada.token));
    assert.equal(table.state, TableState.CLOSED);
  });

  test('a pass opens a private table on the players’ page', async () => {
    const { server } = site;
    const { token } = await signIn(server, 'Walt');
    const request = { game: '2048', options: { inviteOnly: true, spectatorsOff: true } };
    const { tableId } = (await lobbyOf(server).createTable(request, bearer(token))).table;
    const { pass } = await (await ownAdminOf(server)).issueWatchPass({ tableId });
    const visitor = new Visitor(await site.newPage());
    await visitor.page.goto(`/t/${tableId}#${pass}`);
    await visitor.atBoard();
  });

  test('an operator who may only read is refused an act with a sentence', async () => {
    await signIn(site.server, 'Xaver');
    const operator = await arrive(rosa);
    await operator.fill('The beginning of a name, or an id', 'Xav');
    await operator.press('button', 'Search');
    await operator.press('link', 'Xaver');
    await operator.press('button', 'Act …');
    await operator.fill('Reason, which the player reads', 'Insults');
    await operator.press('button', 'Act');
    await operator.page.getByText('This needs the role moderate; Rosa has the role read').waitFor();
    const reason = operator.page.getByLabel('Reason, which the player reads');
    assert.equal(await reason.inputValue(), 'Insults');
  });

  test('the log level is set, and the figures go on', async () => {
    const operator = await arrive();
    await operator.press('link', 'Servers');
    await operator.press('button', 'Log level …');
    await operator.choose('Level', 'd');
    await operator.press('button', 'Set');
    await operator.told('The log level is set; it was info.');
    await operator.press('link', 'Health');
    const { page } = operator;
    await page.locator('dl > .card', { hasText: 'Memory' }).getByText('MiB').waitFor();
    const drawn = () => /L/.test(document.querySelector('svg path').getAttribute('d'));
    await page.waitForFunction(drawn);
  });

  test('the console tells where operators are answered when it is not here', async () => {
    const page = await site.newPage();
    // As the port of everybody answers beside --ops-port.
    const message = 'There is no method tesela.admin.v1.AdminService/GetStatus.';
    const body = JSON.stringify({ code: 'unimplemented', message });
    const answer = { status: 404, contentType: 'application/json', body };
    await page.route('**/tesela.admin.v1.*/*', (route) => route.fulfill(answer));
    const operator = new Operator(page);
    await page.goto('/admin');
    await operator.fill('Token', 'x'.repeat(40));
    await operator.fill('Your name', 'Otto');
    await operator.press('button', 'Sign in');
    await page.getByRole('alert').getByText('--ops-port').waitFor();
    await page.route('**/tesela.admin.v1.*/*', (route) => route.abort());
    await operator.press('button', 'Sign in');
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  });

  for (const look of looks) {
    test(`every screen is for everyone (${look.name})`, async () => {
      const { tableId, bea } = await reported();
      const page = await site.newPage(look);
      const visitor = new Operator(page);
      await page.goto('/admin');
      await inspect(visitor, look, 'console-sign-in');
      const operator = await arrive(undefined, look);
      const show = async (place, text, name) => {
        await operator.page.evaluate((hash) => (location.hash = hash), `#/${place}`);
        await operator.page.getByText(text).first().waitFor();
        await inspect(operator, look, `console-${name}`);
      };
      await show('players', 'Beatrix', 'players');
      await show(`players/${bea.playerId}`, 'Tables that are not over', 'player');
      await operator.press('button', 'Act …');
      await operator.choose('Act', 's');
      await inspect(operator, look, 'console-act');
      await operator.press('button', 'Cancel');
      await show('tables', tableId, 'tables');
      await show(`tables/${tableId}`, 'handles no command', 'table');
      await show('reports', 'An insult', 'reports');
      await operator.press('link', /^talk, /);
      await operator.page.getByText('You fool').waitFor();
      await inspect(operator, look, 'console-report');
      await show('everybody', 'Announce something', 'everybody');
      await show('health', 'MiB', 'health');
      await show('servers', 'Log level of all', 'servers');
    });
  }

  // The last one: without other servers there is no way back.
  test('a server is drained', async () => {
    const operator = await arrive();
    await operator.press('link', 'Servers');
    await operator.press('button', 'Drain …');
    await operator.press('button', 'Drain');
    await operator.told('This server takes nothing new');
    await operator.press('button', 'Take the drain back …');
    await operator.press('button', 'Undrain');
    await operator.page.getByText('Without a node port').waitFor();
    await operator.press('button', 'Cancel');
    await operator.press('link', 'Health');
    await operator.page.getByText('no: ').waitFor();
  });
});
