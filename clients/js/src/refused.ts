// What a server does not accept, as an error with a reason.
import { ConnectError } from '@connectrpc/connect';
import { Reason } from './gen/tesela/play/v1/play_pb.js';

/** A move, a question or a call was refused. `message` is a sentence that a player understands. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** Why: a Reason of the stream ('ILLEGAL_MOVE'), or that of a call's google.rpc.ErrorInfo. */
  readonly reason: string;

  constructor(reason: Reason | string, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = typeof reason === 'string' ? reason : Reason[reason];
  }
}

/** What a call threw as Refused; what came from the network stays as it is: the server says with
 *  every refusal why. */
export function refusalOf(error: unknown): unknown {
  const reason = detailOf(error, 'google.rpc.ErrorInfo');
  if (!(error instanceof ConnectError) || !reason) return error;
  return new Refused(reason, error.rawMessage, error);
}

/** Field 1 of the detail of this type, a short text: the reason of google.rpc.ErrorInfo, and the id
 *  of google.rpc.RequestInfo, which names the call in the server's log. '' where there is none. */
export function detailOf(error: unknown, type: string): string {
  const { details = [] } = error as Partial<ConnectError>;
  for (const detail of details) {
    if (!('type' in detail) || detail.type !== type) continue;
    const [tag, length = 0] = detail.value;
    if (tag === 10) return new TextDecoder().decode(detail.value.subarray(2, 2 + length));
  }
  return '';
}
