/** What is damaged is renamed, never deleted: its owner may still want to look into it. */
import { lstatSync, mkdirSync, readdirSync, renameSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** What SQLite keeps beside a database belongs to it. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;
const marked = (path: string): string => `${path}.damaged-`;

/** Whatever it is: a link that leads nowhere is there too. */
export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Of what lies behind a link; undefined where nothing lies there, null where the link leads nowhere for ever. */
function kindOf(path: string): Stats | undefined | null {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return null;
    throw error;
  }
}

/** What cannot be opened without risk (a folder, a pipe, a device, a link to itself), among a database's files. */
function inTheWay(path: string): string[] {
  const places = ['', ...COMPANIONS].map((suffix) => path + suffix);
  return places.filter((place) => {
    const kind = kindOf(place);
    return kind === null || kind?.isFile() === false;
  });
}

/** Whether something that is no file lies in the place of a database, or of what SQLite keeps beside it. */
export const isObstructed = (path: string): boolean => inTheWay(path).length > 0;

/** Whether anything of a database lies there. */
export const hasRemains = (path: string): boolean => ['', ...COMPANIONS].some((suffix) => isThere(path + suffix));

function freeName(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const name = `${marked(path)}${stamp}`;
  // a clock that stands still must not let the second damage take the place of the first
  for (let n = 2, free = name; ; free = `${name}-${n++}`) if (!isThere(free)) return free;
}

/**
 * Renames a damaged file; answers where it lies now.
 * @param now wall clock in milliseconds, for its name
 * @throws the file system's error
 */
export function setAside(path: string, now: number): string {
  const aside = freeName(path, now);
  for (const suffix of ['', ...COMPANIONS]) {
    if (isThere(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  syncFolder(dirname(path));
  return aside;
}

/**
 * Makes way for a database: what lies in its place, or in that of what SQLite keeps beside it, and is no file is renamed.
 * @param now wall clock in milliseconds, for the name
 * @throws the file system's error
 */
export function makeWay(path: string, now: number): void {
  for (const place of inTheWay(path)) setAside(place, now);
}

/**
 * Makes a folder of the device's own; what lies in its place and is none is renamed.
 * @throws the file system's error
 */
export function makeFolder(path: string, now = Date.now()): void {
  const kind = kindOf(path);
  if (kind === null || kind?.isDirectory() === false) setAside(path, now);
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * The newest file that was set aside in place of this one, as long as nobody has moved it away; null when there is none. Never
 * fails: a folder that cannot be listed tells nothing of old damage, and whoever writes to it tells what is wrong now.
 */
export function lastSetAside(path: string): string | null {
  const start = basename(marked(path));
  const isOurs = (name: string): boolean => name.startsWith(start) && !COMPANIONS.some((end) => name.endsWith(end));
  const last = namesIn(dirname(path)).filter(isOurs).sort().at(-1);
  return last === undefined ? null : join(dirname(path), last);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
