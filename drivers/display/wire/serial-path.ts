/**
 * Which device node to open, and which ports a person may choose from. A USB display that is plugged in again may get
 * another `ttyACM`, and its old name may then be another device; its link under /dev/serial/by-id stays the same.
 */
import { fstat } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isCode } from '../../lib/errors.ts';
import { DisplayError } from '../contract.ts';

export const BY_ID_DIR = '/dev/serial/by-id';

const describe = promisify(fstat);

async function realpathOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    // absent, dangling or (a Windows port name) no path at all: opening it will give the error
    return null;
  }
}

/** The by-id links and their targets; empty where udev does not run. */
export async function byIdLinks(byIdDir: string): Promise<{ link: string; target: string }[]> {
  let names: string[];
  try {
    names = (await readdir(byIdDir)).sort();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
  const links = await Promise.all(
    names.map(async (name) => ({ link: join(byIdDir, name), target: await realpathOrNull(join(byIdDir, name)) })),
  );
  return links.flatMap(({ link, target }) => (target === null ? [] : [{ link, target }]));
}

/** Remembers between connections to which by-id link the configured path belonged. */
export class SerialPath {
  readonly #configured: string;
  readonly #byIdDir: string;
  #link: string | null = null;

  constructor(configured: string, byIdDir: string) {
    this.#configured = configured;
    this.#byIdDir = byIdDir;
    if (dirname(resolve(configured)) === resolve(byIdDir)) this.#link = configured;
  }

  /**
   * The path to open now. Once the display's link is known, only that link is opened: while the link is missing, the
   * configured name may be another device, and udev needs a moment to tell which.
   * @throws {DisplayError} `not-found`: the display is away
   */
  async find(): Promise<string> {
    if (this.#link === null) return this.#configured;
    if ((await realpathOrNull(this.#link)) !== null) return this.#link;
    throw new DisplayError('serial', 'not-found', `${this.#link}: the display is away`);
  }

  /** Call it while a connection to this path is open and works: udev may make the link later than the device node. */
  async remember(opened: string): Promise<void> {
    if (this.#link !== null) return;
    const target = await realpathOrNull(opened);
    const links = await byIdLinks(this.#byIdDir);
    this.#link = links.find((link) => link.target === target)?.link ?? null;
  }
}

interface NodeStat {
  readonly dev: number;
  readonly ino: number;
  readonly rdev: number;
}

const sameNode = (a: NodeStat, b: NodeStat): boolean => a.dev === b.dev && a.ino === b.ino && a.rdev === b.rdev;

/**
 * Why an open descriptor is not the device at `path` any more; null while it is. A removed device node has no name left
 * (`nlink` 0), even when another node has since taken its name and number.
 */
export async function disconnectionOf(descriptor: number, path: string): Promise<string | null> {
  const open = await describe(descriptor);
  if (open.nlink === 0) return 'the device has gone';
  try {
    return sameNode(await stat(path), open) ? null : 'the port is another device now';
  } catch (error) {
    if (isCode(error, 'ENOENT')) return 'the port has gone';
    throw error;
  }
}

/** A serial port of this machine, offered to a person who looks for the display. */
interface FoundPort {
  /**
   * The path that a connection names: the link under /dev/serial/by-id where there is one, because that link does not
   * change.
   */
  readonly path: string;
  /** Name that its maker gave it; empty where nothing is known. */
  readonly label: string;
}

const DEVICES = '/dev';
/** USB ports and the pins of a Raspberry Pi; ttyAMA10 of a Pi 5 is its debug connector, and most `ttyS` of a PC are unused. */
const PORT = /^(ttyACM\d+|ttyUSB\d+|ttyAMA\d)$/;

/** `usb-Mertech_QR-PAY_0001-if00` is "Mertech QR-PAY 0001". */
const labelOf = (link: string): string =>
  basename(link)
    .replace(/^usb-/, '')
    .replace(/-if\d+(-port\d+)?$/, '')
    .replaceAll('_', ' ');

/** Lists ports without `udevadm`, which the library calls and a lane's service may not start. */
async function portsOfLinux(): Promise<FoundPort[]> {
  const links = await byIdLinks(BY_ID_DIR);
  const named = new Set(links.map(({ target }) => target));
  const others = (await readdir(DEVICES)).filter((name) => PORT.test(name)).sort();
  return [
    ...links.map(({ link }) => ({ path: link, label: labelOf(link) })),
    ...others.map((name) => join(DEVICES, name)).flatMap((path) => (named.has(path) ? [] : [{ path, label: '' }])),
  ];
}

/** Ports with a name come first. @throws the system's error */
export async function foundPorts(): Promise<FoundPort[]> {
  if (process.platform === 'linux') return await portsOfLinux();
  const { SerialPort } = await import('serialport'); // a machine may lack it
  const ports = await SerialPort.list();
  return ports.map(({ path, manufacturer = '' }) => ({ path, label: manufacturer }));
}
