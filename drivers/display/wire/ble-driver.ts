/** The display over Bluetooth: how a till names it, and how it is opened. */
import { ConnectionError, type DisplayDriver } from '../driver.ts';
import { bleConnector } from './ble.ts';
import { WireDisplay, type WireTuning } from './wire-display.ts';

/**
 * Finding, connecting and reading the services of a BLE display may each use up their own limit, and 1000 bytes in
 * chunks of 20 are a second and more on the air.
 */
const TUNING = Object.freeze({ connectDeadlineMs: 45_000, writeDeadlineMs: 6_000 });
const HARDWARE_ADDRESS = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;

/** What is in force: for a picture BLE has its own time at least, for less would end every link while it is drawn. */
export function bleTuning(tuning: Partial<WireTuning>): Partial<WireTuning> {
  return { ...TUNING, ...tuning, writeDeadlineMs: Math.max(TUNING.writeDeadlineMs, tuning.writeDeadlineMs ?? 0) };
}

/** By `address`; by `name` where that is null. */
interface BleConnection {
  readonly type: 'ble';
  readonly address: string | null;
  readonly name: string | null;
}

export const BLE: DisplayDriver<BleConnection> = {
  type: 'ble',
  name: 'BLE',
  fields: ['deviceAddress', 'deviceName'],
  spellings: ['bluetooth', 'bluetoothle'],
  connection({ deviceAddress, deviceName }) {
    const address = deviceAddress || null;
    const name = deviceName || null;
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
    const { log } = options;
    const settling = settleMs === undefined ? {} : { settleMs };
    const connect = bleConnector({ address, name, ...settling, ...(log !== undefined && { log }) });
    return new WireDisplay({ kind: 'ble', connect, ...options, ...bleTuning(tuning) });
  },
};
