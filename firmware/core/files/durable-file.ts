/** Files that survive a power cut: written under another name, synced, renamed, and the folder synced too. */
import { type Dirent, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clearPath, makeFolder } from './set-aside.ts';
import { syncFolder } from './sync-folder.ts';
import { whereItCan } from './write-failure.ts';

/** The name of a file while it is written: it tells which process writes it. */
export const temporaryFor = (path: string): string => `${path}.${process.pid}.tmp`;
const TEMPORARY = /\.\d+\.tmp$/;

/**
 * Removes unfinished files of ended processes, in a folder and its subfolders. A file that cannot be removed does no
 * harm.
 * @param folder a folder in which no other process writes
 */
export function sweepTemporaries(folder: string): void {
  const sweep = (path: string): Dirent[] => {
    const entries = readdirSync(path, { withFileTypes: true });
    for (const { name } of entries.filter((entry) => entry.isFile() && TEMPORARY.test(entry.name)))
      whereItCan(() => rmSync(join(path, name), { force: true }));
    return entries.filter((entry) => entry.isDirectory());
  };
  // a folder of another owner is skipped: a reset keeps records in one
  for (const { name } of sweep(folder)) whereItCan(() => sweep(join(folder, name)));
}

/**
 * Makes a folder and removes unfinished files in it. Where the disk refuses either, the next write reports why.
 * @param isLeft whether a file is unfinished, by its name
 */
export function prepareFolder(folder: string, isLeft: (name: string) => boolean): void {
  whereItCan(() => {
    makeFolder(folder);
    for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name), { recursive: true });
  });
}

/** A file that is complete on the disk under a temporary name. */
export interface PendingFile {
  readonly path: string;
  readonly beside: string;
}

/**
 * Writes a file under a temporary name; a folder in its final place is set aside.
 * @throws the file system's error; the old file is then untouched
 */
export function writeBeside(path: string, data: string | Uint8Array, mode = 0o600): PendingFile {
  const beside = temporaryFor(path);
  try {
    writeFileSync(beside, data, { mode, flush: true });
    clearPath(path, Date.now());
    return { path, beside };
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Gives the file its name, durably. @throws the file system's error */
export function renameIntoPlace({ path, beside }: PendingFile): void {
  try {
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/**
 * Replaces a file whole or not at all: after a crash it holds the old bytes or the new ones. A folder in its place is
 * set aside.
 * @throws the file system's error; the old file is then untouched.
 */
export const replaceFile = (path: string, data: string | Uint8Array, mode = 0o600): void =>
  renameIntoPlace(writeBeside(path, data, mode));
