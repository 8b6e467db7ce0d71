// The operators' console where several servers share a database.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LogLevel } from '../../gen/tesela/admin/v1/admin_pb.js';
import { adminOf } from '../../harness/admin.mjs';
import { adminOptions, startNode } from '../../harness/node.mjs';
import { Postgres } from '../../harness/postgres.mjs';
import { until } from '../../harness/until.mjs';
import { Browser } from '../page/chromium.mjs';
import { Operator } from '../page/operator.mjs';

describe('the console of two servers', { timeout: 600_000 }, () => {
  const token = 'operator-'.repeat(5);
  const servers = [];
  let postgres;
  let browser;
  let operator;
  before(async () => {
    postgres = await Postgres.start();
    const options = await adminOptions(postgres, token);
    for (let n = 0; n < 2; ++n) servers.push(await startNode(postgres, options));
    browser = await Browser.launch(servers[0]);
    operator = await Operator.arrive(await browser.newPage(), token);
    await operator.press('link', 'Servers');
  });
  after(async () => {
    await browser?.close();
    await Promise.all(servers.map((server) => server.dispose()));
    await postgres.dispose();
  });

  const readiness = () => Promise.all(servers.map((server) => server.readiness()));

  test('a drained server is taken back', async () => {
    await operator.press('button', 'Drain …');
    await operator.press('button', 'Drain');
    await operator.told('takes nothing new');
    assert.deepEqual((await readiness()).sort(), [200, 503]);
    await operator.press('button', 'Take the drain back …');
    await operator.press('button', 'Undrain');
    await operator.told('takes everything again.');
    await until(async () => (await readiness()).every((status) => status === 200));
    browser.assertQuiet();
  });

  test('the log level of all is set at each', async () => {
    await operator.press('button', 'Log level of all …');
    await operator.choose('Level', 'd');
    await operator.press('button', 'Set');
    await operator.told('The log level is set; it was info.');
    for (const server of servers) {
      const { logLevel } = await adminOf(server, token).getStatus();
      assert.equal(logLevel, LogLevel.DEBUG);
    }
    browser.assertQuiet();
  });
});
