// Looking back: every position of a finished game, by mouse, keys and link; and was it fair?
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { Game2048ConfigSchema } from '../gen/tesela/game/v1/g2048_pb.js';
import { games } from '../harness/games.mjs';
import { bearer, lobbyOf } from '../harness/lobby.mjs';
import { Player } from '../harness/player.mjs';
import { clientProgram, run } from '../harness/server.mjs';
import { unpack } from '../harness/stream.mjs';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { countFrames } from './page/count_frames.mjs';
import { ownerOf, played } from './page/played.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

describeSite('looking back', { options: ['--bot-pace', '0ms'] }, (site) => {
  const valueOf = (exponent) => (exponent ? String(2 ** exponent) : 'empty');
  const slider = (page) => page.getByRole('slider', { name: 'Move' });
  const shown = (page) => page.locator('[role=gridcell], .ring').first();
  const at = async (page) => Number(await slider(page).inputValue());

  /** Opens a replay and waits until it is read up to its last event. */
  async function openReplay(page, tableId, events) {
    await page.goto(`/replay/${tableId}`);
    await page.waitForFunction(
      (last) => document.querySelector('input[type=range]')?.max === last,
      String(events.at(-1).version - 1n),
    );
    await shown(page).waitFor();
  }

  /** A visitor with a game of 2048 that is over: { ada, tableId, events, boards }, the
   *  boards by position, from 1. */
  async function finished2048(look) {
    const ada = await Visitor.arrive(await site.newPage(look));
    const { tableId, events } = await played(site.server, await ownerOf(ada.page), '2048');
    const boards = events.map(({ value }) => unpack(value.body).view.cells.map(valueOf));
    return { ada, tableId, events, boards };
  }

  /** A game of 2048 of so many moves, that is not over: { tableId, boards }. */
  async function long2048({ token }, moves) {
    const config = anyPack(Game2048ConfigSchema, create(Game2048ConfigSchema, { size: 8 }));
    const { table } = await lobbyOf(site.server).createTable(
      { game: '2048', config },
      bearer(token),
    );
    const player = await Player.join(site.server, table.tableId, { token });
    for (let move = 0; move < moves; move += 1) {
      await player.playBody(games['2048'].choose(player.view, move));
    }
    await player.stream.close();
    const boards = player.events.map(({ value }) => unpack(value.body).view.cells.map(valueOf));
    return { tableId: table.tableId, boards };
  }

  test('every position is the one that was played, forth and back', async () => {
    const { ada, tableId, events, boards } = await finished2048();
    const { page } = ada;
    await openReplay(page, tableId, events);
    for (const position of [1, 2, 3, boards.length, 5, 4, boards.length - 1]) {
      await slider(page).fill(String(position));
      assert.deepEqual(await ada.board(), boards[position - 1], `position ${position}`);
      assert.deepEqual(await ada.drawn(), boards[position - 1]);
    }
    await page.keyboard.press('Home');
    for (const board of boards.slice(0, 8)) {
      await page.keyboard.press('ArrowRight');
      assert.deepEqual(await ada.board(), board);
    }
    await page.keyboard.press('PageDown');
    assert.equal(await at(page), Math.min(18, boards.length));
    await page.keyboard.press('End');
    assert.equal(await at(page), boards.length);
    await page.locator('.over.card').waitFor();
    await page.keyboard.press('PageUp');
    assert.equal(await at(page), Math.max(0, boards.length - 10));
  });

  test('it plays by itself, as fast as one likes, and stops at the end', async () => {
    const { ada, tableId, events, boards } = await finished2048();
    const { page } = ada;
    await openReplay(page, tableId, events);
    await page.getByLabel('Speed').selectOption('2');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => Number(document.querySelector('input[type=range]').value) > 3);
    await page.getByRole('button', { name: 'Pause' }).click();
    const stopped = await at(page);
    await page.waitForTimeout(400);
    assert.equal(await at(page), stopped);
    await page.getByLabel('Speed').selectOption('8');
    await slider(page).fill(String(boards.length - 2));
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.over.card').waitFor();
    assert.equal(await at(page), boards.length);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  });

  test('a link to a position shows that position to anybody, in Spanish, on a phone', async () => {
    const { ada, tableId, events, boards } = await finished2048();
    await openReplay(ada.page, tableId, events);
    await slider(ada.page).fill('4');
    const link = await ada.page.locator('#position-link').inputValue();
    assert.match(link, /\/replay\/\w{13}\/5$/);
    const bea = new Visitor(await site.newPage({ ...phone, language: 'es-ES' }));
    await bea.page.goto(link);
    const isAt = (position) =>
      bea.page.waitForFunction(
        (wanted) => document.querySelector('input[type=range]')?.value === wanted,
        position,
      );
    await isAt('4');
    await shown(bea.page).waitFor();
    assert.deepEqual(await bea.drawn(), boards[3]);
    await bea.page.getByRole('button', { name: 'Jugada siguiente' }).tap();
    await isAt('5');
    assert.deepEqual(await bea.drawn(), boards[4]);
    assert.equal(await bea.sidewaysScroll(), 0);
  });

  test('a link far into a long game shows its position before the moves before it', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    const moves = 3000;
    const { tableId, boards } = await long2048(await ownerOf(ada.page), moves);
    const { page } = ada;
    await page.addInitScript(countFrames, { holds: true });
    const isAt = (position) =>
      page.waitForFunction((wanted) => {
        const bar = document.querySelector('input[type=range]');
        return bar?.value === wanted && !document.body.textContent.includes('Loading…');
      }, String(position));

    await page.goto(`/replay/${tableId}/2001`);
    await shown(page).waitFor();
    assert.equal(await at(page), 2000);
    const { asked, frames } = await page.evaluate(() => globalThis.replayed);
    assert.equal(asked.length, 1, 'the position is shown before more is asked for');
    assert.ok(frames <= 200, `${frames} frames of ${moves} were read`);
    assert.deepEqual(await ada.board(), boards[1999]);

    // Around it every position is read next; what is before them has to wait.
    await page.locator('input[type=range][max="2064"]').waitFor();
    await page.keyboard.press('ArrowLeft');
    assert.deepEqual(await ada.board(), boards[1998]);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Home');
    await page.locator('.caption').getByText('Loading…').waitFor();
    assert.equal(await at(page), 0, 'the bar stands where the way leads');
    assert.deepEqual(await ada.board(), boards[1999], 'until it is there');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await ada.board(), boards[2000]);
    await slider(page).fill('1000');
    await page.evaluate(() => globalThis.replayed.release());
    await isAt(1000);
    assert.deepEqual(await ada.board(), boards[999]);
    await page.locator(`input[type=range][max="${moves}"]`).waitFor();
    for (const position of [1935, 1936, 1937, 1, moves]) {
      await slider(page).fill(String(position));
      assert.deepEqual(await ada.board(), boards[position - 1], `position ${position}`);
    }
    assert.equal(await slider(page).getAttribute('max'), String(moves));
    const read = await page.evaluate(() => globalThis.replayed.frames);
    assert.ok(read <= moves + 10, `${read} frames of ${moves} were read`);

    await page.goto(`/replay/${tableId}/2001`);
    await shown(page).waitFor();
    await slider(page).fill('1936'); // which is known before the event that led there
    await page.evaluate(() => globalThis.replayed.release());
    await page.locator('.caption').getByText(' moved').waitFor();

    await page.goto(`/replay/${tableId}/99000`);
    await page.evaluate(() => globalThis.replayed.release());
    await isAt(moves);
    await shown(page).waitFor();
    assert.deepEqual(await ada.board(), boards[moves - 1], 'beyond the end: the end');
  });

  test('a game of Azul by its rounds', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage());
    const { tableId, events } = await played(site.server, await ownerOf(ada.page), 'azul');
    const { page } = ada;
    // A bot may have moved before the player came: the versions say which event is which.
    const roundAt = (position) => {
      const event = events.find(({ version }) => version === BigInt(position + 1));
      return unpack(event.value.body).view.round;
    };
    await openReplay(page, tableId, events);
    const legend = page.getByRole('region', { name: 'Timeline' }).locator('.legend .who');
    assert.equal(await legend.count(), 2, 'whose the lines of the curve are');
    assert.equal(await legend.filter({ hasText: 'Ada' }).count(), 1);
    await page.getByRole('button', { name: 'Round 2' }).click();
    const begins = await at(page);
    assert.deepEqual([roundAt(begins - 1), roundAt(begins)], [1, 2]);
    await page.keyboard.press('PageDown');
    assert.equal(roundAt(await at(page)), 3);
    await page.keyboard.press('PageUp');
    assert.equal(await at(page), begins);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await page.locator('.over.card').waitFor();
    const { scores } = await page.evaluate(() => ({
      scores: [...document.querySelectorAll('td.points .visually-hidden')].map((points) =>
        Number.parseInt(points.textContent, 10),
      ),
    }));
    const final = unpack(events.at(-1).value.body).view.table.boards.map(({ score }) => score);
    const rising = (a, b) => a - b;
    assert.deepEqual(scores.sort(rising), final.sort(rising));
  });

  test('a game that nobody has is told, and one that is played is shown up to now', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 4 });
    for (let move = 0; move < 3; move += 1) await ada.playOne('press');
    const tableId = new URL(ada.page.url()).pathname.split('/')[2];
    const board = await ada.board();
    await ada.page.goto(`/replay/${tableId}/4`);
    await ada.page.getByText('still in progress').waitFor();
    assert.deepEqual(await ada.board(), board);
    await ada.page.goto('/replay/0000000000000');
    await ada.page.getByRole('heading', { name: 'Game not found' }).waitFor();
    site.browser.assertQuiet({ except: /status of 40[04]/ });
  });

  test('a game is verified, by the browser itself, and the record by tesela verify', async () => {
    const { ada, tableId } = await finished2048();
    const { page } = ada;
    await page.goto(`/t/${tableId}`);
    await page.getByRole('link', { name: 'Verify this game' }).click();
    await page.getByRole('heading', { name: 'This game was fair.' }).waitFor();
    const held = await page
      .locator('li[data-held]')
      .evaluateAll((checks) => checks.map((check) => check.dataset.held));
    assert.deepEqual(held, ['yes', 'yes', 'unknown', 'yes', 'yes', 'yes']);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download record' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), `tesela-${tableId}.json`);
    const saved = await file.path();
    const { code, stdout } = await run(clientProgram, ['verify', saved]);
    assert.equal(code, 0);
    assert.match(stdout, /^true {3}2048 table/);
    const record = JSON.parse(await readFile(saved, 'utf8'));
    const commitment = Buffer.from(record.record.table.commitment, 'base64').toString('hex');
    await page.getByText(commitment).first().waitFor();
  });

  test('a promise that was another one is found out', async () => {
    const { ada, tableId } = await finished2048();
    const { page } = ada;
    await page.goto(`/t/${tableId}`);
    await ada.atBoard();
    await page.evaluate((id) => {
      const notes = JSON.parse(localStorage.getItem('tesela.promises'));
      notes[id].commitment = btoa('x'.repeat(32));
      localStorage.setItem('tesela.promises', JSON.stringify(notes));
    }, tableId);
    await page.goto(`/proof/${tableId}`);
    await page.getByRole('heading', { name: 'Something is wrong with this game' }).waitFor();
    assert.equal(await page.locator('li[data-held=no]').count(), 1);
  });

  test('a game in play cannot be verified yet', async () => {
    const ada = await Visitor.arrive(await site.newPage());
    await ada.newGame({ size: 4 });
    const tableId = new URL(ada.page.url()).pathname.split('/')[2];
    await ada.page.goto(`/proof/${tableId}`);
    await ada.page.getByText('can’t be verified yet').waitFor();
    site.browser.assertQuiet({ except: /status of 400/ });
  });
});
