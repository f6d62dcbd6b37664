/** Whoever waits for the answer to a call, at the other end of a connection. */
import type { FastifyReply } from 'fastify';

/**
 * @returns `gone`, which ends when it hangs up before it has got its answer, and `whenAnswered`, which calls back once the
 * answer has gone out whole
 */
export function callerOf({ raw }: FastifyReply) {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return {
    gone: gone.signal,
    whenAnswered: (heard: () => void) => raw.once('finish', heard), // which does not come once the connection is closed
  };
}
