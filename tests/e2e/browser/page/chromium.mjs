// Chromium, and pages that are watched: whatever a page complains about fails the test that opened
// it.
import { chromium } from 'playwright-core';
import assert from 'node:assert/strict';
import path from 'node:path';
import { repository } from '../../harness/server.mjs';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const shots = path.join(repository, 'tests/e2e/shots');

export const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const desktop = { viewport: { width: 1280, height: 800 } };

/** What Chromium itself writes when a server goes away; a page cannot prevent it. */
export const lostServer =
  /ERR_(CONNECTION_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|WebSocket connection to/;

export class Browser {
  #chromium;
  #origin;
  #complaints = [];
  #refused = []; // what tells why, when a complaint is of a response

  /** Pages may load from the server alone. */
  static async launch(server) {
    const browser = new Browser();
    browser.#origin = server.http;
    browser.#chromium = await chromium.launch({ executablePath, args });
    return browser;
  }

  /** A visitor's own browser profile: { language, theme, newcomer, … } and what Playwright's
   *  contexts take. */
  async newPage({ language = 'en-US', theme = 'light', newcomer = false, ...options } = {}) {
    const context = await this.#chromium.newContext({
      ...desktop,
      locale: language,
      colorScheme: theme,
      baseURL: this.#origin,
      ...options,
    });
    const { origin } = new URL(options.baseURL ?? this.#origin);
    // Who has played before is shown no tutorial.
    if (!newcomer) {
      await context.addInitScript(() => {
        for (const game of ['azul', '2048', '2248', 'samegame']) {
          localStorage.setItem(`tesela.knows.${game}`, 'yes');
        }
      });
    }
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => this.#complain(page, error.stack));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#complain(page, message.text());
    });
    page.on('response', async (response) => {
      if (response.status() < 400) return;
      const body = await response.text().catch(() => '');
      this.#refused.push(`${response.status()} ${response.url()}: ${body}`);
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) {
        this.#complain(page, `asked for ${request.url()}`);
      }
    });
    return page;
  }

  #complain(page, sentence) {
    this.#complaints.push(`${new URL(page.url()).pathname}: ${sentence}`);
  }

  /** Fails for every error, warning, foreign request and breach of the content security policy
   *  since it was called last, `except` those of this pattern. */
  assertQuiet({ except } = {}) {
    const heard = this.#complaints.splice(0).filter((line) => !except?.test(line));
    const refused = this.#refused.splice(0);
    assert.equal(heard.length, 0, [...heard, ...refused].join('\n'));
  }

  /** Closes every page: one that stays open animates, or is slowed down by work for nothing. */
  async closePages() {
    await Promise.all(this.#chromium.contexts().map((context) => context.close()));
  }

  async close() {
    await this.#chromium.close();
  }
}
