/** What a ledger that cannot be written is called in the terminal's error table. */
import { messageOf } from '../../drivers/lib/errors.ts';
import { writeFailure } from '../store/write-failure.ts';
import { TerminalError } from './errors.ts';

const GIVEN_UP = 'the payment was given up and its code is not shown';

/**
 * Words a failure of the ledger; any other error comes back as it is.
 * @param therefore what comes of it
 */
export function storageFailure(cause: unknown, therefore = GIVEN_UP): unknown {
  switch (writeFailure(cause)) {
    case 'full': {
      const message = `the storage of the device is full: free some space; ${therefore}`;
      return TerminalError.of(500, 'Internal', 'StorageFull', message, { cause });
    }
    case 'refused': {
      const message = `the ledger cannot be written: ${messageOf(cause)}; ${therefore}`;
      return TerminalError.of(500, 'File', 'WriteError', message, { cause });
    }
    default:
      return cause;
  }
}
