/** A folder's entries on the disk: a file that was made or renamed in it is there after a power cut. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Windows cannot open a folder for syncing; there the rename is all that can be had. */
const FOLDER_SYNC_UNSUPPORTED = new Set(['EISDIR', 'EPERM', 'EINVAL', 'EACCES']);

export function syncFolder(folder: string): void {
  let handle: number;
  try {
    handle = openSync(folder, 'r');
  } catch (error) {
    if (process.platform === 'win32' && FOLDER_SYNC_UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? ''))
      return;
    throw error;
  }
  try {
    fsyncSync(handle);
  } catch (error) {
    if (!FOLDER_SYNC_UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(handle);
  }
}
