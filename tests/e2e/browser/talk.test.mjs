// What people say to each other at a table, as they see it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';

const still = { reducedMotion: 'reduce' };

describeSite('talk in the browser', {}, (site) => {
  /** Ada, who made the table, and Bea. */
  async function couple(options = {}, looks = {}) {
    const ada = await AzulVisitor.arrive(await site.newPage({ ...still, ...looks }), 'Ada');
    const bea = await AzulVisitor.arrive(
      await site.newPage({ ...still, language: 'es-ES' }),
      'Bea',
    );
    const link = await ada.createTable(2, options);
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Sentarse' }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    return { ada, bea };
  }

  const talk = ({ page }) => page.locator('#talk');
  const lines = (visitor) => talk(visitor).locator('.lines p');
  const field = (visitor) => talk(visitor).locator('input');

  async function say(visitor, text) {
    await field(visitor).fill(text);
    await field(visitor).press('Enter');
  }

  test('phrases are heard in one’s own language, words as they were written', async () => {
    const { ada, bea } = await couple();
    await talk(ada).getByRole('button', { name: 'Good luck!' }).click();
    await lines(bea).filter({ hasText: 'Ada ¡Buena suerte!' }).waitFor();
    await lines(ada).filter({ hasText: 'You Good luck!' }).waitFor();
    await say(bea, '  <b>gracias</b>  ');
    await lines(ada).filter({ hasText: 'Bea <b>gracias</b>' }).waitFor();
    assert.equal(await field(bea).inputValue(), '');
  });

  test('who is muted is not heard, until heard again', async () => {
    const { ada, bea } = await couple();
    await talk(ada).getByRole('button', { name: 'Mute Bea' }).click();
    await say(bea, 'one');
    await lines(bea).filter({ hasText: 'one' }).waitFor();
    await talk(ada).getByRole('button', { name: 'Mute Bea' }).click();
    await say(bea, 'two');
    await lines(ada).filter({ hasText: 'two' }).waitFor();
    assert.equal(await lines(ada).count(), 1);
  });

  test('who talks too fast is told, and what was written is not lost', async () => {
    const { ada } = await couple();
    const refusal = talk(ada).locator('.refusal');
    for (let said = 0; said < 20 && !(await refusal.textContent()); said += 1) {
      await say(ada, `line ${said % 10}`);
    }
    await refusal.filter({ hasText: 'Slow down a little' }).waitFor();
    assert.match(await field(ada).inputValue(), /^line \d$/);
  });

  test('a line has 200 characters, and how many are left is said', async () => {
    const { ada, bea } = await couple();
    await field(ada).fill('x'.repeat(190));
    await talk(ada).getByText('10 characters left').waitFor();
    await field(ada).pressSequentially('y'.repeat(20));
    assert.ok(await talk(ada).getByRole('button', { name: 'Send' }).isDisabled());
    for (let n = 0; n < 10; ++n) await field(ada).press('Backspace');
    await field(ada).press('Enter');
    const heard = lines(bea).last();
    await heard.filter({ hasText: 'xyyyyyyyyyy' }).waitFor();
    assert.equal((await heard.textContent()).replace('Ada ', '').length, 200);
  });

  test('a table of phrases has no field, and a silent one has nothing to press', async () => {
    const phrases = await couple({ talk: 'phrases' });
    await talk(phrases.ada).getByText('Only quick messages').waitFor();
    assert.equal(await field(phrases.ada).count(), 0);
    await talk(phrases.ada).getByRole('button', { name: 'Hello!' }).click();
    await lines(phrases.bea).filter({ hasText: '¡Hola!' }).waitFor();
    const silent = await couple({ talk: 'off' });
    await talk(silent.ada).getByText('Chat is off').waitFor();
    assert.equal(await talk(silent.ada).locator('.phrase').count(), 0);
  });

  test('on a phone it marks what is unread, and opens over the page: nothing moves', async () => {
    const { ada, bea } = await couple({}, phone);
    assert.equal(await lines(ada).count(), 0);
    await say(bea, 'hola');
    const button = ada.page.locator('.bar').getByRole('button', { name: 'Chat, 1 unread message' });
    await button.waitFor();
    const placesOf = () =>
      ada.page
        .locator('.board, .ring, .bar')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
    const before = await placesOf();
    await button.tap();
    await lines(ada).filter({ hasText: 'Bea hola' }).waitFor();
    assert.deepEqual(await placesOf(), before, 'nothing moves');
    const panel = await talk(ada).boundingBox();
    const bar = await ada.page.locator('.bar').boundingBox();
    assert.ok(bar.y >= 0 && bar.y + bar.height <= panel.y, 'the clocks stay in sight');
    assert.ok(panel.y + panel.height <= phone.viewport.height + 1, 'it lies within the page');
    await ada.page.locator('.bar').getByRole('button', { name: 'Chat', exact: true }).waitFor();
    assert.equal(await ada.sidewaysScroll(), 0);
  });

  test('against bots there is nobody to talk to', async () => {
    const ada = await AzulVisitor.arrive(await site.newPage(still));
    await ada.createTable(3);
    await ada.addBots(2);
    await ada.atTable();
    assert.equal(await talk(ada).count(), 0);
    assert.equal(await ada.page.getByRole('button', { name: 'Chat' }).count(), 0);
  });

  test('who watches hears, and says nothing', async () => {
    const { ada, bea } = await couple();
    const cleo = new AzulVisitor(await site.newPage(still));
    await cleo.page.goto(ada.page.url());
    await cleo.atTable();
    await talk(cleo).getByText('Only players can chat').waitFor();
    assert.equal(await field(cleo).count(), 0);
    await say(bea, 'hola');
    await lines(cleo).filter({ hasText: 'Bea hola' }).waitFor();
    await ada.page.locator('.spectators', { hasText: '1 spectator' }).waitFor();
    await cleo.page.close();
    await ada.page.locator('.spectators').waitFor({ state: 'detached' });
  });
});
