// Whether a game that is over is true: by the server, by `tesela verify`, and by the second
// verifier.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HistoryService } from '../gen/tesela/lobby/v1/history_pb.js';
import { clientOf } from './lobby.mjs';
import { clientProgram, repository, run } from './server.mjs';

const secondVerifier = path.join(repository, 'tests/verify/verify_record.py');

/** The record in a file, as `GetRecord` answers over HTTP, for as long as `body` runs. */
async function withRecord(server, tableId, body) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tesela-record-'));
  try {
    const answer = await fetch(`${server.http}/${HistoryService.typeName}/GetRecord`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tableId }),
    });
    const file = path.join(folder, 'record.json');
    await writeFile(file, await answer.text());
    await body(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** All three must believe the game of `versions`, and `commitment`, which was shown before it. */
export async function assertTrue(server, tableId, { commitment, versions }) {
  const verdict = await clientOf(HistoryService, server).verify({ tableId });
  assert.ok(verdict.ok, verdict.message);
  assert.equal(verdict.versions, versions);
  assert.deepEqual(verdict.commitment, commitment);
  await withRecord(server, tableId, async (file) => {
    const ours = await run(clientProgram, ['verify', file]);
    assert.equal(ours.code, 0, ours.stdout + ours.stderr);
    assert.match(ours.stdout, new RegExp(`^true .*, ${versions} versions`));
    const shown = Buffer.from(commitment).toString('hex');
    const theirs = await run('python3', [secondVerifier, '--shown', shown, file]);
    assert.equal(theirs.code, 0, theirs.stdout + theirs.stderr);
    assert.match(theirs.stdout, new RegExp(`: true, ${versions} versions`));
  });
}
