// A file of browser tests: one real server and one Chromium for all of them.
import { after, afterEach, before, describe } from 'node:test';
import { Server } from '../../harness/server.mjs';
import { Browser } from './chromium.mjs';

const timeout = 1_500_000; // against hanging alone: beside other work a page takes its time

class Site {
  server;
  browser;

  /** A visitor's own browser profile, as Browser.newPage. */
  newPage(options) {
    return this.browser.newPage(options);
  }

  async open(options) {
    this.server = await Server.start(...options);
    this.browser = await Browser.launch(this.server);
  }

  async close() {
    await this.browser.close();
    await this.server.dispose();
  }
}

/**
 * Describes `tests(site)`: `site.server`, which gets these `options`, and `site.browser` are there
 * while they run; pages are closed after each. No page may complain, `except` about what this
 * pattern allows.
 */
export function describeSite(title, { options = [], except } = {}, tests) {
  describe(title, { timeout }, () => {
    const site = new Site();
    // As a server does that is started without options.
    const standard = options.includes('--come-within') ? [] : ['--come-within', '30s'];
    before(() => site.open([...standard, ...options]));
    afterEach(async () => {
      await site.browser.closePages();
      site.browser.assertQuiet({ except });
    });
    after(() => site.close());
    tests(site);
  });
}
