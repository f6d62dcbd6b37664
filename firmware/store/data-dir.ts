/** The folder of everything that the device keeps, owned by one process at a time. */
import { existsSync, mkdirSync, truncateSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sweepTemporaries } from './durable-file.ts';
import { StoreError } from './errors.ts';
import { makeWay } from './set-aside.ts';
import { writeFailure } from './write-failure.ts';

const LOCK = 'owner.lock';

export interface DataDir {
  readonly path: string;
  file(name: string): string;
  release(): void;
}

/** Whether it is held: SQLite asks for the lock before it reads, so a damaged file is held like a whole one. */
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
    truncateSync(file); // it holds nothing but the lock: whatever else is found there is damage, and worth nothing
    return lockFile(file);
  }
}

/** Null where the disk takes no lock, and so nothing else either: the device starts, and says so. */
function lockWhereItCan(file: string): DatabaseSync | null {
  try {
    return lockWhateverIsThere(file);
  } catch (error) {
    if (writeFailure(error) === null) throw error;
    return null;
  }
}

/**
 * Takes the folder. The lock is SQLite's own on an empty database: the kernel drops it with the process, however it
 * ends, and it works on every system.
 * @throws {StoreError} `DATA_DIR_BUSY`
 */
export function takeDataDir(folder: string): DataDir {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    const lock = lockWhereItCan(join(path, LOCK));
    sweepTemporaries(path);
    return { path, file: (name) => join(path, name), release: () => lock?.close() };
  } catch (error) {
    if (!isHeld(error)) throw error;
    throw new StoreError(
      'DATA_DIR_BUSY',
      `${path} is in use by another Laneware process; stop it, or set dataDir (LANEWARE_DATADIR) to another folder`,
    );
  }
}
