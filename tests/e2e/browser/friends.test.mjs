// Following, challenging and blocking on the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { describeSite } from './page/site.mjs';

const still = { reducedMotion: 'reduce' };

describeSite('friends', {}, (site) => {
  const arrive = async (name) => AzulVisitor.arrive(await site.newPage(still), name);
  const button = ({ page }, name) => page.getByRole('button', { name, exact: true });
  const link = ({ page }, name) => page.getByRole('link', { name, exact: true });
  const heading = ({ page }, name) => page.getByRole('heading', { name }).waitFor();
  const idOf = ({ page }) =>
    page.evaluate(() => JSON.parse(localStorage['tesela.player']).playerId);

  test('a challenge by link is answered without an account, and played', async () => {
    const ada = await arrive('Ada');
    await ada.page.goto('/friends');
    await link(ada, 'Challenge by link').click();
    await heading(ada, 'A challenge by link');
    await button(ada, 'Send challenge').click();
    const field = ada.page.getByLabel('Link of the challenge');
    const challenge = await field.inputValue();
    assert.match(challenge, /\/challenge#[\w-]{22}$/);
    await ada.page.goto(challenge);
    await ada.page.getByText('This is your challenge.').waitFor();
    const bea = new AzulVisitor(await site.newPage(still));
    await bea.page.goto(challenge);
    await heading(bea, 'Ada challenges you');
    await bea.page.locator('#name').fill('Bea');
    await bea.page.keyboard.press('Enter');
    await bea.atTable();
    await ada.page.goto('/friends');
    await link(ada, 'Go to table').click();
    await ada.atTable();
    assert.equal(ada.page.url(), bea.page.url());
    const late = new AzulVisitor(await site.newPage(still));
    await late.page.goto(challenge);
    await late.page.getByText('This challenge was answered already.').waitFor();
  });

  test('who is followed is seen there, is challenged, and answers', async () => {
    const [ada, bea] = [await arrive('Ada'), await arrive('Bea')];
    await bea.page.goto('/friends');
    await heading(bea, 'You follow');
    await ada.page.goto(`/player/${await idOf(bea)}`);
    await button(ada, 'Follow').click();
    await button(ada, 'Unfollow').waitFor();
    await ada.page.goto('/friends');
    await ada.page.getByText('here now').waitFor();
    await link(ada, 'Challenge Bea').click();
    await heading(ada, 'A challenge to Bea');
    await button(ada, 'Send challenge').click();
    await ada.page.getByText('You challenge Bea').waitFor();
    await bea.page.goto('/games');
    await bea.page.locator('nav').getByText('1 challenge').waitFor();
    await link(bea, 'Friends and challenges 1 challenge').click();
    await bea.page.getByText('Ada challenges you').waitFor();
    await site.browser.assertAccessible?.(bea.page);
    await button(bea, 'Accept and play').click();
    await bea.atTable();
  });

  test('who is blocked is listed, and let in again', async () => {
    const [ada, bea] = [await arrive('Ada'), await arrive('Bea')];
    await ada.page.goto(`/player/${await idOf(bea)}`);
    await button(ada, 'Block').click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await button(ada, 'Unblock').waitFor();
    await bea.page.goto(`/friends/challenge/${await idOf(ada)}`);
    await button(bea, 'Send challenge').click();
    await bea.page.getByText('This player takes no challenges from you.').waitFor();
    site.browser.assertQuiet({ except: /status of 403/ });
    await ada.page.goto('/friends');
    await button(ada, 'Unblock Bea').click();
    await heading(ada, 'You follow');
    await button(ada, 'Unblock Bea').waitFor({ state: 'detached' });
  });
});
