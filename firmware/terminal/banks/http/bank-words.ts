/** What a bank says of a failure, in its own words: short, on one line, without secrets. */
import { type AnswerFields, isFields } from './answer.ts';

const MAX_BANK_TEXT = 200;
/** Under which names banks tell what went wrong. Source: public clients of several banks. */
const TEXT_NAMES = ['error', 'message', 'errorMessage', 'error_message', 'error_description', 'description'] as const;
const CODE_NAMES = ['errorCode', 'error_code', 'code'] as const;

/** A failure that an answer tells of. */
export interface ToldFailure {
  /** `unreachable` where the same call may be repeated. */
  readonly code: 'unreachable' | 'refused';
  /** The bank's own code, as it wrote it. */
  readonly bankCode?: unknown;
  /** The bank's words, as it wrote them. */
  readonly text?: unknown;
  /** Whether the bank has a payment of this order id already. */
  readonly isDuplicate?: boolean;
  readonly retryAfterMs?: number | null;
}

/**
 * Reads what a bank says went wrong.
 * @param answer any JSON object that it has answered with; an empty one where it answered with none
 * @param status of HTTP
 * @returns null where the answer tells of nothing; `success` where it says itself that nothing went wrong
 */
export type FailureReader = (answer: AnswerFields, status: number) => ToldFailure | 'success' | null;

/** Makes one line of what a bank wrote; null for nothing. @param secrets none of them empty */
export function bankLine(value: unknown, secrets: readonly string[]): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '<PASSWORD>'), String(value));
  const line = safe.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line === '' ? null : line.slice(0, MAX_BANK_TEXT).toWellFormed();
}

/** Whether an answer calls itself an error, whatever else it holds. */
export function saysError({ error }: AnswerFields): boolean {
  return isFields(error) ? Object.keys(error).length > 0 : Boolean(error);
}

/** What stands under the names that most banks use. @param secrets none of them empty */
export function bankWords(
  answer: AnswerFields,
  secrets: readonly string[],
): { readonly text: string | null; readonly code: string | null } {
  const first = Array.isArray(answer.errors) ? answer.errors[0] : undefined;
  const parts = [answer, answer.error, first].filter(isFields);
  const under = (names: readonly string[]): string[] =>
    parts.flatMap((part) => names.map((name) => bankLine(part[name], secrets)).filter((word) => word !== null));
  const text = [...new Set(under(TEXT_NAMES))].join(': ').slice(0, MAX_BANK_TEXT).toWellFormed();
  return { text: text === '' ? null : text, code: under(CODE_NAMES)[0] ?? null };
}
