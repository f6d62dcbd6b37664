/** The errors of the storage. Errors of the file system and of SQLite are passed on as they are: see `writeFailure`. */
import { CodedError, isCode } from '../../../drivers/lib/errors.ts';
import { accessProblemOf } from '../../../drivers/lib/rights.ts';

export type StoreErrorCode =
  /** The file is a folder, a device or a pipe. The message follows "it". */
  | 'NOT_PLAIN'
  /** The file has more bytes than allowed. The message follows "it". */
  | 'TOO_LARGE'
  /** The system does not let this process read a file that may exist: rights, a failing disk. The message follows "it". */
  | 'UNREADABLE'
  /** Another program holds a database, and did not release it in time. */
  | 'FILE_HELD'
  /** Owner and mode of a file keep this process out. The message names it, and what to do. */
  | 'NOT_OURS'
  /** Another process owns the data folder. */
  | 'DATA_DIR_BUSY'
  /** The data folder cannot be made or used. */
  | 'DATA_DIR_UNUSABLE'
  /** Sealed text cannot be opened (another key, or damage), or the key itself cannot be used. */
  | 'SEAL_BROKEN'
  /** The database of a checked table cannot be opened: a full or failing disk, a lock of another program. */
  | 'TABLE_CLOSED'
  /** A newer release has changed the database, and says that this release cannot read it. */
  | 'DATABASE_NEWER'
  /** Rows of a book that were read are not as they were written. The message names them. */
  | 'ROWS_UNSOUND'
  /** Reading a table failed, not writing its replica. */
  | 'TABLE_UNREADABLE';

export class StoreError extends CodedError<StoreErrorCode> {}

/** Whether work failed because of the owner and mode of a file. */
export const isNotOurs = (error: unknown): boolean =>
  error instanceof Error && (isCode(error, 'NOT_OURS') || accessProblemOf(error) !== null || isNotOurs(error.cause));

/** Whether an error is one of the storage, with one of these codes. */
export const isStoreError = (
  error: unknown,
  ...codes: readonly [StoreErrorCode, ...StoreErrorCode[]]
): error is StoreError => error instanceof StoreError && isCode(error, ...codes);
