/**
 * Renames damaged files instead of deleting them: their owner may want to look into them. Only the newest few of each
 * file stay: a failing card damages one file after the other, and the renamed ones must not fill it.
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, type Stats, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';
import { syncFolder } from './sync-folder.ts';
import { whereItCan } from './write-failure.ts';

/** Endings of the files that SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;
/** Paths of a database's file and of the files that SQLite keeps beside it. */
export const placesOf = (path: string): string[] => ['', ...COMPANIONS].map((suffix) => path + suffix);

/** How many set-aside versions of one file are kept. */
export const MOST_KEPT = 5;

/** `other`: whole, but of another device or another state of this one; its content may exist nowhere else. */
type Reason = 'damaged' | 'other';

const marked = (path: string, reason: Reason): string => `${path}.${reason}-`;

/** Whether there is a file of any kind; a dangling link counts, too. */
export const pathExists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Stats of a path, links followed; undefined where nothing is there, null where a link leads to itself. */
function kindOf(path: string): Stats | undefined | null {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isCode(error, 'ELOOP')) return null;
    throw error;
  }
}

/** Paths of a database's files that cannot be opened without risk (a folder, a pipe, a device, a link to itself). */
function inTheWay(path: string): string[] {
  return placesOf(path).filter((place) => {
    const kind = kindOf(place);
    return kind === null || kind?.isFile() === false;
  });
}

/** Whether any file of a database exists. */
export const hasRemains = (path: string): boolean => placesOf(path).some(pathExists);

/**
 * A free name for a set-aside file: under a clock that stands still, a second damaged file must not replace the first,
 * nor get the name of a dropped one.
 */
function freeName(path: string, now: number, reason: Reason): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const name = `${marked(path, reason)}${stamp}`;
  const taken = allSetAside(path, reason).findLast((aside) => aside === name || aside.startsWith(`${name}-`));
  if (taken === undefined) return name;
  return `${name}-${Number(taken.slice(name.length + 1) || 1) + 1}`;
}

/**
 * Renames a file with SQLite's files beside it, and drops nothing; returns its new path.
 * @param now wall clock in milliseconds, for its name
 * @throws the file system's error
 */
export function renameAside(path: string, now: number, reason: Reason = 'damaged'): string {
  const aside = freeName(path, now, reason);
  for (const suffix of ['', ...COMPANIONS]) {
    if (pathExists(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  syncFolder(dirname(path));
  return aside;
}

/**
 * Renames a damaged file, and drops the oldest that were renamed before; returns its new path.
 * @param now wall clock in milliseconds, for its name
 * @throws the file system's error
 */
export function setAside(path: string, now: number): string {
  const aside = renameAside(path, now);
  dropOldest(path, aside);
  return aside;
}

/**
 * Drops all but the newest set-aside versions of this file. Folders stay: a person may have put one there. Those that
 * cannot be dropped stay, too, and the next write to the disk reports the problem.
 * @param newest the one set aside last; times in the names may be wrong
 */
export function dropOldest(path: string, newest = lastSetAside(path)): void {
  const others = allSetAside(path).filter((aside) => aside !== newest);
  for (const aside of others.slice(0, Math.max(0, others.length + 1 - MOST_KEPT))) {
    for (const place of placesOf(aside)) whereItCan(() => drop(place));
  }
}

function drop(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) unlinkSync(path);
}

/**
 * Makes way for a database: renames whatever is no plain file at its path, or at the paths of SQLite's files beside it.
 * @param now wall clock in milliseconds, for the name
 * @throws the file system's error
 */
export function clearPath(path: string, now: number): void {
  for (const place of inTheWay(path)) setAside(place, now);
}

/** Makes a folder of the device; anything else in its place is renamed. @throws the file system's error */
export function makeFolder(path: string): void {
  const kind = kindOf(path);
  if (kind === null || kind?.isDirectory() === false) setAside(path, Date.now());
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Set-aside versions of a file, oldest first, without SQLite's files beside them. Never fails: a folder that cannot be
 * listed shows none.
 */
export function allSetAside(path: string, reason: Reason = 'damaged'): string[] {
  const start = basename(marked(path, reason));
  const isOurs = (name: string): boolean => name.startsWith(start) && !COMPANIONS.some((end) => name.endsWith(end));
  const names = namesIn(dirname(path))
    .filter(isOurs)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  return names.map((name) => join(dirname(path), name));
}

/** The newest set-aside version of this file; null for none. Never fails. */
export const lastSetAside = (path: string, reason: Reason = 'damaged'): string | null =>
  allSetAside(path, reason).at(-1) ?? null;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the next write reports what is wrong now
  }
}
