/** Kopecks for people: converted by their digits, so that nothing is rounded. */

/** `10000` → `"100.00"`. @param kopecks a whole number; a negative one is `"-0.05"` */
export function roublesOf(kopecks: number): string {
  const digits = String(Math.abs(kopecks)).padStart(3, '0');
  return `${kopecks < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** An amount in a sentence: `"1000 kopecks (10.00 roubles)"`. @param kopecks as received: an invalid amount is called so */
export function amountInWords(kopecks: number): string {
  if (!Number.isSafeInteger(kopecks) || kopecks < 0) return `${kopecks}, which is no amount`;
  return `${kopecks} kopeck${kopecks === 1 ? '' : 's'} (${roublesOf(kopecks)} roubles)`;
}

const TYPED = /^(\d+)(?:[.,](\d{1,2}))?$/;

/** Kopecks of typed roubles: `123.45`, `123,45`, `123`; exact as far as a number is. Null for no amount, or one with two readings. */
export function kopecksTyped(text: string): number | null {
  const [, roubles, fraction = ''] = TYPED.exec(text) ?? [];
  return roubles === undefined ? null : Number(`${roubles}${fraction.padEnd(2, '0')}`);
}
