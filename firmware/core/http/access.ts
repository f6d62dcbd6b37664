/** What the configuration says of who may come in: the same for all ports of a device. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/index.ts';
import type { Clock } from '../host/index.ts';
import type { TlsIdentity } from '../tls/index.ts';
import type { PoolLimits } from './connection-pool.ts';
import { HttpFailure } from './failure.ts';
import type { MadeTokens } from './guard/credentials.ts';
import { Guard } from './guard/guard.ts';
import type { PageSessions } from './guard/page-sessions.ts';

/** Large bodies share one budget of memory, over all calls of both ports: sixty files at once would end the process. */
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

class BodyBudget {
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

export interface NetworkAccess {
  readonly guard: Guard;
  readonly bodies: BodyBudget;
  /** Places for connections to each port from the network; this machine has as many in all, and they are its own. */
  readonly connections: PoolLimits;
  /** The same for streams of events. */
  readonly eventStreams: PoolLimits;
  /** What callers from the network are shown; null where they speak plain HTTP, or where there are none. */
  readonly tls: TlsIdentity | null;
}

export function openAccess(
  api: Config['api'],
  clock: Pick<Clock, 'monotonic'>,
  tls: TlsIdentity | null = null,
  made?: MadeTokens,
  sessions?: PageSessions,
): NetworkAccess {
  return {
    guard: new Guard(api, tls !== null, () => clock.monotonic(), made, sessions),
    bodies: new BodyBudget(),
    connections: { total: api.connections, perAddress: api.connectionsPerAddress },
    eventStreams: { total: api.eventStreams, perAddress: api.eventStreamsPerAddress },
    tls,
  };
}
