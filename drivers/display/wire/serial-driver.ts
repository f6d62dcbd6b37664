/** The display on a serial port or USB: how a till names it, and how it is opened. */
import { ConnectionError, type ConnectionFields, type DisplayDriver } from '../driver.ts';
import { serialConnector } from './serial.ts';
import { WireDisplay } from './wire-display.ts';

/** Opening a path where nothing is costs nothing, and a customer may stand before a display that was just plugged in. */
const TUNING = Object.freeze({ backoffMaxMs: 2_000 });
const PORT = /^(\/|\\\\\.\\COM\d+$|COM\d+$)/i;

function pathOf({ portName, deviceAddress }: ConnectionFields): string {
  const path = portName || deviceAddress;
  if (!path) throw new ConnectionError('portName', 'is required for a serial display, as /dev/ttyACM0 or COM3');
  if (PORT.test(path)) return path;
  if (/^[\w.-]+$/.test(path)) return `/dev/${path}`;
  throw new ConnectionError('portName', `is "${path}", which is no port: write it as /dev/ttyACM0 or COM3`);
}

export const SERIAL: DisplayDriver<{ readonly type: 'serial'; readonly path: string }> = {
  type: 'serial',
  name: 'Serial',
  spellings: ['serialport', 'com', 'comport', 'uart', 'usb', 'rs232'],
  // tills write the port into the field that all displays have, and forget to say so
  takesOver: ({ deviceAddress }, named) => PORT.test(deviceAddress ?? '') && (named === null || named === 'ble'),
  connection: (fields) => ({ type: 'serial', path: pathOf(fields) }),
  open({ path }, options, { settleMs: _, ...tuning }) {
    const { log } = options;
    const connect = serialConnector({ path, ...(log !== undefined && { log }) });
    return new WireDisplay({ kind: 'serial', connect, ...options, ...TUNING, ...tuning });
  },
};
