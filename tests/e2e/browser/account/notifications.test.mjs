// Being called back while the page is closed. Chromium's push service is out of reach: the page
// subscribes at the test's, and what that decrypts is handed to the real service worker.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PushService } from '../../harness/accounts/push_service.mjs';
import { until } from '../../harness/until.mjs';
import { AzulVisitor } from '../page/azul_visitor.mjs';
import { inspect, looks } from '../page/inspect.mjs';
import { describeSite } from '../page/site.mjs';

const pushes = await PushService.start();
const still = { reducedMotion: 'reduce' };

/** A subscription as browsers write it. */
function jsonOf({ subscription: { endpoint, ...secrets } }) {
  const texts = Object.entries(secrets).map(([name, bytes]) => [
    name,
    Buffer.from(bytes).toString('base64url'),
  ]);
  return { endpoint, keys: Object.fromEntries(texts) };
}

/** What PushManager has in a browser that is subscribed at `pushes`. Runs in the page. */
function stubPushManager(json) {
  const subscription = {
    endpoint: json.endpoint,
    toJSON: () => json,
    unsubscribe: async () => localStorage.removeItem('subscribed'),
  };
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error('not so');
    localStorage.setItem('subscribed', 'yes');
    return subscription;
  };
  PushManager.prototype.getSubscription = async () =>
    localStorage.getItem('subscribed') ? subscription : null;
}

/** A visitor whose browser can be called back. */
class Callee extends AzulVisitor {
  static async comes(site, name, look = still) {
    const permissions = ['notifications'];
    const page = await site.newPage({ ...look, permissions });
    const device = pushes.device();
    await page.addInitScript(stubPushManager, jsonOf(device));
    const callee = await Callee.arrive(page, name);
    callee.device = device;
    return callee;
  }

  /** Hands a push to the service worker, as the browser does. */
  async hear(push) {
    const cdp = await this.page.context().newCDPSession(this.page);
    const ready = new Promise((resolve) => {
      cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
        const active = versions.find(({ status }) => status === 'activated');
        if (active) resolve(active.registrationId);
      });
    });
    await cdp.send('ServiceWorker.enable');
    const registrationId = await ready; // Before, a push is dropped.
    const { origin } = new URL(this.page.url());
    const data = JSON.stringify(push);
    await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  }

  /** The notifications that are shown: [{ title, body, tag }, …]. */
  async told() {
    return this.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map(({ title, body, tag, lang }) => ({ title, body, tag, lang }));
    });
  }

  /** The notification that is shown of a push. Chromium drops some that DevTools delivers. */
  async shown(push) {
    const tag = push.table ?? push.challenge;
    let told;
    await until(async () => {
      await this.hear(push);
      for (let looks = 0; looks < 40 && !told; looks += 1) {
        await this.page.waitForTimeout(100);
        told = (await this.told()).find((one) => one.tag === tag);
      }
      return told;
    }, push.kind);
    return told;
  }

  /** The next push, of a kind, and the notification that is shown of it. */
  async called(kind) {
    const push = await this.device.next();
    assert.equal(push.kind, kind);
    return { push, ...(await this.shown(push)) };
  }

  /** Clicks the notification, as far as a program can: the browser opens windows at people's clicks
   *  alone, so the test opens what the worker asks for. */
  async click() {
    const [worker] = this.page.context().serviceWorkers();
    const path = await worker.evaluate(async () => {
      const [notification] = await self.registration.getNotifications();
      const click = new NotificationEvent('notificationclick', { notification });
      const opened = new Promise((resolve) => {
        self.clients.openWindow = async (path) => resolve(path);
      });
      click.waitUntil = () => {};
      self.dispatchEvent(click);
      return opened;
    });
    await this.page.goto(path);
    return path;
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  async turnOn() {
    await this.page.goto('/account');
    await this.page.locator('section[aria-labelledby=notifications] .button').first().click();
    await this.page.locator('section[aria-labelledby=notifications] fieldset').waitFor();
  }
}

