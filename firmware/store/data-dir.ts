/** The folder of everything that the device keeps, owned by one process at a time. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process owns the folder. */
export class DataDirBusyError extends Error {
  readonly code = 'DATA_DIR_BUSY';
}

export interface DataDir {
  readonly path: string;
  file(name: string): string;
  release(): void;
}

/**
 * Takes the folder. The lock is SQLite's own on an empty database: the kernel drops it with the process, however it
 * ends, and it works on every system.
 * @throws {DataDirBusyError}
 */
export function takeDataDir(folder: string): DataDir {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(path, 'owner.lock'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    if (!/database is locked/.test(String(error))) throw error;
    throw new DataDirBusyError(
      `${path} is in use by another Laneware process; stop it, or set dataDir (LANEWARE_DATADIR) to another folder`,
    );
  }
  return { path, file: (name) => join(path, name), release: () => lock.close() };
}
