/** A display over Bluetooth LE, through BlueZ (`node-ble`, D-Bus): `ble-device.ts` lists that library's faults. */
import type { Device, GattCharacteristic } from 'node-ble';
import { pause } from '../../lib/async.ts';
import type { LogLine } from '../../lib/errors.ts';
import { messageOf } from '../../lib/errors.ts';
import { DisplayError } from '../contract.ts';
import { ConnectionError, type DisplayDriver } from '../driver.ts';
import {
  type BleTarget,
  bleError,
  busErrorName,
  CONNECT,
  findDevice,
  findUart,
  openAdapter,
  openSession,
  type Session,
  type Uart,
} from './ble-device.ts';
import { WatchedConnection } from './link.ts';
import { type Connect, type ConnectContext, WireDisplay } from './wire-display.ts';

/** Limits that the public client of these displays uses (github.com/402d/qrdisplay-sdk). */
const CONNECT_LIMIT_MS = 15_000;
const DISCOVERY_LIMIT_MS = 10_000;
const CALL_LIMIT_MS = 3_000;
const CLOSE_LIMIT_MS = 500;
/** The chunk that every BLE link carries: the smallest MTU, 23, minus 3 bytes of header. */
const SAFE_CHUNK_BYTES = 20;
const MTU_HEADER_BYTES = 3;
/** The longest value of an attribute, for any MTU. */
const MAX_CHUNK_BYTES = 512;
const CHUNK_PAUSE_MS = 2;
const FRAME_PAUSE_MS = 4;
const BUSY_RETRY_MS = 10;
/** How often the device is asked whether it is connected: a dead bus or bluetoothd reports nothing. */
const PRESENCE_CHECK_MS = 5_000;
/** The pause that the public client makes between turning notifications on and the first byte. */
const SETTLE_MS = 400;

/** Limits and pauses of a connection; the driver's own where they are left out. */
export interface BleTiming {
  readonly connectLimitMs?: number;
  readonly discoveryLimitMs?: number;
  readonly callLimitMs?: number;
  /** How often to check that the device is still connected: a dead bus or bluetoothd reports nothing. */
  readonly presenceCheckMs?: number;
  /** The wait between a connection and its first byte. */
  readonly settleMs?: number;
}

class BleConnection extends WatchedConnection {
  readonly #session: Session;
  readonly #device: Device;
  readonly #uart: Uart;
  readonly #callLimitMs: number;

  constructor(session: Session, device: Device, uart: Uart, callLimitMs: number, presenceCheckMs: number) {
    super(presenceCheckMs);
    this.#session = session;
    this.#device = device;
    this.#uart = uart;
    this.#callLimitMs = callLimitMs;
    session.failed.addEventListener('abort', () => this.end(session.failed.reason), { once: true });
    if (session.failed.aborted) this.end(session.failed.reason);
    device.on('disconnect', () => this.end(new DisplayError('ble', 'lost', 'the display has disconnected')));
  }

  override async write(frames: readonly Uint8Array[], signal: AbortSignal): Promise<void> {
    const chunkBytes = await this.#chunkBytes();
    for (const frame of frames) {
      for (let start = 0; start < frame.length; start += chunkBytes) {
        await this.#writeChunk(Buffer.from(frame.subarray(start, start + chunkBytes)), signal);
        await pause(CHUNK_PAUSE_MS, signal);
      }
      await pause(FRAME_PAUSE_MS, signal);
    }
  }

  protected override async release(): Promise<void> {
    this.end(new DisplayError('ble', 'closed', 'closed'));
    // a display that stays connected accepts no other host, and no new connection of this one
    await this.#session.call('disconnect', this.#device.disconnect(), CLOSE_LIMIT_MS).catch(() => undefined);
    this.#session.destroy();
  }

  /** Bytes of a chunk. The MTU may grow after the connection, so it is read each time; an older BlueZ does not report it. */
  async #chunkBytes(): Promise<number> {
    const mtu = await this.#session.call('MTU', readMtu(this.#uart.write), this.#callLimitMs);
    return Math.min(MAX_CHUNK_BYTES, Math.max(SAFE_CHUNK_BYTES, (mtu ?? 0) - MTU_HEADER_BYTES));
  }

  /** Writes a chunk. BlueZ answers `InProgress` while its queue is full: the chunk was not taken and is sent again. */
  async #writeChunk(chunk: Buffer, signal: AbortSignal): Promise<void> {
    for (;;) {
      if (this.ended || signal.aborted) throw new DisplayError('ble', 'lost', 'the link has ended');
      try {
        const written = this.#uart.write.writeValue(chunk, { offset: 0, type: 'command' });
        return await this.#session.call('write', written, this.#callLimitMs, signal);
      } catch (error) {
        if (!(error instanceof DisplayError) || busErrorName(error.cause) !== 'org.bluez.Error.InProgress') throw error;
        await pause(BUSY_RETRY_MS, signal);
      }
    }
  }

  protected override async checkPresence(): Promise<void> {
    try {
      const connected: unknown = await this.#session.call('presence', this.#device.isConnected(), this.#callLimitMs);
      if (connected !== true) this.end(new DisplayError('ble', 'lost', 'the display is not connected any more'));
    } catch (error) {
      this.end(bleError(error, 'presence'));
    }
  }
}

