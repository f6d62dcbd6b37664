/**
 * Codes of displays, and of the search for one. A code's place in its category is its number in the answers of the nine
 * calls: a new one stands at the end of its category, and none is taken away.
 *
 * Source: the public documentation of the terminal family (docs.mertech.ru/sbp/protocol, chapter Errors), for `BLEController`, `BLEInit`
 * and `BLEService`. The order of `SerialPort` follows the Qt enum that these mirror; `Screen` and `Bluetooth` are ours.
 */
import { refusedToPages, unsaid } from '../lib/records.ts';

export const DISPLAY_ERRORS = {
  ...unsaid(
    'BLEController',
    500,
    'UnknownError',
    'UnknownRemoteDeviceError',
    'NetworkError',
    'InvalidBluetoothAdapterError',
    'ConnectionError',
    'AdvertisingError',
    'RemoteHostClosedError',
    'AuthorizationError',
    'MissingPermissionsError',
  ),
  ...unsaid('BLEInit', 500, 'CreateServiceObjectFailed', 'ServiceNotFound', 'ValidCharacteristicNotFound'),
  ...unsaid(
    'BLEService',
    500,
    'OperationError',
    'CharacteristicReadError',
    'CharacteristicWriteError',
    'DescriptorReadError',
    'DescriptorWriteError',
    'UnknownError',
  ),
  ...unsaid(
    'SerialPort',
    500,
    'DeviceNotFoundError',
    'PermissionError',
    'OpenError',
    'ParityError',
    'FramingError',
    'BreakConditionError',
    'WriteError',
    'ReadError',
    'ResourceError',
    'UnsupportedOperationError',
    'UnknownError',
    'TimeoutError',
    'NotOpenError',
  ),
  ...unsaid('Screen', 500, 'NotAvailable'),
  // why a search over Bluetooth has failed
  'Bluetooth.NoService': refusedToPages(503, {
    en: 'The Bluetooth service is not running on this device. A technician starts it: systemctl enable --now bluetooth. You can also enter the address.',
    ru: 'Служба Bluetooth на этом устройстве не запущена. Техник запускает её так: systemctl enable --now bluetooth. Адрес можно ввести и вручную.',
  }),
  'Bluetooth.NoAdapter': refusedToPages(503, {
    en: 'This device has no Bluetooth. Plug in an adapter, or use a display with a cable.',
    ru: 'В этом устройстве нет Bluetooth. Подключите адаптер или возьмите дисплей с кабелем.',
  }),
  'Bluetooth.SwitchedOff': refusedToPages(503, {
    en: 'Bluetooth is off on this device. A technician switches it on: rfkill unblock bluetooth, then bluetoothctl power on.',
    ru: 'Bluetooth на этом устройстве выключен. Техник включает его так: rfkill unblock bluetooth, затем bluetoothctl power on.',
  }),
  'Bluetooth.NotPermitted': refusedToPages(503, {
    en: 'The device may not use Bluetooth. A technician adds its user to the group bluetooth and restarts it.',
    ru: 'Устройству нельзя пользоваться Bluetooth. Техник добавляет его пользователя в группу bluetooth и перезагружает устройство.',
  }),
  'Bluetooth.Failed': refusedToPages(503, {
    en: 'The search failed. Try again; if that does not help, restart the device.',
    ru: 'Поиск не удался. Поищите ещё раз; если не поможет, перезагрузите устройство.',
  }),
} as const;
