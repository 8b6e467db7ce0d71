// Bots that advise and play in one's place, in Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { GridVisitor } from './page/grid_visitor.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const still = { reducedMotion: 'reduce' };

describeSite('hints in the browser', { options: ['--bot-think', '50ms'] }, (site) => {
  const arrive = async (visitor) => visitor.arrive(await site.newPage(still));
  const assisted = (ada) => ada.page.getByText('Played with hints').waitFor();
  const drawn = (ada) => ada.page.locator('.tile.drawn');

  test('2248: the maximum path is shown, Escape drops it, its last cell plays it', async () => {
    const ada = await arrive(GridVisitor);
    await ada.start('2248', 6, 5);
    await ada.askBot('Biggest tile');
    await ada.page.getByText('A path worth').first().waitFor();
    assert.equal(await ada.page.locator('.said-advice').textContent(), '', 'a help has no name');
    assert.ok((await drawn(ada).count()) >= 2);
    const [label, worth] = await ada.first();
    assert.equal(label, 'Path');
    await ada.page.getByRole('button', { name: `Biggest tile → ${worth}` }).waitFor();
    await assisted(ada);

    await ada.page.keyboard.press('Escape');
    assert.equal(await drawn(ada).count(), 0);
    assert.equal(await ada.moves(), 0);

    await ada.askBot('Biggest tile');
    await drawn(ada).first().waitFor();
    const count = await drawn(ada).count();
    const [, value] = await ada.first();
    const cursor = await ada.page.locator('#board').getAttribute('aria-activedescendant');
    await ada.touch(Number(cursor.replace('cell-', '')));
    await ada.hasMoved(1);
    assert.deepEqual(await ada.first(), ['Score', value]);
    assert.match(await ada.said(), new RegExp(`^${count} tiles became`));
  });

  test('2248: the maximum adjacent path is played with Enter', async () => {
    const ada = await arrive(GridVisitor);
    await ada.start('2248', 6, 5);
    await ada.askBot('Biggest beside its match');
    await drawn(ada).first().waitFor();
    await ada.page.keyboard.press('Enter');
    await ada.hasMoved(1);
  });

  test('SameGame: a bot points at a group, and Enter takes it', async () => {
    const ada = await arrive(GridVisitor);
    await ada.start('samegame', 8, 8, { third: 3 });
    await ada.page.getByLabel('Ask a bot').selectOption('colour-priority');
    await ada.hint();
    await ada.page.getByText(/^Carla: \d+ \w+ tiles?, \d+ points?, row \d, column \d$/).waitFor();
    const count = await ada.page.locator('.tile.advised').count();
    assert.ok(count >= 2);
    assert.equal((await ada.first())[0], `${count} tiles`);
    await assisted(ada);
    await ada.page.keyboard.press('Enter');
    await ada.hasMoved(1);
    assert.match(await ada.said(), new RegExp(`^${count} `));
    assert.equal(await ada.page.locator('.tile.advised').count(), 0);
  });

  test('2048: the advised direction is marked, until a move is made', async () => {
    const ada = await arrive(Visitor);
    await ada.newGame();
    await ada.hint();
    const advised = ada.page.locator('.pad .advised');
    const name = await advised.getAttribute('aria-label');
    await ada.page.getByText(`Max: ${name}`).waitFor();
    await assisted(ada);
    await ada.press(name);
    await ada.hasMoved(1);
    await advised.waitFor({ state: 'detached' });
  });

  test('2048: other moves are listed, and one that is pointed at is marked', async () => {
    const ada = await arrive(Visitor);
    await ada.newGame();
    await ada.hint();
    const best = await ada.page.locator('.pad .advised').getAttribute('aria-label');
    const other = ada.page.getByRole('list', { name: 'Other moves' }).getByRole('button').first();
    const text = await other.textContent();
    assert.match(text, /^(Left|Right|Up|Down), .*(% of the best|just as good)\s*$/);
    const [name] = text.split(',');
    assert.notEqual(name, best);
    const marked = (direction) =>
      ada.page.locator(`.pad .advised[aria-label="${direction}"]`).waitFor();
    await other.hover();
    await marked(name);
    await ada.page.mouse.move(0, 0);
    await marked(best);
    await other.focus();
    await marked(name);
    await ada.press(name);
    await ada.hasMoved(1);
    await other.waitFor({ state: 'detached' });
  });

  test('2248: a bot that compares paths lists others too', async () => {
    const ada = await arrive(GridVisitor);
    await ada.start('2248', 6, 5);
    const other = ada.page.getByRole('list', { name: 'Other moves' }).getByRole('button').first();
    // In its time a bot on a busy machine may judge one path alone: it is asked again.
    for (;;) {
      await ada.askBot(/^Hint$/);
      await drawn(ada).first().waitFor();
      if ((await other.count()) > 0) break;
      await ada.page.keyboard.press('Escape');
    }
    assert.match(await other.textContent(), /% of the best|just as good/);
  });

  test('the price of a hint is told before the first one, and only then', async () => {
    const ada = await arrive(Visitor);
    await ada.newGame();
    const hint = ada.page.getByRole('button', { name: 'Hint', exact: true });
    const price = ada.page
      .locator('dialog[open]')
      .getByText('This game won’t count in the rankings.');
    await ada.page.getByRole('button', { name: 'Hint', exact: true, disabled: false }).waitFor();
    await hint.click();
    await price.waitFor();
    await ada.page.getByRole('button', { name: 'Not now' }).click();
    await price.waitFor({ state: 'hidden' });
    assert.equal(await ada.page.locator('.advised').count(), 0);
    assert.equal(await ada.page.getByText('Played with hints').count(), 0);

    await ada.hint();
    await assisted(ada);
    await ada.page.getByText(/^Max: (Left|Right|Up|Down), .*\d+ empty cells?/).waitFor();
    await ada.press(await ada.page.locator('.pad .advised').getAttribute('aria-label'));
    await ada.hasMoved(1);
    await hint.click();
    await ada.page.locator('.pad .advised').waitFor();
    assert.equal(await price.isVisible(), false);
  });

  test('2048: a bot plays on its own until somebody else makes a move', async () => {
    const ada = await arrive(Visitor);
    await ada.newGame({ size: 4 });
    await ada.page.getByLabel('Ask a bot').selectOption('expectimax-2');
    const autoplay = ada.page.getByRole('button', { name: 'Autoplay' });
    await ada.askBot('Autoplay');
    await ada.hasMoved(2);
    await ada.page.getByRole('button', { name: 'Speed: medium' }).click();
    // Eight moves in less time than seven pauses of medium: sooner or later, on any machine.
    for (let took = Infinity; took >= 7 * 700;) {
      const begun = Date.now();
      await ada.hasMoved((await ada.moves()) + 8);
      took = Date.now() - begun;
    }
    for (const direction of await ada.offered()) await ada.press(direction);
    assert.equal(await autoplay.getAttribute('aria-pressed'), 'false');
    await ada.page.waitForTimeout(1_500);
    const stopped = await ada.moves();
    await ada.page.waitForTimeout(1_200);
    assert.equal(await ada.moves(), stopped);
  });

  test('2048: a bot plays a small game to its end', async () => {
    const ada = await arrive(Visitor);
    await ada.newGame({ size: 2 });
    await ada.page.getByRole('button', { name: 'Speed: medium' }).click();
    await ada.askBot('Autoplay');
    await ada.page.locator('.over.card').waitFor({ timeout: 60_000 });
  });

  test('Azul: the advised tiles and their line are marked, and can be played', async () => {
    const ada = await arrive(AzulVisitor);
    await ada.createTable(2);
    await ada.addBots(1);
    await ada.atTable();
    await ada.offers().first().waitFor();
    await ada.page.getByRole('button', { name: 'Hint', exact: true }).click(); // It costs nothing.
    const best = /Best: \d \w+ from .+ to .*\(\d+\s?% to win\)/;
    await ada.page.locator('.status', { hasText: best }).waitFor();
    assert.ok((await ada.page.locator('.ring .advised').count()) >= 1);
    await assisted(ada);
    // What is advised when asked again may be something else: it is what is played.
    await ada.advisedOne();
    const placed = ada.page.locator('.board.own .cell:not(.ghost):not(:has(.printed)) svg.piece');
    await placed.first().waitFor({ state: 'attached' });
  });
});
