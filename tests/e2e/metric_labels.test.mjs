// Whatever strangers send, the values of each label of /metrics are few and known beforehand.
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { after, before, test } from 'node:test';
import { games } from './harness/games.mjs';
import { bearer, lobbyOf, newTable } from './harness/lobby.mjs';
import { samples } from './harness/metrics.mjs';
import { Server } from './harness/server.mjs';
import { Stream } from './harness/stream.mjs';

const strangers = 100;
const service = /^\/(tesela\.\w+\.v1|grpc\.(health|reflection)\.v1(alpha)?)\.\w+\/\w+$/;
const ofBots = /^(answered|late|illegal|left|busy|stopped)$/;
const ofNotices = /^(sent|failed)$/;
const ofRelays =
  /^(begun|call|unanswered|wrong_owner|unreachable|given_up|refused|search|search_again|stranger)$/;
const allowed = {
  version: /^\d+\.\d+\.\d+(-[\w-]+)?$/,
  game: (value) => value in games,
  state: /^(waiting|playing|finished)$/,
  reason: /^[a-z_]+$/,
  route: /^(connect|ops|static|none|refused)$/,
  status: /^[2-5]\d\d$/,
  method: (value) => value === 'unknown' || service.test(value),
  code: /^[a-z_]+$/,
  outcome: (value) => [ofBots, ofNotices, ofRelays].some((each) => each.test(value)),
  who: /^(player|spectator|bot)$/,
  kind: /^(guest|member|renewed|issuer)$/,
  end: /^(finished|resigned|closed)$/,
  operation: /^(read|write)$/,
  what: /^(table|guest|event|report|challenge|page)$/,
  side: /^(before|after)$/,
  limit: /^(player|address)_[a-z_]+$/,
  le: /^([\d.e+-]+|\+Inf)$/,
};
let server;
before(async () => {
  server = await Server.start();
});
after(() => server.dispose());

/** Calls of gRPC methods by their paths, to their ends. */
async function call(paths) {
  const session = http2.connect(server.grpc);
  await Promise.all(
    paths.map(
      (path) =>
        new Promise((resolve, reject) => {
          const stream = session.request({
            ':method': 'POST',
            ':path': path,
            te: 'trailers',
            'content-type': 'application/grpc',
          });
          stream.on('error', reject).on('close', resolve).resume();
          stream.end(Buffer.alloc(5));
        }),
    ),
  );
  session.close();
}

test('labels are of fixed sets, whatever was asked', async () => {
  const { tableId, token } = await newTable(server);
  const names = Array.from({ length: strangers }, (_, n) => `intruder${n}`);
  for (let at = 0; at < strangers; at += 20) {
    await call(names.slice(at, at + 20).map((name) => `/${name}.v1.Service/Method`));
  }
  await call(['/tesela.lobby.v1/LobbyService.SignIn', '/tesela.lobby.v1.LobbyService/None', '/']);
  for (const name of names) {
    await fetch(`${server.http}/${name}`);
    await fetch(`${server.http}/tesela.lobby.v1.LobbyService/${name}`, { method: 'POST' });
    await lobbyOf(server)
      .createTable({ game: name }, bearer(token))
      .catch(() => {});
    await lobbyOf(server)
      .addBot({ tableId, bot: { strategy: name } }, bearer(name))
      .catch(() => {});
  }
  const stream = await Stream.connect(server, tableId, { protocol: 'tesela.v1.json' });
  stream.sendRaw('{"hello":{"token":"intruder"}}');
  await stream.goodbye();

  const found = new Map();
  for (const { name, labels } of await samples(server)) {
    for (const [label, value] of Object.entries(labels)) {
      const rule = allowed[label];
      assert.ok(rule, `${name} has a label ${label}, of which nothing is known here`);
      const good = rule instanceof RegExp ? rule.test(value) : rule(value);
      assert.ok(good, `${name}{${label}="${value}"}`);
      assert.doesNotMatch(value, /intruder/);
      if (label !== 'le') found.set(label, (found.get(label) ?? new Set()).add(value));
    }
  }
  for (const [label, values] of found) assert.ok(values.size < 40, `${label}: ${[...values]}`);
});
