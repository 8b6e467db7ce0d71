// What a server does not accept, as an error with a reason.
import { Code, ConnectError } from '@connectrpc/connect';
import { Reason } from './gen/tesela/play/v1/play_pb.js';

/** A move, a question or a call was refused. `message` is a sentence that a player understands. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** Why: a Reason of the stream ('ILLEGAL_MOVE'), or the reason of a call's google.rpc.ErrorInfo,
   *  else the name of its code ('NotFound'). */
  readonly reason: string;
  /** When to ask again, in milliseconds; undefined where the server did not say. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: Reason | string, message: string, retryAfterMs?: number, cause?: unknown) {
    super(message, { cause });
    this.reason = typeof reason === 'string' ? reason : Reason[reason];
    this.retryAfterMs = retryAfterMs;
  }
}

/** What a call threw as Refused; what came from the network stays as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof ConnectError) || error instanceof Refused) return error;
  const info = error.details.find((each) => 'type' in each && each.type === 'google.rpc.ErrorInfo');
  const reason = info && 'value' in info ? firstText(info.value as Uint8Array) : '';
  const wait = Number(error.metadata.get('retry-after'));
  const retryAfterMs = wait > 0 ? wait * 1000 : undefined;
  return new Refused(reason || Code[error.code], error.rawMessage, retryAfterMs, error);
}

/** Field 1 of a message, a short text: all that is read of google.rpc.ErrorInfo. */
export function firstText(message: Uint8Array): string {
  const [tag, length = 0] = message;
  return tag === 10 ? new TextDecoder().decode(message.subarray(2, 2 + length)) : '';
}
