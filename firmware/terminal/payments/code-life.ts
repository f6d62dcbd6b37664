/** How long the code of a payment lives. After another boot nobody knows how long the power was off. */
import type { Clock } from '../../host/clock.ts';
import type { NewPayment } from '../ledger/payment-row.ts';

const MINUTE_MS = 60_000;

type Life = Pick<NewPayment, 'bootId' | 'createdAt' | 'createdMono' | 'ttl'>;

/** End of a payment's ttl on the monotonic clock, for those who follow it: after another boot its whole ttl counts again. */
export function expiryOf(payment: Omit<Life, 'createdAt'>, clock: Clock): number {
  const start = payment.bootId === clock.bootId ? payment.createdMono : clock.monotonic();
  return start + payment.ttl * MINUTE_MS;
}

/** Milliseconds of its ttl that are left, for those who show it: after another boot the wall clock is asked too. */
export function leftOf(payment: Life, clock: Clock): number {
  const left = expiryOf(payment, clock) - clock.monotonic();
  if (payment.bootId === clock.bootId) return left;
  return Math.min(left, payment.createdAt + payment.ttl * MINUTE_MS - clock.wall());
}

/** Whether at least half of its ttl is left: enough to show its code to a customer once more. */
export const isHalfLeft = (payment: Life, clock: Clock): boolean =>
  leftOf(payment, clock) >= (payment.ttl * MINUTE_MS) / 2;
