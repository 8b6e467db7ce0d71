// The calls of operators, at the address that this page came from, with the token of this tab.
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { AdminService } from '../gen/admin/tesela/admin/v1/admin_pb.js';
import { ModerationService } from '../gen/admin/tesela/admin/v1/moderation_pb.js';
import { recallInTab, rememberInTab } from '../base/storage.js';

class Operator {
  token = $state(recallInTab('operator_token') ?? '');
  /** What acts with the admin token are kept under; other tokens have a name of their own. */
  name = $state(recallInTab('operator_name') ?? '');
  /** What was done last, for the page's status line. */
  done = $state('');

  signIn(token: string, name: string): void {
    rememberInTab('operator_token', token);
    rememberInTab('operator_name', name);
    [this.token, this.name, this.done] = [token, name, ''];
  }

  signOut(): void {
    this.signIn('', this.name);
  }
}

export const operator = new Operator();

const authorize: Interceptor = (next) => (request) => {
  if (!request.header.has('authorization')) {
    request.header.set('authorization', `Bearer ${operator.token}`);
  }
  return next(request);
};

const transport = createConnectTransport({
  baseUrl: location.origin,
  useBinaryFormat: true,
  interceptors: [authorize],
});

export const admin = createClient(AdminService, transport);
export const moderation = createClient(ModerationService, transport);

/** Throws unless the server knows the token. */
export async function tryToken(token: string): Promise<void> {
  await admin.getStatus({}, { headers: { authorization: `Bearer ${token}` } });
}

export type Json = { [name: string]: unknown };

/** A call of AdminService with its answer as JSON: only the server knows all games' messages. */
export async function askForJson(method: string, request: Json): Promise<Json> {
  const response = await fetch(`/${AdminService.typeName}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${operator.token}` },
    body: JSON.stringify(request),
  });
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new ConnectError(String(answer.message), Code.Aborted);
  return answer;
}

/** What an operator reads of a call that failed. */
export function sentenceOf(error: unknown): string {
  const { code, rawMessage, cause } = ConnectError.from(error);
  if (code === Code.Unimplemented) {
    return (
      'Operators are not answered at this address. ' +
      'The server may have a port of its own for them (--ops-port): open /admin there.'
    );
  }
  if (error instanceof TypeError || cause instanceof TypeError) {
    return 'The server cannot be reached.';
  }
  return rawMessage;
}

export const isMissing = (error: unknown): boolean =>
  [Code.NotFound, Code.InvalidArgument].includes(ConnectError.from(error).code);
