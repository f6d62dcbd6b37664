/**
 * Carries requests of a store's devices to their master, and its answers, over the connections that synchronisation
 * uses. The message server guarantees the sender: a device can publish only under its own serial number.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { SyncError } from './errors.ts';
import { syncFailure } from './sync-failure.ts';

export class StoreLine {
  readonly #listeners = new Set<() => void>();
  readonly #openers: ((connection: NatsConnection) => void)[] = [];
  #connection: NatsConnection | null = null;

  /** Uses a connection to the master for requests, until it is called with another one. */
  follow(connection: NatsConnection): void {
    this.#connection = connection;
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener at each new connection to the master. @returns a function that removes the listener */
  onLine(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * On a master: calls `open` with each connection to its own server. That connection has all rights at the centre.
   */
  onServe(open: (connection: NatsConnection) => void): void {
    this.#openers.push(open);
  }

  /** On a master: passes its connection to each function of `onServe`. */
  serve(connection: NatsConnection): void {
    for (const open of this.#openers) open(connection);
  }

  /** @param timeout milliseconds @throws {SyncError} */
  async requestFromMaster(subject: string, body: string, timeout: number): Promise<Msg> {
    if (this.#connection === null || this.#connection.isClosed())
      throw new SyncError('unreachable', 'this device is not connected to a master');
    try {
      return await this.#connection.request(subject, body, { timeout });
    } catch (error) {
      throw syncFailure(error);
    }
  }
}
