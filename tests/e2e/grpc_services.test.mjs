// What every gRPC tool expects: health checking and reflection.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFileRegistry, create, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from './gen/grpc/health/v1/health_pb.js';
import { ServerReflection } from './gen/grpc/reflection/v1alpha/reflection_pb.js';
import { Server } from './harness/server.mjs';

const lobbyName = 'tesela.lobby.v1.LobbyService';
let server;
let transport;
before(async () => {
  server = await Server.start();
  transport = createGrpcTransport({ baseUrl: server.grpc });
});
after(() => server.dispose());

// Under the name that it has in newer libraries, whose tools ask for it first.
const reflectionV1 = {
  ...ServerReflection,
  methods: ServerReflection.methods.map((method) => ({
    ...method,
    parent: { ...method.parent, typeName: 'grpc.reflection.v1.ServerReflection' },
  })),
};

async function reflect(request, service = ServerReflection) {
  const responses = createClient(service, transport).serverReflectionInfo(
    (async function* () {
      yield { messageRequest: request };
    })(),
  );
  for await (const { messageResponse } of responses) return messageResponse;
}

/** `files` in an order in which each comes after what it imports. */
function dependenciesFirst(files) {
  const known = new Map(files.map((file) => [file.name, file]));
  const ordered = new Set();
  const visit = (name) => {
    assert.ok(known.has(name), `reflection left out ${name}`);
    known.get(name).dependency.forEach(visit);
    ordered.add(known.get(name));
  };
  [...known.keys()].forEach(visit);
  return [...ordered];
}

test('the health check says SERVING', async () => {
  const health = createClient(Health, transport);
  for (const service of ['', lobbyName, 'tesela.bot.v1.BotService']) {
    assert.equal((await health.check({ service })).status, Status.SERVING, service);
  }
  await assert.rejects(health.check({ service: 'no.such.Service' }), (error) => {
    assert.equal(ConnectError.from(error).code, Code.NotFound);
    return true;
  });
});

test('a health watch begins with the present state', async () => {
  const hangUp = new AbortController();
  const watch = createClient(Health, transport).watch({}, { signal: hangUp.signal });
  for await (const { status } of watch) {
    assert.equal(status, Status.SERVING);
    break;
  }
  hangUp.abort();
});

test('reflection lists the lobby, by its newer name too', async () => {
  for (const service of [ServerReflection, reflectionV1]) {
    const { value } = await reflect({ case: 'listServices', value: '' }, service);
    const names = value.service.map(({ name }) => name);
    for (const name of [lobbyName, 'grpc.health.v1.Health']) assert.ok(names.includes(name), name);
  }
});

test('reflection describes every service that it lists', async () => {
  const { value } = await reflect({ case: 'listServices', value: '' });
  for (const { name } of value.service) {
    const described = await reflect({ case: 'fileContainingSymbol', value: name });
    assert.equal(described.case, 'fileDescriptorResponse', name);
  }
});

test('reflection describes the lobby well enough to call it', async () => {
  const { value } = await reflect({ case: 'fileContainingSymbol', value: lobbyName });
  const files = value.fileDescriptorProto.map((bytes) =>
    fromBinary(FileDescriptorProtoSchema, bytes),
  );
  const described = createFileRegistry(
    create(FileDescriptorSetSchema, { file: dependenciesFirst(files) }),
  ).getService(lobbyName);
  const { displayName } = await createClient(described, transport).signIn({
    displayName: 'Mirror',
  });
  assert.equal(displayName, 'Mirror');
});
