// Finding opponents from the page: strangers who meet, friends who come together, and nobody.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';

describeSite('finding opponents', { options: ['--bot-pace', '0ms'] }, (site) => {
  /** Somebody on the screen of the search, who plays with people only unless told otherwise. */
  async function seeker(name, { after = '0', mode = 'casual', look } = {}) {
    const visitor = await AzulVisitor.arrive(await site.newPage(look), name);
    await visitor.page.locator('nav a[href="/find"]').click();
    await visitor.page.locator(`input[name=mode][value=${mode}]`).check();
    await visitor.page.locator('form select').first().selectOption(after);
    return visitor;
  }

  const search = ({ page }) => page.getByRole('button', { name: /^(Find a game|Buscar)/ }).click();
  const stands = ({ page }, text) => page.locator('.stands', { hasText: text }).waitFor();

  /** Who of the group has come. */
  const here = ({ page }, text) => page.getByText(text, { exact: true }).waitFor();

  test('two strangers meet and play; both find the promise of the dice later', async () => {
    const [ada, bea] = [await seeker('Ada'), await seeker('Bea', { look: phone })];
    await search(ada);
    await stands(ada, 'You’re next in line');
    assert.match(await ada.page.title(), /^Searching/);
    await search(bea);
    await Promise.all([ada.atTable(), bea.atTable()]);
    assert.equal(ada.page.url(), bea.page.url());
    const first = (await ada.mayTake()) ? ada : bea;
    await first.playOne();
    const second = first === ada ? bea : ada;
    await second.page.locator('button[data-offer]').first().waitFor();
    const promises = await ada.page.evaluate(() => localStorage.getItem('tesela.promises'));
    const [[, note]] = Object.entries(JSON.parse(promises));
    assert.ok(note.commitment && note.contribution && note.contributedAfter);
    assert.equal(note.version, 0);
  });

  test('the line moves: whoever cancels makes room, and the form is there again', async () => {
    const all = [];
    for (const name of ['Cem', 'Dora']) {
      const visitor = await seeker(name);
      await visitor.page.locator('input[name=players][value="4"]').check();
      await search(visitor);
      await visitor.page.locator('.stands', { hasText: /next|number/ }).waitFor();
      all.push(visitor);
    }
    const [cem, dora] = all;
    await stands(dora, 'You’re number 2 in line');
    await cem.page.getByRole('button', { name: 'Cancel' }).click();
    await stands(dora, 'You’re next in line');
    const again = cem.page.getByRole('button', { name: 'Find a game' });
    await again.and(cem.page.locator(':focus')).waitFor();
    await dora.page.locator('nav a[href="/"]').click();
    await dora.page.locator('.games').waitFor();
  });

  test('bots come when nobody does, on a ranked table', async () => {
    const ada = await seeker('Ada', { after: '15', mode: 'ranked' });
    await search(ada);
    await ada.page.getByText(/Bots join in 1\d\ssec/).waitFor();
    await ada.page.locator('.azul .ring').waitFor({ timeout: 25_000 });
    await ada.atTable();
  });

  test('friends come together by a link', async () => {
    const ada = await seeker('Ada');
    await ada.page.locator('input[name=players][value="2"]').check();
    await ada.page.locator('summary').click();
    await ada.page.getByRole('button', { name: 'Create a group' }).click();
    const link = await ada.page.locator('#party-link').inputValue();
    assert.equal(link, ada.page.url());
    await ada.page.getByRole('button', { name: 'I’m ready' }).click();
    await stands(ada, '1 of 2 ready');
    await here(ada, 'Here: Ada');

    const bea = new AzulVisitor(await site.newPage({ ...phone, language: 'es-ES' }));
    await bea.page.goto(link);
    await bea.page.getByText('Azul · 2 jugadores · Amistosa').waitFor();
    await bea.page.locator('#name').fill('Bea');
    await bea.page.locator('form button').click();
    await bea.page.getByRole('button', { name: 'Estoy listo' }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    assert.equal(ada.page.url(), bea.page.url());
  });

  test('a member who leaves ends the search of the party; a broken link says so', async () => {
    const ada = await seeker('Ada');
    await ada.page.locator('input[name=players][value="3"]').check();
    await ada.page.locator('summary').click();
    await ada.page.locator('input[name=party-size][value="3"]').check();
    await ada.page.getByRole('button', { name: 'Create a group' }).click();
    const link = await ada.page.locator('#party-link').inputValue();
    const bea = await AzulVisitor.arrive(await site.newPage(), 'Bea');
    await bea.page.goto(link);
    for (const { page } of [ada, bea]) {
      await page.getByRole('button', { name: 'I’m ready' }).click();
      await page.locator('.stands', { hasText: /1 of 3|2 of 3/ }).waitFor();
    }
    await stands(ada, '2 of 3 ready');
    for (const friend of [ada, bea]) await here(friend, 'Here: Ada and Bea');
    await bea.page.getByRole('button', { name: 'Cancel' }).click();
    await ada.page.getByText('Someone left your group').waitFor();
    await ada.page.goto('/party/nothing');
    await ada.page.getByRole('heading', { name: 'Invalid group link' }).waitFor();
  });

  test('a second window takes the search over', async () => {
    const ada = await seeker('Ada');
    await ada.page.locator('input[name=players][value="3"]').check();
    await search(ada);
    await stands(ada, 'You’re next in line');
    const second = await ada.page.context().newPage();
    await second.goto('/find');
    await second.locator('input[name=players][value="3"]').check();
    await second.locator('form select').first().selectOption('0');
    await search({ page: second });
    await stands({ page: second }, 'You’re next in line');
    await ada.page.getByText('You’re searching in another window').waitFor();
  });
});
