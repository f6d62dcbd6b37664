/** What a store that cannot write is called in the device's table of codes. */
import { RecognitionError } from './codes.ts';

const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);
const NO_WRITE = new Set(['EACCES', 'EIO', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS', 'EMFILE', 'ENFILE']);

const FULL = 'the storage of the device is full: free some space, or delete templates; nothing was changed';

export const DAMAGED =
  'templates.db is damaged: restart the device, which then checks all of it and sets a damaged one aside, and import the latest export';

const primaryCode = (error: unknown): number | null => {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? null : errcode & 0xff;
};

/** Whether the database itself is broken; a full disk, or one that fails, is another matter. */
export const isDamage = (error: unknown): boolean => [SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryCode(error) ?? 0);

/** Words a failure of the file system or of SQLite; any other error comes back as it is. */
export function storageFailure(error: unknown): unknown {
  const { code } = error as { code?: string };
  const message = error instanceof Error ? error.message : String(error);
  const primary = primaryCode(error);
  if (isDamage(error)) return new RecognitionError('fileWrite', DAMAGED, { cause: error });
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
