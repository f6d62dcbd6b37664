/** Reads values of options and arguments from typed text; each error says how to write the value. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { InvalidArgumentError } from 'commander';
import { codeOf, messageOf } from '../../../drivers/lib/errors.ts';
import { amountInWords, kopecksTyped } from '../../../drivers/lib/money.ts';
import { writtenText } from '../../../drivers/lib/text.ts';
import { MAX_AMOUNT_KOPECKS } from '../config/limits.ts';
import { HEADER_TEXT, MAX_ID } from '../schema/patterns.ts';
import { misuse } from './exit-codes.ts';

/** Kopecks of an amount in roubles. */
export function amount(text: string): number {
  const kopecks = kopecksTyped(text);
  if (kopecks === null) throw new InvalidArgumentError('It must be an amount in roubles: 123, 123.45 or 123,45.');
  if (kopecks < 1 || kopecks > MAX_AMOUNT_KOPECKS)
    throw new InvalidArgumentError(`It must be from ${amountInWords(1)} to ${amountInWords(MAX_AMOUNT_KOPECKS)}.`);
  return kopecks;
}

/** A whole number within limits, for `argParser`. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

/** Whether a header carries the text unchanged: a key, a token. */
export const isHeaderText = (text: string): boolean => new RegExp(HEADER_TEXT).test(text);

/** The idempotency key of a payment or a refund. */
export function key(text: string): string {
  if (isHeaderText(text) && text.length <= MAX_ID) return text;
  throw new InvalidArgumentError(
    `It must hold Latin letters, digits, spaces and signs such as - and _ alone, at most ${MAX_ID} of them, and no space at its ends.`,
  );
}

/** Reads an id that a path can carry: with an empty one, from a script's unset variable, the call would list everything. */
export const idOf =
  (what: string) =>
  (text: string): string => {
    if (!/^(?:\s*|\.{1,2})$/.test(text)) return text;
    throw new InvalidArgumentError(`It must be ${what}.`);
  };
export const paymentId = idOf('the id or the number of a payment');
export const itemId = idOf('the id of an item');

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};
/** Why a named file cannot be read. */
export const unreadableReason = (error: unknown): string => UNREADABLE[codeOf(error) ?? ''] ?? messageOf(error);

/** Reads a named file; `-` is the standard input, to its end. @throws {CommandFailure} `usage` */
export async function readNamed(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await (file === '-' ? buffer(process.stdin) : readFile(file)));
  } catch (cause) {
    throw misuse('File', `${file} cannot be read: ${unreadableReason(cause)}`, cause);
  }
}

/** The text of a named file, without a byte order mark. @throws {CommandFailure} `usage`, also where it is not UTF-8 */
export async function readNamedText(file: string): Promise<string> {
  const bytes = await readNamed(file);
  try {
    return writtenText(bytes);
  } catch (cause) {
    throw misuse('File', `${file} cannot be read: ${messageOf(cause)}`, cause);
  }
}
