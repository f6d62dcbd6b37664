/** What a store that cannot write is called in the device's table of codes. */
import { messageOf } from '../../drivers/lib/errors.ts';
import { writeFailure } from '../store/write-failure.ts';
import { RecognitionError } from './codes.ts';

const FULL = 'the storage of the device is full: free some space, or delete templates; nothing was changed';

export const DAMAGED =
  'templates.db is damaged: restart the device, which then checks all of it and sets a damaged one aside, and import the latest export';

/** Whether the database itself is broken; a full disk, or one that fails, is another matter. */
export const isDamage = (error: unknown): boolean => writeFailure(error) === 'damaged';

/** Words a failure of the file system or of SQLite; any other error comes back as it is. */
export function storageFailure(cause: unknown): unknown {
  switch (writeFailure(cause)) {
    case 'damaged':
      return new RecognitionError('fileWrite', DAMAGED, { cause });
    case 'full':
      return new RecognitionError('storageFull', FULL, { cause });
    case 'refused': {
      const message = `the device cannot write: ${messageOf(cause)}; nothing was changed`;
      return new RecognitionError('fileWrite', message, { cause });
    }
    default:
      return cause;
  }
}

/** Runs what writes; its failures carry codes. */
export async function storing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageFailure(error);
  }
}
