/** What a bank has answered over HTTP: its bytes, its JSON, how long to wait, what time it is there. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type TSchema, Type } from 'typebox';
import { type Fields, isFields } from '../../drivers/lib/fields.ts';
import { parseStrictJson, StrictJsonError } from '../../drivers/lib/strict-json.ts';
import { BankError, type BankVerdict } from './bank.ts';

export const MAX_ANSWER_BYTES = 64 * 1024;
/** A bank that asks for more patience than this gets this. */
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Of objects and lists in an answer. */
const MAX_DEPTH = 32;
/** Some banks write ids of 20 digits as numbers. */
const KEEPS_DIGITS = true;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The value of a field in an answer, as a list; an empty one where the field is absent or null. */
export const reported = (value: unknown): readonly unknown[] => (value === undefined || value === null ? [] : [value]);

/** The same for an amount. An accepted payment has one: a missing one is listed too, and matches no amount. */
export const reportedAmount = (value: unknown, verdict: BankVerdict): readonly unknown[] =>
  verdict === 'accepted' ? [value] : reported(value);

/** An id that some banks write as a number; null for none, and the number 0 names none. */
export const idIn = (value: unknown): string | null =>
  (typeof value === 'number' && value !== 0) || (typeof value === 'string' && value !== '') ? String(value) : null;

/** `null` for what is no number. */
export const finiteOf = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** A timestamp that the bank writes in words, ms since 1970; null for none. */
export const timestampIn = (value: unknown): number | null =>
  typeof value === 'string' ? finiteOf(Date.parse(value)) : null;

/** An id that a bank gives: it becomes part of an address, so it is printable, and not a way up the path. */
export const BankId = Type.String({ pattern: '^(?!\\.+$)[\\x21-\\x7e]{1,128}$' });

/** A field that nothing hangs on, or that is read by itself. */
export const OptionalValue = Type.Optional(Type.Unknown());

/** A field that may be left out, or be null. */
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([Type.Null(), schema]));

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

/** What a success holds. @throws {BankError} `contradiction` */
export function fieldsOf(body: Buffer): Fields {
  let value: unknown;
  try {
    value = parseStrictJson(body, MAX_DEPTH, KEEPS_DIGITS);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    // the parser would quote the answer, which may repeat what was sent to the bank
    const why = cause.kind === 'syntax' ? 'is no JSON' : cause.message;
    throw new BankError('contradiction', `the bank's answer ${why}`, { cause });
  }
  if (!isFields(value)) throw new BankError('contradiction', 'the bank answered with JSON that is not an object');
  return value;
}

/** What stands in an answer that is no success; nothing for an error page of something in between. */
export function fieldsOrNothing(body: Buffer): Fields {
  try {
    const value = parseStrictJson(body, MAX_DEPTH, KEEPS_DIGITS);
    return isFields(value) ? value : {};
  } catch (error) {
    if (error instanceof StrictJsonError) return {}; // its status says enough
    throw error;
  }
}

/** Milliseconds that the bank asks to wait: seconds, or a date that is held against the answer's own, as our clock may be wrong. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(headers.date ?? '');
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : null;
}

/** No bank's clock shows another year: timestamps are counted from it, and must be ones that can be written. */
const EARLIEST = Date.UTC(2020);
const LATEST = Date.UTC(2101);

/** The timestamp of the answer by the bank's own clock, ms since 1970; null where it does not say, or not truly. */
export function bankTime({ headers }: Answer): number | null {
  const at = Date.parse(headers.date ?? '');
  return at >= EARLIEST && at < LATEST ? at : null;
}
