// What the pages may cost, in the manner of Lighthouse: bytes, requests, elements and jumps of the
// layout are checked; the times of a phone with a slow processor on a slow line are printed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTable } from '../harness/lobby.mjs';
import { phone } from './page/chromium.mjs';
import { describeSite } from './page/site.mjs';
import { Visitor } from './page/visitor.mjs';

const budget = {
  firstLoadBytes: 150 * 1024, // compressed, with headers
  requests: 37, // of different things: on a slow machine, a call may be made again
  laterBytes: 60 * 1024, // of a page whose program is in the cache
  firstMoveBytes: 210 * 1024, // from nothing to a move that is confirmed
  elements: 1500,
  layoutShift: 0.1,
};

// Lighthouse's phone: four times slower, 1.6 Mbit/s, 150 ms there and back.
const slower = 4;
const line = {
  offline: false,
  latency: 150,
  downloadThroughput: 2e5,
  uploadThroughput: 9e4,
};

/** Has the page write down what Lighthouse looks at. */
function observe() {
  globalThis.seen = { shift: 0, paint: 0, largest: 0, blocked: 0 };
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
    });
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) seen.shift += value;
  });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.paint = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => (seen.largest = startTime));
  watch('longtask', ({ duration }) => (seen.blocked += duration - 50));
}

/** Counts what a page loads from now on: { bytes, the paths it asks for }. */
function count(page) {
  const load = { bytes: 0, paths: new Set() };
  page.on('requestfinished', async (request) => {
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    load.bytes += responseBodySize + responseHeadersSize;
    load.paths.add(new URL(request.url()).pathname);
  });
  return load;
}

describeSite('the budget', {}, (site) => {
  const pages = [
    { name: 'sign-in', path: () => '/', ready: '#name' },
    { name: 'lobby', path: () => '/', ready: '.games', signedIn: true },
    {
      name: 'leaderboards',
      path: () => '/boards',
      ready: 'main h1',
      signedIn: true,
    },
    {
      name: 'table',
      path: async () => `/t/${(await newTable(site.server)).tableId}`,
      ready: '[role=gridcell]',
      signedIn: true,
    },
  ];

  for (const { name, path, ready, signedIn } of pages) {
    test(`of the page ${name}`, async () => {
      const page = await site.newPage(phone);
      if (signedIn) await Visitor.arrive(page);
      const where = await path();
      await page.addInitScript(observe);
      const tools = await page.context().newCDPSession(page);
      await tools.send('Network.enable');
      await tools.send('Network.emulateNetworkConditions', line);
      await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
      const load = count(page);
      await page.goto(where);
      await page.locator(ready).first().waitFor();
      await page.waitForTimeout(1500); // what comes late may push what stands
      const { shift, paint, largest, blocked, elements } = await page.evaluate(() => ({
        ...seen,
        elements: document.querySelectorAll('*').length,
      }));
      const times = { 'first paint': paint, 'largest paint': largest, blocked };
      console.log(
        [
          name.padEnd(13),
          `${(load.bytes / 1024).toFixed(0)} KiB in ${load.paths.size} requests`,
          `${elements} elements`,
          `layout shift ${shift.toFixed(3)}`,
          ...Object.entries(times).map(([what, ms]) => `${what} ${ms.toFixed(0)} ms`),
        ].join('   '),
      );
      assert.ok(load.paths.size > 0 && paint > 0, 'the page was measured');
      assert.ok(load.paths.size <= budget.requests, [...load.paths].join('\n'));
      const bytesMax = signedIn ? budget.laterBytes : budget.firstLoadBytes;
      assert.ok(load.bytes <= bytesMax, `${load.bytes} bytes, ${bytesMax} are allowed`);
      if (!signedIn) assert.ok(load.bytes > 20_000, `only ${load.bytes} bytes were counted`);
      assert.ok(elements <= budget.elements, `${elements} elements`);
      assert.ok(shift <= budget.layoutShift, `the layout shifts by ${shift}`);
    });
  }

  for (const [name, device] of [
    ['phone on a slow line', phone],
    ['desktop', {}],
  ]) {
    test(`of the way to the first move, ${name}`, async () => {
      const page = await site.newPage({ ...device, newcomer: true });
      if (device.isMobile) {
        const tools = await page.context().newCDPSession(page);
        await tools.send('Network.enable');
        await tools.send('Network.emulateNetworkConditions', line);
        await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
      }
      const load = count(page);
      const ada = new Visitor(page);
      const times = {};
      const from = performance.now();
      const reached = (what) => (times[what] = performance.now() - from);
      await page.goto('/', { waitUntil: 'commit' });
      await page.getByRole('button', { name: 'Play now: 2048' }).click();
      reached('tapped');
      await ada.atBoard();
      reached('at the board');
      await ada.playOne('press');
      reached('moved');
      console.log(
        [
          'first move'.padEnd(13),
          name.padEnd(20),
          `${(load.bytes / 1024).toFixed(0)} KiB in ${load.paths.size} requests`,
          ...Object.entries(times).map(([what, ms]) => `${what} ${ms.toFixed(0)} ms`),
        ].join('   '),
      );
      assert.ok(load.bytes <= budget.firstMoveBytes, `${load.bytes} bytes`);
      assert.equal(await ada.moves(), 1);
    });
  }

  test('is kept by what a browser is told of the page', async () => {
    const page = await site.newPage(phone);
    await page.goto('/');
    const told = await page.evaluate(() => ({
      title: document.title,
      description: document.querySelector('meta[name=description]')?.content,
      viewport: document.querySelector('meta[name=viewport]')?.content,
      manifest: document.querySelector('link[rel=manifest]')?.href,
      blocking: document.querySelectorAll('script[src]:not([type=module]):not([defer])').length,
      unsized: [...document.images].filter((image) => !image.width || !image.height).length,
    }));
    assert.ok(told.title.length > 0 && told.description?.length > 20);
    assert.match(told.viewport, /width=device-width/);
    assert.doesNotMatch(told.viewport, /user-scalable=no|maximum-scale/);
    assert.ok(told.manifest);
    assert.ok(told.blocking <= 1, 'but the one that knows the theme before the first paint');
    assert.equal(told.unsized, 0);
  });
});
