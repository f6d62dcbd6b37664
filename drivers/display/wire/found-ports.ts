/** Serial ports of this machine that a display may be at, for a person to choose. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BY_ID_DIR, byIdLinks } from './serial-path.ts';

interface FoundPort {
  /** What a connection names: the link under /dev/serial/by-id where there is one, which stays the display's own. */
  readonly path: string;
  /** As its maker calls it; empty where nothing is known. */
  readonly label: string;
}

const DEVICES = '/dev';
/** Of USB, and the pins of a Raspberry Pi; ttyAMA10 of a Pi 5 is its debug connector, and the many `ttyS` of a PC are most often nothing. */
const PORT = /^(ttyACM\d+|ttyUSB\d+|ttyAMA\d)$/;

/** `usb-Mertech_QR-PAY_0001-if00` is "Mertech QR-PAY 0001". */
const labelOf = (link: string): string =>
  basename(link)
    .replace(/^usb-/, '')
    .replace(/-if\d+(-port\d+)?$/, '')
    .replaceAll('_', ' ');

/** Without `udevadm`, which the library asks and a lane's service may not start. */
async function portsOfLinux(): Promise<FoundPort[]> {
  const links = await byIdLinks(BY_ID_DIR);
  const named = new Set(links.map(({ target }) => target));
  const others = (await readdir(DEVICES)).filter((name) => PORT.test(name)).sort();
  return [
    ...links.map(({ link }) => ({ path: link, label: labelOf(link) })),
    ...others.map((name) => join(DEVICES, name)).flatMap((path) => (named.has(path) ? [] : [{ path, label: '' }])),
  ];
}

/** Those with a name of their own come first. @throws the system's error */
export async function foundPorts(): Promise<FoundPort[]> {
  if (process.platform === 'linux') return await portsOfLinux();
  const { SerialPort } = await import('serialport'); // a machine may lack it
  const ports = await SerialPort.list();
  return ports.map(({ path, manufacturer = '' }) => ({ path, label: manufacturer }));
}
