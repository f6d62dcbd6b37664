/**
 * Makes what the log shows of a body: text with masked secrets, cut where it is long. A body that cannot be masked safely is
 * withheld.
 */

import { parseStrictJson, StrictJsonError } from '../../../drivers/lib/strict-json.ts';
import { beginning } from '../../../drivers/lib/text.ts';

/** Most characters of a body in the log; a sale has some hundreds. */
const SHOWN_CHARACTERS = 8 * 1024;
/** Most bytes of a body that is parsed: a longer one would delay the next call by milliseconds. */
const PARSED_BYTES = 64 * 1024;
/** Greatest depth of a body that is parsed. */
const MAX_DEPTH = 32;

/** Recognises the secrets of a body. */
export interface Masking {
  /** Returns the fields with each secret masked. */
  readonly masked: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Whether a text without readable fields may hold a secret. */
  readonly mayHoldSecret: (text: string) => boolean;
}

/**
 * Why a body is withheld: `binary`: it is no text; `secret`: it may hold a secret that cannot be located; `unread`: the
 * device does not have it.
 */
export const WITHHELD = Object.freeze(['binary', 'secret', 'unread'] as const);

export interface ShownBody {
  readonly bytes: number;
  /** UTF-8, as a copy: a part of a string would keep the whole string in memory. Empty where the body is withheld. */
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

/** Parses JSON. @returns undefined where it cannot be parsed */
function readValue(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes, MAX_DEPTH);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}

/** The error code in an answer of `/v1`; or of the nine calls, which report a payment's failure with a success of HTTP. */
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

/**
 * Makes what is shown; null without a body.
 * @param bytes null where the device does not have the body
 * @param length its announced length
 */
export function shownBody(bytes: Buffer | null, length: number, { masked, mayHoldSecret }: Masking): ShownBody | null {
  if (bytes === null) return length === 0 ? null : withheld(length, 'unread');
  if (bytes.length === 0) return null;
  const value = bytes.length > PARSED_BYTES ? undefined : readValue(bytes);
  if (value !== undefined) return shown(bytes.length, JSON.stringify(masked({ value }).value), errorOf(value));
  const text = textOf(bytes);
  if (text === null) return withheld(bytes.length, 'binary');
  // only the shown beginning is searched for names of secrets: a name comes before its secret. Escapes could hide a name
  const start = beginning(text, SHOWN_CHARACTERS);
  const isWithheld = mayHoldSecret(start) || start.includes('\\u');
  return isWithheld ? withheld(bytes.length, 'secret') : shown(bytes.length, text);
}

/** Withholds the answer to a request that may hold a secret: a message on broken JSON quotes characters of the body. */
export const unquoting = (answer: ShownBody | null, request: ShownBody | null): ShownBody | null =>
  answer !== null && request?.withheld === 'secret'
    ? { ...withheld(answer.bytes, 'secret'), error: answer.error }
    : answer;
