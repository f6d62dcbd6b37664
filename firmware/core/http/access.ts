/** Builds the limits of access, the same for both ports: guard, memory for bodies, places for connections, TLS. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TlsIdentity } from '../tls/index.ts';
import { HttpFailure } from './call/failure.ts';
import type { PoolLimits } from './connection-pool.ts';
import type { ApiConfig } from './guard/config.ts';
import type { MadeTokens } from './guard/credentials.ts';
import { Guard } from './guard/guard.ts';
import type { PageSessions } from './guard/page-sessions.ts';

/** Memory for large bodies is one budget over all calls of both ports: sixty files at once would end the process. */
const MIB = 1024 * 1024;
/** Room for two of the largest bodies, with frames beside them. Their processing takes three times their size. */
const BUDGET_BYTES = 48 * MIB;
/** A body up to this size counts as small: there is room for one on each connection. */
const SMALL_BYTES = MIB / 4;
/** Memory of a body that goes to the disk as it arrives, whatever its size. */
const STREAMED_BYTES = 8 * MIB;
const RETRY_AFTER_S = 5;

/** Bytes that a body will take: the announced length, else the most that its call takes. */
function bytesOf({ headers, routeOptions: { config, bodyLimit = 0 } }: FastifyRequest): number {
  const announced = headers['content-length'];
  if (announced === undefined && headers['transfer-encoding'] === undefined) return 0;
  const bytes = announced === undefined ? bodyLimit : Number(announced);
  // a longer body is refused unread
  if (bytes > bodyLimit) return 0;
  return config.isUpload === true ? Math.min(bytes, STREAMED_BYTES) : bytes;
}

class BodyBudget {
  #free = BUDGET_BYTES;
  readonly #reserved = new WeakMap<FastifyRequest, number>();

  /** Counts each call from its head to its answer, even after its caller has gone: its work continues. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', async (request) => this.#reserve(request));
    app.addHook('onSend', async (request) => this.#release(request));
  }

  /** Reserves the memory for a call's body. @throws {HttpFailure} `busy` */
  #reserve(request: FastifyRequest): void {
    const bytes = bytesOf(request);
    if (bytes <= SMALL_BYTES) return;
    if (bytes > this.#free)
      throw new HttpFailure('busy', 'other large files are being taken: send this one again in a few seconds', {
        retryAfterS: RETRY_AFTER_S,
      });
    this.#free -= bytes;
    this.#reserved.set(request, bytes);
  }

  #release(request: FastifyRequest): void {
    this.#free += this.#reserved.get(request) ?? 0;
    this.#reserved.delete(request);
  }
}

export interface NetworkLimits {
  /** Places for network connections to each port; callers of this machine have as many of their own. */
  readonly connections: PoolLimits;
  /** Places for event streams, in the same way. They are fewer, so that pages leave room for calls. */
  readonly eventStreams: PoolLimits;
}

export const NETWORK_LIMITS: NetworkLimits = Object.freeze({
  connections: { total: 256, perAddress: 64 },
  eventStreams: { total: 64, perAddress: 8 },
});

export interface NetworkAccess extends NetworkLimits {
  readonly guard: Guard;
  readonly bodies: BodyBudget;
  /** Certificate for callers from the network; null for plain HTTP, or without network access. */
  readonly tls: TlsIdentity | null;
}

export function openAccess(
  api: ApiConfig,
  tls: TlsIdentity | null = null,
  made?: MadeTokens,
  sessions?: PageSessions,
  limits: Partial<NetworkLimits> = {},
): NetworkAccess {
  return {
    guard: new Guard(api, tls !== null, made, sessions),
    bodies: new BodyBudget(),
    ...NETWORK_LIMITS,
    ...limits,
    tls,
  };
}
