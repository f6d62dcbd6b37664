/** The folder of everything that the device keeps, owned by one process at a time. */
import { existsSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { sweepTemporaries } from './durable-file.ts';
import { StoreError } from './errors.ts';
import { lockerOf } from './holders.ts';
import { makeWay } from './set-aside.ts';
import { whereItCan } from './write-failure.ts';

const LOCK = 'owner.lock';

export interface DataDir {
  readonly path: string;
  file(name: string): string;
  release(): void;
}

/** Whether another process holds the lock. SQLite takes it before it reads, so a damaged file can be locked, too. */
const isHeld = (error: unknown): boolean => /database is locked/.test(String(error));

function lockFile(file: string): DatabaseSync {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function lockWhateverIsThere(file: string): DatabaseSync {
  makeWay(file, Date.now());
  try {
    return lockFile(file);
  } catch (error) {
    if (isHeld(error) || !existsSync(file)) throw error;
    truncateSync(file); // the file is only a lock: any content in it is damage
    return lockFile(file);
  }
}

/** The process that holds a data folder; null for none, or where the system does not tell (only Linux does). */
export const holderOf = (folder: string): number | null => lockerOf(join(folder, LOCK));

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes a folder and its parents, one by one: Node's own way (`recursive`) never ends where none can be made, as in
 * `/proc`.
 */
function makeFolders(path: string): void {
  if (isFolder(path)) return;
  if (!existsSync(dirname(path))) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(path)) throw error; // else another process was faster
  }
}

/** Makes the data folder. @throws {StoreError} `DATA_DIR_UNUSABLE` */
function makeWhole(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    throw new StoreError(
      'DATA_DIR_UNUSABLE',
      `${path} cannot be made: ${messageOf(cause)}; set dataDir (LANEWARE_DATADIR) to another folder`,
      { cause },
    );
  }
}

/**
 * Takes the folder. The lock is SQLite's own on an empty database: the kernel drops it with the process, however it
 * ends, and it works on every system.
 * @throws {StoreError} `DATA_DIR_BUSY`, `DATA_DIR_UNUSABLE`
 */
export function takeDataDir(folder: string): DataDir {
  const path = resolve(folder);
  makeWhole(path);
  try {
    // a disk that takes no lock takes nothing else either: the device starts, and says so
    const lock = whereItCan(() => lockWhateverIsThere(join(path, LOCK)));
    sweepTemporaries(path);
    return { path, file: (name) => join(path, name), release: () => lock?.close() };
  } catch (error) {
    if (!isHeld(error)) throw error;
    const holder = holderOf(path);
    const [who, how] = holder === null ? ['', 'stop it'] : [` (pid ${holder})`, `stop it with kill ${holder}`];
    throw new StoreError(
      'DATA_DIR_BUSY',
      `${path} is in use by another Laneware process${who}: ${how}, or set dataDir (LANEWARE_DATADIR) to another folder`,
    );
  }
}
