/** What may be shown of a body: text, its secrets masked, cut where it is long. What cannot be masked for sure is withheld. */
import { beginning } from '../../../drivers/lib/shorten.ts';
import { parseStrictJson, StrictJsonError } from '../../../drivers/lib/strict-json.ts';

/** Logged of a body at most; a sale needs some hundreds. */
const SHOWN_CHARACTERS = 8 * 1024;
/** A longer one is not looked through: it would take milliseconds from the next call. */
const PARSED_BYTES = 64 * 1024;
/** As deep as bodies may be. */
const MAX_DEPTH = 32;

/** How the secrets of a body are known. */
export interface Masking {
  /** The same with a mask for each secret. */
  readonly masked: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Whether a text without readable fields may have one. */
  readonly mayHoldSecret: (text: string) => boolean;
}

/** - `binary`: no text - `secret`: it may have a secret that cannot be found in it - `unread`: the device has not kept it */
export const WITHHELD = Object.freeze(['binary', 'secret', 'unread'] as const);

export interface ShownBody {
  readonly bytes: number;
  /** UTF-8, of its own: a piece of a string would keep the whole in memory. Empty where it is withheld. */
  readonly text: Buffer;
  readonly cut: boolean;
  readonly withheld: (typeof WITHHELD)[number] | null;
  /** The code of the failure that it reports. */
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

/** @returns undefined where it is no JSON of ours */
function readValue(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes, MAX_DEPTH);
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined;
    throw error;
  }
}

/** Of a problem of `/v1`, or of a failure of the nine calls, which report the failure of a payment under a success. */
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

/** @param bytes null where they were not kept */
export function shownBody(bytes: Buffer | null, length: number, { masked, mayHoldSecret }: Masking): ShownBody | null {
  if (bytes === null) return length === 0 ? null : withheld(length, 'unread');
  if (bytes.length === 0) return null;
  const value = bytes.length > PARSED_BYTES ? undefined : readValue(bytes);
  if (value !== undefined) return shown(bytes.length, JSON.stringify(masked({ value }).value), errorOf(value));
  const text = textOf(bytes);
  if (text === null) return withheld(bytes.length, 'binary');
  // a name stands before its secret, and may be written by escapes
  const start = beginning(text, SHOWN_CHARACTERS);
  const isWithheld = mayHoldSecret(start) || start.includes('\\u');
  return isWithheld ? withheld(bytes.length, 'secret') : shown(bytes.length, text);
}

/** Of an answer to a body that may have a secret: what says where it is broken quotes some letters around that place. */
export const unquoting = (answer: ShownBody | null, request: ShownBody | null): ShownBody | null =>
  answer !== null && request?.withheld === 'secret'
    ? { ...withheld(answer.bytes, 'secret'), error: answer.error }
    : answer;
