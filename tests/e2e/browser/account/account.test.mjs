// An identity that lasts: a guest keeps the account, and comes back to it in another browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { azul } from '../../harness/games.mjs';
import { inspect, looks } from '../page/inspect.mjs';
import { ownerOf, played } from '../page/played.mjs';
import { describeSite } from '../page/site.mjs';
import { Visitor } from '../page/visitor.mjs';

const terms = 'https://example.org/terms';

const options = ['--terms-url', terms, '--rate-bots', 'yes', '--bot-pace', '0ms'];

describeSite('accounts', { options }, (site) => {
  /** Browsers know passkeys of host names alone. */
  const newPage = () =>
    site.newPage({ baseURL: site.server.http.replace('127.0.0.1', 'localhost') });

  /** A device that makes passkeys without asking: Chromium's virtual authenticator. */
  async function authenticator(page) {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return {
      credentials: async () =>
        (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
      add: (credential) => cdp.send('WebAuthn.addCredential', { authenticatorId, credential }),
    };
  }

  const button = (page, name) => page.getByRole('button', { name, exact: true });
  const toAccount = (page) => page.getByRole('link', { name: /^Playing as/ }).click();
  const isSignedInAs = (page, name) =>
    page.getByRole('link', { name: new RegExp(`^Playing as ${name}`) }).waitFor();

  const question = (page, name = '') =>
    page.getByRole('heading', { name: `Bring along what you played as ${name}` });

  /** Somebody who can sign in with a recovery code: the page and the code. */
  async function withCode(name) {
    const { page } = await Visitor.arrive(await newPage(), name);
    await toAccount(page);
    await button(page, 'Get a recovery code').click();
    return { page, code: await page.locator('output').innerText() };
  }

  /** From the account of a guest, or from nobody's. */
  async function signInWith(page, code, name) {
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(code);
    await button(page, 'Sign in').click();
    await isSignedInAs(page, name);
  }

  async function signOut(page) {
    await button(page, 'Sign out').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.locator('input#name').waitFor();
  }

  /** Plays a ranked game of Azul in the name of who sits at the page. */
  async function playRanked(page) {
    const request = { config: azul(2).config, options: { ranked: true } };
    await played(site.server, await ownerOf(page), 'azul', request);
  }

  /** On the player's page are the rating and the game of `playRanked`. */
  async function findsAll(page) {
    await toAccount(page);
    await page.getByRole('link', { name: 'Your page' }).click();
    const rated = page.getByRole('region', { name: 'Ratings' });
    await rated.getByText(/Azul\s+[\d,]+ ± \d+/).waitFor();
    await page.getByRole('region', { name: 'Finished games' }).getByText('Azul').last().waitFor();
  }

  test('a guest keeps the account by a passkey, and plays on in another browser', async () => {
    const ada = await Visitor.arrive(await newPage());
    const keys = await authenticator(ada.page);
    const table = new URL(await ada.newGame()).pathname;
    await ada.playOne('press');
    await playRanked(ada.page);
    await toAccount(ada.page);
    await button(ada.page, 'Keep it with a passkey').click();
    await ada.page.getByRole('heading', { name: 'Ways to sign in' }).waitFor();
    const toTerms = ada.page.getByRole('link', { name: 'Terms of use' });
    assert.equal(await toTerms.getAttribute('href'), terms);
    await signOut(ada.page);
    assert.equal(await toTerms.getAttribute('href'), terms);
    assert.equal(await ada.page.getByRole('link', { name: 'Privacy' }).count(), 0);

    await ada.page.getByRole('link', { name: /^Played here before/ }).click();
    await button(ada.page, 'Sign in with a passkey').click();
    await isSignedInAs(ada.page, 'Ada');

    const other = await newPage();
    const synced = await authenticator(other);
    for (const key of await keys.credentials()) await synced.add(key);
    await other.goto('/account');
    await button(other, 'Sign in with a passkey').click();
    await isSignedInAs(other, 'Ada');
    await findsAll(other);
    await other.goto(table);
    const again = new Visitor(other);
    await again.atBoard();
    await again.playOne('press');
  });

  test('a recovery code signs in anywhere, and a device is signed out from afar', async () => {
    const bea = await Visitor.arrive(await newPage(), 'Bea');
    await playRanked(bea.page);
    await toAccount(bea.page);
    await button(bea.page, 'Get a recovery code').click();
    const code = await bea.page.locator('output').innerText();
    assert.equal(code.split('-').length, 8);

    const other = await newPage();
    await other.goto('/account');
    const field = other.getByLabel('Recovery code');
    await field.fill('babab-babab-babab-babab-babab-babab-babab-babab');
    await button(other, 'Sign in').click();
    await other.getByText('That code isn’t right').waitFor();
    site.browser.assertQuiet({ except: /status of 403/ });
    await field.fill(` ${code.toUpperCase().replaceAll('-', ' ')} `);
    await button(other, 'Sign in').click();
    await isSignedInAs(other, 'Bea');
    await findsAll(other);
    const game = new Visitor(other);
    await other.goto('/');
    await game.newGame();

    await bea.page.reload();
    await bea.page.getByRole('button', { name: /^Sign out: / }).click();
    const nobody = other.getByRole('link', { name: /^Playing as/ });
    await nobody.waitFor({ state: 'detached' }); // its stream has ended
    await other.goto('/');
    await other.locator('input#name').waitFor();
    site.browser.assertQuiet({ except: /status of 401/ });
  });

  test('who signs in where a guest has played brings the games along, or leaves them', async () => {
    const { code } = await withCode('Dora');
    const guest = await Visitor.arrive(await newPage(), 'Visitor');
    const { page } = guest;
    const table = new URL(await guest.newGame()).pathname;
    await guest.playOne('press');
    const signInHere = async () => {
      await toAccount(page);
      await page.getByText('Sign in to another account').click();
      await signInWith(page, code, 'Dora');
    };
    await signInHere();
    await question(page, 'Visitor').waitFor();
    await page.getByText('1 game becomes a game of this account.').waitFor();
    await page.getByText('1 of them isn’t over').waitFor();
    await page.reload(); // the question stays until it is answered
    await inspect(guest, looks[2], 'former-guest');
    await button(page, 'Bring them along').click();
    await question(page).waitFor({ state: 'detached' });
    await page.goto(table);
    await guest.atBoard();
    await guest.playOne('press');

    await toAccount(page);
    await signOut(page);
    await page.locator('input#name').fill('Other');
    await page.locator('form button').click();
    await guest.newGame();
    await signInHere();
    await button(page, 'Leave them').click();
    await question(page).waitFor({ state: 'detached' });
  });

  test('a tab that still has the guest follows the player who signed in by another', async () => {
    const { code } = await withCode('Dora');
    const guest = await Visitor.arrive(await newPage(), 'Visitor');
    const { page } = guest;
    const table = await guest.newGame();
    const second = new Visitor(await page.context().newPage());
    await second.page.goto(table);
    await second.atBoard();
    await toAccount(page);
    await page.getByText('Sign in to another account').click();
    await signInWith(page, code, 'Dora');
    await isSignedInAs(second.page, 'Visitor');
    await button(page, 'Bring them along').click();
    await isSignedInAs(second.page, 'Dora');
    await second.atBoard();
    await second.playOne('press');
    await page.reload();
    await isSignedInAs(page, 'Dora');
  });

  test('nobody is asked about a guest but the player who signed in there', async () => {
    const dora = await withCode('Dora');
    const eve = await withCode('Eve');
    const { page } = await Visitor.arrive(await newPage(), 'Visitor');
    const toOther = async () => {
      await toAccount(page);
      await page.getByText('Sign in to another account').click();
      await signInWith(page, dora.code, 'Dora');
    };
    const endFromAfar = async () => {
      await dora.page.reload();
      await dora.page.getByRole('button', { name: /^Sign out: / }).click();
      await dora.page.getByRole('button', { name: /^Sign out: / }).waitFor({ state: 'detached' });
      await page.goto('/account');
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    };
    const hasNoQuestion = async () => {
      await button(page, 'Sign out').waitFor();
      assert.equal(await question(page).count(), 0);
    };
    await toOther();
    await question(page, 'Visitor').waitFor();
    await endFromAfar();
    await page.goto('/');
    await page.locator('input#name').fill('Other');
    await page.locator('form button').click();
    await toAccount(page);
    await hasNoQuestion();
    await page.goto('/');
    await toOther();
    await question(page, 'Visitor').waitFor();
    await button(page, 'Leave them').click();
    await question(page, 'Other').waitFor();

    await page.evaluate(() => {
      const [guest] = JSON.parse(localStorage.getItem('tesela.guest'));
      const guests = JSON.stringify([{ ...guest, expiresAtMs: Date.now() }]);
      localStorage.setItem('tesela.guest', guests);
    });
    await page.reload();
    await hasNoQuestion();
    await endFromAfar();
    await signInWith(page, eve.code, 'Eve');
    await toAccount(page);
    await hasNoQuestion();
    assert.equal(await page.evaluate(() => localStorage.getItem('tesela.guest')), null);
    site.browser.assertQuiet({ except: /status of 401/ });
  });

  test('a guest who removes the only way to sign in is told what that costs', async () => {
    const cem = await Visitor.arrive(await newPage(), 'Cem');
    await authenticator(cem.page);
    await toAccount(cem.page);
    await button(cem.page, 'Keep it with a passkey').click();
    await cem.page.getByRole('button', { name: /^Remove: / }).click();
    await cem.page.getByRole('dialog').getByText('only way to sign in').waitFor();
    await cem.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await cem.page.getByRole('heading', { name: 'Keep your account' }).waitFor();
  });

  test('a member takes a handle, is found by it, and hides the page', async () => {
    const { page } = await Visitor.arrive(await newPage(), 'Dan');
    await toAccount(page);
    await page.getByText('Keep your account first').waitFor();
    await button(page, 'Get a recovery code').click();
    await page.getByLabel('Handle').fill('admin');
    await button(page, 'Take this name').click();
    await page.getByRole('alert').waitFor();
    site.browser.assertQuiet({ except: /status of 400/ });
    await page.getByLabel('Handle').fill('Dan_1');
    await button(page, 'Take this name').click();
    await isSignedInAs(page, '@Dan_1');
    const game = new Visitor(page);
    await page.goto('/');
    await game.newGame();
    await game.playOne('press');
    await toAccount(page);
    await page.getByRole('link', { name: 'Your page' }).click();
    await page.getByRole('heading', { name: '@Dan_1', level: 1 }).waitFor();
    await page.getByText('This is what others see of you.').waitFor();
    assert.equal(new URL(page.url()).pathname, '/@Dan_1');

    const { page: other } = await Visitor.arrive(await newPage(), 'Eve');
    await other.goto('/player');
    await other.getByLabel('How the handle begins').fill('@dan');
    await button(other, 'Search').click();
    await other.getByRole('link', { name: '@Dan_1' }).click();
    await other.getByRole('heading', { name: '@Dan_1', level: 1 }).waitFor();
    await other.getByText('No finished games yet.').waitFor();
    await inspect(new Visitor(other), looks[2], 'player');

    await page.goto('/account');
    const hidden = page.waitForResponse(/SetAudience/);
    await page.getByLabel('Who may see your page').selectOption('Only you');
    await hidden;
    await other.reload();
    await other.getByText('This player doesn’t show this page.').waitFor();
    site.browser.assertQuiet({ except: /status of 403/ });
  });
});
