// Signing in at a provider of OpenID Connect: a real one, in a real browser.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { AccountService, CredentialKind } from '../../gen/tesela/account/v1/account_pb.js';
import { signInThere, TestProvider } from '../../harness/accounts/provider.mjs';
import { bearer, clientOf, signIn } from '../../harness/lobby.mjs';
import { assertRefused } from '../../harness/refusals.mjs';
import { clientProgram, freePort } from '../../harness/server.mjs';
import { inspect, looks } from '../page/inspect.mjs';
import { describeSite } from '../page/site.mjs';
import { Visitor } from '../page/visitor.mjs';

const port = await freePort();
const provider = new TestProvider(port);
const folder = await mkdtemp(path.join(tmpdir(), 'tesela-oidc-'));
const secretFile = path.join(folder, 'client.secret');
const clientSecret = 'se+cret: 100%';
await writeFile(secretFile, `${clientSecret}\n`, { mode: 0o600 });

const options = [
  ...['--oidc-issuer', provider.issuer, '--oidc-client-id', 'tesela'],
  ...['--oidc-client-secret-file', secretFile, '--oidc-label', 'Example'],
];
// The pages of the provider are its own affair.
const except = new RegExp(`asked for http://localhost:${port}/|fonts\\.googleapis|^/interaction/`);

