/**
 * The error table of the terminal: categories, members, ordinals. `error_code` is a member's place in its category.
 *
 * Source: the public documentation of the terminal family (docs.mertech.ru/sbp/protocol, chapter Errors). Categories
 * marked `provisional` could not be read whole: their order follows the Qt enums that the readable ones mirror, or is
 * ours. To correct one, change its line here and nothing else.
 */

const documented = <const M extends readonly string[]>(...members: M) => ['NoError', ...members] as const;
const provisional = documented;

export const ERROR_TABLE = Object.freeze({
  BLEController: documented(
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
  BLEInit: documented('CreateServiceObjectFailed', 'ServiceNotFound', 'ValidCharacteristicNotFound'),
  BLEService: documented(
    'OperationError',
    'CharacteristicReadError',
    'CharacteristicWriteError',
    'DescriptorReadError',
    'DescriptorWriteError',
    'UnknownError',
  ),
  /**
   * An absent field of the settings is reported by `RequestParams`, as a wrong field is; members for it keep the places, and so
   * does `BankIsNotBuiltIn`, from before all banks of the family were.
   */
  DriverSettings: provisional(
    'IsNotConfigured',
    'MissingDeviceConnection',
    'MissingBankProfile',
    'MissingBankProfiles',
    'UnknownBank',
    'BankIsNotBuiltIn',
    'StorageFailed',
  ),
  File: provisional(
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
  JsonParse: provisional(
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
  RequestParams: provisional(
    'InvalidField',
    'NoDynamicQR',
    'UnknownPath',
    'WrongMethod',
    'UnsupportedMediaType',
    'TooLarge',
    'Forbidden',
    'NotAuthorised',
    'InvalidRequest',
    'TooMany',
  ),
  SerialPort: provisional(
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
  AlfaBankSettings: provisional('MissingUserName', 'MissingPassword'),
  GazprombankSettings: provisional('MissingAccount', 'MissingMerchantId'),
  RaiffeisenbankSettings: provisional('MissingSbpMerchantId', 'MissingSecretKey'),
  TinkoffBankSettings: provisional('MissingTerminalKey', 'MissingPassword'),
  CFTBankSettings: provisional('MissingAccAlias', 'MissingExtEntityId', 'MissingMerchantId', 'MissingPassword'),
  YooKassaBankSettings: provisional('MissingShopId', 'MissingSecretKey'),
  StaticBankSettings: provisional('MissingStaticQR'),
  /** Ours: the original has no category for what a bank or the way to it does. */
  Bank: provisional(
    'Unreachable',
    'Refused',
    'Contradiction',
    'PreviousPaid',
    'SameCode',
    'PreviousOpen',
    'GivenBack',
    'NoCashLinks',
    'NotShown',
  ),
  /** Ours: what has come of trying a bank out. */
  BankTest: provisional(
    'NameNotFound',
    'NoConnection',
    'TimedOut',
    'Interrupted',
    'NoEncryption',
    'Untrusted',
    'WrongName',
    'Expired',
    'NotYetValid',
    'WrongCredentials',
    'Refused',
    'NotABank',
    'Unavailable',
    'TooOften',
  ),
  /** Ours: why no display can be looked for over Bluetooth. */
  Bluetooth: provisional('NoService', 'NoAdapter', 'SwitchedOff', 'NotPermitted', 'Failed'),
  /** Ours: what is done with a payment after it was asked for. */
  Payments: provisional(
    'NotFound',
    'NotAccepted',
    'NotRefundable',
    'ExceedsPaid',
    'IdConflict',
    'RefundOpen',
    'NotLate',
    'RefundNotFound',
    'RefundFollowed',
    'RefundDecided',
    'Damaged',
    'RefundLimit',
    'WrongPin',
    'TooManyPins',
    'ShiftNotFound',
    'ShiftNotOpen',
  ),
  /** Ours: addresses that events are sent to. */
  Webhooks: provisional('DeliveryNotFound', 'EventGone', 'NotConfigured', 'AddressNotFound'),
  /** Ours: what tills have called. */
  Calls: provisional('NotFound'),
  /** Ours: the full-screen page has no wire that could fail, but the device may be closing. */
  Screen: provisional('NotAvailable'),
  /** Ours: the device itself failed. */
  Internal: provisional('UnexpectedError', 'StorageFull', 'StorageRefused'),
} satisfies Record<string, readonly string[]>);

export type ErrorCategory = keyof typeof ERROR_TABLE;
export type ErrorMember<C extends ErrorCategory> = (typeof ERROR_TABLE)[C][number];

const CODES: ReadonlySet<string> = new Set(
  Object.entries(ERROR_TABLE).flatMap(([category, members]) =>
    members.filter((member) => member !== 'NoError').map((member) => `${category}.${member}`),
  ),
);
/** Whether a category and a member stand in the table: `Bank.Refused`. */
export const isErrorCode = (code: string): boolean => CODES.has(code);

const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(ERROR_TABLE));

/** What a category and a number of an answer, or of the ledger, stand for: `Bank.Refused`. One of a later release is a failure of the device. */
export function codeNamed(category: string, errorCode: number): string {
  const code = `${category}.${MEMBERS.get(category)?.[errorCode]}`;
  return isErrorCode(code) ? code : 'Internal.UnexpectedError';
}

/** The category and the number of a code of the table. */
export function numbered(code: string): readonly [category: string, errorCode: number] {
  const [category = '', member = ''] = code.split('.');
  return [category, MEMBERS.get(category)?.indexOf(member) ?? -1];
}

/** Categories that no other call mends: the device, its display, a file or the bank has failed. */
const FAILURES: readonly ErrorCategory[] = [
  ...(['BLEController', 'BLEInit', 'BLEService', 'SerialPort', 'Screen'] as const),
  ...(['BankTest', 'Bluetooth', 'File', 'Internal'] as const),
];
/** Codes that are the other way than their categories. */
const EXCEPTIONS: readonly string[] = [
  ...['Bank.Unreachable', 'Bank.Refused', 'Bank.Contradiction', 'BankTest.WrongCredentials', 'BankTest.TooOften'],
  ...['DriverSettings.StorageFailed', 'Payments.Damaged', 'RequestParams.TooMany'],
];
/** The HTTP status of the older calls: 400 for what the caller can mend. */
const statusOf = (category: ErrorCategory, member: string): 400 | 500 =>
  FAILURES.includes(category) === EXCEPTIONS.includes(`${category}.${member}`) ? 400 : 500;

type Parameters = Readonly<Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>>;

export interface ErrorDetails {
  readonly cause?: unknown;
  readonly extra?: Readonly<Record<string, string | number>>;
  readonly parameters?: Parameters;
  readonly field?: string | null;
  readonly payment?: string | null;
}

/** An answer that is no success: HTTP status, category, code and a sentence that says what to do. */
export class TerminalError extends Error {
  readonly status: 400 | 500;
  readonly category: ErrorCategory;
  readonly member: string;
  readonly errorCode: number;
  /** What stands in the answer beside the common fields. */
  readonly extra: Readonly<Record<string, string | number>>;
  /** What the sentence is about; `/v1` returns it beside the sentence. */
  readonly parameters: Parameters;
  /** Of the request, where one is at fault: `/v1` names it beside the sentence. */
  readonly field: string | null;
  /** Order id of the payment that the call has made, or was about, and that failed by this; null where there is none. */
  readonly payment: string | null;

  private constructor(category: ErrorCategory, member: string, message: string, options: ErrorDetails) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TerminalError';
    this.status = statusOf(category, member);
    this.category = category;
    this.member = member;
    this.errorCode = (ERROR_TABLE[category] as readonly string[]).indexOf(member);
    this.extra = Object.freeze({ ...options.extra });
    this.parameters = Object.freeze({ ...options.parameters });
    this.field = options.field ?? null;
    this.payment = options.payment ?? null;
  }

  static of<C extends ErrorCategory>(
    category: C,
    member: ErrorMember<C>,
    message: string,
    options: ErrorDetails = {},
  ): TerminalError {
    return new TerminalError(category, member, message, options);
  }

  /** 400 for a field that a bank's profile lacks: the category has a member that is named after it. @param path of the field in the request */
  static missing(category: ErrorCategory, field: string, path: string, must: string): TerminalError {
    const member = `Missing${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    return new TerminalError(category, member, `${path} ${must}`, { field: path });
  }

  /** The same, of a payment. @param payment its order id @param more what is added about it */
  about(payment: string, more: Parameters = {}): TerminalError {
    const { category, member, message, cause, extra, field } = this;
    const parameters = { ...this.parameters, ...more };
    return new TerminalError(category, member, message, { cause, extra, parameters, field, payment });
  }

  /** The same, of a body in which nothing stands around what the older call has in a member of this name. */
  outOf(member: string): TerminalError {
    const { category, member: name, cause, extra, parameters, payment } = this;
    const bare = (text: string): string => text.replaceAll(`${member}.`, '');
    const field = this.field === null ? null : bare(this.field);
    return new TerminalError(category, name, bare(this.message), { cause, extra, parameters, payment, field });
  }

  /** 400 for a field of a request. @param must what is wanted of it, to be read after its name: `must end in .csv` */
  static invalid(field: string, must: string, options: Pick<ErrorDetails, 'cause' | 'parameters'> = {}): TerminalError {
    return TerminalError.of('RequestParams', 'InvalidField', `${field} ${must}`, { ...options, field });
  }
}
