/** What Russian banks share: amounts, converted by their digits so that nothing is rounded; Moscow's time; NSPK's states. */
import { roublesOf } from '../../drivers/lib/money.ts';
import type { BankVerdict } from './bank-payment.ts';

/** Roubles as a number for JSON, which writes the same digits again. */
export const roublesNumberOf = (kopecks: number): number => Number(roublesOf(kopecks));

const ROUBLES = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/;
const KOPECKS = /^\d{1,15}$/;

/** Kopecks of an amount in roubles, a text or a number of JSON; NaN for no amount. */
export function kopecksOfRoubles(value: unknown): number {
  if (typeof value !== 'string' && typeof value !== 'number') return Number.NaN;
  const [, whole, fraction = ''] = ROUBLES.exec(String(value)) ?? [];
  return whole === undefined ? Number.NaN : Number(`${whole}${fraction.padEnd(2, '0')}`);
}

/** Kopecks of an amount in kopecks, a text or a number of JSON; NaN for no amount. */
export const kopecksOf = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && KOPECKS.test(value)) ? Number(value) : Number.NaN;

const OFFSET_MS = 3 * 3_600_000;

/** A timestamp in the form of Russian banks: `2026-11-21T16:05:00+03:00`. @param at milliseconds since 1970 */
export const moscowTime = (at: number): string => `${new Date(at + OFFSET_MS).toISOString().slice(0, 19)}+03:00`;

/** A state of the payment system (NSPK), which banks pass on as it is: no operation yet. */
export const NO_OPERATION = 'NTST';
/** NTST no operation yet, RCVD and ACTC under way, ACWP done, RJCT refused. */
const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  [NO_OPERATION, 'pending'],
  ['RCVD', 'processing'],
  ['ACTC', 'processing'],
  ['ACWP', 'accepted'],
  ['RJCT', 'rejected'],
]);
export const nspkVerdict = (state: string): BankVerdict => VERDICTS.get(state) ?? 'processing';
