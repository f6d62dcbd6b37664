/** What a display's failure is called in the terminal's error table. */
import { DisplayError, type DisplayErrorCode } from '../../drivers/display/contract.ts';
import { type ErrorMember, TerminalError } from './errors.ts';

const SERIAL: Readonly<Record<DisplayErrorCode, ErrorMember<'SerialPort'>>> = {
  'not-connected': 'NotOpenError',
  lost: 'ResourceError',
  timeout: 'TimeoutError',
  'not-found': 'DeviceNotFoundError',
  permission: 'PermissionError',
  busy: 'OpenError',
  adapter: 'UnsupportedOperationError',
  protocol: 'UnknownError',
  closed: 'NotOpenError',
  payload: 'WriteError',
};

type BleName =
  | readonly ['BLEController', ErrorMember<'BLEController'>]
  | readonly ['BLEInit', ErrorMember<'BLEInit'>]
  | readonly ['BLEService', ErrorMember<'BLEService'>];

const BLE: Readonly<Record<DisplayErrorCode, BleName>> = {
  'not-connected': ['BLEController', 'ConnectionError'],
  lost: ['BLEController', 'RemoteHostClosedError'],
  timeout: ['BLEController', 'NetworkError'],
  'not-found': ['BLEController', 'UnknownRemoteDeviceError'],
  permission: ['BLEController', 'MissingPermissionsError'],
  busy: ['BLEController', 'AuthorizationError'],
  adapter: ['BLEController', 'InvalidBluetoothAdapterError'],
  protocol: ['BLEInit', 'ServiceNotFound'],
  closed: ['BLEController', 'ConnectionError'],
  payload: ['BLEService', 'CharacteristicWriteError'],
};

function bleError([category, member]: BleName, message: string, cause: unknown): TerminalError {
  switch (category) {
    case 'BLEController':
      return TerminalError.of(500, category, member, message, { cause });
    case 'BLEInit':
      return TerminalError.of(500, category, member, message, { cause });
    case 'BLEService':
      return TerminalError.of(500, category, member, message, { cause });
  }
}

/** Words a display's failure; any other error comes back as it is. */
export function displayFailure(error: unknown): unknown {
  if (!(error instanceof DisplayError)) return error;
  const message = `${error.message}; nothing is shown`;
  // "not connected" says less than why it is not
  const { code } = error.cause instanceof DisplayError ? error.cause : error;
  if (error.kind === 'serial') return TerminalError.of(500, 'SerialPort', SERIAL[code], message, { cause: error });
  if (error.kind === 'ble') return bleError(BLE[code], message, error);
  return TerminalError.of(500, 'Screen', 'NotAvailable', message, { cause: error });
}
