import { Code, type ConnectError } from '@connectrpc/connect';
import { detailOf } from '@tesela/client';
import { sentenceOfOperator } from '../i18n/operator.js';

/** What a failed call means to a player. */
export type Failure = 'unreachable' | 'not_found' | 'signed_out' | Refused;

/** What the server does not accept. Its sentence, in English, is for people who write programs. */
export interface Refused {
  code: Code;
  /** What an operator has forbidden or paused, with the operator's own words; else ''. */
  sentence: string;
  /** Names the call in the server's log; '' where it did not come so far. */
  request: string;
}

/** For what a call of the lobby throws, and for what the import of a part of the page does: a
 *  failure without a code of the protocol came from the network. */
export function failureOf(error: unknown): Failure {
  const { code } = error as Partial<ConnectError>;
  switch (code) {
    case undefined:
    case Code.Unavailable:
    case Code.Unknown:
    case Code.DeadlineExceeded:
    case Code.Canceled:
      return 'unreachable';
    case Code.NotFound:
      return 'not_found';
    case Code.Unauthenticated:
      return 'signed_out';
    default:
      return {
        code,
        sentence: sentenceOfOperator((error as ConnectError).rawMessage),
        request: detailOf(error, 'google.rpc.RequestInfo'),
      };
  }
}

/** What kind of refusal it is, as the page tells it. */
export function refusalKind({ code }: Refused) {
  switch (code) {
    case Code.InvalidArgument:
    case Code.OutOfRange:
      return 'invalid';
    case Code.FailedPrecondition:
    case Code.Aborted:
    case Code.AlreadyExists:
      return 'notNow';
    case Code.ResourceExhausted:
      return 'tooMuch';
    case Code.PermissionDenied:
      return 'notAllowed';
    default:
      return 'failed';
  }
}

/** Whether a call was refused with one of the codes. */
export const isRefused = (failure: Failure | undefined, ...codes: Code[]): boolean =>
  typeof failure === 'object' && codes.includes(failure.code);

/** Of a question about one thing by its id: there is none, or the id is none. */
export const isMissing = (failure: Failure | undefined): boolean =>
  failure === 'not_found' || isRefused(failure, Code.InvalidArgument);
