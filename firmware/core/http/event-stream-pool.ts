/** A pool of places for event streams: each holds a connection as long as its page is open. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../config/index.ts';
import { HttpFailure } from './call/failure.ts';
import type { PoolLimits } from './connection-pool.ts';
import { plainAddress } from './guard/authority.ts';
import { credentialOf } from './guard/caller.ts';
import type { Guard } from './guard/guard.ts';
import { callerOf } from './guard/guard-requests.ts';

/** A refused page may ask again after this time. */
const RETRY_AFTER_S = 5;

class Pool {
  readonly #limits: PoolLimits;
  readonly #byAddress = new Map<string, number>();
  #used = 0;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  take(address: string): () => void {
    const mine = this.#byAddress.get(address) ?? 0;
    this.#requireRoom(address, mine);
    this.#used += 1;
    this.#byAddress.set(address, mine + 1);
    return () => this.#free(address);
  }

  #requireRoom(address: string, mine: number): void {
    const { total, perAddress } = this.#limits;
    const later = { retryAfterS: RETRY_AFTER_S };
    if (this.#used >= total)
      throw new HttpFailure(
        'busy',
        `${total} streams of events are open, the most that the device keeps: close a page`,
        later,
      );
    if (mine >= perAddress)
      throw new HttpFailure(
        'too-many',
        `${address} has ${perAddress} streams of events open, the most that the device keeps for one address: close a page there`,
        later,
      );
  }

  #free(address: string): void {
    this.#used -= 1;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
  }
}

/** @param free frees the place when the stream has ended, or cannot be opened */
function openIn(free: () => void, open: () => Readable): Readable {
  try {
    return open().once('close', free);
  } catch (error) {
    free();
    throw error;
  }
}

/** Decides who may continue to read a stream. */
type StreamGuard = Pick<Guard, 'onChange' | 'wouldEnter'>;

export class EventStreamPool {
  readonly #own: Pool;
  readonly #network: Pool;
  readonly #guard: StreamGuard | null;

  /**
   * @param limits of callers from the network; callers of this machine have as many places of their own
   * @param guard reports who may do less than before, whose stream then ends
   */
  constructor(limits: PoolLimits, guard: StreamGuard | null = null) {
    this.#guard = guard;
    this.#own = new Pool({ total: limits.total, perAddress: limits.total });
    this.#network = new Pool(limits);
  }

  /** @returns frees the place; to be called once @throws {HttpFailure} `busy`, or `too-many` from one address */
  take(remoteAddress: string): () => void {
    const address = plainAddress(remoteAddress);
    return (isLoopback(address) ? this.#own : this.#network).take(address);
  }

  /**
   * Sends an event stream to a caller, who has a place until it ends.
   * @throws {HttpFailure} without a free place, and the errors of `open`
   */
  send(request: FastifyRequest, reply: FastifyReply, open: () => Readable): FastifyReply {
    const free = this.take(request.raw.socket.remoteAddress ?? '');
    const stream = openIn(free, open);
    this.#endWithAccess(request, stream);
    return reply
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .type('text/event-stream; charset=utf-8')
      .send(stream);
  }

  #endWithAccess(request: FastifyRequest, stream: Readable): void {
    const guard = this.#guard;
    if (guard === null) return;
    const { raw, routeOptions } = request;
    const credential = credentialOf(request);
    const caller = callerOf(raw);
    const { isForCustomers } = routeOptions.config;
    const forget = guard.onChange(() => {
      if (!guard.wouldEnter(caller, credential, isForCustomers)) stream.destroy();
    });
    stream.once('close', forget);
  }
}
