// What operators and their machines see: /metrics, /healthz, /readyz, the log, and the web client's
// files.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import http from 'node:http';
import { databases } from './harness/databases.mjs';
import { newTable } from './harness/lobby.mjs';
import { counter, samples } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { Server, repository } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';
import { until } from './harness/until.mjs';

let server;
before(async () => (server = await Server.start('--log-format', 'json', '--log-level', 'debug')));
after(() => server.dispose());

/** A request whose body is not decoded: { status, headers, body }. */
function request(method, url, headers = {}) {
  return new Promise((resolve, reject) => {
    http
      .request(`${server.http}${url}`, { method, headers, agent: false }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      })
      .on('error', reject)
      .end();
  });
}

test("/metrics is Prometheus' text format, and each family is described once", async () => {
  const response = await fetch(`${server.http}/metrics`);
  assert.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const described = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram|summary)$/gm)].map(
    ([, name]) => name,
  );
  assert.equal(new Set(described).size, described.length);
  for (const { name } of await samples(server)) {
    const family = name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(described.includes(name) || described.includes(family), name);
    assert.match(text, new RegExp(`^# HELP (${name}|${family}) \\S`, 'm'));
  }
});

test('moves, refusals and streams are counted', async () => {
  const moves = () => counter(server, 'tesela_moves_total', { game: '2048' });
  const refusals = () => counter(server, 'tesela_refusals_total', { reason: 'stale' });
  const streams = () => counter(server, 'tesela_streams_open');
  const before = { moves: await moves(), refusals: await refusals(), streams: await streams() };
  const { tableId, token } = await newTable(server);
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(7);
  player.stream.move(player.view.legal[0], { atVersion: 1n });
  await player.stream.expect('refusal');
  assert.equal(await moves(), before.moves + 7);
  assert.equal(await refusals(), before.refusals + 1);
  assert.equal(await streams(), before.streams + 1);
  for (const name of ['append', 'move_durable', 'move_fanout']) {
    assert.ok((await counter(server, `tesela_${name}_seconds_count`)) >= 7, name);
  }
  await player.stream.close();
});

test('tables are counted by game and state', async () => {
  const tables = (labels) => counter(server, 'tesela_tables', labels);
  const before = await tables({ game: '2048' });
  const { tableId, token } = await newTable(server, { size: 3, objective: 16 });
  const player = await Player.join(server, tableId, { token });
  assert.equal(await tables({ game: '2048' }), before + 1);
  const finished = await tables({ game: '2048', state: 'finished' });
  const playing = await tables({ game: '2048', state: 'playing' });
  assert.ok(playing >= 1);
  while (!player.result) await player.play();
  // They are counted when the last event has been shown.
  const isCounted = async () =>
    (await tables({ game: '2048', state: 'finished' })) === finished + 1;
  await until(isCounted, 'the finished game');
  assert.equal(await tables({ game: '2048', state: 'playing' }), playing - 1);
  await player.stream.close();
});

test('the process and its disk are measured too', async () => {
  const expected = {
    tesela_ready: (value) => value === 1,
    tesela_data_free_bytes: (value) => value > 1e6,
    process_resident_memory_bytes: (value) => value > 5e6 && value < 1e9,
    process_open_fds: (value) => value > 5 && value < 1000,
    process_max_fds: (value) => value >= 1024,
    process_cpu_seconds_total: (value) => value > 0 && value < 100,
    process_start_time_seconds: (value) => Math.abs(Date.now() / 1000 - value) < 300,
  };
  const found = await samples(server);
  for (const [name, holds] of Object.entries(expected)) {
    const values = found.filter((sample) => sample.name === name).map(({ value }) => value);
    assert.equal(values.length, 1, name);
    assert.ok(holds(values[0]), `${name} ${values[0]}`);
  }
});

const threads = {
  SQLite: ['writer', 'checkpointer', 'reader-0', 'list-reader-0', 'pause-watch'],
  PostgreSQL: ['postgres', 'heartbeat'],
};
for (const { name, start } of databases) {
  test(`every thread has a name, on ${name}`, async (t) => {
    const database = await start();
    const named = await Server.start(...database.options);
    t.after(() => named.dispose().then(() => database.dispose()));
    const nameOf = (id) => readFileSync(`/proc/${named.pid}/task/${id}/comm`, 'utf8').trim();
    const ids = readdirSync(`/proc/${named.pid}/task`).filter((id) => id !== `${named.pid}`);
    const names = ids.map(nameOf);
    const loops = ['table', 'lobby', 'grpc', 'ops', 'execution', 'packing', 'bot'];
    const expected = [...loops.map((loop) => `${loop}-0`), 'remote-bots', ...threads[name]];
    assert.deepEqual(
      expected.filter((thread) => !names.includes(thread)),
      [],
    );
    const unnamed = nameOf(named.pid); // a thread without a name has that of the program
    assert.ok(!names.includes(unnamed), names.join(' '));
  });
}

test('the log is one JSON object a line, and holds no token', async () => {
  const { tableId, token } = await newTable(server);
  const stream = await Stream.open(server, tableId, { token });
  await stream.expect('welcome');
  await stream.close();
  const lines = server.output.trim().split('\n');
  assert.ok(lines.length > 0);
  for (const line of lines) assert.equal(typeof JSON.parse(line), 'object', line);
  assert.ok(!server.output.includes(token.split('.')[2]));
});

test('the web client is served whole, cached by its hash and compressed', async () => {
  const page = await request('GET', '/', { accept: 'text/html' });
  assert.equal(page.status, 200);
  assert.match(page.headers['content-type'], /^text\/html/);
  const [, script] = page.body.toString().match(/src="(\/assets\/[^"]+\.js)"/);
  const plain = await request('GET', script);
  assert.equal(plain.status, 200);
  assert.match(plain.headers['content-type'], /javascript/);
  const gzip = await request('GET', script, { 'accept-encoding': 'gzip' });
  assert.equal(gzip.headers['content-encoding'], 'gzip');
  assert.deepEqual(gunzipSync(gzip.body), plain.body);
  const brotli = await request('GET', script, { 'accept-encoding': 'gzip, br' });
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
  for (const { headers } of [gzip, brotli]) assert.match(headers.vary, /accept-encoding/i);
  const again = await request('GET', script, { 'if-none-match': plain.headers.etag });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
  const head = await request('HEAD', script);
  assert.equal(head.status, 200);
  assert.equal(Number(head.headers['content-length']), plain.body.length);
  assert.equal(head.body.length, 0);
});

test('every file of the build is there, and nothing else of the machine', async () => {
  const dist = path.join(repository, 'clients/web/dist');
  for (const file of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || /\.(br|gz)$/.test(file.name)) continue;
    const url = path.join(
      '/',
      path.relative(dist, path.join(file.parentPath ?? file.path, file.name)),
    );
    assert.equal((await request('GET', url)).status, 200, url);
  }
  for (const url of [
    '/../../etc/passwd',
    '/%2e%2e/etc/passwd',
    '/assets/',
    '/none.js',
    '//etc/passwd',
  ]) {
    const { status } = await request('GET', url);
    assert.ok([400, 404].includes(status), `${url}: ${status}`);
  }
});
