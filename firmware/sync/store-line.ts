/**
 * Carries requests of a store's devices to their master and its answers, beside synchronisation, over the connections
 * that exist anyway. The server vouches for the sender, because a device can use only its own serial number.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { SyncError } from './errors.ts';

function failureOf(cause: unknown): SyncError {
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause.name : '';
  return name === 'TimeoutError' || inner === 'TimeoutError'
    ? new SyncError('timeout', 'the master did not answer in time', { cause })
    : new SyncError('unreachable', `there is no way to the master: ${message}`, { cause });
}

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

  /** @throws {SyncError} `unreachable`, `timeout` */
  async askMaster(subject: string, body: string, timeout: number): Promise<Msg> {
    if (this.#connection === null || this.#connection.isClosed())
      throw new SyncError('unreachable', 'this device is not connected to a master');
    try {
      return await this.#connection.request(subject, body, { timeout });
    } catch (error) {
      throw failureOf(error);
    }
  }
}
