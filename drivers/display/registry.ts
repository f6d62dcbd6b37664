/** Which displays there are. A new kind of wire is one file and one line here. */
import { type BleOptions, bleConnector } from './ble.ts';
import type { Display, DisplayOptions } from './contract.ts';
import { ScreenDisplay } from './screen.ts';
import { serialConnector } from './serial.ts';
import { WireDisplay, type WireTuning } from './wire-display.ts';

export type DisplayConnection =
  | { readonly type: 'serial'; readonly path: string }
  /** By `address`; by `name` where that is null. */
  | { readonly type: 'ble'; readonly address: string | null; readonly name: string | null }
  | { readonly type: 'screen' };

/**
 * Finding, connecting and reading the services of a BLE display may each use up their own limit, and 1000 bytes in
 * chunks of 20 are a second and more on the air.
 */
const BLE_TUNING: Partial<WireTuning> = Object.freeze({ connectDeadlineMs: 45_000, writeDeadlineMs: 6_000 });

export type DisplayTuning = Partial<WireTuning> & Pick<BleOptions, 'settleMs'>;

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
      return new WireDisplay({ kind: 'serial', connect, ...options, ...tuning });
    }
    case 'ble': {
      const { settleMs, ...wireTuning } = tuning;
      const { address, name } = connection;
      const settling = settleMs === undefined ? {} : { settleMs };
      const connect = bleConnector({ address, name, ...settling, ...logging });
      return new WireDisplay({ kind: 'ble', connect, ...options, ...BLE_TUNING, ...wireTuning });
    }
  }
}
