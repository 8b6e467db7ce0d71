// What an older release has kept and said: a server of today opens the data of each folder of
// compatibility/, which keep.mjs made, and answers what clients sent then as they were answered.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { toBinary, toJson } from '@bufbuild/protobuf';
import { GameRecordSchema, HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { ServerFrameSchema } from './gen/tesela/play/v1/play_pb.js';
import { bearer, clientOf, registry } from './harness/lobby.mjs';
import { Postgres } from './harness/postgres.mjs';
import { keysOf, run, Server } from './harness/server.mjs';
import { codecs, Stream } from './harness/stream.mjs';

const given = path.join(import.meta.dirname, 'compatibility');
const releases = (await readdir(given)).filter((name) => /^\d/.test(name));
assert.ok(releases.length > 0);

// What differs from one start to the next.
const times = ['clocks', 'serverTimeMs', 'atMs', 'awayMs', 'expiresAt'];
const ofTheStart = new Set([...times, 'epoch', 'token']);

/** All that was said then is said now; there may be more. */
function assertContains(now, then, where) {
  if (typeof then !== 'object' || then === null) return assert.deepEqual(now, then, where);
  if (Array.isArray(then)) assert.equal(now?.length, then.length, where);
  for (const [key, value] of Object.entries(then)) {
    if (!ofTheStart.has(key)) assertContains(now?.[key], value, `${where}.${key}`);
  }
}

/** A frame of the server as JSON. */
const shown = (protocol, bytes) => {
  const frame = codecs[protocol].decode(bytes, protocol === 'tesela.v1.proto');
  return toJson(ServerFrameSchema, frame, { registry });
};

async function assertGoesOn(server, { records, finished, calls, sessions }) {
  const history = clientOf(HistoryService, server);
  for (const [tableId, digest] of Object.entries(records)) {
    const { record } = await history.getRecord({ tableId });
    const now = createHash('sha256').update(toBinary(GameRecordSchema, record)).digest('hex');
    assert.equal(now, digest, tableId);
  }
  for (const tableId of finished) {
    const { ok, message } = await history.verify({ tableId });
    assert.ok(ok, message);
  }
  for (const { tableId, protocol, said } of sessions) {
    const stream = await Stream.connect(server, tableId, { protocol });
    for (const [n, [what, text]] of said.entries()) {
      const bytes = Buffer.from(text, 'base64');
      if (what === 'sent') {
        stream.sendRaw(protocol === 'tesela.v1.proto' ? bytes : bytes.toString());
        continue;
      }
      let frame;
      do frame = await stream.next();
      while (frame.kind === 'seating');
      const where = `${protocol}, ${tableId}, ${n}`;
      assertContains(shown(protocol, frame.bytes), shown(protocol, bytes), where);
    }
    await stream.close();
  }
  for (const { method, body, token, answer } of calls) {
    const now = await fetch(`${server.http}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(token).headers },
      body: JSON.stringify(body),
    });
    assertContains(await now.json(), answer, method);
  }
}

/** A server on data that may be years old, none of which is cleaned up. */
async function startOn(t, ...where) {
  const forEver = ['--keep-games', '0s', '--keep-guests', '0s', '--abandoned-after', '36500d'];
  const server = await Server.start(...where, ...forEver, '--bot-pace', '0ms');
  t.after(() => server.dispose());
  return server;
}

for (const release of releases) {
  const expected = JSON.parse(await readFile(path.join(given, release, 'expected.json')));

  /** The data folder of then. */
  async function unpack(t) {
    const folder = await mkdtemp(path.join(tmpdir(), 'tesela-compatibility-'));
    t.after(() => rm(folder, { recursive: true }));
    const packed = path.join(given, release, 'data.tar.gz');
    const { code, stderr } = await run('tar', ['-xzf', packed, '-C', folder]);
    assert.equal(code, 0, stderr);
    return path.join(folder, 'data');
  }

  test(`the data folder of ${release}, and its clients`, async (t) => {
    const server = await startOn(t, '--data', await unpack(t));
    await assertGoesOn(server, expected);
  });

  test(`the database of ${release}, and its clients`, async (t) => {
    const data = await unpack(t);
    const postgres = await Postgres.start();
    t.after(() => postgres.dispose());
    await postgres.load(path.join(given, release, 'database.sql.gz'));
    const keys = keysOf(data);
    const server = await startOn(t, '--database', postgres.url, ...keys);
    await assertGoesOn(server, expected);
  });
}
