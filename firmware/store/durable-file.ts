/** Files that survive a power cut: written beside, synced, renamed, and the folder synced too. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

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

function writeAndSync(path: string, data: string | Uint8Array, mode: number): void {
  const handle = openSync(path, 'w', mode);
  try {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(handle, bytes, offset);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Replaces a file whole or not at all: after a crash it holds the old bytes or the new ones.
 * @throws the file system's error; the old file is then untouched.
 */
export function replaceFile(path: string, data: string | Uint8Array, mode = 0o600): void {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    writeAndSync(beside, data, mode);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}
