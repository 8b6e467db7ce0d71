// Scenes of the gallery with other people: searches, groups, tables, friends, pages of players.
import { AzulVisitor } from '../page/azul_visitor.mjs';
import { ownerOf } from '../page/played.mjs';
import { Visitor } from '../page/visitor.mjs';

export const peopleScenes = {
  async find({ page, picture, visit, another }) {
    await Visitor.arrive(page);
    await page.goto('/find');
    await page.locator('form.card').waitFor();
    await picture('find', { fullPage: true });
    await page.locator('form.card button.go').click();
    await page.locator('.stands', { hasText: /\w/ }).waitFor();
    await picture('searching');
    await page.locator('section.card button').click();
    await page.locator('input[name=players][value="4"]').check();
    await page.locator('summary').click();
    await page.locator('.party button').click();
    await page.locator('#party-link').waitFor();
    await picture('party', { fullPage: true });
    const bea = (await Visitor.arrive(await another(), 'Constantin der Große')).page;
    await bea.goto(page.url());
    await bea.getByRole('button', { name: 'I’m ready' }).click();
    await visit.button(visit.words.ready).click();
    await page.locator('.here', { hasText: 'Constantin' }).waitFor();
    await picture('party-searching', { fullPage: true });
  },

  async several({ page, picture, visit, another }) {
    const ada = await AzulVisitor.arrive(page);
    await ada.createTable(2, { clock: 'calm', ticked: ['open'] });
    const link = await page.locator('#share').inputValue();
    const bea = await AzulVisitor.arrive(await another(), 'Bea');
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Take a seat', exact: true }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    const head = page.locator('#talk .head');
    if ((await head.getAttribute('aria-expanded')) === 'false') {
      await (visit.look.isMobile ? page.locator('.bar button') : head).click();
    }
    await page.locator('#talk-body').getByRole('button').first().waitFor();
    await picture('chat');
    if (visit.look.isMobile) await page.locator('[aria-controls=talk-body]').click();
    const watcher = await another(visit.look);
    await watcher.goto(page.url());
    await watcher.locator('.ring').waitFor();
    await visit.on(watcher).picture('spectator', { fullPage: true });
    await bea.page.context().close();
    await page.locator('.away').waitFor({ timeout: 20_000 });
    await picture('away');
  },

  async friends({ page, picture, visit, another }) {
    await Visitor.arrive(page);
    await page.goto('/account');
    await page.locator('main h1').waitFor();
    await picture('account', { fullPage: true });
    await page.goto('/friends');
    await page.locator('main h2').first().waitFor();
    await picture('friends-none', { fullPage: true });
    const bea = (await Visitor.arrive(await another(visit.look), 'Constantin der Große')).page;
    await page.goto(`/player/${(await ownerOf(bea)).playerId}`);
    await visit.button(visit.words.follow).click();
    await visit.button(visit.words.unfollow).waitFor();
    await picture('player', { fullPage: true });
    await page.goto('/friends');
    await page.locator('main a[href*="/challenge/"]').click();
    await visit.button(visit.words.challenge).waitFor();
    await picture('challenge', { fullPage: true });
    await visit.button(visit.words.challenge).click();
    await page.waitForTimeout(1000);
    await picture('friends', { fullPage: true });
    await bea.goto('/friends');
    await bea.locator('main button').first().waitFor();
    await visit.on(bea).picture('challenged', { fullPage: true });
  },
};
