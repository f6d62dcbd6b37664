/** Finds Bluetooth displays: BlueZ scans for a limited time. A search always ends. */
import type { Adapter } from 'node-ble';
import { pause } from '../../lib/async.ts';
import { CodedError, codeOf, messageOf } from '../../lib/errors.ts';
import { DisplayError } from '../contract.ts';
import { busErrorName, openAdapter, openSession, type Session } from './ble-device.ts';

/** How long the search listens: a display advertises several times a second, a sleepy one every few seconds. */
const LISTEN_MS = 6_000;
const CALL_LIMIT_MS = 3_000;

export interface FoundDisplay {
  readonly address: string;
  /** Null for a display that has not sent its name. */
  readonly name: string | null;
  /** Strength in dBm, closer to 0 for a nearer display; null for a connected display, which does not advertise. */
  readonly signal: number | null;
}

export type BleSearchErrorCode =
  /** BlueZ, or the bus that leads to it, is not there. */
  | 'no-service'
  | 'no-adapter'
  | 'switched-off'
  /** The process may not use BlueZ. */
  | 'permission'
  | 'failed';

export class BleSearchError extends CodedError<BleSearchErrorCode> {
  constructor(code: BleSearchErrorCode, message: string, cause?: unknown) {
    super(code, message, cause === undefined ? undefined : { cause });
  }
}

/** Our codes by the error names of BlueZ and of the bus. */
const CODES: ReadonlyMap<string, BleSearchErrorCode> = new Map([
  ['org.freedesktop.DBus.Error.ServiceUnknown', 'no-service'],
  ['org.freedesktop.DBus.Error.AccessDenied', 'permission'],
  ['org.bluez.Error.NotPermitted', 'permission'],
  ['org.bluez.Error.NotAuthorized', 'permission'],
  ['org.bluez.Error.NotReady', 'switched-off'],
]);

function searchError(error: unknown): BleSearchError {
  const cause = error instanceof DisplayError ? error.cause : error;
  if (cause instanceof BleSearchError) return cause;
  const known = CODES.get(busErrorName(cause) ?? '');
  const words = messageOf(error);
  if (known !== undefined) return new BleSearchError(known, words, error);
  if (codeOf(cause) === 'EACCES' || /EACCES/.test(words)) return new BleSearchError('permission', words, error);
  const isAbsent = /not provided|ENOENT|ECONN|cannot be used here/.test(words);
  return new BleSearchError(isAbsent ? 'no-service' : 'failed', words, error);
}

const adapterError = (isThere: boolean): BleSearchError =>
  isThere
    ? new BleSearchError('switched-off', 'the Bluetooth of this machine is switched off')
    : new BleSearchError('no-adapter', 'this machine has no Bluetooth');

/** Null for a property that BlueZ does not know of a device. */
const orNull = <T>(property: Promise<T>): Promise<T | null> => property.catch(() => null);

/** Null for a device that BlueZ only remembers: it is out of reach now. */
async function readDevice(adapter: Adapter, address: string): Promise<FoundDisplay | null> {
  const device = await adapter.getDevice(address);
  const [name, signal, isConnected] = await Promise.all([
    orNull(device.getName()),
    orNull<unknown>(device.getRSSI()),
    orNull<unknown>(device.isConnected()),
  ]);
  const dbm = typeof signal === 'number' ? signal : null;
  return dbm === null && isConnected !== true ? null : { address, name, signal: dbm };
}

/** Order of the list: displays with a name first, among these the nearest first. */
const byUse = (one: FoundDisplay, other: FoundDisplay): number =>
  Number(one.name === null) - Number(other.name === null) || (other.signal ?? 0) - (one.signal ?? 0);

interface Limits {
  readonly listenMs: number;
  readonly callLimitMs: number;
}

async function listen(session: Session, { listenMs, callLimitMs }: Limits): Promise<FoundDisplay[]> {
  const adapter = await session.call('adapter', openAdapter(session.bluetooth, adapterError), callLimitMs);
  const isOurs = !(await session.call('adapter', adapter.isDiscovering(), callLimitMs));
  if (isOurs) await session.call('discovery', adapter.startDiscovery(), callLimitMs);
  try {
    await pause(listenMs, session.failed);
    const known = await session.call('devices', adapter.devices(), callLimitMs);
    const pending = known.map((address) => session.call('device', readDevice(adapter, address), callLimitMs));
    // a device that goes out of reach meanwhile is left out
    const devices = await Promise.all(pending.map((device) => device.catch(() => null)));
    return devices.filter((device) => device !== null).toSorted(byUse);
  } finally {
    // BlueZ also ends the scan when the process that began it leaves the bus
    if (isOurs) await session.call('discovery', adapter.stopDiscovery(), callLimitMs).catch(() => undefined);
  }
}

/** @throws {BleSearchError} */
export async function searchDisplays(limits: Partial<Limits> = {}): Promise<FoundDisplay[]> {
  let session: Session | null = null;
  try {
    session = await openSession();
    return await listen(session, { listenMs: LISTEN_MS, callLimitMs: CALL_LIMIT_MS, ...limits });
  } catch (error) {
    throw searchError(error);
  } finally {
    session?.destroy();
  }
}
