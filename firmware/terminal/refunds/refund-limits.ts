/** How much a till or a cashier gives back by itself. Above that a supervisor answers for it. */
import { refundLimit } from './refund-failures.ts';

/** Kopecks; null for as much as was paid. */
export interface RefundLimits {
  /** Of one refund. */
  readonly each: number | null;
  /** Of all refunds of a day of the device's clock. */
  readonly day: number | null;
}

/** Who gives money back by itself, by the name under which it is added up: a till of its own name, `till`, or `cashier`. */
export interface Giver extends RefundLimits {
  readonly name: string;
}

/** @param given kopecks that the giver has given back today @throws {TerminalError} where it is more than the giver may */
export function mustBeWithin({ each, day }: Giver, amount: number, given: number): void {
  if (each !== null && amount > each) throw refundLimit(amount, 'refund', each);
  if (day !== null && given + amount > day) throw refundLimit(amount, 'day', Math.max(0, day - given));
}
