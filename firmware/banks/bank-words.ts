/** Reads a bank's own words for a failure: short, on one line, without secrets. */
import { type Fields, isFields } from '../../drivers/lib/strict-json.ts';
import { beginning } from '../../drivers/lib/text.ts';

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
