/**
 * Requests of a store's devices to their master and its answers, beside the synchronisation: over the connections that they have
 * to the master's server anyway. The server says who asks, for a device speaks under its own serial number only.
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

  /** Takes a connection to the master up, until there is another one. */
  follow(connection: NatsConnection): void {
    this.#connection = connection;
    for (const listener of this.#listeners) listener();
  }

  /** Listeners are called when there may be a way to the master again. @returns what ends that */
  onLine(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Called with each connection of this device, as the master, to its own server, with the rights of that. */
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
