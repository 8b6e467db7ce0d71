// Servers on one PostgreSQL that pass streams and calls on to each other.
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { newTable } from './lobby.mjs';
import { Player } from './player.mjs';
import { numberOf } from './postgres.mjs';
import { freePort, Server, serverProgram } from './server.mjs';

const secret = 'n'.repeat(32);

/** What a server shows another one. */
export const proof = createHmac('sha256', secret).update('tesela.node.v1').digest('base64url');

/**
 * A server with a node port, which is in `nodePort`. Another secret may be given, another way to
 * the database, where the other servers find the port, and another tesela-server.
 */
export async function startNode(postgres, options = [], other = {}) {
  const { key = secret, database, nodeName = '127.0.0.1', program = serverProgram } = other;
  const nodePort = other.nodePort ?? (await freePort());
  const file = path.join(postgres.folder, `${nodePort}.key`);
  await writeFile(file, key, { mode: 0o600 });
  const server = await Server.startProgram(
    program,
    ...(await postgres.options(database)),
    ...['--node-port', String(nodePort), '--node-address', '127.0.0.1'],
    ...['--node-name', nodeName, '--node-secret-file', file],
    ...options,
  );
  server.nodePort = nodePort;
  return server;
}

/** The options of servers that an operator with this key may ask. */
export async function adminOptions(postgres, key) {
  const file = path.join(postgres.folder, 'admin.key');
  await writeFile(file, key, { mode: 0o600 });
  return ['--admin-token-file', file];
}

/** A table that `server` has, with its player, who has moved there. */
export async function playing(server, config) {
  const { tableId, token } = await newTable(server, config);
  const player = await Player.join(server, tableId, { token });
  await player.playMoves(3);
  return player;
}

/** The one of the servers that has the table; none: undefined. */
export async function ownerOf(postgres, servers, tableId) {
  const [address] = await postgres.query(
    'SELECT address FROM lives JOIN heads ON heads.life = lives.id' +
      ` WHERE table_id = ${numberOf(tableId)}`,
  );
  return servers.find(({ nodePort }) => address?.endsWith(`:${nodePort}`));
}

/** The headers of a call that a server passes on for a client. */
export const relayedFor = { 'Tesela-Node-Proof': proof, 'Tesela-Relayed-For': '192.0.2.7' };

/**
 * The status with which a node port answers the head of a call whose body has so many bytes, or 100
 * when it waits for the body.
 */
export function nodeAnswers({ nodePort }, call, headers, length) {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: '127.0.0.1',
      port: nodePort,
      method: 'POST',
      path: call,
      headers: { 'Content-Length': length, Expect: '100-continue', ...headers },
    });
    const settle = (status) => {
      request.destroy();
      resolve(status);
    };
    request.on('continue', () => settle(100));
    request.on('response', ({ statusCode }) => settle(statusCode));
    request.on('error', reject);
    request.flushHeaders();
  });
}
