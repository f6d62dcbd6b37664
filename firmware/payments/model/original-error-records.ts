/**
 * Codes of the nine calls, as the original has them. A code's place in its category is its number in their answers.
 *
 * Source: the public documentation of the terminal family (docs.mertech.ru/sbp/protocol, chapter Errors). These categories could not be
 * read whole there: their order follows the Qt enums that the readable ones mirror, or is ours. To correct one, change it here and
 * nothing else.
 */
import { refused, unsaid } from '../../../drivers/lib/records.ts';

export const ORIGINAL_ERRORS = {
  // an absent field is reported as a wrong one, by `RequestParams`: the unused members hold the numbers of the others in place
  'DriverSettings.IsNotConfigured': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning:
        'the device is not set up, its bank cannot be opened as it is set up, or its settings were damaged and may be outdated; nothing was started',
      todo: 'a technician sends `updateDriverSettings`',
      page: 'The device is not set up, or its settings do not work: see Set up.',
    },
    ru: {
      meaning:
        'устройство не настроено, с такими настройками банк не открыть, или они были повреждены и могут быть старыми; ничего не начато',
      todo: 'техник отправляет `updateDriverSettings`',
      page: 'Устройство не настроено, или настройки не работают: см. «Настройка».',
    },
  }),
  ...unsaid(
    'DriverSettings',
    400,
    'MissingDeviceConnection',
    'MissingBankProfile',
    'MissingBankProfiles',
    'UnknownBank',
    'BankIsNotBuiltIn',
  ),
  ...unsaid('DriverSettings', 500, 'StorageFailed'),
  ...unsaid(
    'File',
    500,
    'ReadError',
    'WriteError',
    'FatalError',
    'ResourceError',
    'OpenError',
    'AbortError',
    'TimeOutError',
    'UnspecifiedError',
    'RemoveError',
    'RenameError',
    'PositionError',
    'ResizeError',
    'PermissionsError',
    'CopyError',
  ),
  ...unsaid(
    'JsonParse',
    400,
    'UnterminatedObject',
    'MissingNameSeparator',
    'UnterminatedArray',
    'MissingValueSeparator',
    'IllegalValue',
    'TerminationByNumber',
    'IllegalNumber',
    'IllegalEscapeSequence',
    'IllegalUTF8String',
    'UnterminatedString',
    'MissingObject',
    'DeepNesting',
    'DocumentTooLarge',
    'GarbageAtEnd',
  ),
} as const;
