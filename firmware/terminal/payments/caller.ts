/** Whoever waits for the answer to a call. */
import type { FastifyReply } from 'fastify';

export interface Caller {
  /** Ends when it hangs up before it has got its answer. */
  readonly gone: AbortSignal;
  /** Calls `heard` once its answer has gone out whole; never where it has hung up before. */
  whenAnswered(heard: () => void): void;
}

/** A caller within this process, who misses nothing. */
export const PRESENT: Caller = Object.freeze({
  gone: new AbortController().signal,
  whenAnswered: (heard: () => void) => heard(),
});

/** The one at the other end of a connection. */
export function callerOf({ raw }: FastifyReply): Caller {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return {
    gone: gone.signal,
    whenAnswered: (heard) => raw.once('finish', heard), // which does not come once the connection is closed
  };
}
