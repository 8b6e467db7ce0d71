// The operator's end of a server.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AdminService } from '../gen/tesela/admin/v1/admin_pb.js';
import { ModerationService } from '../gen/tesela/admin/v1/moderation_pb.js';
import { bearer, clientOf } from './lobby.mjs';

export const adminKeyFile = (server) => path.join(server.data, 'admin.key');

/** The server's own admin token. */
export async function adminToken(server) {
  return (await readFile(adminKeyFile(server), 'utf8')).trim();
}

/** A client of AdminService whose calls all show `token`. */
export function adminOf(server, token, transport) {
  const client = clientOf(AdminService, server, transport);
  return Object.fromEntries(
    AdminService.methods.map(({ localName }) => [
      localName,
      (request = {}) => client[localName](request, bearer(token)),
    ]),
  );
}

/** An operator's calls about players. */
export async function moderatorOf(server, token = undefined) {
  token ??= await adminToken(server);
  const client = clientOf(ModerationService, server);
  return (method, request = {}) => client[method](request, bearer(token));
}

/** The same with the server's own token. */
export async function ownAdminOf(server, transport) {
  return adminOf(server, await adminToken(server), transport);
}
