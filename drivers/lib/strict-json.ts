/**
 * Parses JSON with only one reading. `JSON.parse` takes the last of two members with one name, other readers the first:
 * of `{"amount":100,"amount":10000}` nobody knows which amount was meant (RFC 8259, section 4).
 */

import { beginning } from './text.ts';

/** A JSON object: no list, and not null. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own member of an object or a list; inherited members do not count. */
export const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LONGEST_QUOTED_NAME = 40;

/** Why a text cannot be used: its message reads after the name of the text, as "holds "amount" twice". */
export class StrictJsonError extends Error {
  /** `syntax`: the parser's own words, which quote the text, are part of the message. */
  readonly kind: 'syntax' | 'ambiguous' | 'deep';

  constructor(kind: StrictJsonError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StrictJsonError';
    this.kind = kind;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The place of a string's closing quote. @param start place of its opening one */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end; // an even number of backslashes before the quote: they escape each other
  }
}

/**
 * Whether a text has at most so many bytes outside of its strings. The more of them, the more values it may have, and the
 * longer it takes to parse and check; the length of its strings costs little. Each quotation mark counts, an escaped one
 * too. A text that is no JSON may have either answer.
 * @param most bytes
 */
export function hasFewBetweenStrings(bytes: Buffer, most: number): boolean {
  let outside = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    if (isInString) at = bytes.indexOf(QUOTE, at);
    if (at < 0) return true; // the rest is a string that does not end
    outside += 1;
    if (outside > most) return false;
    if (bytes[at] !== QUOTE) continue;
    let before = at - 1;
    while (isInString && bytes[before] === BACKSLASH) before -= 1;
    if (!isInString || (at - before) % 2 === 1) isInString = !isInString;
  }
  return true;
}

/** The name of a member as the parser reads it: one name may be written in several ways. */
function nameOf(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

const quoted = (name: string): string => JSON.stringify(beginning(name, LONGEST_QUOTED_NAME));

/**
 * Checks a parsed text, whose strings and brackets are complete.
 * @throws {StrictJsonError} naming the member that an object has twice, or the depth
 */
function requireUnambiguous(text: string, maxDepth: number): void {
  /** The open objects and lists at this place: the names of an object, or null for a list. */
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  /** Whether the next string is the name of a member. */
  let isNameNext = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (names !== null && isNameNext) {
          const name = nameOf(text.slice(at, end + 1));
          if (names.has(name)) throw new StrictJsonError('ambiguous', `holds ${quoted(name)} twice`);
          names.add(name);
          isNameNext = false;
        }
        at = end;
        break;
      }
      case COMMA:
        isNameNext = names !== null;
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (open.length === maxDepth) throw new StrictJsonError('deep', `nests deeper than ${maxDepth} levels`);
        names = text.charCodeAt(at) === OPEN_OBJECT ? new Set() : null;
        isNameNext = names !== null;
        open.push(names);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        names = open.at(-1) ?? null;
        break;
    }
  }
}

/** TypeScript's types do not know the third argument of a reviver yet. */
type Reviver = Parameters<typeof JSON.parse>[1];

/** Keeps the digits of a whole number that JavaScript would round: it may be an id, of which each digit counts. */
const unrounded = (_name: string, value: unknown, { source }: { source?: string }): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value;

function parse(
  bytes: Uint8Array,
  { keepsDigits }: { readonly keepsDigits: boolean },
): { text: string; value: unknown } {
  try {
    const text = utf8.decode(bytes);
    return { text, value: keepsDigits ? JSON.parse(text, unrounded as Reviver) : JSON.parse(text) };
  } catch (cause) {
    const words = cause instanceof SyntaxError ? cause.message : 'it is not UTF-8';
    throw new StrictJsonError('syntax', `is no JSON: ${words}`, cause);
  }
}

/**
 * @param maxDepth of nested objects and lists
 * @param options `keepsDigits`: whether a whole number that is not safe (`Number.isSafeInteger`) becomes a text with its digits
 * @throws {StrictJsonError} also with the parser's own words, which name the place
 */
export function parseStrictJson(bytes: Uint8Array, maxDepth: number, { keepsDigits = false } = {}): unknown {
  const { text, value } = parse(bytes, { keepsDigits });
  requireUnambiguous(text, maxDepth);
  return value;
}
