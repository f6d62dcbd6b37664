/**
 * Carries requests of a store's devices to their master and its answers, beside synchronisation, over the connections
 * that exist anyway. The server vouches for the sender, because a device can use only its own serial number.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { syncFailure } from './centre/connect.ts';
import { SyncError } from './errors.ts';

export class StoreLine {
  readonly #listeners = new Set<() => void>();
  readonly #doors: ((connection: NatsConnection) => void)[] = [];
  #connection: NatsConnection | null = null;

  /** Uses a connection to the master until there is another one. */
  follow(connection: NatsConnection): void {
    this.#connection = connection;
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener when the master may be reachable again. @returns the function that ends that */
  onLine(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Calls `open` with each connection that this device, as the master, has to its own server, with that connection's
   * rights.
   */
  onServe(open: (connection: NatsConnection) => void): void {
    this.#doors.push(open);
  }

  serve(connection: NatsConnection): void {
    for (const open of this.#doors) open(connection);
  }

  /** @throws {SyncError} */
  async askMaster(subject: string, body: string, timeout: number): Promise<Msg> {
    if (this.#connection === null || this.#connection.isClosed())
      throw new SyncError('unreachable', 'this device is not connected to a master');
    try {
      return await this.#connection.request(subject, body, { timeout });
    } catch (error) {
      throw syncFailure(error);
    }
  }
}
