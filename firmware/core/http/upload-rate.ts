/** Limits how slowly a long body may arrive. Hundreds of megabytes may take long, but a mere trickle is given up. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpFailure } from './failure.ts';

/** Least rate of a long body, in or out. Nobody waits for ever for a caller that hardly moves. */
export interface LeastRate {
  /** How often the bytes are counted. */
  readonly sampleMs: number;
  /** The body is broken off when fewer than `leastBytes` pass in this many samples. */
  readonly samples: number;
  readonly leastBytes: number;
}

/** At least 16 KiB/s over a minute, as for an upload: a person is first asked where to save the file. */
export const DOWNLOAD_RATE: LeastRate = Object.freeze({ sampleMs: 5000, samples: 12, leastBytes: 960 * 1024 });

/** Breaks the connection of a client that reads too slowly; by the length it sees that the file is cut. */
export function requireTaking({ raw, log }: FastifyRequest, reply: FastifyReply, rate: LeastRate): void {
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

/** At least 16 KiB/s over half a minute. */
export const UPLOAD_RATE: LeastRate = Object.freeze({ sampleMs: 2000, samples: 15, leastBytes: 480 * 1024 });

type Reply = Pick<FastifyReply, 'raw' | 'header'>;

/** Repeats a task. @returns stops it */
type Every = (ms: number, task: () => void) => () => void;

const every: Every = (ms, task) => {
  const timer = setInterval(task, ms);
  return () => clearInterval(timer);
};

export class IncomingUpload {
  readonly #request: IncomingMessage;
  readonly #reply: Reply;
  readonly #limits: LeastRate;
  readonly #every: Every;
  readonly #givenUp = Promise.withResolvers<never>();
  /** Bytes received at the last samples, the oldest first. */
  readonly #counts: number[];

  constructor(request: Pick<FastifyRequest, 'raw'>, reply: Reply, limits: LeastRate, ownEvery = every) {
    this.#request = request.raw;
    this.#reply = reply;
    this.#limits = limits;
    this.#every = ownEvery;
    this.#counts = [this.#request.socket.bytesRead];
    this.#givenUp.promise.catch(() => undefined); // it may be given up after its last reader
  }

  /**
   * Runs the reader of the body, as long as enough of it arrives.
   * @throws {HttpFailure} `timeout`, and the errors of `read`
   */
  async read<T>(read: () => Promise<T>): Promise<T> {
    const stop = this.#every(this.#limits.sampleMs, () => this.#look());
    try {
      return await Promise.race([read(), this.#givenUp.promise]);
    } catch (error) {
      if (error instanceof HttpFailure && error.kind === 'timeout') this.#hangUp();
      throw error;
    } finally {
      stop();
    }
  }

  /** Ends the request: the rest of its body is not read, and the reader of the body must not wait for it forever. */
  #hangUp(): void {
    this.#reply.header('connection', 'close');
    this.#reply.raw.once('close', () => this.#request.destroy());
  }

  #look(): void {
    if (this.#request.complete) return; // what is made of it may take longer
    const { samples, sampleMs, leastBytes } = this.#limits;
    const now = this.#request.socket.bytesRead;
    this.#counts.push(now);
    const [oldest = now] = this.#counts;
    if (this.#counts.length <= samples) return;
    this.#counts.shift();
    if (now - oldest < leastBytes)
      this.#givenUp.reject(
        new HttpFailure(
          'timeout',
          `only ${now - oldest} bytes were received in ${(samples * sampleMs) / 1000} s, at least ${leastBytes} must be`,
        ),
      );
  }
}
