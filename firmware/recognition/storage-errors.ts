/** What a store that cannot write is called in the device's table of codes. */
import { RecognitionError } from './codes.ts';

const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);
const NO_WRITE = new Set(['EACCES', 'EIO', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS', 'EMFILE', 'ENFILE']);

const FULL = 'the storage of the device is full: free some space, or delete templates; nothing was changed';

/** Words a failure of the file system or of SQLite; any other error comes back as it is. */
export function storageFailure(error: unknown): unknown {
  const { errcode, code } = error as { errcode?: number; code?: string };
  const message = error instanceof Error ? error.message : String(error);
  const primary = errcode === undefined ? null : errcode & 0xff;
  if (primary === SQLITE_FULL || NO_ROOM.has(code ?? ''))
    return new RecognitionError('storageFull', FULL, { cause: error });
  const refused = primary !== null && [SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN].includes(primary);
  if (refused || NO_WRITE.has(code ?? ''))
    return new RecognitionError('fileWrite', `the device cannot write: ${message}; nothing was changed`, {
      cause: error,
    });
  return error;
}

/** Runs what writes; its failures carry codes. */
export async function storing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageFailure(error);
  }
}
