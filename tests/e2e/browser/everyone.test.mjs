// The page for everyone: by keyboard alone, by ear, on a phone, in dark and light, in both
// languages.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { before, test } from 'node:test';
import { Phrase } from '../gen/tesela/play/v1/talk_pb.js';
import { bearer, lobbyOf, signIn } from '../harness/lobby.mjs';
import { Stream } from '../harness/stream.mjs';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone, shots } from './page/chromium.mjs';
import { GridVisitor } from './page/grid_visitor.mjs';
import { inspect, looks } from './page/inspect.mjs';
import { describeSite } from './page/site.mjs';
import { directions, Visitor } from './page/visitor.mjs';

/** Whose name, words and clock lie over one another in the bar of seats. */
const hiddenInBar = (page) =>
  page.locator('.bar li').evaluateAll((seats) => {
    const partsOf = (seat) =>
      [...seat.querySelectorAll('.name, .words:not(:empty), .clock')].map((part) =>
        part.getBoundingClientRect(),
      );
    const meet = (a, b) =>
      a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
    const hides = (parts) => parts.some((a, at) => parts.slice(at + 1).some((b) => meet(a, b)));
    return seats.filter((seat) => hides(partsOf(seat))).map((seat) => seat.textContent);
  });

// Seats are filled through the lobby, without streams, and nobody claims the game.
const options = ['--come-within', '0s', '--claim-after', '1d'];

