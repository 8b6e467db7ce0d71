// The analysis of a finished game, in Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientProgram, run } from '../harness/server.mjs';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { ownerOf, played } from './page/played.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const options = ['--bot-pace', '0ms', '--bot-think', '20ms'];

describeSite('the analysis of a game', { options }, (site) => {
  const at = async (page) =>
    Number(await page.getByRole('slider', { name: /Move|Jugada/ }).inputValue());
  const panel = (page) => page.locator('.analysis');
  const bar = (page) => page.getByRole('region', { name: /^(Timeline|Línea de tiempo)$/ });

  /** Opens the replay of a game, and has it analysed to its end. */
  async function analysed(page, tableId, { start = 'Analyse this game' } = {}) {
    await page.goto(`/replay/${tableId}`);
    await page.getByRole('button', { name: start }).click();
    await panel(page).locator('progress').waitFor();
    await panel(page).locator('progress').waitFor({ state: 'detached', timeout: 300_000 });
  }

  test('Azul: a curve, mistakes that lead to their position, and what was better', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage());
    const { page } = ada;
    // Whoever always takes the first that is offered makes mistakes.
    const { tableId } = await played(site.server, await ownerOf(page), 'azul');
    await analysed(page, tableId);
    await bar(page).getByText('Chance to win').first().waitFor();
    await panel(page)
      .getByText(/^Ada: .*(mistake|blunder|inaccurac)/)
      .waitFor();
    const marks = bar(page).getByRole('group', { name: 'Mistakes' }).getByRole('button');
    assert.ok((await marks.count()) > 0);
    const mark = marks.first();
    const name = await mark.getAttribute('aria-label');
    const [, move] = /^Move (\d+), .+: (Inaccuracy|Mistake|Blunder), \d+.?% lost$/.exec(name);
    await mark.click();
    assert.equal(await at(page), Number(move) - 1, 'the position that it was played in');
    await bar(page)
      .getByText(/^.+ played: \d \w+ from .+ to /)
      .waitFor();
    await bar(page)
      .getByText(/^(Inaccuracy|Mistake|Blunder): \d+.?% lost$/)
      .waitFor();
    await bar(page)
      .getByText(/^Better: \d \w+ from .+ to /)
      .waitFor();
    // The better move is marked on the board, where it takes and where it places.
    await page.locator('.ring .tile.advised').first().waitFor();
    await page.locator('.board.active .advised').waitFor();
    await panel(page).getByText('Best moves').click();
    const best = panel(page).locator('ol li');
    assert.ok((await best.count()) >= 2);
    assert.match(await best.first().innerText(), /\d \w+ from .+ to .+%/);

    await bar(page).getByRole('button', { name: 'Next mistake' }).click();
    const next = await at(page);
    assert.ok(next > Number(move) - 1);
    await bar(page).getByRole('button', { name: 'Previous mistake' }).click();
    assert.equal(await at(page), Number(move) - 1);
    await page.keyboard.press('ArrowDown');
    assert.equal(await at(page), next);
    await page.keyboard.press('ArrowUp');
    assert.equal(await at(page), Number(move) - 1);
    await page.locator('.now', { hasText: /^\w+ to move$/ }).waitFor();
    await page.keyboard.press('End');
    await bar(page).getByText('The game ends here.').waitFor();
    assert.equal(await page.locator('.advised').count(), 0);

    // The terminal program says the same.
    const { host } = new URL(site.server.http);
    const printed = await run(clientProgram, ['replay', tableId, '--analyse', '--server', host]);
    assert.equal(printed.code, 0, printed.stderr);
    assert.match(printed.stdout, /share of the others left behind: \d+(\.\d)? %/);
    assert.match(printed.stdout, /better: \d \w+ from .+ to /);
    assert.match(printed.stdout, /\d+ moves judged, \d+ inaccuracies, \d+ mistakes, \d+ blunders/);
  });

  test('2048, in Spanish, on a phone: nothing scrolls sideways', async () => {
    const ada = await Visitor.arrive(await site.newPage({ ...phone, language: 'es-ES' }));
    const { page } = ada;
    const { tableId } = await played(site.server, await ownerOf(page), '2048');
    await analysed(page, tableId, { start: 'Analizar la partida' });
    await bar(page).getByText('Solidez del tablero').first().waitFor();
    // A bot's own numbers mean nothing to a player: they are shares of the best position.
    await bar(page)
      .locator('.legend b', { hasText: /^\d+(,\d)?.%$/ })
      .waitFor();
    await bar(page)
      .locator('.played', { hasText: /jugó: (Izquierda|Derecha|Arriba|Abajo), .*libres?/ })
      .waitFor({ state: 'attached' });
    assert.equal(await ada.sidewaysScroll(), 0);
    // The board, the curve and the sentence are seen at once.
    const places = await page
      .locator('#board, .verdict, .marks')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()));
    assert.equal(places.length, 3);
    const [board, ...parts] = places;
    for (const { top, bottom } of parts) {
      assert.ok(board.bottom <= top && bottom <= phone.viewport.height, JSON.stringify(places));
    }
  });

  test('a game in play has none', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    const { page } = ada;
    await ada.newGame();
    const id = new URL(page.url()).pathname.split('/')[2];
    await page.goto(`/replay/${id}`);
    await page.getByText('This game is still in progress').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Analyse this game' }).count(), 0);
  });
});
