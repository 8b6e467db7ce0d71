// Operators with tokens of their own: what each may do, by which name, and how a token is replaced.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { ActKind } from './gen/tesela/account/v1/conduct_pb.js';
import { LogLevel } from './gen/tesela/admin/v1/admin_pb.js';
import { ModerationService } from './gen/tesela/admin/v1/moderation_pb.js';
import { adminOf, ownAdminOf } from './harness/admin.mjs';
import { bearer, clientOf, newTable } from './harness/lobby.mjs';
import { assertRefused } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { until } from './harness/until.mjs';

const { PermissionDenied, Unauthenticated } = Code;

/** An operator's calls about players. */
function moderatorOf(server, token) {
  const client = clientOf(ModerationService, server);
  return (method, request = {}) => client[method](request, bearer(token));
}

test('operators have roles, and names that they cannot choose', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tesela-operators-'));
  const file = path.join(folder, 'operators');
  const [rosa, mara, otto, newer] = [1, 2, 3, 4].map(() => randomBytes(24).toString('hex'));
  const write = (...lines) => writeFile(file, lines.join('\n'), { mode: 0o600 });
  await write(
    '# who may look',
    `Rosa read ${rosa}`,
    '',
    `Mara moderate ${mara}`,
    `Otto operate ${otto}`,
  );
  const server = await Server.start('--operators-file', file);
  try {
    const { tableId, owner } = await newTable(server);
    const { playerId } = owner;
    const act = { playerId, kind: ActKind.WARN, operator: 'Otto', reason: 'Insults' };
    const denied = (call, role) => assertRefused(call, PermissionDenied, role);

    await adminOf(server, rosa).inspectTable({ tableId });
    const reader = moderatorOf(server, rosa);
    assert.deepEqual((await reader('listActs', { playerId })).acts, []);
    await denied(reader('actOnPlayer', act), /needs the role moderate; Rosa has the role read/);
    await denied(adminOf(server, mara).erasePlayer({ playerId }), /role operate/);

    const moderator = moderatorOf(server, mara);
    assert.equal(
      (await moderator('actOnPlayer', act)).act.operator,
      'Mara',
      'not Otto, as it said',
    );
    await adminOf(server, otto).setLogLevel({ level: LogLevel.INFO });
    assert.match(server.output, /admin Mara: acts on player \w+ as Mara: ACT_KIND_WARN: Insults/);

    await write(`Mara moderate ${newer}`);
    server.hangUp();
    await until(() =>
      moderator('listReports').then(
        () => false,
        ({ code }) => code === Unauthenticated,
      ),
    );
    assert.equal((await moderatorOf(server, newer)('actOnPlayer', act)).act.operator, 'Mara');
    await assertRefused(reader('listReports'), Unauthenticated, /nor an operator's/);
    await ownAdminOf(server).then((admin) => admin.getStatus());

    for (const [line, meaning] of [
      ['Mara moderate', /:1: must be NAME ROLE TOKEN/],
      [`Mara rule ${mara}`, /:1: the role must be read, moderate or operate, not "rule"/],
      ['Mara read short', /:1: the token has 5 bytes; it needs at least 32/],
      [`Mara read ${mara}\nRosa read ${mara}`, /:2: the name or the token is there twice/],
    ]) {
      await write(line);
      server.hangUp();
      await until(() => meaning.test(server.output), String(meaning));
    }
    await moderatorOf(server, newer)('listReports');
    await server.terminate();
    await assert.rejects(server.start(), /operators:2: the name or the token is there twice/);
    await write(`Mara moderate ${newer}`);
    await chmod(file, 0o644);
    await assert.rejects(server.start(), /list of operators in .* lets others read/);
  } finally {
    await server.dispose();
    await rm(folder, { recursive: true });
  }
});
