/** A table whose database cannot be opened: a full or failing disk, one that can only be read, a lock of another program. */
import { messageOf } from '../../../drivers/lib/errors.ts';
import { writeFailure } from '../write-failure.ts';

const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** Whatever is asked of the table fails with it. */
export class TableClosedError extends Error {
  /** As SQLite would say it: whoever words failures of a database words this one too. */
  readonly errcode: number;

  constructor(cause: unknown) {
    super(`it cannot be opened: ${messageOf(cause)}`, { cause });
    this.name = 'TableClosedError';
    this.errcode = writeFailure(cause) === 'full' ? SQLITE_FULL : SQLITE_CANTOPEN;
  }
}

/** Whether an error comes from SQLite or the file system, and not from this program. */
export function isOfStorage(error: unknown): boolean {
  const { errcode, syscall } = (error ?? {}) as { readonly errcode?: unknown; readonly syscall?: unknown };
  return typeof errcode === 'number' || typeof syscall === 'string';
}
