/** How fast a long body arrives. One of hundreds of megabytes may take long, but one that only drips is given up. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpFailure } from './failure.ts';

/** How fast a long answer is taken. What is made for one caller alone must not wait for him for ever, nor others for it. */
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

export interface UploadRate {
  /** How often it is looked what has come. */
  readonly sampleMs: number;
  /** A body that brings less than `leastBytes` in so many samples is given up. */
  readonly samples: number;
  readonly leastBytes: number;
}

/** 16 KiB/s over half a minute at least. */
export const UPLOAD_RATE: UploadRate = Object.freeze({
  sampleMs: 2000,
  samples: 15,
  leastBytes: 480 * 1024,
});

type Reply = Pick<FastifyReply, 'raw' | 'header'>;

/** Runs a task again and again. @returns what calls it off */
type Every = (ms: number, task: () => void) => () => void;

const every: Every = (ms, task) => {
  const timer = setInterval(task, ms);
  return () => clearInterval(timer);
};

export class IncomingUpload {
  readonly #request: IncomingMessage;
  readonly #reply: Reply;
  readonly #limits: UploadRate;
  readonly #every: Every;
  readonly #givenUp = Promise.withResolvers<never>();
  /** Bytes that had come at the last samples, the oldest first. */
  readonly #counts: number[];

  constructor(request: Pick<FastifyRequest, 'raw'>, reply: Reply, limits: UploadRate, ownEvery = every) {
    this.#request = request.raw;
    this.#reply = reply;
    this.#limits = limits;
    this.#every = ownEvery;
    this.#counts = [this.#request.socket.bytesRead];
    this.#givenUp.promise.catch(() => undefined); // it may be given up after its last reader
  }

  /**
   * Runs what reads the body, as long as enough of it comes.
   * @throws {HttpFailure} `timeout`, and what `read` throws
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