describeSite('signing in elsewhere', { options, except }, (site) => {
  const home = () => site.server.http.replace('127.0.0.1', 'localhost');
  const newPage = () => site.newPage({ baseURL: home() });
  const button = (page, name) => page.getByRole('button', { name, exact: true });
  const toAccount = (page) => page.getByRole('link', { name: /^Playing as/ }).click();
  const isSignedInAs = (page, name) =>
    page.getByRole('link', { name: new RegExp(`^Playing as ${name}`) }).waitFor();
  const accounts = () => clientOf(AccountService, site.server);

  before(() =>
    provider.start({
      client_id: 'tesela',
      client_secret: clientSecret,
      redirect_uris: [`${home()}/account/oidc`],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    }),
  );
  after(async () => {
    await provider.stop();
    await rm(folder, { recursive: true });
  });

  /** Where the provider sends a browser that has begun nothing: the page lets the answer be. */
  async function arrivalOf(url, login) {
    const page = await newPage();
    await page.goto(url);
    await signInThere(page, login);
    await page.getByText('wasn’t begun in this tab').waitFor();
    return page.url();
  }

  const answerIn = (address, browserSecret) => {
    const { code, state, iss } = Object.fromEntries(new URL(address).searchParams);
    return { code, state, iss, browserSecret };
  };

  test('a guest keeps the account, and comes back while the key is replaced', async () => {
    const ada = await Visitor.arrive(await newPage());
    const table = new URL(await ada.newGame()).pathname;
    await toAccount(ada.page);
    await button(ada.page, 'Keep it with Example').click();
    await signInThere(ada.page, 'ada-there');
    await ada.page.getByRole('heading', { name: 'Ways to sign in' }).waitFor();
    await button(ada.page, 'Remove: Example').waitFor();
    assert.equal(new URL(ada.page.url()).pathname + new URL(ada.page.url()).search, '/account');
    await inspect(ada, looks[2], 'account-oidc');
    await button(ada.page, 'Sign out').click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await ada.page.locator('#name').waitFor();

    const other = await newPage();
    await other.goto('/account');
    await button(other, 'Sign in with Example').waitFor();
    await inspect(new Visitor(other), looks[2], 'sign-in-oidc');
    await button(other, 'Sign in with Example').click();
    await signInThere(other, 'ada-there', () => provider.rotate('EdDSA'));
    await isSignedInAs(other, 'Ada');
    await other.goto(table);
    await new Visitor(other).atBoard();
    provider.rotate('RS256');
    const third = await newPage();
    await third.goto('/account');
    await button(third, 'Sign in with Example').click();
    await signInThere(third, 'ada-there');
    await isSignedInAs(third, 'Ada');
  });

  test('a newcomer gets an account, and no other guest takes that sign-in', async () => {
    const { page } = await Visitor.arrive(await newPage(), 'Bea');
    const other = await newPage();
    await other.goto('/account');
    await button(other, 'Sign in with Example').click();
    await signInThere(other, 'new-there');
    await isSignedInAs(other, 'Guest');
    await toAccount(page);
    await button(page, 'Keep it with Example').click();
    await signInThere(page, 'new-there');
    await page.getByText('Another account here').waitFor();
    site.browser.assertQuiet({ except: new RegExp(`${except.source}|status of 409`) });
    await page.getByRole('link', { name: 'To your account' }).click();
    await page.getByRole('heading', { name: 'Keep your account' }).waitFor();
  });

  /** A guest who leaves for the provider, to sign in to another account. */
  async function guestLeaves(name) {
    const { page } = await Visitor.arrive(await newPage(), name);
    await toAccount(page);
    await page.getByText('Sign in to another account').click();
    await button(page, 'Sign in with Example').click();
    await page.locator('input[name=login]').waitFor();
    return page;
  }

  test('a guest who comes back with an account is asked about the games', async () => {
    const page = await guestLeaves('Visitor');
    await signInThere(page, 'gus-there');
    await page.getByRole('heading', { name: 'Bring along what you played as Visitor?' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/account');
  });

  test('an answer does not replace who has signed in by another tab meanwhile', async () => {
    const { page: mia } = await Visitor.arrive(await newPage(), 'Mia');
    await toAccount(mia);
    await button(mia, 'Get a recovery code').click();
    const code = await mia.locator('output').innerText();
    const page = await guestLeaves('Visitor');
    const second = await page.context().newPage();
    await second.goto('/account');
    await second.getByText('Sign in to another account').click();
    await second.getByRole('textbox', { name: 'Recovery code' }).fill(code);
    await button(second, 'Sign in').click();
    await isSignedInAs(second, 'Mia');
    await signInThere(page, 'ada-there');
    await page.getByText('wasn’t begun in this tab').waitFor();
    await isSignedInAs(page, 'Mia');
    assert.equal(new URL(page.url()).search, '');
    await page.getByRole('link', { name: 'To your account' }).click();
    await page.getByRole('heading', { name: 'Bring along what you played as Visitor?' }).waitFor();
  });

  test('who declines there is told, and can begin again', async () => {
    const page = await newPage();
    await page.goto('/account');
    await button(page, 'Sign in with Example').click();
    await page.getByRole('link', { name: /Cancel/ }).click();
    await page.getByText('You haven’t been signed in at Example').waitFor();
    await page.getByRole('link', { name: 'To your account' }).click();
    await button(page, 'Sign in with Example').waitFor();
  });

  test('a link with another’s answer signs nobody in', async () => {
    const browserSecret = randomBytes(32);
    const begun = await accounts().beginOidc({ browserSecret });
    const address = await arrivalOf(begun.authorizationUrl, 'mallory-there');
    const victim = await newPage();
    const calls = [];
    victim.on('request', (request) => calls.push(request.url()));
    await victim.goto('/account');
    await button(victim, 'Sign in with Example').click();
    await victim.locator('input[name=login]').waitFor(); // begun, and left
    await victim.goto(address);
    await victim.getByText('wasn’t begun in this tab').waitFor();
    await inspect(new Visitor(victim), looks[2], 'foreign-oidc');
    assert.ok(!calls.some((url) => url.includes('SignInWithOidc')));

    const denied = (answer, sentence) =>
      assertRefused(
        accounts().signInWithOidc({ answer, displayName: 'Mal' }),
        Code.PermissionDenied,
        sentence,
      );
    const answer = answerIn(address, browserSecret);
    await denied({ ...answer, browserSecret: randomBytes(32) }, /begun somewhere else/);
    await denied({ ...answer, state: begun.state.replace(/.$/, 'x') }, /begun somewhere else/);
    await denied({ ...answer, iss: 'https://id.example' }, /another provider/);
    await denied({ ...answer, iss: '' }, /another provider/);
    await denied({ ...answer, code: 'x' }, /does not take/);
    const ada = await signIn(site.server, 'Ada');
    await assertRefused(
      accounts().addOidc({ answer }, bearer(ada.token)),
      Code.PermissionDenied,
      /begun somewhere else/,
    );
    const { made, signedIn } = await accounts().signInWithOidc({ answer, displayName: 'Mal' });
    assert.ok(made);
    assert.equal(signedIn.displayName, 'Mal');
    const { credentials } = await accounts().getAccount({}, bearer(signedIn.token));
    assert.deepEqual(
      credentials.map(({ kind, name }) => [kind, name]),
      [[CredentialKind.OIDC, 'Example']],
    );
    await denied(answer, /does not take/);
  });

  test('the terminal signs in with an address that is pasted', async (t) => {
    const state = await mkdtemp(path.join(tmpdir(), 'tesela-oidc-state-'));
    t.after(() => rm(state, { recursive: true }));
    const args = ['account', 'sign-in', '--elsewhere', '--name', 'Tia'];
    const child = spawn(clientProgram, [...args, '--server', site.server.http], {
      env: { ...process.env, XDG_STATE_HOME: state },
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
    }
    while (!/sent to: $/.test(output.stderr)) await once(child.stderr, 'data');
    const [url] = /http:\S+/.exec(output.stderr);
    child.stdin.end(`${await arrivalOf(url, 'tia-there')}\n`);
    const [code] = await once(child, 'close');
    assert.equal(code, 0, output.stderr);
    assert.match(output.stdout, /Signed in as Tia/);
  });

  test('while the provider is away, the page says so', async () => {
    await provider.stop();
    const page = await newPage();
    const told = page.waitForResponse(/GetNotice$/); // the last thing that a page asks for
    await page.goto('/account');
    // The server knows the provider's pages for a while.
    await button(page, 'Sign in with Example').waitFor();
    const browserSecret = randomBytes(32);
    const { state } = await accounts().beginOidc({ browserSecret });
    await assertRefused(
      accounts().signInWithOidc({
        answer: { code: 'x', state, iss: provider.issuer, browserSecret },
        displayName: 'Eve',
      }),
      Code.Unavailable,
      /sign-in provider cannot be asked/,
      /^UNAVAILABLE$/,
    );
    await told;
    await site.server.terminate();
    await site.server.start();
    await page.reload();
    await button(page, 'Sign in with Example').click();
    await page.getByText('Example can’t be asked now').waitFor();
    site.browser.assertQuiet({ except: /status of 503/ });
    await provider.start(provider.client);
    await new Promise((resolve) => setTimeout(resolve, 3100)); // kOidcAgainAfter
    await button(page, 'Sign in with Example').click();
    await page.locator('input[name=login]').waitFor();
  });
});
