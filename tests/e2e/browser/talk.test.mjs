// What people say to each other at a table, as they see it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { ActKind } from '../gen/tesela/account/v1/conduct_pb.js';
import { ModerationService } from '../gen/tesela/admin/v1/moderation_pb.js';
import { adminToken } from '../harness/admin.mjs';
import { bearer, clientOf } from '../harness/lobby.mjs';
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

  test('a report reaches the operator, and who is suspended is told and answers', async () => {
    const { ada, bea } = await couple();
    await say(ada, 'You fool');
    await lines(bea).filter({ hasText: 'You fool' }).waitFor();
    await talk(bea).getByRole('button', { name: 'Denunciar a Ada' }).click();
    await talk(bea).getByLabel('Insultos en el chat').check();
    await talk(bea).getByLabel('¿Qué ha pasado? (opcional)').fill('Me ha insultado');
    await talk(bea).getByRole('button', { name: 'Enviar denuncia' }).click();
    await talk(bea).getByText('Un operador la revisará').waitFor();

    const client = clientOf(ModerationService, site.server);
    const operator = bearer(await adminToken(site.server));
    const [{ reportId, playerId }] = (await client.listReports({}, operator)).reports;
    const { report } = await client.inspectReport({ reportId }, operator);
    assert.deepEqual([report.text, report.lines[0].what.value], ['Me ha insultado', 'You fool']);
    const until = timestampFromMs(Date.now() + 3_600_000);
    const act = { playerId, kind: ActKind.SUSPEND, until, operator: 'Otto', reason: 'Insults' };
    await client.actOnPlayer(act, operator);

    await ada.page.reload();
    const notice = ada.page.getByRole('alert').filter({ hasText: 'You’re suspended' });
    await notice.getByText('Reason: Insults').waitFor();
    await notice.getByLabel('Your answer to the operator').fill('Sorry');
    await notice.getByRole('button', { name: 'Send answer' }).click();
    await notice.waitFor({ state: 'detached' });
    const [{ act: answered }] = (await client.listActs({ playerId }, operator)).acts;
    assert.equal(answered.answer, 'Sorry');
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
    await ada.page.locator('body').press('Escape');
    await lines(ada).first().waitFor({ state: 'detached' });
  });

  test('on a desktop one writes beside the boards: nothing scrolls', async () => {
    const { ada } = await couple();
    await field(ada).focus();
    assert.equal(await ada.page.evaluate(() => scrollY), 0);
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
    const { ada, bea } = await couple({ ticked: ['open'] });
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
