/**
 * A display over Bluetooth, as BlueZ presents it: the session on the system bus, the device among those that the adapter
 * knows and hears, and its two characteristics.
 *
 * Measured with `node-ble`: no call has a time limit, and all calls hang for ever when the bus dies. An 'error' of the
 * bus without a listener ends the process. Each `connect()` of one object adds a listener. `destroy()` waits for ever
 * where the bus does not answer. So every call here has a deadline, and each connection has its own bus connection and
 * objects, which are thrown away with it.
 */
import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import type { Adapter, Bluetooth, Device, GattCharacteristic } from 'node-ble';
import { pause, within } from '../../lib/async.ts';
import { messageOf } from '../../lib/errors.ts';
import { memberOf } from '../../lib/strict-json.ts';
import { DisplayError, type DisplayErrorCode } from '../contract.ts';

/** What BlueZ calls an error, for instance `org.bluez.Error.InProgress`; null for any other failure. */
export function busErrorName(error: unknown): string | null {
  const name = memberOf(error, 'type');
  return typeof name === 'string' ? name : null;
}

/** The call that connects, by its name in errors. */
export const CONNECT = 'connect';
/** BlueZ's answers to a connection while another program makes or has one (`dev_connect` of its `src/device.c`). */
const CONNECTED_ELSEWHERE = new Set(['org.bluez.Error.InProgress', 'org.bluez.Error.AlreadyConnected']);
/** BlueZ's messages where another program has a characteristic to itself (`src/gatt-client.c`), as `Write acquired`. */
const ACQUIRED = /\b(write|notify) acquired\b/i;

function codeOfCall(error: unknown, during: string): DisplayErrorCode {
  const name = busErrorName(error);
  const text = messageOf(error);
  // bluetoothd or the bus itself is not there: no matter what was being done
  if (name === 'org.freedesktop.DBus.Error.ServiceUnknown' || /not provided|ENOENT|ECONN/.test(text)) return 'adapter';
  if (during === CONNECT && name !== null && CONNECTED_ELSEWHERE.has(name)) return 'busy';
  return ACQUIRED.test(text) ? 'busy' : 'not-connected';
}

/** Turns a failed call into a DisplayError. */
export function bleError(error: unknown, during: string): DisplayError {
  if (error instanceof DisplayError) return error;
  return new DisplayError('ble', codeOfCall(error, during), `${during}: ${messageOf(error)}`, { cause: error });
}

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

/** Names a display by its address, or by its name where no address is given. */
export interface BleTarget {
  readonly address: string | null;
  readonly name: string | null;
}

/** @param isThere whether there is an adapter, which then is off */
const adapterError = (isThere: boolean): Error =>
  new DisplayError(
    'ble',
    'adapter',
    isThere ? 'the Bluetooth adapter is switched off' : 'there is no Bluetooth adapter',
  );

/** Returns an adapter that is on. @param errorOf makes the error that is thrown where none is, or all are off */
export async function openAdapter(bluetooth: Bluetooth, errorOf = adapterError): Promise<Adapter> {
  const names = await bluetooth.adapters();
  for (const name of names) {
    const adapter = await bluetooth.getAdapter(name);
    if (await adapter.isPowered()) return adapter;
  }
  throw errorOf(names.length > 0);
}

/**
 * Returns a search for the display among the devices that the adapter knows. A repeated search uses the objects of the
 * one before, because node-ble adds a listener for each new object.
 */
function knownDeviceSearch(adapter: Adapter, target: BleTarget): () => Promise<Device | null> {
  const cache = new Map<string, Device>();
  const address = target.address?.toUpperCase();

  const nameOf = async (device: Device): Promise<string | null> => {
    try {
      return await device.getName();
    } catch {
      // a device that has not sent its name yet has no such property
      return null;
    }
  };

  return async () => {
    const known = await adapter.devices();
    if (address !== undefined) return known.includes(address) ? adapter.getDevice(address) : null;
    for (const candidate of known) {
      const device = cache.get(candidate) ?? (await adapter.getDevice(candidate));
      cache.set(candidate, device);
      if (target.name !== null && (await nameOf(device)) === target.name) return device;
    }
    return null;
  };
}

const SCAN_STEP_MS = 250;

/**
 * Returns the device, and scans for it where BlueZ does not know it yet. The scan has ended when this settles:
 * connecting during a scan fails on many adapters.
 * @throws {DisplayError} `not-found`
 */
export async function findDevice(adapter: Adapter, target: BleTarget, signal: AbortSignal): Promise<Device> {
  const findKnown = knownDeviceSearch(adapter, target);
  const known = await findKnown();
  if (known) return known;
  const isOurScan = !(await adapter.isDiscovering());
  if (isOurScan) await adapter.startDiscovery();
  try {
    while (!signal.aborted) {
      const found = await findKnown();
      if (found) return found;
      await pause(SCAN_STEP_MS, signal);
    }
  } finally {
    if (isOurScan) await adapter.stopDiscovery();
  }
  throw new DisplayError('ble', 'not-found', `no display ${target.address ?? `named ${target.name}`} in reach`);
}

/**
 * The characteristics of the Nordic UART service. Displays use both 6e40… and 6d40…, and no source names the service's
 * own UUID, so they are looked for in every service. Source: github.com/402d/qrdisplay-sdk.
 */
const WRITE = ['6e400002-b5a3-f393-e0a9-e50e24dcca9e', '6d400002-b5a3-f393-e0a9-e50e24dcca9e'];
const NOTIFY = ['6e400003-b5a3-f393-e0a9-e50e24dcca9e', '6d400003-b5a3-f393-e0a9-e50e24dcca9e'];

export interface Uart {
  readonly write: GattCharacteristic;
  /** Absent where the display has none: its answers are never required. */
  readonly notify: GattCharacteristic | null;
}

/** @throws {DisplayError} `protocol`: connected, but no display of this family */
export async function findUart(device: Device): Promise<Uart> {
  const gatt = await device.gatt();
  const found = new Map<string, GattCharacteristic>();
  for (const uuid of await gatt.services()) {
    const service = await gatt.getPrimaryService(uuid);
    for (const name of await service.characteristics()) {
      found.set(name.toLowerCase(), await service.getCharacteristic(name));
    }
  }
  const pick = (spellings: readonly string[]) =>
    spellings.map((spelling) => found.get(spelling)).find((characteristic) => characteristic !== undefined) ?? null;
  const write = pick(WRITE);
  if (!write) throw new DisplayError('ble', 'protocol', 'the device has no UART service: it is no QR display');
  return { write, notify: pick(NOTIFY) };
}