describeSite('the page is for everyone', { options }, (site) => {
  before(() => mkdir(shots, { recursive: true }));

  for (const look of looks) {
    test(`every screen, ${look.name}`, async () => {
      const page = await site.newPage(look);
      const ada = new Visitor(page);
      await page.goto('/');
      await page.locator('.games-now button').first().waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), look.language.slice(0, 2));
      await inspect(ada, look, 'sign-in');

      await Visitor.arrive(page);
      await ada.choose('2048');
      await page.locator('input[value=own]').check();
      await page.locator('.none').first().waitFor();
      await inspect(ada, look, 'lobby');

      await ada.newGame({ size: 4 });
      for (let move = 0; move < 12; move += 1) await ada.playOne('press');
      await ada.drawn();
      await ada.hint();
      await inspect(ada, look, 'play');

      const stranger = new Visitor(await site.newPage(look));
      await stranger.page.goto(page.url());
      await stranger.page.locator('.watching', { hasText: 'Ada' }).waitFor();
      await inspect(stranger, look, 'spectator');
      await page.locator('.player').click();
      await page.locator('main summary').waitFor(); // a guest may take another account
      await inspect(ada, look, 'account');

      await page.goto('/');
      await page.locator('ul a').first().waitFor();
      await ada.newGame({ size: 2 });
      await ada.playToTheEnd('press');
      await ada.drawn();
      await inspect(ada, look, 'over');

      await page.goto('/t/0000000000000');
      await page.locator('main h1:not(.visually-hidden)').waitFor();
      await inspect(ada, look, 'missing');
    });
  }

  // One look of each size and theme.
  for (const look of looks.slice(1)) {
    test(`every game, ${look.name}`, async () => {
      const page = await site.newPage({ ...look, reducedMotion: 'reduce' });
      const ada = await GridVisitor.arrive(page);
      await ada.start('2248', 8, 5);
      const [first, second] = await ada.pair();
      await ada.touch(first);
      await ada.touch(second);
      await inspect(ada, look, '2248');
      await page.goto('/');
      await ada.start('samegame', 10, 10, { third: 4 });
      await ada.hint();
      await inspect(ada, look, 'samegame');

      const azul = new AzulVisitor(page);
      await page.goto('/');
      const tableId = (await azul.createTable(4, { ticked: ['open'] })).split('/t/')[1];
      await inspect(azul, look, 'waiting');
      for (const name of ['Bea', 'Constantin', 'Dora']) {
        const { token } = await signIn(site.server, name);
        await lobbyOf(site.server).joinTable({ tableId }, bearer(token));
      }
      await azul.atTable();
      if (await azul.mayTake()) await azul.hint();
      await inspect(azul, look, 'azul');
    });
  }

  for (const look of looks) {
    test(`a table of four people, ${look.name}`, async () => {
      const page = await site.newPage({ ...look, reducedMotion: 'reduce' });
      const ada = await AzulVisitor.arrive(page);
      await ada.choose('azul');
      await inspect(ada, look, 'against-bots');
      await page.locator('input[name=opponents][value=friends]').check();
      await page.locator('.options summary').click();
      await page.locator('select[name=clock]').selectOption('own');
      await inspect(ada, look, 'table-options');
      await page.locator('.options summary').click();
      const link = await ada.createTable(4, { clock: 'own', gameMinutes: 5 });
      const [tableId, invite] = link.split('/t/')[1].split('#');
      const streams = [];
      for (const name of ['Bea', 'Constantin der Große', 'Dora']) {
        const { token } = await signIn(site.server, name);
        if (name === 'Dora') await inspect(ada, look, 'private-waiting');
        await lobbyOf(site.server).joinTable({ tableId, invite }, bearer(token));
        if (name === 'Dora') continue;
        const stream = await Stream.open(site.server, tableId, { token });
        stream.send({
          case: 'say',
          value: { what: { case: 'phrase', value: Phrase.GOOD_LUCK } },
        });
        streams.push(stream);
      }
      await ada.atTable();
      await page.locator('.bar li[data-presence=away]', { hasText: 'Dora' }).waitFor();
      await page.locator('.bar .clock').nth(3).waitFor();
      assert.deepEqual(await hiddenInBar(page), []);
      await inspect(ada, look, 'people');
      if (look.isMobile) {
        await page.locator('.bar button').tap();
        await page.locator('#talk .lines p').nth(1).waitFor();
        await inspect(ada, look, 'people-talk');
        await page.locator('[aria-controls=talk-body]').tap(); // it lies over the table
      }
      await page
        .getByRole('button', { name: /^(Resign|Abandonar|Aufgeben)$/ })
        .first()
        .click();
      await inspect(ada, look, 'resign');
      await page.locator('dialog[open] .button:not(.primary)').click();
      await page.locator('.bar li.own[data-presence=resigned]').waitFor();
      await inspect(ada, look, 'resigned');
      await Promise.all(streams.map((stream) => stream.close()));
    });
  }

  test('every tile has enough contrast, up to the largest', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 4 });
    const contrasts = await ada.page.evaluate(() => {
      const luminance = (colour) => {
        const [red, green, blue] = colour.match(/\d+/g).map((part) => {
          const share = part / 255;
          return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const tile = document.querySelector('.tile');
      const face = getComputedStyle(tile.firstElementChild);
      return Array.from({ length: 17 }, (_, index) => {
        tile.dataset.colour = String(index + 1);
        const [low, high] = [luminance(face.color), luminance(face.backgroundColor)].sort(
          (a, b) => a - b,
        );
        return (high + 0.05) / (low + 0.05);
      });
    });
    for (const [index, contrast] of contrasts.entries()) {
      assert.ok(contrast >= 4.5, `${2 ** (index + 1)} has ${contrast.toFixed(2)}`);
    }
  });

  test('with the keyboard alone, from the name to a game that is over', async () => {
    const page = await site.newPage();
    const keys = page.keyboard;
    const ada = new Visitor(page);
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        const ring = getComputedStyle(element).outlineStyle !== 'none';
        return {
          name: element.id || element.value || element.textContent.trim(),
          ring,
        };
      });
    const tabTo = async (name) => {
      for (let steps = 0; steps < 25; steps += 1) {
        await keys.press('Tab');
        const { name: here, ring } = await focused();
        if (here === name)
          return assert.ok(ring || name === 'own' || name === 'classic', `${name} shows no focus`);
      }
      assert.fail(`Tab does not reach ${name}`);
    };

    await page.goto('/');
    await tabTo('name');
    await keys.type('Ada');
    await keys.press('Enter');
    await page.locator('.games').waitFor();
    await tabTo('azul');
    await keys.press('ArrowRight');
    await tabTo('classic');
    await keys.press('ArrowRight');
    await keys.press('ArrowRight');
    await keys.press('Tab');
    await keys.type('2');
    await tabTo('Play 2048');
    await keys.press('Enter');
    await ada.atBoard();
    assert.equal((await focused()).name, 'board');
    assert.equal((await ada.board()).length, 4);

    await ada.playToTheEnd('press');
    assert.equal((await focused()).name, 'Play again');
    await keys.press('Enter');
    await page.locator('.pad').waitFor();
    await ada.atBoard();
    assert.equal((await focused()).name, 'board');
  });

  test('by ear: every move is said, and a move that is not possible too', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 3 });
    const said = ada.page.locator('.said');
    let merged = false;
    let blocked = false;
    while (!(await ada.isOver())) {
      const offered = await ada.offered();
      const impossible = directions.find((direction) => !offered.includes(direction));
      if (impossible) {
        blocked = true;
        await ada.press(impossible);
        await ada.page.getByText(`Cannot move ${impossible.toLowerCase()}`).waitFor();
      }
      const score = await ada.score();
      const direction = await ada.playOne('press');
      const sentence = await said.textContent();
      const written = (await ada.page.locator('dl > div:nth-child(1) dd').textContent()).trim();
      assert.match(
        sentence,
        new RegExp(`^Moved ${direction.toLowerCase()}, .*score ${written}\\.`),
      );
      assert.match(sentence, /new [24] in row [123], column [123]/);
      if ((await ada.score()) > score) {
        merged = true;
        assert.match(sentence, /merged (\d+) and \1 to \d+/);
      }
    }
    assert.match(await said.textContent(), /Game over$/);
    assert.ok(merged && blocked, 'the game had no merge, or no move that was not possible');
    const grid = ada.page.getByRole('grid', { name: 'Board, 3 by 3' });
    assert.equal(await grid.getByRole('row').count(), 3);
  });

  test('whoever wants less motion gets none', async () => {
    const ada = await Visitor.arrive(await site.newPage({ reducedMotion: 'reduce' }));
    await ada.newGame({ size: 4 });
    await ada.playOne('press');
    assert.equal(await ada.page.evaluate(() => document.getAnimations().length), 0);
    assert.deepEqual(await ada.drawn(), await ada.board());
  });

  test('a name is cut only where there is no room, and no label touches another', async () => {
    const page = await site.newPage({ ...phone, language: 'de-DE' });
    await Visitor.arrive(page, 'Bernadette L.');
    const widths = await page
      .locator('header .who')
      .evaluate((who) => [who.scrollWidth, who.clientWidth]);
    assert.ok(widths[0] <= widths[1], `${widths}`);
    await page.setViewportSize({ width: 320, height: 568 });
    for (const language of ['de', 'es', 'en']) {
      await page.locator('header select').selectOption(language);
      const gaps = await page.locator('nav a > span:first-of-type').evaluateAll((labels) => {
        const boxes = labels.map((label) => {
          const text = document.createRange();
          text.selectNodeContents(label);
          return text.getBoundingClientRect();
        });
        return boxes.slice(1).map(({ left }, index) => left - boxes[index].right);
      });
      assert.ok(Math.min(...gaps) >= 2, `${language}: ${gaps}`);
    }
  });

  test('language and theme are chosen on the page, and remembered', async () => {
    const page = await site.newPage();
    await page.goto('/');
    await page.getByLabel('Language').selectOption('es');
    await page.getByRole('heading', { name: 'Cuatro juegos de fichas' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'es');
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    const theme = page.getByRole('button', { name: /^Tema/ });
    await theme.click();
    await theme.click();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.reload();
    await page.getByRole('heading', { name: 'Cuatro juegos de fichas' }).waitFor();
    assert.equal(await background(), dark);
  });
});
