/** How fast a long answer is taken. What is made for one caller alone must not wait for him for ever, nor others for it. */
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface DownloadRate {
  /** How often it is looked what was taken. */
  readonly sampleMs: number;
  /** An answer of which less than `leastBytes` is taken in so many samples is broken off. */
  readonly samples: number;
  readonly leastBytes: number;
}

/** 16 KiB/s over a minute at least, as of an upload: a person is asked first where the file shall lie. */
export const DOWNLOAD_RATE: DownloadRate = Object.freeze({ sampleMs: 5000, samples: 12, leastBytes: 960 * 1024 });

/** Breaks the connection of a client that reads too slowly; the length shows it that the file is cut. */
export function requireTaking({ raw, log }: FastifyRequest, reply: FastifyReply, rate: DownloadRate): void {
  if (reply.raw.destroyed) return; // the caller has gone: no event would follow
  const { sampleMs, samples, leastBytes } = rate;
  const counts: number[] = [raw.socket.bytesWritten];
  const watch = setInterval(() => {
    const now = raw.socket.bytesWritten;
    const [oldest = now] = counts;
    counts.push(now);
    if (counts.length <= samples) return;
    counts.shift();
    if (now - oldest >= leastBytes) return;
    log.warn({ bytes: now - oldest, ms: samples * sampleMs }, 'an answer was broken off: too little of it was taken');
    reply.raw.destroy();
  }, sampleMs);
  reply.raw.once('close', () => clearInterval(watch));
}
