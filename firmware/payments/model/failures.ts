/**
 * Failures of banks, of storage and of fields as errors of the terminal: one line for each of their codes. An error
 * without a line is returned unchanged, and is answered as an unexpected one.
 */
import { FieldError, messageOf } from '../../../drivers/lib/errors.ts';
import { BankError, type BankErrorCode, bankMessage, UnopenedBank } from '../../banks/index.ts';
import { isStoreError, type WriteFailure, writeFailure } from '../../core/files/index.ts';
import { type ErrorCode, TerminalError } from './terminal-error.ts';

/** A damaged database has no line: the caller cannot do anything about it. */
type StorageCode = `storage/${Exclude<WriteFailure, 'damaged'>}`;
type KnownCode = `bank/${BankErrorCode | 'unopened'}` | StorageCode | 'rows' | 'field';

const FAILURES: Readonly<Record<KnownCode, ErrorCode>> = {
  'bank/unreachable': 'Bank.Unreachable',
  'bank/refused': 'Bank.Refused',
  'bank/contradiction': 'Bank.Contradiction',
  'bank/unopened': 'DriverSettings.IsNotConfigured',
  'storage/full': 'Internal.StorageFull',
  'storage/refused': 'Internal.StorageRefused',
  'storage/held': 'Internal.StorageRefused',
  /** Rows of the ledger that are not as they were written, and in no copy. */
  rows: 'Payments.EntriesDamaged',
  /** A field of the settings that a driver or a bank cannot use. */
  field: 'RequestParams.InvalidField',
};

/** Additions of the caller to the message. */
export interface FailureContext {
  /** The consequence where the storage cannot be written. */
  readonly therefore?: string;
  /** The prefix of the name of a field. */
  readonly fieldsOf?: string;
}

const consequent = (what: string, therefore: string | undefined): string =>
  therefore === undefined ? what : `${what}; ${therefore}`;

function storageFailure(cause: unknown, therefore: string | undefined): unknown {
  if (isStoreError(cause, 'ROWS_UNSOUND')) {
    const what = `the ledger is damaged: ${cause.message}, and no copy of them is found`;
    return TerminalError.coded(FAILURES.rows, consequent(what, therefore), { cause });
  }
  const failure = writeFailure(cause);
  if (failure === null || failure === 'damaged') return cause;
  const what =
    failure === 'full'
      ? 'the storage of the device is full: free some space'
      : `the ledger cannot be written: ${messageOf(cause)}`;
  return TerminalError.coded(FAILURES[`storage/${failure}`], consequent(what, therefore), { cause });
}

/** @returns an error of the terminal's table; unchanged where it is about no bank, field or ledger */
export function terminalFailure(error: unknown, { therefore, fieldsOf = '' }: FailureContext = {}): unknown {
  if (error instanceof BankError)
    return TerminalError.coded(FAILURES[`bank/${error.code}`], bankMessage(error), { cause: error });
  if (error instanceof UnopenedBank)
    return TerminalError.coded(FAILURES['bank/unopened'], error.message, { cause: error.cause });
  if (error instanceof FieldError) {
    const field = `${fieldsOf}${error.field}`;
    const parameters = error.reason === null ? {} : { reason: error.reason };
    return TerminalError.coded(FAILURES.field, `${field} ${error.message}`, { cause: error, field, parameters });
  }
  return storageFailure(error, therefore);
}
