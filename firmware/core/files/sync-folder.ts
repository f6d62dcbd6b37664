/** Makes a folder's entries, and files that other code has written, survive a power cut. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { isCode } from '../../../drivers/lib/errors.ts';

/** Errors of a system that cannot sync a folder, such as Windows: there the rename must do. */
const FOLDER_SYNC_UNSUPPORTED = ['EISDIR', 'EPERM', 'EINVAL', 'EACCES'];

export function syncFolder(folder: string): void {
  let handle: number;
  try {
    handle = openSync(folder, 'r');
  } catch (error) {
    if (process.platform === 'win32' && isCode(error, ...FOLDER_SYNC_UNSUPPORTED)) return;
    throw error;
  }
  try {
    fsyncSync(handle);
  } catch (error) {
    if (!isCode(error, ...FOLDER_SYNC_UNSUPPORTED)) throw error;
  } finally {
    closeSync(handle);
  }
}

/** Syncs a file: SQLite does not sync its copies. */
export function syncFile(path: string): void {
  const handle = openSync(path, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
