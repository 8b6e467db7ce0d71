// Opponents who stay away, and tables found by their pace, in Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';

const still = { reducedMotion: 'reduce' };
const options = ['--bot-pace', '20ms', '--claim-after', '6s'];

describeSite('opponents who stay away', { options }, (site) => {
  const arrive = async (name, look) =>
    AzulVisitor.arrive(await site.newPage({ ...still, ...look }), name);
  const button = ({ page }, name) => page.getByRole('button', { name, exact: true });

  /** Ada at a table of two that Bea has left; `look` is that of Ada's page. */
  async function left(look) {
    const [ada, bea] = [await arrive('Ada', look), await arrive('Bea')];
    await ada.createTable(2);
    await bea.page.goto(await ada.page.locator('#share').inputValue());
    await button(bea, 'Take a seat').click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    await bea.page.close();
    await ada.page.getByText(/^Bea is away. You can claim the game in [1-6]\ssec\.$/).waitFor();
    await ada.page.getByText('Bea hasn’t come back.').waitFor();
    assert.equal(await ada.page.getByText('Bea is thinking').count(), 0);
    return ada;
  }

  test('the win is claimed, and the replay says how', async () => {
    const ada = await left();
    await button(ada, 'Claim the win').click();
    await ada.page.getByText('You won!').first().waitFor();
    await ada.page.locator('.news', { hasText: 'Bea was away: Ada claimed the game.' }).waitFor({
      state: 'attached',
    });
    assert.equal(await ada.page.getByText('Bea hasn’t come back.').count(), 0);
    for (const visit of ['now', 'later']) {
      if (visit === 'later') await ada.page.reload();
      const over = ada.page.locator('.over.card');
      await over.getByText('Bea left: the game was claimed.').waitFor();
      assert.doesNotMatch(await ada.page.locator('main').innerText(), /resign/i, visit);
    }
    const tableId = new URL(ada.page.url()).pathname.split('/')[2];
    await ada.page.goto(`/replay/${tableId}/2`);
    await ada.page.getByText('Bea was away, and the win was claimed').waitFor();
  });

  test('a bot plays on, on a phone', async () => {
    const ada = await left(phone);
    assert.equal(await ada.sidewaysScroll(), 0);
    await button(ada, 'Let a bot play').tap();
    await ada.page.locator('.bar li[data-presence=stand_in]').waitFor();
    assert.equal(await ada.page.getByText('Bea hasn’t come back.').count(), 0);
  });

  test('a game that bots have finished for somebody is no victory', async () => {
    const ada = await left();
    await button(ada, 'Let a bot play').click();
    await ada.page.locator('.bar li[data-presence=stand_in]').waitFor();
    while (!(await ada.isOver())) {
      if (await ada.mayTake()) await ada.playOne();
      else await ada.page.waitForTimeout(20);
    }
    const over = ada.page.locator('.over.card');
    await over.getByText('Bots finished the game for Bea.').waitFor();
    const headline = await over.locator('h2').textContent();
    assert.match(headline, /^(You finished first\.|Bea won|Ada and Bea share the win)$/);
    await ada.page.goto('/games/finished');
    const outcome = await ada.page.locator('li[data-table] .outcome').first().textContent();
    assert.match(outcome, /^Place [12] of 2 · /);
  });

  test('one may wait on', async () => {
    const ada = await left();
    await button(ada, 'Keep waiting').click();
    await ada.page.getByText('Bea hasn’t come back.').waitFor({ state: 'detached' });
    assert.equal(await ada.page.locator('.bar li[data-presence=away]').count(), 1);
  });

  test('a table that is found has the clock of its pace', async () => {
    const ada = await arrive('Ada');
    await ada.page.locator('nav a[href="/find"]').click();
    await ada.page.locator('input[name=find-pace][value=quick]').check();
    await ada.page.getByText('20 seconds per move.').waitFor();
    await ada.page.locator('form select').first().selectOption('15');
    await ada.page.getByRole('button', { name: 'Find a game' }).click();
    await ada.page.getByText(/Quick/).first().waitFor();
    // Bots come after a quarter of a minute.
    await ada.page.locator('.azul .ring').waitFor({ timeout: 45_000 });
    await ada.atTable();
    await ada.page
      .getByText(/20 s per move/)
      .first()
      .waitFor();
  });
});
