// Clocks as people see them: whose time runs, when it gets short, and what happens when it is over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AzulVisitor } from './page/azul_visitor.mjs';
import { lostServer, phone } from './page/chromium.mjs';
import { giveScissors, setAway } from './page/scissors.mjs';
import { describeSite } from './page/site.mjs';

const still = { reducedMotion: 'reduce' };

describeSite('clocks in the browser', { except: lostServer }, (site) => {
  async function arrive(name, options) {
    const page = await site.newPage(options);
    await giveScissors(page);
    return AzulVisitor.arrive(page, name);
  }

  /** Two people at one table with this clock; whoever is on turn comes first. */
  async function couple(clock, options = still) {
    const [ada, bea] = await Promise.all(['Ada', 'Bea'].map((name) => arrive(name, options)));
    const link = await ada.createTable(2, clock);
    await bea.page.goto(link);
    await bea.page.getByRole('button', { name: 'Take a seat' }).click();
    await Promise.all([ada.atTable(), bea.atTable()]);
    await ada.page.locator('.bar li.turn').waitFor();
    return (await ada.mayTake()) ? [ada, bea] : [bea, ada];
  }

  test('the time of who is on turn runs, and nobody else’s', async () => {
    const [first, second] = await couple({ clock: 'calm' });
    const own = await first.clocks();
    assert.deepEqual(
      own.map(({ turn }) => turn),
      [true, false],
    );
    assert.match(own[0].words, /your turn/);
    assert.match((await second.clocks())[1].words, /to move/);
    await first.page.waitForTimeout(2200);
    const [mine, other] = await first.clocks();
    assert.ok(mine.seconds <= 298 && mine.seconds >= 290, `${mine.seconds} s`);
    assert.equal(other.seconds, 300);
    const [waiting, moving] = await second.clocks();
    assert.equal(waiting.seconds, 300);
    assert.ok(Math.abs(moving.seconds - mine.seconds) <= 1, 'both see the same time');

    await first.playOne();
    await second.offers().first().waitFor();
    const after = await first.clocks();
    assert.ok(after[0].seconds > 300, 'the increment is given back');
    assert.equal(after[1].turn, true);
  });

  test('a board is not drawn again when the time runs', async () => {
    const [first] = await couple({ clock: 'quick' });
    const changes = await first.page.evaluate(async () => {
      let count = 0;
      const watcher = new MutationObserver((records) => (count += records.length));
      watcher.observe(document.querySelector('.azul'), {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      watcher.disconnect();
      return count;
    });
    assert.equal(changes, 0);
  });

  test('short time is seen and said once, and when it is over a bot moves', async () => {
    const [first, second] = await couple({
      clock: 'own',
      gameMinutes: 0,
      moveSeconds: 12,
    });
    const chip = first.page.locator('.bar li.own');
    await first.page.evaluate(() => {
      globalThis.said = [];
      const hurry = document.querySelector('.hurry');
      const listener = new MutationObserver(() => {
        if (hurry.textContent) said.push(hurry.textContent);
      });
      listener.observe(hurry, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    assert.equal(await first.page.locator('.bar li.short').count(), 0);
    await first.page.locator('.bar li.own.short').waitFor();
    assert.equal(await second.page.locator('.bar li.own.short').count(), 0);
    await first.page.locator('.news', { hasText: 'You ran out of time' }).waitFor();
    assert.match(await chip.textContent(), /out of time/);
    const name = await second.page.locator('.bar li:not(.own) .name').textContent();
    await second.page.locator('.news', { hasText: `${name} ran out of time` }).waitFor();
    assert.deepEqual(await first.page.evaluate(() => said), ['5 seconds left!']);
  });

  test('after time-outs a bot has the seat, and the player takes it back', async () => {
    const [first, second] = await couple({
      clock: 'own',
      gameMinutes: 0,
      moveSeconds: 2,
    });
    const notice = first.page.locator('.notice', {
      hasText: 'A bot is playing for you',
    });
    await notice.waitFor({ timeout: 30_000 });
    await second.page.locator('.bar li[data-presence=stand_in]').first().waitFor();
    await notice.getByRole('button', { name: 'I’m back' }).click();
    await notice.waitFor({ state: 'detached' });
    await first.page.locator('.bar li.own[data-presence=here]').waitFor();
  });

  test('after a restart the clock waits for who is on turn', async () => {
    const [first, second] = await couple({ clock: 'calm' });
    await setAway(first.page, true);
    await site.server.kill();
    await site.server.start();
    const waits = second.page.locator('.bar li.turn', {
      hasText: 'clock stopped',
    });
    await waits.waitFor({ timeout: 20_000 });
    await second.page.locator('.bar li[data-presence=away]').waitFor();
    await setAway(first.page, false);
    await waits.waitFor({ state: 'detached', timeout: 20_000 });
    await second.page.locator('.bar .counts').waitFor();
  });

  test('on a phone the clocks stay in sight', async () => {
    const [first] = await couple({ clock: 'move' }, { ...still, ...phone });
    await first.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const box = await first.page.locator('.bar li.own .clock').boundingBox();
    assert.ok(box.y >= 0 && box.y < 80, `the clock stands at ${box.y}`);
  });
});
