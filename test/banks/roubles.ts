/** Roubles with two decimals and kopecks, made from the digits, so that no amount is rounded. */

const ROUBLES = /^(\d{1,12})(?:\.(\d{1,2}))?$/;

/** "123.45" */
export function roublesText(kopecks: number): string {
  const digits = String(kopecks).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** As a JSON number: 123.45. */
export const roublesNumber = (kopecks: number): number => Number(roublesText(kopecks));

/** Null where it is no amount: negative, more than two decimals, not a number. @param roubles a JSON number, or digits */
export function kopecksOf(roubles: number | string): number | null {
  const [, whole, decimals = ''] = ROUBLES.exec(String(roubles)) ?? [];
  return whole === undefined ? null : Number(`${whole}${decimals.padEnd(2, '0')}`);
}
