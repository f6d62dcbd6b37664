/** Kopecks as banks write them in roubles, and back: by their digits, so that nothing is rounded. */
import { roublesOf } from '../../drivers/lib/money.ts';

/** Roubles as a number for JSON: the nearest to their digits, which JSON writes with them again. */
export const roublesNumberOf = (kopecks: number): number => Number(roublesOf(kopecks));

const ROUBLES = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/;
const KOPECKS = /^\d{1,15}$/;

/** Kopecks of an amount in roubles, a text or a number of JSON; NaN for what is none. */
export function kopecksOfRoubles(value: unknown): number {
  if (typeof value !== 'string' && typeof value !== 'number') return Number.NaN;
  const [, whole, fraction = ''] = ROUBLES.exec(String(value)) ?? [];
  return whole === undefined ? Number.NaN : Number(`${whole}${fraction.padEnd(2, '0')}`);
}

/** Kopecks of an amount in kopecks, a text or a number of JSON; NaN for what is none. */
export const kopecksOf = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && KOPECKS.test(value)) ? Number(value) : Number.NaN;
