/** Finishes a prepared restore at the start of a device, before it opens any file of the data folder. */
import { messageOf } from '../../../drivers/lib/errors.ts';
import { type DataDir, isOfStorage, lockDataDir, StoreError } from '../../core/files/index.ts';
import { finishRestore, hasBegun } from './swap.ts';

interface ErrorLog {
  error(details: object, message: string): void;
}

/**
 * Locks the data folder and finishes a prepared restore. While a failed restore has replaced no file, the lane sells
 * with the data that it has: the next start tries again.
 * @throws {StoreError}
 */
export function lockAndRestore(folder: string, log: ErrorLog): DataDir {
  const dataDir = lockDataDir(folder);
  try {
    finishRestore(dataDir.path);
  } catch (cause) {
    if (!isBegunIn(dataDir)) {
      log.error(
        { err: cause },
        'the backup is not put back: the device starts with what it has, and the next start tries it again',
      );
      return dataDir;
    }
    dataDir.release();
    if (!isOfStorage(cause)) throw cause;
    const message = `a backup cannot be put back in ${dataDir.path}: ${messageOf(cause)}; nothing is lost, and the next start goes on`;
    throw new StoreError('DATA_DIR_UNUSABLE', message, { cause });
  }
  return dataDir;
}

/** Whether a restore has begun; true also where the folder cannot be read. */
function isBegunIn({ path }: DataDir): boolean {
  try {
    return hasBegun(path);
  } catch (error) {
    if (!isOfStorage(error)) throw error;
    return true;
  }
}
