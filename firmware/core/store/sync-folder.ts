/** Makes things survive a power cut: a file that other code has written, and a folder's entries. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { isCode } from '../../../drivers/lib/errors.ts';

/** Windows cannot open a folder for syncing; there the rename is all that can be had. */
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
