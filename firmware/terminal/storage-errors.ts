/** What a database that cannot write is called in the terminal's error table. */
import { TerminalError } from './errors.ts';

const SQLITE_FULL = 13;
const SQLITE_IOERR = 10;
const SQLITE_READONLY = 8;

/** Words a failure of the ledger; any other error comes back as it is. */
export function storageFailure(error: unknown): unknown {
  const errcode = (error as { errcode?: number }).errcode;
  if (errcode === undefined) return error;
  const message = error instanceof Error ? error.message : String(error);
  const full = (errcode & 0xff) === SQLITE_FULL;
  if (full)
    return TerminalError.of(
      500,
      'Internal',
      'StorageFull',
      'the storage of the device is full: free some space; the payment was given up and its code is not shown',
      { cause: error },
    );
  const known = [SQLITE_IOERR, SQLITE_READONLY].includes(errcode & 0xff);
  return known
    ? TerminalError.of(
        500,
        'File',
        'WriteError',
        `the ledger cannot be written: ${message}; the payment was given up and its code is not shown`,
        {
          cause: error,
        },
      )
    : error;
}
