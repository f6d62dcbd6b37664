/**
 * Maps failures of other parts to the terminal's table of errors (`errors.ts`): one line for each of their codes. An
 * error without a line is returned unchanged, and is answered as an unexpected one.
 */
import { DisplayError, type DisplayErrorCode } from '../../drivers/display/contract.ts';
import { codeOf, FieldError, messageOf } from '../../drivers/lib/errors.ts';
import { type WriteFailure, writeFailure } from '../core/store/index.ts';
import { BankError, type BankErrorCode, bankMessage } from './bank.ts';
import { type ErrorCategory, type ErrorMember, TerminalError } from './errors.ts';

interface Line {
  readonly category: ErrorCategory;
  readonly member: ErrorMember<ErrorCategory>;
}

const line = <C extends ErrorCategory>(category: C, member: ErrorMember<C>): Line => ({ category, member });

/** Codes of displays whose wires have categories of their own in the interface. */
type WireCode = `${'serial' | 'ble'}/${DisplayErrorCode}`;
/** A damaged database has no line: the caller cannot do anything about it. */
type StorageCode = `storage/${Exclude<WriteFailure, 'damaged'>}`;
type KnownCode = WireCode | 'display' | `bank/${BankErrorCode}` | StorageCode | 'field' | 'file';

const FAILURES: Readonly<Record<KnownCode, Line> & Record<`${string}/${string}`, Line | undefined>> = {
  'serial/not-connected': line('SerialPort', 'NotOpenError'),
  'serial/lost': line('SerialPort', 'ResourceError'),
  'serial/timeout': line('SerialPort', 'TimeoutError'),
  'serial/not-found': line('SerialPort', 'DeviceNotFoundError'),
  'serial/permission': line('SerialPort', 'PermissionError'),
  'serial/busy': line('SerialPort', 'OpenError'),
  'serial/adapter': line('SerialPort', 'UnsupportedOperationError'),
  'serial/protocol': line('SerialPort', 'UnknownError'),
  'serial/closed': line('SerialPort', 'NotOpenError'),
  'serial/payload': line('SerialPort', 'WriteError'),
  'ble/not-connected': line('BLEController', 'ConnectionError'),
  'ble/lost': line('BLEController', 'RemoteHostClosedError'),
  'ble/timeout': line('BLEController', 'NetworkError'),
  'ble/not-found': line('BLEController', 'UnknownRemoteDeviceError'),
  'ble/permission': line('BLEController', 'MissingPermissionsError'),
  'ble/busy': line('BLEController', 'AuthorizationError'),
  'ble/adapter': line('BLEController', 'InvalidBluetoothAdapterError'),
  'ble/protocol': line('BLEInit', 'ServiceNotFound'),
  'ble/closed': line('BLEController', 'ConnectionError'),
  'ble/payload': line('BLEService', 'CharacteristicWriteError'),
  /** Failures of any other display. */
  display: line('Screen', 'NotAvailable'),
  'bank/unreachable': line('Bank', 'Unreachable'),
  'bank/refused': line('Bank', 'Refused'),
  'bank/contradiction': line('Bank', 'Contradiction'),
  'storage/full': line('Internal', 'StorageFull'),
  'storage/refused': line('Internal', 'StorageRefused'),
  'storage/held': line('Internal', 'StorageRefused'),
  /** A field of the settings that a driver or a bank cannot use. */
  field: line('RequestParams', 'InvalidField'),
  'file/ENOENT': line('File', 'OpenError'),
  'file/EACCES': line('File', 'PermissionsError'),
  'file/EPERM': line('File', 'PermissionsError'),
  'file/EROFS': line('File', 'PermissionsError'),
  'file/ENOSPC': line('File', 'ResourceError'),
  'file/EDQUOT': line('File', 'ResourceError'),
  'file/EMFILE': line('File', 'ResourceError'),
  /** Any other reason why a requested file cannot be written. */
  file: line('File', 'WriteError'),
};

/** Additions of the caller to the message. */
export interface FailureContext {
  /** What should have been drawn on the display. */
  readonly drawn?: string;
  /** The consequence where the storage cannot be written. */
  readonly therefore?: string;
  /** The prefix of the name of a field. */
  readonly fieldsOf?: string;
}

/** Failures during a drawing: the display may have received enough of it. */
const HALF_DRAWN: ReadonlySet<DisplayErrorCode> = new Set(['lost', 'timeout']);

const errorOf = (
  { category, member }: Line,
  message: string,
  cause: unknown,
  more: { readonly field?: string; readonly parameters?: Readonly<Record<string, string>> } = {},
): TerminalError => TerminalError.of(category, member, message, { cause, ...more });

function displayFailure(error: DisplayError, drawn: string): TerminalError {
  const outcome = HALF_DRAWN.has(error.code) ? `${drawn} may have been seen` : 'nothing is shown';
  // "not connected" says less than why it is not
  const { code } = error.cause instanceof DisplayError ? error.cause : error;
  const found = FAILURES[`${error.kind}/${code}`] ?? FAILURES.display;
  return errorOf(found, `${error.message}; ${outcome}`, error);
}

function storageFailure(cause: unknown, therefore: string | undefined): unknown {
  const failure = writeFailure(cause);
  if (failure === null || failure === 'damaged') return cause;
  const what =
    failure === 'full'
      ? 'the storage of the device is full: free some space'
      : `the ledger cannot be written: ${messageOf(cause)}`;
  return errorOf(FAILURES[`storage/${failure}`], therefore === undefined ? what : `${what}; ${therefore}`, cause);
}

/** @returns an error of the terminal's table; unchanged where it is not about a display, a bank, a field or the ledger */
export function terminalFailure(error: unknown, { drawn, therefore, fieldsOf = '' }: FailureContext = {}): unknown {
  if (error instanceof DisplayError) return displayFailure(error, drawn ?? 'the picture');
  if (error instanceof BankError) return errorOf(FAILURES[`bank/${error.code}`], bankMessage(error), error);
  if (error instanceof FieldError) {
    const field = `${fieldsOf}${error.field}`;
    const parameters = error.reason === null ? {} : { reason: error.reason };
    return errorOf(FAILURES.field, `${field} ${error.message}`, error, { field, parameters });
  }
  return storageFailure(error, therefore);
}

/** The error for a file of a call that could not be written. @param what the file, as a sentence begins */
export function fileFailure(error: unknown, what: string): TerminalError {
  if (error instanceof TerminalError) return error;
  const found = FAILURES[`file/${codeOf(error) ?? ''}`] ?? FAILURES.file;
  return errorOf(found, `${what} could not be written: ${messageOf(error)}`, error);
}
