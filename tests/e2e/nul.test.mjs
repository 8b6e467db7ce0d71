// No text of the contract holds U+0000, which PostgreSQL stores in no text: each string field of
// each request and of each frame is sent with one, and each time the client is refused for what it
// sent. The fields are found by the descriptors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScalarType } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { Code, ConnectError } from '@connectrpc/connect';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { file_tesela_admin_v1_admin } from './gen/tesela/admin/v1/admin_pb.js';
import { file_tesela_bot_v1_bot } from './gen/tesela/bot/v1/bot_pb.js';
import { file_tesela_lobby_v1_history } from './gen/tesela/lobby/v1/history_pb.js';
import { file_tesela_lobby_v1_leaderboard } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { file_tesela_lobby_v1_lobby } from './gen/tesela/lobby/v1/lobby_pb.js';
import { file_tesela_lobby_v1_matchmaking } from './gen/tesela/lobby/v1/matchmaking_pb.js';
import { ClientFrameSchema, Reason } from './gen/tesela/play/v1/play_pb.js';
import { adminToken } from './harness/admin.mjs';
import { databases } from './harness/databases.mjs';
import { bearer, clientOf, newTable, registry, signIn } from './harness/lobby.mjs';
import { counter } from './harness/metrics.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { subProtocols } from './harness/stream.mjs';

const text = 'a\u0000';
const depthMax = 5;

/** Messages of this type, each with one string field that holds the NUL: { path, message }. */
function* spoiled(type, depth = 0) {
  if (depth > depthMax) return;
  if (type.typeName === 'google.protobuf.Any') yield* spoiledInside(depth);
  for (const field of type.fields) {
    const kind = field.listKind ?? field.mapKind ?? field.fieldKind;
    const put = (value) => {
      const whole = reflect(type);
      if (field.fieldKind === 'list') whole.get(field).add(value);
      else if (field.fieldKind === 'map') whole.get(field).set(text, value);
      else whole.set(field, value);
      return whole.message;
    };
    if (kind === 'scalar' && field.scalar === ScalarType.STRING) {
      yield { path: field.name, message: put(text) };
    } else if (kind === 'message') {
      for (const { path, message } of spoiled(field.message, depth + 1)) {
        yield { path: `${field.name}.${path}`, message: put(reflect(field.message, message)) };
      }
    }
  }
}

/** The same of every message that may travel in an Any. */
function* spoiledInside(depth) {
  for (const type of registry) {
    if (type.kind !== 'message' || !/Config$/.test(type.typeName)) continue;
    for (const { path, message } of spoiled(type, depth + 1)) {
      yield { path, message: anyPack(type, message) };
    }
  }
}

const services = [
  file_tesela_admin_v1_admin,
  file_tesela_bot_v1_bot,
  file_tesela_lobby_v1_history,
  file_tesela_lobby_v1_leaderboard,
  file_tesela_lobby_v1_lobby,
  file_tesela_lobby_v1_matchmaking,
].flatMap(({ services }) => services);

async function call(client, method, message, token) {
  const { methodKind, localName } = method;
  if (methodKind === 'unary') return client[localName](message, bearer(token));
  const requests = async function* () {
    yield message;
  };
  const request = methodKind === 'server_streaming' ? message : requests();
  for await (const answer of client[localName](request, bearer(token))) return answer;
}

const theClients = [Code.InvalidArgument, Code.Unauthenticated, Code.PermissionDenied];

for (const { name, start } of databases) {
  test(`a NUL in any text is refused, and the store stays in order: ${name}`, async (t) => {
    const database = await start();
    t.after(() => database.dispose());
    const server = await Server.start(...database.options);
    t.after(() => server.dispose());
    const atStart = server.output.length; // behind what is said of the database's settings
    const { token } = await signIn(server);
    let fields = 0;
    for (const service of services) {
      const isOperators = service.typeName.startsWith('tesela.admin.');
      const proof = isOperators ? await adminToken(server) : token;
      for (const method of service.methods) {
        const overGrpc = method.methodKind === 'bidi_streaming' ? ['gRPC'] : [];
        const client = clientOf(service, server, ...overGrpc);
        for (const { path, message } of spoiled(method.input)) {
          const what = `${service.name}.${method.name} with ${path}`;
          fields += 1;
          await assert.rejects(call(client, method, message, proof), (error) => {
            assert.ok(error instanceof ConnectError, `${what}: ${error}`);
            assert.ok(theClients.includes(error.code), `${what}: ${error}`);
            return true;
          }, what);
        }
      }
    }
    assert.ok(fields > 40, `${fields} fields were found`);
    const { tableId, token: seated } = await newTable(server);
    for (const protocol of subProtocols) {
      const { stream } = await Player.join(server, tableId, { token: seated, protocol });
      for (const { path, message } of spoiled(ClientFrameSchema)) {
        if (protocol.endsWith('json') && path.endsWith('type_url')) continue; // not in JSON
        stream.send(message.frame);
        const { kind, value } = await stream.next();
        assert.equal(kind, 'refusal', path);
        assert.equal(Reason[value.reason], 'MALFORMED', path);
      }
      await stream.close();
    }
    assert.equal(await counter(server, 'tesela_store_errors_total'), 0);
    assert.equal(await server.readiness(), 200);
    assert.doesNotMatch(server.output.slice(atStart), /PostgreSQL|SQLite/);
  });
}
