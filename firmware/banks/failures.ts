/**
 * Reads a bank's own words for a failure: short, on one line, without secrets. Maps failures of banks, of storage
 * and of fields to the terminal's table of errors (`errors.ts`): one line for each of their codes. An error without a line is
 * returned unchanged, and is answered as an unexpected one.
 */
import { FieldError, messageOf } from '../../drivers/lib/errors.ts';
import { type Fields, isFields } from '../../drivers/lib/strict-json.ts';
import { beginning } from '../../drivers/lib/text.ts';
import { isStoreError, type WriteFailure, writeFailure } from '../core/files/index.ts';
import { BankError, type BankErrorCode, bankMessage } from './bank.ts';
import { type ErrorCode, TerminalError } from './errors.ts';

const MAX_BANK_TEXT = 200;
/** Fields in which banks report errors. Source: public clients of several banks. */
const TEXT_NAMES = ['error', 'message', 'errorMessage', 'error_message', 'error_description', 'description'] as const;
const CODE_NAMES = ['errorCode', 'error_code', 'code'] as const;

/** A failure that an answer reports. */
export interface ReportedFailure {
  /** `unreachable` where the same call may be repeated. */
  readonly code: 'unreachable' | 'refused';
  /** The bank's own code, as it wrote it. */
  readonly bankCode?: unknown;
  /** The bank's words, as it wrote them. */
  readonly text?: unknown;
  /** Whether the bank has a payment of this order id already. */
  readonly isDuplicate?: boolean;
  /** Whether the bank refuses the credentials; HTTP 401 and 403 say so by themselves. */
  readonly isUnauthorized?: boolean;
  readonly retryAfterMs?: number | null;
}

/**
 * Reads a failure from a bank's answer.
 * @param answer any JSON object of the bank; empty where it sent none
 * @param status of HTTP
 * @returns null where the answer reports nothing; `success` where it says that nothing went wrong
 */
export type FailureReader = (answer: Fields, status: number) => ReportedFailure | 'success' | null;

const plain = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
const eitherCase = (hex: string): string => hex.replaceAll(/[a-f]/gi, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** Spellings of a character in what a bank repeats: plain, in a form or an address, in JSON. */
function waysToWrite(character: string): string {
  const bytes = [...Buffer.from(character, 'utf8')].map((byte) => byte.toString(16).padStart(2, '0'));
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const ways = [
    plain(character),
    plain(JSON.stringify(character).slice(1, -1)),
    ...(character === ' ' ? [plain('+')] : []),
    ...(character === '/' ? [plain('\\/')] : []),
    bytes.map((hex) => `%${eitherCase(hex)}`).join(''),
    units.map((hex) => plain('\\u') + eitherCase(hex)).join(''),
  ];
  return `(?:${[...new Set(ways)].join('|')})`;
}

/** Finds secrets however they are written. */
export function secretsPattern(secrets: readonly string[]): RegExp {
  const longestFirst = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return /(?!)/g;
  return new RegExp(longestFirst.map((secret) => [...secret].map(waysToWrite).join('')).join('|'), 'g');
}

/** Makes one line of what a bank wrote; null for nothing. @param secrets of `secretsPattern` */
export function bankLine(value: unknown, secrets: RegExp): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const safe = String(value).replaceAll(secrets, '<PASSWORD>');
  const text = safe.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return text === '' ? null : beginning(text, MAX_BANK_TEXT);
}

/** Whether an answer has an `error` that is not empty; its other fields do not matter. */
export function reportsError({ error }: Fields): boolean {
  return isFields(error) ? Object.keys(error).length > 0 : Boolean(error);
}

/** The message in the fields that most banks use. @param secrets of `secretsPattern` */
export function reportedMessage(
  answer: Fields,
  secrets: RegExp,
): { readonly text: string | null; readonly code: string | null } {
  const first = Array.isArray(answer.errors) ? answer.errors[0] : undefined;
  const parts = [answer, answer.error, first].filter(isFields);
  const under = (names: readonly string[]): string[] =>
    parts.flatMap((part) => names.map((name) => bankLine(part[name], secrets)).filter((word) => word !== null));
  const text = beginning([...new Set(under(TEXT_NAMES))].join(': '), MAX_BANK_TEXT);
  return { text: text === '' ? null : text, code: under(CODE_NAMES)[0] ?? null };
}

/** A damaged database has no line: the caller cannot do anything about it. */
type StorageCode = `storage/${Exclude<WriteFailure, 'damaged'>}`;
type KnownCode = `bank/${BankErrorCode}` | StorageCode | 'rows' | 'field';

const FAILURES: Readonly<Record<KnownCode, ErrorCode>> = {
  'bank/unreachable': 'Bank.Unreachable',
  'bank/refused': 'Bank.Refused',
  'bank/contradiction': 'Bank.Contradiction',
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
  if (error instanceof FieldError) {
    const field = `${fieldsOf}${error.field}`;
    const parameters = error.reason === null ? {} : { reason: error.reason };
    return TerminalError.coded(FAILURES.field, `${field} ${error.message}`, { cause: error, field, parameters });
  }
  return storageFailure(error, therefore);
}
