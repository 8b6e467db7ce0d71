// The lobby through @connectrpc/connect-node: a client library that shares no line with the server.
import { Code, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { create, createRegistry } from '@bufbuild/protobuf';
import { anyPack, timestampMs } from '@bufbuild/protobuf/wkt';
import { readdir } from 'node:fs/promises';
import { Game2048ConfigSchema } from '../gen/tesela/game/v1/g2048_pb.js';
import { LobbyService } from '../gen/tesela/lobby/v1/lobby_pb.js';
import { file_tesela_play_v1_course } from '../gen/tesela/play/v1/course_pb.js';

const gamesFolder = new URL('../gen/tesela/game/v1/', import.meta.url);
const gameFiles = await Promise.all(
  (await readdir(gamesFolder))
    .filter((name) => name.endsWith('_pb.js'))
    .map(async (name) => Object.values(await import(new URL(name, gamesFolder)))),
);

/** The messages that travel inside an Any: of every game, and of none. */
export const registry = createRegistry(
  ...gameFiles.flat().filter(({ kind }) => kind === 'file'),
  file_tesela_play_v1_course,
);

/** Every way to speak to the lobby, by name. A server may say from which address to come. */
export const transports = {
  gRPC: (server) => createGrpcTransport({ baseUrl: server.grpc }),
  'Connect with protobuf': ({ http: baseUrl, localAddress }) =>
    createConnectTransport({
      baseUrl,
      httpVersion: '1.1',
      useBinaryFormat: true,
      nodeOptions: { localAddress },
    }),
  'Connect with JSON': (server) =>
    createConnectTransport({
      baseUrl: server.http,
      httpVersion: '1.1',
      useBinaryFormat: false,
      jsonOptions: { registry },
    }),
};

export function clientOf(service, server, transport = 'Connect with protobuf') {
  return createClient(service, transports[transport](server));
}

export const lobbyOf = (server, transport) => clientOf(LobbyService, server, transport);

export function bearer(token) {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** A 2048 configuration as the Any of CreateTable. */
export function config2048(fields) {
  return anyPack(Game2048ConfigSchema, create(Game2048ConfigSchema, fields));
}

/** A time that the lobby says, as Unix time in milliseconds; 0 if it says none. */
export const unixMs = (timestamp) => (timestamp ? timestampMs(timestamp) : 0);

/** An id of the same form that no table has. */
export function unknownId(id) {
  return id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
}

/** Whether the server has no table of this id. */
export async function isGone(server, tableId) {
  try {
    await lobbyOf(server).getTable({ tableId });
    return false;
  } catch (error) {
    if (error.code === Code.NotFound) return true;
    throw error;
  }
}

/** A new guest: { token, playerId, displayName, expiresAt }. */
export async function signIn(server, displayName = 'Ada') {
  return lobbyOf(server).signIn({ displayName });
}

/** A new table of 2048 with its owner: { table, tableId, owner, token }. */
export async function newTable(server, config = {}, owner = undefined) {
  return newTableOf(server, { game: '2048', config: config2048(config), owner });
}

/** A new table of any game, with its owner. */
export async function newTableOf(server, { game, config, owner }) {
  owner ??= await signIn(server);
  const { table } = await lobbyOf(server).createTable({ game, config }, bearer(owner.token));
  return { table, tableId: table.tableId, owner, token: owner.token };
}
