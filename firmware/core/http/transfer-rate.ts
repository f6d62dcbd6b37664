/** Limits how slowly a long body may arrive or be read: a mere trickle would hold memory and a connection for hours. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpFailure } from './call/failure.ts';

/** Least rate of a long body, in or out: hundreds of megabytes may take long, but a mere trickle is broken off. */
export interface LeastRate {
  /** How often the bytes are counted. */
  readonly sampleMs: number;
  /** The body is broken off when fewer than `leastBytes` pass in this many samples. */
  readonly samples: number;
  readonly leastBytes: number;
}

/** At least 16 KiB/s over a minute, as for an upload: a person is first asked where to save the file. */
export const DOWNLOAD_RATE: LeastRate = Object.freeze({ sampleMs: 5000, samples: 12, leastBytes: 960 * 1024 });
/** At least 16 KiB/s over half a minute. */
export const UPLOAD_RATE: LeastRate = Object.freeze({ sampleMs: 2000, samples: 15, leastBytes: 480 * 1024 });

/** Repeats a task. @returns stops it */
type Every = (ms: number, task: () => void) => () => void;

const everyMs: Every = (ms, task) => {
  const timer = setInterval(task, ms);
  return () => clearInterval(timer);
};

/** @param count gives the bytes so far @param tooFew called with those of all samples, if too few @returns ends the watch */
function watchRate(
  { sampleMs, samples, leastBytes }: LeastRate,
  count: () => number,
  tooFew: (bytes: number) => void,
  every = everyMs,
): () => void {
  const counts: number[] = [count()];
  return every(sampleMs, () => {
    const now = count();
    const [oldest = now] = counts;
    counts.push(now);
    if (counts.length <= samples) return;
    counts.shift();
    if (now - oldest < leastBytes) tooFew(now - oldest);
  });
}

/** Breaks the connection of a client that reads too slowly; by the stated length the client sees that the file is cut off. */
export function abortSlowDownload({ raw, log }: FastifyRequest, reply: FastifyReply, rate: LeastRate): void {
  if (reply.raw.destroyed) return; // the caller has gone: no event would follow
  const breakOff = (bytes: number): void => {
    const ms = rate.samples * rate.sampleMs;
    log.warn({ bytes, ms }, 'an answer was broken off: too little of it was taken');
    reply.raw.destroy();
  };
  const stop = watchRate(rate, () => raw.socket.bytesWritten, breakOff);
  reply.raw.once('close', stop);
}

type Reply = Pick<FastifyReply, 'raw' | 'header'>;

/** Ends the request: the rest of its body is not read, and the reader of the body must not wait for it forever. */
function hangUp(request: IncomingMessage, reply: Reply): void {
  reply.header('connection', 'close');
  reply.raw.once('close', () => request.destroy());
}

/**
 * Runs the reader of an uploaded body, as long as enough of it arrives.
 * @throws {HttpFailure} `timeout`, and the errors of `read`
 */
export async function readUpload<T>(
  { raw }: Pick<FastifyRequest, 'raw'>,
  reply: Reply,
  rate: LeastRate,
  read: () => Promise<T>,
  every?: Every,
): Promise<T> {
  const givenUp = Promise.withResolvers<never>();
  const giveUp = (bytes: number): void => {
    if (raw.complete) return; // the body has arrived; its processing may take longer
    const seconds = (rate.samples * rate.sampleMs) / 1000;
    const message = `only ${bytes} bytes were received in ${seconds} s, at least ${rate.leastBytes} must be`;
    givenUp.reject(new HttpFailure('timeout', message));
  };
  const stop = watchRate(rate, () => raw.socket.bytesRead, giveUp, every);
  try {
    return await Promise.race([read(), givenUp.promise]);
  } catch (error) {
    if (error instanceof HttpFailure && error.kind === 'timeout') hangUp(raw, reply);
    throw error;
  } finally {
    stop();
  }
}
