/** What a display's failure is called in the terminal's error table. */
import { DisplayError, type DisplayErrorCode } from '../../../drivers/display/contract.ts';
import { type ErrorCategory, type ErrorMember, TerminalError } from '../errors.ts';

type Wording = (message: string, cause: unknown) => TerminalError;

const as =
  <C extends ErrorCategory>(category: C, member: ErrorMember<C>): Wording =>
  (message, cause) =>
    TerminalError.of(500, category, member, message, { cause });

const SCREEN = as('Screen', 'NotAvailable');

/** The interface has categories of their own for these two; any other display is a `Screen`. */
const WIRES: Readonly<Record<string, Readonly<Record<DisplayErrorCode, Wording>>>> = {
  serial: {
    'not-connected': as('SerialPort', 'NotOpenError'),
    lost: as('SerialPort', 'ResourceError'),
    timeout: as('SerialPort', 'TimeoutError'),
    'not-found': as('SerialPort', 'DeviceNotFoundError'),
    permission: as('SerialPort', 'PermissionError'),
    busy: as('SerialPort', 'OpenError'),
    adapter: as('SerialPort', 'UnsupportedOperationError'),
    protocol: as('SerialPort', 'UnknownError'),
    closed: as('SerialPort', 'NotOpenError'),
    payload: as('SerialPort', 'WriteError'),
  },
  ble: {
    'not-connected': as('BLEController', 'ConnectionError'),
    lost: as('BLEController', 'RemoteHostClosedError'),
    timeout: as('BLEController', 'NetworkError'),
    'not-found': as('BLEController', 'UnknownRemoteDeviceError'),
    permission: as('BLEController', 'MissingPermissionsError'),
    busy: as('BLEController', 'AuthorizationError'),
    adapter: as('BLEController', 'InvalidBluetoothAdapterError'),
    protocol: as('BLEInit', 'ServiceNotFound'),
    closed: as('BLEController', 'ConnectionError'),
    payload: as('BLEService', 'CharacteristicWriteError'),
  },
};

/** Failures in the middle of a drawing: the display may have got enough of it. */
const HALF_DRAWN: ReadonlySet<DisplayErrorCode> = new Set(['lost', 'timeout']);

/**
 * Words a display's failure; any other error comes back as it is.
 * @param drawn what was to be seen, in words
 */
export function displayFailure(error: unknown, drawn = 'the picture'): unknown {
  if (!(error instanceof DisplayError)) return error;
  const outcome = HALF_DRAWN.has(error.code) ? `${drawn} may have been seen` : 'nothing is shown';
  // "not connected" says less than why it is not
  const { code } = error.cause instanceof DisplayError ? error.cause : error;
  const wording = WIRES[error.kind]?.[code] ?? SCREEN;
  return wording(`${error.message}; ${outcome}`, error);
}
