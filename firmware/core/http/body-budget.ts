/** Large bodies share one budget of memory, over all calls of both ports: sixty files at once would end the process. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFailure } from './failure.ts';

const MIB = 1024 * 1024;
/** Two of the largest, with room for frames beside them. What is made of a body takes three times its size. */
const BUDGET_BYTES = 48 * MIB;
/** Up to here a body counts as small: there is room for one on each connection. */
const SMALL_BYTES = MIB / 4;
/** What one takes that goes to the disk as it comes, whatever its size. */
const STREAMED_BYTES = 8 * MIB;
const RETRY_AFTER_S = 5;

/** Bytes that a body will take: what it announces, or else the most that its call takes. */
function bytesOf({ headers, routeOptions: { config, bodyLimit = 0 } }: FastifyRequest): number {
  const announced = headers['content-length'];
  if (announced === undefined && headers['transfer-encoding'] === undefined) return 0;
  const bytes = announced === undefined ? bodyLimit : Number(announced);
  // a longer one is refused unread
  if (bytes > bodyLimit) return 0;
  return config.isUpload === true ? Math.min(bytes, STREAMED_BYTES) : bytes;
}

export class BodyBudget {
  #free = BUDGET_BYTES;
  readonly #held = new WeakMap<FastifyRequest, number>();

  /** Of each call from its head to its answer, also where its caller has gone meanwhile: its work goes on. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', async (request) => this.#take(request));
    app.addHook('onSend', async (request) => this.#release(request));
  }

  /** @throws {HttpFailure} `busy` */
  #take(request: FastifyRequest): void {
    const bytes = bytesOf(request);
    if (bytes <= SMALL_BYTES) return;
    if (bytes > this.#free)
      throw new HttpFailure('busy', 'other large files are being taken: send this one again in a few seconds', {
        retryAfterS: RETRY_AFTER_S,
      });
    this.#free -= bytes;
    this.#held.set(request, bytes);
  }

  #release(request: FastifyRequest): void {
    this.#free += this.#held.get(request) ?? 0;
    this.#held.delete(request);
  }
}
