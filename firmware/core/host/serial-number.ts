/** Finds the serial number of a device, by which it is named. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A Raspberry Pi's serial number, as its firmware puts it into the device tree. */
const SERIAL_FILE = '/proc/device-tree/serial-number';

/** The device's serial number: the configured one, else the board's, else the host's name. */
export function serialNumber(configured: string | null): string {
  if (configured !== null) return configured;
  try {
    const serial = readFileSync(SERIAL_FILE, 'utf8').replaceAll('\0', '').trim();
    if (serial !== '') return serial;
  } catch {
    // no device tree: not a Raspberry Pi
  }
  return hostname();
}
