// Azul in Chromium: a table from the lobby, two browsers to the end, by mouse, by finger, by keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HistoryService } from '../gen/tesela/lobby/v1/history_pb.js';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';

const still = { reducedMotion: 'reduce' };

/** How many tiles each row of a wall has, out of what AzulVisitor.boards says of a board. */
function tiledRows(pieces) {
  const cells = pieces.map((piece) => (parseInt(piece) % 100) - 25).filter((cell) => cell >= 0);
  return [0, 1, 2, 3, 4].map(
    (row) => cells.filter((cell) => cell < 25 && Math.floor(cell / 5) === row).length,
  );
}

describeSite('Azul in the browser', { options: ['--bot-pace', '50ms'] }, (site) => {
  /** Two people at one table; the first has made it, the second joined in the lobby. */
  async function couple(options = {}) {
    const ada = await AzulVisitor.arrive(await site.newPage(options), 'Ada');
    const bea = await AzulVisitor.arrive(await site.newPage(still), 'Bea');
    await ada.createTable(2, { ticked: ['open'] });
    await bea.page.getByRole('button', { name: 'Join Ada’s table' }).first().click();
    await ada.atTable();
    await bea.atTable();
    return { ada, bea };
  }

  /** Whoever may take tiles; undefined when the game is over. */
  async function onTurn(players) {
    for (;;) {
      for (const player of players) {
        if (await player.mayTake()) return player;
        if (await player.isOver()) return undefined;
      }
    }
  }

  test('two browsers finish a game that was made and joined in the lobby', async () => {
    const { ada, bea } = await couple(still);
    for (let player; (player = await onTurn([ada, bea]));) await player.playOne();
    await ada.page.locator('.over.card').waitFor();
    await bea.page.locator('.over.card').waitFor();
    assert.deepEqual(await ada.boards(), await bea.boards());
    const rows = async (visitor) => visitor.page.locator('.over tbody tr').allTextContents();
    assert.equal((await rows(ada)).length, 2);
    assert.deepEqual(await rows(ada), await rows(bea));
  });

  test('a game in which nobody tiles ends after three rounds, and says why', async () => {
    const { ada, bea } = await couple(still);
    for (let player; (player = await onTurn([ada, bea]));) {
      await player.offers().first().click();
      await player.page.locator('button.floor').click();
      await player.page.locator('button[data-target]').first().waitFor({ state: 'detached' });
    }
    for (const { page } of [ada, bea]) {
      const card = page.locator('.over.card');
      await card.getByText('No tile reached a wall for three rounds').waitFor();
      const said = page.locator('.said', {
        hasText: 'Game over: No tile reached a wall',
      });
      assert.equal(await said.count(), 1);
    }
  });

  /** Ada on her first turn, with Bea who plays whatever comes before it. */
  async function onFirstTurn(options) {
    const { ada, bea } = await couple(options);
    if ((await onTurn([ada, bea])) === bea) await bea.playOne();
    await ada.offers().first().waitFor();
    return { ada, bea };
  }

  const held = (visitor) => visitor.page.locator('.own .line svg.piece, .own .floor svg.piece');

  test('tiles are dragged to a line, and dropped elsewhere they go back', async () => {
    const { ada } = await onFirstTurn();
    const { mouse } = ada.page;
    const centre = async (locator) => {
      const { x, y, width, height } = await locator.boundingBox();
      return [x + width / 2, y + height / 2];
    };
    await mouse.move(...(await centre(ada.offers().first())));
    await mouse.down();
    await mouse.move(200, 640, { steps: 4 });
    assert.equal(await ada.page.locator('.carried svg').count(), 1);
    await mouse.up();
    assert.equal(await ada.lines().count(), 0, 'nothing is in hand');

    await mouse.move(...(await centre(ada.offers().first())));
    await mouse.down();
    await mouse.move(400, 400, { steps: 3 });
    await mouse.move(...(await centre(ada.lines().last())), { steps: 3 });
    await mouse.up();
    await held(ada).first().waitFor();
  });

  test('with a finger: a tap takes, a second tap places; the page does not scroll', async () => {
    const { ada } = await onFirstTurn(phone);
    await ada.offers().first().tap();
    await ada.lines().last().tap();
    await held(ada).first().waitFor();
    assert.equal(await ada.page.evaluate(() => scrollY), 0);
  });

  test('with keys alone: arrows, digits and letters choose, Escape puts back', async () => {
    const { ada } = await onFirstTurn();
    const keys = ada.page.keyboard;
    const focused = (name) =>
      ada.page.waitForFunction((wanted) => {
        // Until another is focused the body or the main part is, and its text is that of all.
        const { activeElement: element } = document;
        const label = element.getAttribute('aria-label') ?? element.textContent;
        return element.matches('button') && label.includes(wanted);
      }, name);
    const places = await ada
      .offers()
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    const display = places.at(-1).match(/\d+/)[0];
    await keys.press(display);
    await focused(`Factory ${display}`);
    await keys.press('Enter');
    await focused('Line 1');
    const own = ada.page.getByRole('region', { name: 'Your board' });
    await own.getByText(/^Line 1: empty, 1 space/).waitFor({ state: 'attached' });
    await keys.press('Escape');
    await focused(`Factory ${display}`);
    await keys.press('Enter');
    await focused('Line 1');
    await keys.press('ArrowDown');
    await focused('Line 2');
    await keys.press('f');
    await focused('Floor');
    await keys.press('5');
    await focused('Line 5');
    await keys.press('Enter');
    const said = ada.page.locator('.said', { hasText: /^You: / });
    await said.waitFor();
    assert.match(await said.textContent(), /^You: \d \w+ from (factory \d|the centre) to line 5\./);
  });

  test('tiles that no line takes can only go to the floor, and the page says so', async () => {
    const { ada, bea } = await couple({ reducedMotion: 'reduce' });
    assert.equal(await ada.page.getByLabel('Bot speed').count(), 0, 'no bot sits here');
    const now = ada.page.locator('.status .now');
    // Whoever fills the uppermost lines has soon no place for many colours.
    let found = false;
    while (!found && !(await ada.isOver())) {
      const player = await onTurn([ada, bea]);
      if (player === bea) await bea.playOne();
      if (player !== ada) continue;
      for (let index = 0; index < (await ada.offers().count()) && !found; index += 1) {
        await ada.offers().nth(index).click();
        const lines = await ada.lines().count();
        const text = await now.textContent();
        assert.match(text, lines > 0 ? /in hand: choose a line$/ : /only the floor is left$/);
        found = lines === 0;
        await ada.page.keyboard.press('Escape');
      }
      if (!found) await ada.playOne();
    }
    assert.ok(found, 'there was a place for everything to the end');
  });

  test('what the floor line would cost is shown before the move', async () => {
    let ada, two;
    while (!two) {
      ({ ada } = await onFirstTurn());
      for (const offer of await ada.offers().all()) {
        const count = Number((await offer.getAttribute('aria-label')).match(/: (\d)/)[1]);
        if (count >= 2) two ??= offer;
      }
    }
    await two.click();
    assert.match(await ada.lines().first().locator('.price').textContent(), /^−\d$/);
    await ada.lines().first().hover();
    assert.match(await ada.page.locator('.own .total').textContent(), /^−\d$/);
    assert.equal(await held(ada).count(), await ada.page.locator('.own .ghost').count());
  });

  test('the wall stays on the board of a phone beside a price of the longest line', async () => {
    const { ada, bea } = await couple({ ...phone, ...still });
    // Whoever takes from the centre first takes the marker, which costs at every line.
    const centre = ada.page.locator('button[data-offer][aria-label*="centre" i]');
    for (let player; (player = await onTurn([ada, bea])) === bea || !(await centre.count());) {
      await player.offers().first().click();
      await player.lines().first().click();
      await player.page.locator('button[data-target]').first().waitFor({ state: 'detached' });
    }
    await centre.first().click();
    const longest = ada.page.locator('.own .line').last();
    assert.match(await longest.locator('.price').textContent(), /^−\d$/);
    const [board, price] = await Promise.all(
      [ada.page.locator('.own.board'), longest.locator('.price')].map((one) => one.boundingBox()),
    );
    const walls = await ada.page.locator('.own .wall').all();
    for (const { x, width } of await Promise.all(walls.map((wall) => wall.boundingBox()))) {
      assert.ok(x + width < board.x + board.width);
    }
    assert.ok(price.x >= 0);
  });

  test('a touch during the motion finishes it at once', async () => {
    const { ada, bea } = await onFirstTurn();
    const tools = await ada.page.context().newCDPSession(ada.page);
    await tools.send('Animation.enable');
    await tools.send('Animation.setPlaybackRate', { playbackRate: 0.1 }); // it cannot be missed
    await ada.playOne();
    await bea.offers().first().waitFor();
    await bea.playOne();
    await ada.page.locator('.said', { hasText: 'Bea: ' }).waitFor();
    await ada.page.locator('.air .flight').first().waitFor();
    await ada.page.keyboard.press('Shift');
    assert.equal(await ada.page.locator('.air .flight').count(), 0);
    assert.deepEqual(await ada.boards(), await bea.boards());
  });

  test('a spectator sees the same boards and takes nothing', async () => {
    const { ada, bea } = await onFirstTurn(still);
    const cleo = new AzulVisitor(await site.newPage(still));
    await cleo.page.goto(ada.page.url());
    await cleo.page.getByText('You’re watching Ada and Bea').waitFor();
    await ada.playOne();
    await bea.offers().first().waitFor();
    await cleo.page.locator('.said', { hasText: 'Ada: ' }).waitFor();
    assert.deepEqual(await cleo.boards(), await bea.boards());
    assert.equal(await cleo.offers().count(), 0);
  });

  test('whoever opens the link signs in on the spot and takes the free seat', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(), 'Ada');
    const link = await ada.createTable(2);
    const bea = new AzulVisitor(await site.newPage());
    await bea.page.goto(link);
    await bea.page.locator('#name').fill('Bea');
    await bea.page.keyboard.press('Enter');
    await bea.atTable();
    await ada.atTable();
  });

  test('a bot takes the free seat, is seen to be one, and answers every move', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(still));
    await ada.createTable(2);
    await ada.addBots(1, 'novice');
    await ada.atTable();
    const boards = ada.page.locator('.board h2');
    assert.deepEqual(
      (await boards.allTextContents()).map((name) => /^Bot, (Easy|Beginner)/.test(name)),
      [false, true],
    );
    for (let moves = 0; moves < 3; moves += 1) {
      await ada.offers().first().waitFor();
      await ada.playOne();
    }
    await ada.offers().first().waitFor();
  });

  test('one click in the lobby, and the game is on; another one after its end too', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(still));
    await ada.playNow('Azul');
    await ada.atTable();
    const first = ada.page.url();
    while (!(await ada.isOver())) if (await ada.mayTake()) await ada.playOne();
    await ada.page.getByRole('button', { name: 'Play again' }).click();
    await ada.page.waitForURL((url) => url.href !== first);
    await ada.offers().first().waitFor();
  });

  test('at the end each complete line is lit and counted, and then who won is told', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(still));
    await ada.playNow('Azul');
    await ada.atTable();
    for (;;) {
      await ada.offers().first().waitFor();
      const rows = Object.values(await ada.boards()).flatMap(tiledRows);
      if (Math.max(...rows) >= 4) break;
      await ada.playOne();
    }
    await ada.page.emulateMedia({ reducedMotion: 'no-preference' });
    const bonus = ada.page.locator('.status', { hasText: 'Bonus: ' });
    while (!(await bonus.count())) if (await ada.mayTake()) await ada.place();
    const gains = ada.page.locator('.air .gain');
    const [first, ...others] = await gains.allTextContents();
    assert.match(first, /^\+(2|7|10)$/);
    for (const gain of others) assert.equal(gain, first, 'lines of one kind are worth the same');
    assert.equal(await ada.page.locator('.air .glow').count(), 5 * (1 + others.length));
    await ada.page.locator('.over.card').waitFor();
    assert.match(await ada.page.locator('.status').textContent(), /^Game over/);
  });

  test('two browsers and two bots finish a game that was made in the lobby', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(still), 'Ada');
    const bea = await AzulVisitor.arrive(await site.newPage(still), 'Bea');
    await ada.createTable(4, { ticked: ['open'] });
    await ada.addBots(1);
    await ada.addBots(1, 'greedy');
    const open = bea.page.locator('.open li', { hasText: '3 of 4 seats' });
    await open.waitFor();
    assert.equal(await open.locator('.bot').count(), 2);
    await open.getByRole('button', { name: /^Join Ada’s table/ }).click();
    await ada.atTable();
    await bea.atTable();
    for (let player; (player = await onTurn([ada, bea]));) await player.playOne();
    for (const visitor of [ada, bea]) await visitor.page.locator('.over.card').waitFor();
    assert.deepEqual(await ada.boards(), await bea.boards());
    assert.equal(await ada.page.locator('.over tbody tr').count(), 4);
    assert.equal(await ada.page.locator('.over tbody .bot').count(), 2);
    const record = await fetch(`${site.server.http}/${HistoryService.typeName}/Verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tableId: ada.page.url().split('/t/')[1] }),
    });
    assert.equal((await record.json()).ok, true);
  });
});
