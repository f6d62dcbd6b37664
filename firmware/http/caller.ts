/** Whoever waits for the answer to a call, at the other end of a connection. */
import type { FastifyReply } from 'fastify';
import { credentialOf } from './request-notes.ts';

/** Those that have a secret of their own. */
const NAMED = new Set(['till', 'technician']);

/**
 * @returns `till`, the name of the credential that it has sent, null where none is asked for; `gone`, which ends when it hangs up before it has got its answer, and `whenAnswered`, which calls back once the
 * answer has gone out whole
 */
export function callerOf({ raw, request }: FastifyReply) {
  const credential = credentialOf(request);
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return {
    gone: gone.signal,
    till: NAMED.has(credential) ? credential : null,
    whenAnswered: (heard: () => void) => raw.once('finish', heard), // which does not come once the connection is closed
  };
}
