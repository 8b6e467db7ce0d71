// From the first page to a game: one way to play, with or without a name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';

describeSite('one way to play', { options: ['--bot-pace', '0ms'] }, (site) => {
  const choose = (page, name, value) =>
    page.locator(`input[name=${name}][value="${value}"]`).check();

  test('a newcomer plays with one tap, and needs no name', async () => {
    const page = await site.newPage(phone);
    await page.goto('/');
    await page.getByRole('button', { name: 'Play now: Azul' }).click();
    const ada = new AzulVisitor(page);
    await ada.atTable();
    await ada.offers().first().waitFor();
    await ada.playOne();
    assert.match(await page.evaluate(() => localStorage.getItem('tesela.player')), /Guest \d{4}/);
  });

  test('a name may be left empty', async () => {
    const page = await site.newPage();
    await page.goto('/');
    await page.getByRole('button', { name: 'Start playing' }).click();
    await page.getByRole('link', { name: /^Playing as Guest \d{4}/ }).waitFor();
  });

  test('the card is the choice, and one Play obeys players and level', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage());
    assert.equal(await ada.page.getByRole('button', { name: /^Play/ }).count(), 1);
    await ada.page.locator('label.game', { hasText: 'Azul' }).click();
    await choose(ada.page, 'players', 4);
    await ada.page.locator('select[name=level]').selectOption('3');
    await ada.page.locator('button.play').click();
    await ada.atTable();
    assert.equal(await ada.page.locator('.board').count(), 4);
    const bots = ada.page.locator('.bar li[data-presence=bot]');
    assert.equal(await bots.count(), 3);
    await bots.locator('.words', { hasText: 'bot · Medium' }).nth(2).waitFor();
  });

  test('two widths, and a menu that a long name does not move', async () => {
    const short = await AzulVisitor.arrive(await site.newPage(), 'A');
    const long = await AzulVisitor.arrive(await site.newPage(), 'Constantin der Große II.');
    const places = ({ page }) =>
      page
        .locator('header nav a')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().x));
    assert.deepEqual(await places(long), await places(short));
    const widths = new Set();
    for (const place of ['/', '/find', '/daily', '/boards', '/games', '/account']) {
      await short.page.goto(place);
      await short.page.locator('main h1').first().waitFor();
      const parts = short.page.locator('header, main > :is(.page, .lobby)');
      const inner = await parts.evaluateAll((all) =>
        all.map((one) => {
          const { paddingLeft, paddingRight } = getComputedStyle(one);
          return one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        }),
      );
      for (const width of inner) widths.add(width);
    }
    assert.deepEqual([...widths].sort(), [1248, 640]);
  });

  test('bots have names of people, never those of strategies', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage());
    await ada.createTable(4);
    for (const strategy of ['uct', 'greedy', 'novice']) await ada.addBots(1, strategy);
    await ada.atTable();
    const text = await ada.page.locator('main').innerText();
    assert.doesNotMatch(text, /uct|greedy|novice|safe/);
    for (const name of ['Lucía', 'Greta', 'Nina']) assert.ok(text.includes(name), name);
    await ada.page.locator('a.home').click();
    await ada.page.locator('.mine li').first().waitFor();
    assert.doesNotMatch(await ada.page.locator('.mine').innerText(), /uct|greedy|novice/);
  });

  test('people online: the search begins at once, with what was chosen', async () => {
    const both = [];
    for (const name of ['Ada', 'Bea']) {
      const visitor = await AzulVisitor.arrive(await site.newPage(), name);
      await visitor.choose('azul');
      await choose(visitor.page, 'opponents', 'people');
      await choose(visitor.page, 'find-pace', 'quick');
      await visitor.page.getByText('20 seconds per move.').waitFor();
      await visitor.page.locator('select[name=level]:not([disabled])').waitFor();
      await visitor.page.getByRole('button', { name: 'Find opponents', exact: true }).click();
      both.push(visitor);
    }
    await Promise.all(both.map((visitor) => visitor.atTable()));
    assert.equal(both[0].page.url(), both[1].page.url());
    await both[0].page.getByText('20 s per move').first().waitFor();
  });

  test('friends: who opens the link sits down with one tap', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage());
    const link = await ada.createTable(2);
    const page = await site.newPage(phone);
    await page.goto(link);
    await page.getByRole('button', { name: 'Take a seat' }).click();
    await new AzulVisitor(page).atTable();
    await ada.atTable();
  });

  test('what was chosen is there again at the next visit', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage());
    await ada.choose('azul');
    await ada.page.locator('select[name=level]').selectOption('1');
    await ada.page.reload();
    await ada.page.locator('select[name=level]:not([disabled])').waitFor();
    assert.equal(await ada.page.locator('select[name=level]').inputValue(), '1');
  });
});
