/** Values of options and arguments, read from the text that was typed; each complaint says how it is written. */
import { InvalidArgumentError } from 'commander';
import { amountInWords, kopecksTyped } from '../../drivers/lib/money.ts';
import { MAX_AMOUNT_KOPECKS } from '../terminal/payment-limits.ts';

/** Kopecks of an amount in roubles. */
export function amount(text: string): number {
  const kopecks = kopecksTyped(text);
  if (kopecks === null)
    throw new InvalidArgumentError(`"${text}" is no amount in roubles; write it as 123, 123.45 or 123,45.`);
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

/** A day as `2026-11-21`. */
export function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a day, as 2026-11-21.');
}