/**
 * The MTU, which BlueZ reports from 5.62 on, null before; node-ble has no call for it, but its helper reads any property.
 */
async function readMtu(characteristic: GattCharacteristic): Promise<number | null> {
  const helper: unknown = Reflect.get(characteristic, 'helper');
  if (typeof helper !== 'object' || helper === null || !('prop' in helper) || typeof helper.prop !== 'function')
    return null;
  try {
    const mtu: unknown = await helper.prop('MTU');
    return typeof mtu === 'number' ? mtu : null;
  } catch {
    // no such property: an older BlueZ
    return null;
  }
}

/** @returns the function that makes connections to this display */
export function bleConnector(target: BleTarget, log?: LogLine, timing: BleTiming = {}): Connect {
  const { connectLimitMs = CONNECT_LIMIT_MS, discoveryLimitMs = DISCOVERY_LIMIT_MS } = timing;
  const { callLimitMs = CALL_LIMIT_MS, presenceCheckMs = PRESENCE_CHECK_MS, settleMs = SETTLE_MS } = timing;

  const find = async (session: Session, signal: AbortSignal): Promise<Device> => {
    const adapter = await session.call('adapter', openAdapter(session.bluetooth), callLimitMs, signal);
    const scan = new AbortController();
    const limit = setTimeout(() => scan.abort(), discoveryLimitMs);
    try {
      const found = findDevice(adapter, target, AbortSignal.any([scan.signal, signal]));
      return await session.call('discovery', found, discoveryLimitMs + callLimitMs, signal);
    } finally {
      clearTimeout(limit);
    }
  };

  const listen = async (session: Session, uart: Uart, openReader: ConnectContext['openReader']): Promise<void> => {
    if (!uart.notify) return;
    uart.notify.on('valuechanged', await openReader());
    await session
      .call('notifications', uart.notify.startNotifications(), callLimitMs)
      .catch((error: unknown) => log?.('the display gives no answers', { reason: messageOf(error) }));
  };

  return async ({ signal, openReader }) => {
    const session = await openSession();
    let device: Device | null = null;
    try {
      device = await find(session, signal);
      await session.call(CONNECT, device.connect(), connectLimitMs, signal);
      const uart = await session.call('services', findUart(device), discoveryLimitMs, signal);
      const connection = new BleConnection(session, device, uart, callLimitMs, presenceCheckMs);
      await listen(session, uart, openReader);
      await pause(settleMs, signal);
      return connection;
    } catch (error) {
      // BlueZ continues an attempt that was given up, and would refuse the next one meanwhile
      if (device) await session.call('disconnect', device.disconnect(), CLOSE_LIMIT_MS).catch(() => undefined);
      session.destroy();
      throw error;
    }
  };
}

/**
 * To find a BLE display, to connect and to read its services may each take its whole limit: `connectDeadlineMs` exceeds
 * their sum. 1000 bytes in chunks of 20 take a second or more.
 */
const TUNING = Object.freeze({ connectDeadlineMs: 45_000, writeDeadlineMs: 6_000 });
const HARDWARE_ADDRESS = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;

/** A BLE display, found by `address`, or by `name` where `address` is null. */
export const BLE: DisplayDriver<BleTarget & { readonly type: 'ble' }> = {
  type: 'ble',
  name: 'BLE',
  fields: ['deviceAddress', 'deviceName'],
  spellings: ['bluetooth', 'bluetoothle'],
  failures: {
    'not-connected': 'BLEController.ConnectionError',
    lost: 'BLEController.RemoteHostClosedError',
    timeout: 'BLEController.NetworkError',
    'not-found': 'BLEController.UnknownRemoteDeviceError',
    permission: 'BLEController.MissingPermissionsError',
    busy: 'BLEController.AuthorizationError',
    adapter: 'BLEController.InvalidBluetoothAdapterError',
    protocol: 'BLEInit.ServiceNotFound',
    closed: 'BLEController.ConnectionError',
    payload: 'BLEService.CharacteristicWriteError',
  },
  connection({ deviceAddress, deviceName }) {
    const [address, name] = [deviceAddress || null, deviceName || null];
    if (address === null && name === null)
      throw new ConnectionError(
        'deviceAddress',
        'or deviceName is required for a Bluetooth display: its address, as C0:FF:EE:00:00:01, or the name that it advertises',
      );
    if (address !== null && !HARDWARE_ADDRESS.test(address))
      throw new ConnectionError('deviceAddress', `is "${address}"; write it as XX:XX:XX:XX:XX:XX`);
    return { type: 'ble', address: address?.toUpperCase() ?? null, name };
  },
  open({ address, name }, options, { settleMs, ...tuning }) {
    const connect = bleConnector({ address, name }, options.log, settleMs === undefined ? {} : { settleMs });
    return new WireDisplay({ kind: 'ble', connect, ...options, ...TUNING, ...tuning });
  },
};
