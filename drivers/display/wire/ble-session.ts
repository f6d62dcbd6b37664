/**
 * A separate connection to the system bus for each use of Bluetooth.
 *
 * Measured of `node-ble`: no call has a time limit, and all calls hang for ever when the bus dies. An 'error' of the
 * bus without a listener ends the process. Each `connect()` of one object adds a listener. `destroy()` waits for ever
 * where the bus does not answer. So every call here has a deadline, and each connection has its own bus connection and
 * objects, which are thrown away with it.
 */
import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import { within } from '../../lib/async.ts';
import { messageOf } from '../../lib/errors.ts';
import { DisplayError } from '../contract.ts';
import { bleError } from './ble-device.ts';

/** One connection to the system bus, which reports the bus's failures, and the calls over it. */
export class Session {
  readonly bluetooth;
  readonly #destroy: () => void;
  readonly #socket: Duplex;
  readonly #failed = new AbortController();

  constructor(nodeBle: typeof import('node-ble')) {
    const { bluetooth, destroy } = nodeBle.createBluetooth();
    this.bluetooth = bluetooth;
    this.#destroy = destroy;
    const bus: unknown = Reflect.get(bluetooth, 'dbus');
    if (!(bus instanceof EventEmitter)) throw new DisplayError('ble', 'adapter', 'node-ble has no bus');
    this.#socket = socketOf(bus);
    bus.on('error', (error) => {
      this.#failed.abort(new DisplayError('ble', 'adapter', `the bus failed: ${messageOf(error)}`));
    });
  }

  /** Aborts, with a DisplayError, when the bus fails. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Waits for a call until it ends, its deadline passes, a signal aborts or the bus fails. */
  call<T>(during: string, work: Promise<T>, limitMs: number, ...signals: AbortSignal[]): Promise<T> {
    const late = () => new DisplayError('ble', 'timeout', `${during}: no answer for ${limitMs} ms`);
    return within(work, limitMs, late, this.failed, ...signals).catch((error: unknown) => {
      throw bleError(error, during);
    });
  }

  destroy(): void {
    this.#destroy();
    this.#socket.destroy();
  }
}

/** The socket of a bus, for which dbus-next has no call. @throws {DisplayError} `adapter` */
function socketOf(bus: EventEmitter): Duplex {
  const connection: unknown = Reflect.get(bus, '_connection');
  const socket: unknown = connection instanceof EventEmitter ? Reflect.get(connection, 'stream') : null;
  if (!(socket instanceof Duplex)) throw new DisplayError('ble', 'adapter', 'dbus-next has no socket');
  return socket;
}

/** Loads `node-ble` only here: a machine without D-Bus must still start. */
export async function openSession(): Promise<Session> {
  try {
    return new Session((await import('node-ble')).default);
  } catch (error) {
    throw new DisplayError('ble', 'adapter', `Bluetooth cannot be used here: ${messageOf(error)}`, { cause: error });
  }
}
