/**
 * Decides what the log shows of a body: text with masked secrets, cut where it is long. A body that cannot be masked
 * safely is withheld.
 */

import { parseStrictJson, StrictJsonError } from '../../../drivers/lib/strict-json.ts';
import { beginning } from '../../../drivers/lib/text.ts';

/** The most characters of a body in the log; a sale needs some hundreds. */
const SHOWN_CHARACTERS = 8 * 1024;
/** A longer body is not parsed: it would take milliseconds from the next call. */
const PARSED_BYTES = 64 * 1024;
/** The depth that bodies may have. */
const MAX_DEPTH = 32;

/** How secrets of a body are recognised. */
export interface Masking {
  /** Returns the fields with each secret masked. */
  readonly masked: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Whether a text without readable fields may hold a secret. */
  readonly mayHoldSecret: (text: string) => boolean;
}

/** - `binary`: no text - `secret`: it may hold a secret that cannot be located - `unread`: the device has not kept it */
export const WITHHELD = Object.freeze(['binary', 'secret', 'unread'] as const);

export interface ShownBody {
  readonly bytes: number;
  /** UTF-8, copied: a piece of a string would keep the whole in memory. Empty where it is withheld. */
  readonly text: Buffer;
  readonly cut: boolean;
  readonly withheld: (typeof WITHHELD)[number] | null;
  /** Code of the failure that the body reports. */
  readonly error: string | null;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = decoder.decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null; // not UTF-8
  }
}

/** @returns undefined where it is no readable JSON */
function readValue(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes, MAX_DEPTH);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}

/** The error code of a problem of `/v1`, or of the nine calls, which report a payment's failure under a success. */
function errorOf(value: unknown): string | null {
  const { code, status, error_category, error_code } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string') return code;
  return status === 'error' ? `${String(error_category)} ${String(error_code)}` : null;
}

const withheld = (bytes: number, why: ShownBody['withheld']): ShownBody => ({
  bytes,
  text: Buffer.alloc(0),
  cut: false,
  withheld: why,
  error: null,
});

const shown = (bytes: number, text: string, error: string | null = null): ShownBody => ({
  bytes,
  text: Buffer.from(beginning(text, SHOWN_CHARACTERS)),
  cut: text.length > SHOWN_CHARACTERS,
  withheld: null,
  error,
});

/** @param bytes null where the body was not kept */
export function shownBody(bytes: Buffer | null, length: number, { masked, mayHoldSecret }: Masking): ShownBody | null {
  if (bytes === null) return length === 0 ? null : withheld(length, 'unread');
  if (bytes.length === 0) return null;
  const value = bytes.length > PARSED_BYTES ? undefined : readValue(bytes);
  if (value !== undefined) return shown(bytes.length, JSON.stringify(masked({ value }).value), errorOf(value));
  const text = textOf(bytes);
  if (text === null) return withheld(bytes.length, 'binary');
  // a name comes before its secret, and may be written with escapes
  const start = beginning(text, SHOWN_CHARACTERS);
  const isWithheld = mayHoldSecret(start) || start.includes('\\u');
  return isWithheld ? withheld(bytes.length, 'secret') : shown(bytes.length, text);
}

/** Withholds the answer to a body that may hold a secret: a message on broken JSON quotes some letters of the body. */
export const unquoting = (answer: ShownBody | null, request: ShownBody | null): ShownBody | null =>
  answer !== null && request?.withheld === 'secret'
    ? { ...withheld(answer.bytes, 'secret'), error: answer.error }
    : answer;
