/** The errors of the storage, one line each. Errors of the file system and SQLite pass unchanged: see `writeFailure`. */
import { CodedError, isCode } from '../../../drivers/lib/errors.ts';

export type StoreErrorCode =
  /** It is a folder, a device or a pipe. The message reads after "it". */
  | 'NOT_PLAIN'
  /** It has more bytes than allowed. The message reads after "it". */
  | 'TOO_LARGE'
  /** It may exist, but the system does not let it be read: rights, or a failing disk. The message reads after "it". */
  | 'UNREADABLE'
  /** Another program holds a database, and did not release it in time. */
  | 'FILE_HELD'
  /** Another process owns the data folder. */
  | 'DATA_DIR_BUSY'
  /** The data folder cannot be made or used. */
  | 'DATA_DIR_UNUSABLE'
  /** Sealed text cannot be opened (another key, or damage), or the key itself cannot be used. */
  | 'SEAL_BROKEN'
  /** The database of a checked table cannot be opened: a full or failing disk, a lock of another program. */
  | 'TABLE_CLOSED'
  /** A newer release has changed the database, and does not let this one read it. */
  | 'DATABASE_NEWER'
  /** A build from before the first release has written the database. */
  | 'DATABASE_OLDER'
  /** A database is not changed for this release, as no copy of it can be kept. */
  | 'NO_COPY'
  /** Reading a table failed, not writing its replica. */
  | 'TABLE_UNREADABLE';

export class StoreError extends CodedError<StoreErrorCode> {}

/** Whether it is an error of the storage with one of these codes. */
export const isStoreError = (error: unknown, ...codes: readonly StoreErrorCode[]): error is StoreError =>
  error instanceof StoreError && isCode(error, ...codes);