describeSite('notifications', { options: pushes.options }, (site) => {
  after(() => pushes.dispose());

  test('a challenge, the game that begins and each turn call the player back', async () => {
    const [ada, bea] = await Promise.all(['Ada', 'Bea'].map((name) => Callee.comes(site, name)));
    await Promise.all([ada.turnOn(), bea.turnOn()]);
    const { playerId } = await bea.page.evaluate(() => JSON.parse(localStorage['tesela.player']));
    await ada.page.goto(`/friends/challenge/${playerId}`);
    await ada.page.locator('select[name=clock]').selectOption('day1');
    await ada.button('Send challenge').click();
    await ada.page.getByText('You challenge Bea').waitFor();

    const challenge = await bea.called('challenge');
    assert.equal(challenge.title, 'You’ve been challenged');
    assert.match(challenge.body, /^Azul · Ada · until \w{3},? \d/);
    assert.match(await bea.click(), /^\/challenge#[\w-]{22}$/);
    assert.deepEqual(await bea.told(), []);
    await bea.button('Accept and play').click();
    await bea.atTable();
    const accepted = await ada.called('challenge');
    assert.equal(accepted.title, 'Your challenge was accepted');
    const path = await ada.click();
    assert.equal(path, new URL(bea.page.url()).pathname);
    await ada.atTable();

    await Promise.race([ada, bea].map((one) => one.offers().first().waitFor()));
    const [first, second] = (await ada.mayTake()) ? [ada, bea] : [bea, ada];
    await second.page.goto('/');
    await first.playOne();
    const turn = await second.called('your-turn');
    assert.equal(turn.title, 'It’s your turn');
    assert.equal(turn.tag, path.slice('/t/'.length));
    assert.equal(await second.click(), path);
    await second.atTable();
    await second.page.bringToFront();
    await second.hear(turn.push);
    await second.playOne();
    assert.deepEqual(await second.told(), [], 'nothing of a table that is looked at');

    // The result is at the table where the last notification leads.
    await second.button('Resign').click();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await first.page.locator('.over.card').waitFor();
  });

  test('a player of a game by days is offered notifications, once', async () => {
    const ada = await Callee.comes(site, 'Ada');
    // The browser has not been asked yet.
    await ada.page.addInitScript(() => {
      let permission = 'default';
      Object.defineProperty(Notification, 'permission', { get: () => permission });
      Notification.requestPermission = async () => (permission = 'granted');
    });
    await ada.page.goto('/');
    await ada.createTable(2, { clock: 'day3' });
    await ada.button('Notify me').click();
    await ada.page.getByText('Notifications are on.').waitFor();
    await ada.page.goto('/');
    await ada.createTable(2, { clock: 'day7' });
    await ada.page.getByText('7 days per move').waitFor();
    assert.equal(await ada.button('Notify me').count(), 0);
    await ada.page.goto('/account');
    await ada.page.getByRole('button', { name: 'Turn off: This browser' }).click();
    await ada.button('Notify me on this device').waitFor();
    assert.equal(await ada.page.evaluate(() => localStorage.getItem('subscribed')), null);
  });

  for (const look of looks) {
    test(`are set on the account, and speak the player’s language, ${look.name}`, async () => {
      const ada = await Callee.comes(site, 'Ada', { ...look, ...still });
      await ada.turnOn();
      const section = ada.page.locator('section[aria-labelledby=notifications]');
      await section.locator('input[type=checkbox]').last().check();
      await section.locator('input[type=time]').first().fill('23:30');
      await section.locator('input[type=checkbox]').nth(1).uncheck();
      await ada.page.reload();
      assert.equal(await section.locator('input[type=time]').first().inputValue(), '23:30');
      assert.equal(await section.locator('input[type=checkbox]:checked').count(), 4);
      await section.scrollIntoViewIfNeeded();
      await inspect(ada, look, 'notifications');
      const short = { kind: 'time-short', table: '0123456789abd', game: '2048', from: 'Bea' };
      const hour = await ada.shown({ ...short, until: Date.now() + 3_600_000 });
      const hours = {
        de: 'Noch eine Stunde für deinen Zug',
        es: 'Te queda una hora para jugar',
        en: 'One hour left for your move',
      };
      assert.equal(hour.title, hours[hour.lang]);
      assert.match(hour.body, /^2048 · Bea · .*\d/);
      const rematch = { kind: 'rematch', table: '0123456789abc', game: '2048', from: 'Bea' };
      const { title, body, lang } = await ada.shown(rematch);
      const titles = {
        de: 'Lust auf eine Revanche?',
        es: '¿Revancha?',
        en: 'Fancy a rematch?',
      };
      assert.deepEqual([title, body], [titles[lang], '2048 · Bea']);
      assert.equal(lang, look.language.slice(0, 2));
    });
  }

  test('a browser whose endpoint has changed is called back at the other one', async () => {
    const ada = await Callee.comes(site, 'Ada');
    await ada.turnOn();
    const other = pushes.device();
    const [worker] = ada.page.context().serviceWorkers();
    await worker.evaluate((json) => {
      const change = new Event('pushsubscriptionchange');
      change.newSubscription = { toJSON: () => json };
      let done;
      change.waitUntil = (promise) => (done = promise);
      self.dispatchEvent(change);
      return done;
    }, jsonOf(other));
    await ada.page.reload();
    const device = `Another device, by ${new URL(other.endpoint).host}`;
    await ada.button(`Turn off: ${device}`).waitFor();
  });

  test('the page is installed with a name, and icons of the sizes that it tells', async () => {
    const { page } = await AzulVisitor.arrive(await site.newPage(still));
    const cdp = await page.context().newCDPSession(page);
    const { url, errors, data } = await cdp.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data);
    assert.deepEqual(
      [manifest.name, manifest.short_name, manifest.start_url, manifest.display],
      ['Tesela', 'Tesela', '/', 'standalone'],
    );
    const { headers } = await fetch(url.replace(/^.*(?=\/)/, site.server.http));
    assert.equal(headers.get('content-type'), 'application/manifest+json');
    const drawn = await page.evaluate(async (icons) => {
      const sizes = icons.map(async ({ src, type }) => {
        const response = await fetch(src);
        if (type === 'image/svg+xml') return 'any';
        const { width, height } = await createImageBitmap(await response.blob());
        return `${width}x${height}`;
      });
      return Promise.all(sizes);
    }, manifest.icons);
    assert.deepEqual(
      manifest.icons.map(({ sizes }) => sizes),
      drawn,
    );
    assert.ok(drawn.includes('192x192') && drawn.includes('512x512'));
    // Every page here is of a private profile.
    const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
    const others = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
    assert.deepEqual(others, []);
  });

  const without = {
    'This browser blocks notifications from this site': () =>
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' }),
    'can’t notify you while the page is closed': () => delete globalThis.PushManager,
    'first add this page to the Home Screen': () => {
      delete globalThis.PushManager;
      Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (iPhone)' });
    },
  };
  for (const [sentence, browser] of Object.entries(without)) {
    test(`where there are none the page says why: ${sentence}`, async () => {
      const page = await site.newPage(still);
      await page.addInitScript(browser);
      await AzulVisitor.arrive(page);
      await page.goto('/account');
      await page.getByText(sentence).waitFor();
    });
  }
});
