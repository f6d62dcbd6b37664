/** Reads a bank's answer over HTTP: its bytes, its JSON, the pause it asks for, the time of its clock. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Fields, isFields, parseStrictJson, StrictJsonError } from '../../drivers/lib/strict-json.ts';
import { BankError } from './bank-error.ts';

export const MAX_ANSWER_BYTES = 64 * 1024;
/** The longest pause that a bank gets, even if it asks for more. */
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Deepest nesting of objects and lists in an answer. */
const MAX_DEPTH = 32;
/** Some banks write ids of 20 digits as numbers. */
const KEEPING_DIGITS = { keepsDigits: true };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** @throws {BankError} `contradiction` for more than `MAX_ANSWER_BYTES` */
export function readAnswer(message: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = message;
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    message.on('error', reject).on('end', () => resolve({ status, headers, body: Buffer.concat(chunks) }));
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= MAX_ANSWER_BYTES) return;
      reject(new BankError('contradiction', `the bank's answer is longer than ${MAX_ANSWER_BYTES} bytes`));
      message.destroy();
    });
  });
}

/** The fields of a success. @throws {BankError} `contradiction` */
export function fieldsOf(body: Buffer): Fields {
  let value: unknown;
  try {
    value = parseStrictJson(body, MAX_DEPTH, KEEPING_DIGITS);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    // the parser would quote the answer, which may repeat what was sent to the bank
    const why = cause.kind === 'syntax' ? 'is no JSON' : cause.message;
    throw new BankError('contradiction', `the bank's answer ${why}`, { cause });
  }
  if (!isFields(value)) throw new BankError('contradiction', 'the bank answered with JSON that is not an object');
  return value;
}

/** The fields of an answer without success; none for an error page of another server on the way. */
export function fieldsOrNothing(body: Buffer): Fields {
  try {
    const value = parseStrictJson(body, MAX_DEPTH, KEEPING_DIGITS);
    return isFields(value) ? value : {};
  } catch (error) {
    if (error instanceof StrictJsonError) return {}; // its status says enough
    throw error;
  }
}

/** A pause that the bank asks for, ms, up to an hour; null for none: no time, or one that is over. */
export const pauseAskedFor = (ms: unknown): number | null =>
  typeof ms === 'number' && ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;

/** `Date.parse` alone would read `-5` and `3.5` as dates. */
const HTTP_DATE = /^[A-Z][a-z]+, .+ GMT$/;

/** Pause of the header `Retry-After`. A date is compared with the answer's own, as the device's clock may be wrong. */
export function retryAfterMs({ 'retry-after': text = '', date = '' }: IncomingHttpHeaders): number | null {
  if (/^\d+$/.test(text)) return pauseAskedFor(Number(text) * 1000);
  return HTTP_DATE.test(text) ? pauseAskedFor(Date.parse(text) - Date.parse(date)) : null;
}

/** The range of a bank's clock: timestamps are computed from it, and must be writable. */
const EARLIEST = Date.UTC(2020);
const LATEST = Date.UTC(2101);

/** The time of the answer by the bank's clock, ms since 1970; null where missing or impossible. */
export function bankTime({ headers }: Answer): number | null {
  const at = Date.parse(headers.date ?? '');
  return at >= EARLIEST && at < LATEST ? at : null;
}
