/**
 * Which device node to open. A USB display that is unplugged and plugged in again may come back as another `ttyACM`, and
 * its old name may by then be another device; its link under /dev/serial/by-id stays its own.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DisplayError } from './contract.ts';

export const BY_ID_DIR = '/dev/serial/by-id';

async function realpathOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    // absent, dangling or (a Windows port name) no path at all: all the same here, opening will tell
    return null;
  }
}

/** The by-id links and what each points to; none where udev does not run. */
async function byIdLinks(byIdDir: string): Promise<{ link: string; target: string }[]> {
  let names: string[];
  try {
    names = (await readdir(byIdDir)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const links = await Promise.all(
    names.map(async (name) => ({ link: join(byIdDir, name), target: await realpathOrNull(join(byIdDir, name)) })),
  );
  return links.flatMap(({ link, target }) => (target === null ? [] : [{ link, target }]));
}

/** Remembers, between connections, which by-id link the configured path was. */
export class SerialPath {
  readonly #configured: string;
  readonly #byIdDir: string;
  #link: string | null = null;

  constructor(configured: string, byIdDir: string) {
    this.#configured = configured;
    this.#byIdDir = byIdDir;
  }

  /**
   * The path to open now.
   * @throws {DisplayError} `not-found`: the display is away, and its old name belongs to another device by now
   */
  async find(): Promise<string> {
    if (this.#link === null || dirname(resolve(this.#configured)) === resolve(this.#byIdDir)) return this.#configured;
    const links = await byIdLinks(this.#byIdDir);
    if (links.some(({ link }) => link === this.#link)) return this.#link;
    const target = await realpathOrNull(this.#configured);
    const other = links.find((link) => link.target === target);
    if (other === undefined) return this.#configured;
    const what = `${this.#configured} is ${other.link} now, not ${this.#link}`;
    throw new DisplayError('serial', 'not-found', `the display is away: ${what}`);
  }

  /** To be called with the path of a connection that has just opened well. */
  async remember(opened: string): Promise<void> {
    const target = await realpathOrNull(opened);
    const links = await byIdLinks(this.#byIdDir);
    const own = links.find((link) => link.target === target);
    if (own !== undefined) this.#link = own.link;
  }
}

/** What tells a device node from the one that later has its name: null where there is none. */
export async function nodeIdentity(path: string): Promise<string | null> {
  try {
    const { dev, ino, rdev } = await stat(path);
    return `${dev}:${ino}:${rdev}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
