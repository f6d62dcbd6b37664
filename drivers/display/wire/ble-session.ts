/**
 * A connection to the system bus of its own, for everything that is done over Bluetooth.
 *
 * Measured of `node-ble`: no call has a time limit, and all of them hang for ever when the bus dies; an 'error' of the bus
 * without a listener ends the process; each `connect()` of one object adds a listener; its `destroy()` only says that nothing
 * more will come, and waits for ever for a bus that does not answer that. So every call here has a deadline, and each
 * connection has a bus connection and objects of its own, all thrown away with it.
 */
import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import { within } from '../../lib/async.ts';
import { messageOf } from '../../lib/errors.ts';
import { DisplayError } from '../contract.ts';
import { bleError } from './ble-device.ts';

/** One connection to the system bus, whose failures are heard, and what runs over it. */
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

  /** A call that ends with the bus, at its deadline or by itself. */
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

/** No call of dbus-next gives it. @throws {DisplayError} `adapter` */
function socketOf(bus: EventEmitter): Duplex {
  const connection: unknown = Reflect.get(bus, '_connection');
  const socket: unknown = connection instanceof EventEmitter ? Reflect.get(connection, 'stream') : null;
  if (!(socket instanceof Duplex)) throw new DisplayError('ble', 'adapter', 'dbus-next has no socket');
  return socket;
}

/** Only here, and only now: a machine without D-Bus must still start. */
export async function openSession(): Promise<Session> {
  try {
    return new Session((await import('node-ble')).default);
  } catch (error) {
    throw new DisplayError('ble', 'adapter', `Bluetooth cannot be used here: ${messageOf(error)}`, { cause: error });
  }
}
