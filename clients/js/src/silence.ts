// Ends calls of which nothing is heard any more. Node's fetch may wait for ever for a line that was
// cut, and a machine that is gone says nothing.
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { Wait } from './wait.js';

/** Three times as long as a server is silent that has nothing to tell. */
const SILENCE_MAX_MS = 60_000;

export const endSilence: Interceptor = (next) => async (request) => {
  const ended = new AbortController();
  const end = () => ended.abort(request.signal.reason);
  if (request.signal.aborted) end();
  request.signal.addEventListener('abort', end, { once: true });
  const silence = new Wait();
  const listen = () =>
    silence.start(SILENCE_MAX_MS, () =>
      ended.abort(new ConnectError('The server does not answer.', Code.Unavailable)),
    );
  const over = () => {
    silence.cancel();
    request.signal.removeEventListener('abort', end);
  };
  /** The time in which its reader thinks is nobody's silence. */
  async function* heard<Message>(messages: AsyncIterable<Message>): AsyncGenerator<Message, void> {
    try {
      for await (const message of messages) {
        silence.cancel();
        yield message;
        listen();
      }
    } finally {
      over();
    }
  }
  listen();
  try {
    const response = await next({ ...request, signal: ended.signal });
    if (response.stream) return { ...response, message: heard(response.message) };
    over();
    return response;
  } catch (error) {
    over();
    throw error;
  }
};
