/** Which displays there are. A new kind of wire is one file and one line here. */

import type { Display, DisplayOptions } from './contract.ts';
import { ScreenDisplay } from './screen.ts';
import { type BleOptions, bleConnector } from './wire/ble.ts';
import { serialConnector } from './wire/serial.ts';
import { WireDisplay, type WireOptions, type WireTuning } from './wire/wire-display.ts';

export type DisplayConnection =
  | { readonly type: 'serial'; readonly path: string }
  /** By `address`; by `name` where that is null. */
  | { readonly type: 'ble'; readonly address: string | null; readonly name: string | null }
  | { readonly type: 'screen' };

/** Opening a path where nothing is costs nothing, and a customer may stand before a display that was just plugged in. */
const SERIAL_TUNING = Object.freeze({ backoffMaxMs: 2_000 });
/**
 * Finding, connecting and reading the services of a BLE display may each use up their own limit, and 1000 bytes in
 * chunks of 20 are a second and more on the air.
 */
const BLE_TUNING = Object.freeze({ connectDeadlineMs: 45_000, writeDeadlineMs: 6_000 });

export type DisplayTuning = Partial<WireTuning> & Pick<BleOptions, 'settleMs'>;

/** What is in force on a wire. For a picture BLE has its own time at least: less would end every link while it is drawn. */
export function wireTuning(kind: WireOptions['kind'], tuning: Partial<WireTuning>): Partial<WireTuning> {
  if (kind === 'serial') return { ...SERIAL_TUNING, ...tuning };
  const writeDeadlineMs = Math.max(BLE_TUNING.writeDeadlineMs, tuning.writeDeadlineMs ?? 0);
  return { ...BLE_TUNING, ...tuning, writeDeadlineMs };
}

/**
 * Opens a display. It connects by itself, and again whenever it was lost; a machine that lacks the hardware or the package
 * for it has a display in the state `lost`, with the reason.
 * @param tuning deadlines, backoff and pauses, where they shall differ from the wire's own
 */
export function openDisplay(
  connection: DisplayConnection,
  options: DisplayOptions,
  tuning: DisplayTuning = {},
): Display {
  const { log } = options;
  const logging = log === undefined ? {} : { log };
  switch (connection.type) {
    case 'screen':
      return new ScreenDisplay(options);
    case 'serial': {
      const connect = serialConnector({ path: connection.path, ...logging });
      return new WireDisplay({ kind: 'serial', connect, ...options, ...wireTuning('serial', tuning) });
    }
    case 'ble': {
      const { settleMs, ...wire } = tuning;
      const { address, name } = connection;
      const settling = settleMs === undefined ? {} : { settleMs };
      const connect = bleConnector({ address, name, ...settling, ...logging });
      return new WireDisplay({ kind: 'ble', connect, ...options, ...wireTuning('ble', wire) });
    }
  }
}
