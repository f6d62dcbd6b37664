/** Makes the error of a call out of the bank's answer: the gateway's own way to report failures, or the usual fields. */
import type { Fields } from '../../drivers/lib/strict-json.ts';
import { BankError } from './bank-error.ts';
import { bankLine, type FailureReader, type ReportedFailure, reportedMessage } from './bank-words.ts';
import { type Answer, fieldsOrNothing, retryAfterMs } from './http-answer.ts';

/** Statuses that say: the bank cannot take the call now. */
const NOT_NOW: readonly number[] = [408, 425, 429];
/** Statuses by which the bank refuses the credentials. */
const UNAUTHORIZED: readonly number[] = [401, 403];
/** A refusal of the client certificate by a web server in front of the bank (nginx), which answers with a page. */
const CERTIFICATE_PAGE = /^\s*<html>[\s\S]*\bSSL certificate\b/;

/** Whether the bank cannot answer now. A redirect counts, too: it comes from a network's login page, not from the bank. */
const isNotNow = (status: number): boolean => status >= 500 || status < 400 || NOT_NOW.includes(status);

export class AnswerFailures {
  readonly #read: FailureReader | undefined;
  readonly #secrets: RegExp;

  /**
   * @param read reads how this bank reports failures; the usual names count where it is left out, or returns null
   * @param secrets finds values that must not appear in errors (`secretsPattern`)
   */
  constructor(read: FailureReader | undefined, secrets: RegExp) {
    this.#read = read;
    this.#secrets = secrets;
  }

  /** Whether this bank has a form of its own for failures. */
  get hasOwnForm(): boolean {
    return this.#read !== undefined;
  }

  /** What the fields of an answer report in the bank's own form; null where they report nothing. */
  reportedIn(fields: Fields, status: number): ReportedFailure | 'success' | null {
    return this.#read?.(fields, status) ?? null;
  }

  /** The message in the fields that most banks use. */
  messageIn(fields: Fields): ReturnType<typeof reportedMessage> {
    return reportedMessage(fields, this.#secrets);
  }

  /** The error of an answer whose HTTP status is no success. */
  ofStatus(answer: Answer): BankError {
    const { status, body } = answer;
    const fields = fieldsOrNothing(body);
    const { text, code: bankCode } = this.messageIn(fields);
    const reported = this.reportedIn(fields, status);
    const isUnauthorized = UNAUTHORIZED.includes(status) || CERTIFICATE_PAGE.test(body.toString('latin1'));
    const failure: ReportedFailure =
      reported === null || reported === 'success' ? { code: 'refused', bankCode, text, isUnauthorized } : reported;
    return this.errorOf(isNotNow(status) ? { ...failure, code: 'unreachable' } : failure, answer);
  }

  /** The error of a failure that an answer reports. */
  errorOf({ code, ...failure }: ReportedFailure, { status, headers }: Answer): BankError {
    const text = bankLine(failure.text, this.#secrets);
    const detail = `HTTP ${status}${text === null ? '' : `: ${text}`}`;
    const what =
      code === 'unreachable' ? `the bank cannot take the call now (${detail})` : `the bank refused (${detail})`;
    return new BankError(code, what, {
      bankCode: bankLine(failure.bankCode, this.#secrets),
      retryAfterMs: failure.retryAfterMs ?? retryAfterMs(headers),
      isDuplicate: failure.isDuplicate ?? false,
      isUnauthorized: failure.isUnauthorized ?? UNAUTHORIZED.includes(status),
      status,
      words: text,
    });
  }
}
