/**
 * What is damaged is renamed and not deleted: its owner may still want to look into it. Of each file the newest few are kept, since a
 * card that fails damages one after the other, and must not be filled by them.
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, type Stats, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';
import { syncFolder } from './sync-folder.ts';
import { whereItCan } from './write-failure.ts';

/** What SQLite keeps beside a database belongs to it. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;
/** Of a database: its file, and those that belong to it. */
export const placesOf = (path: string): string[] => ['', ...COMPANIONS].map((suffix) => path + suffix);

/** How many that were set aside in place of one file are kept. */
export const MOST_KEPT = 5;

/** `other`: whole, but of another device or another state of this one, and what is in it may be in no other place. */
type Reason = 'damaged' | 'other';

const marked = (path: string, reason: Reason): string => `${path}.${reason}-`;

/** Whether there is a file of any kind; a dangling link counts, too. */
export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Of what lies behind a link; undefined where nothing lies there, null where the link leads nowhere for ever. */
function kindOf(path: string): Stats | undefined | null {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isCode(error, 'ELOOP')) return null;
    throw error;
  }
}

/** What cannot be opened without risk (a folder, a pipe, a device, a link to itself), among a database's files. */
function inTheWay(path: string): string[] {
  return placesOf(path).filter((place) => {
    const kind = kindOf(place);
    return kind === null || kind?.isFile() === false;
  });
}

/** Whether anything of a database lies there. */
export const hasRemains = (path: string): boolean => placesOf(path).some(isThere);

/** A clock that stands still must not let the second damage take the place of the first, nor of one that was dropped. */
function freeName(path: string, now: number, reason: Reason): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const name = `${marked(path, reason)}${stamp}`;
  const taken = allSetAside(path, reason).findLast((aside) => aside === name || aside.startsWith(`${name}-`));
  if (taken === undefined) return name;
  return `${name}-${Number(taken.slice(name.length + 1) || 1) + 1}`;
}

/**
 * Renames a file with what belongs to it, and drops nothing; returns where it lies now.
 * @param now wall clock in milliseconds, for its name
 * @throws the file system's error
 */
export function keepAside(path: string, now: number, reason: Reason = 'damaged'): string {
  const aside = freeName(path, now, reason);
  for (const suffix of ['', ...COMPANIONS]) {
    if (isThere(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  syncFolder(dirname(path));
  return aside;
}

/**
 * Renames a damaged file, and drops the oldest of those that were renamed before it; returns where it lies now.
 * @param now wall clock in milliseconds, for its name
 * @throws the file system's error
 */
export function setAside(path: string, now: number): string {
  const aside = keepAside(path, now);
  dropOldest(path, aside);
  return aside;
}

/**
 * Drops all but the newest files that were set aside in place of this one. Folders stay: a person who put one there may want it back. What
 * cannot be dropped stays too, and the next write to the disk reports what is wrong with it.
 * @param newest the one that was set aside last; times in the names may be wrong
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
export function makeFolder(path: string): void {
  const kind = kindOf(path);
  if (kind === null || kind?.isDirectory() === false) setAside(path, Date.now());
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Oldest first, unless they were moved away. Never fails: a folder that cannot be listed shows no old damage. */
export function allSetAside(path: string, reason: Reason = 'damaged'): string[] {
  const start = basename(marked(path, reason));
  const isOurs = (name: string): boolean => name.startsWith(start) && !COMPANIONS.some((end) => name.endsWith(end));
  const names = namesIn(dirname(path))
    .filter(isOurs)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  return names.map((name) => join(dirname(path), name));
}

/** The newest file that was set aside in place of this one; null when there is none. Never fails. */
export const lastSetAside = (path: string, reason: Reason = 'damaged'): string | null =>
  allSetAside(path, reason).at(-1) ?? null;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the next write reports what is wrong now
  }
}
