/** A till cancels a payment: its code is removed from the display, and withdrawn where the bank can. */

import { TerminalError, terminalFailure } from '../../banks/index.ts';
import type { PaymentRow } from '../money/payment-row.ts';
import type { ShowQrCalls } from './calls.ts';
import type { PaymentParts } from './parts.ts';
import { mayBePaid, type PaymentStatus } from './payment.ts';
import { cancelWaitedTooLong, isGivenBack, notFound } from './payment-failures.ts';
import type { Withdrawal, Withdrawn } from './withdrawal.ts';

/** How long a bank may take to take a code out of use: a till waits meanwhile. */
const CANCEL_MS = 10_000;

export interface Cancellation {
  readonly outcome: Withdrawn;
  /** As it has become. */
  readonly payment: PaymentRow;
}

interface CancellingParts extends PaymentParts {
  readonly calls: ShowQrCalls;
  readonly withdrawal: Withdrawal;
}

/** The outcome for a payment whose code cannot be paid. */
const outcomeOf = (status: PaymentStatus): Withdrawn => {
  const { state, seen } = status;
  if (isGivenBack(status)) return 'refunded';
  if (state === 'ACCEPTED') return 'already-paid';
  return state === 'STATIC' || (state === 'PENDING' && !seen) ? 'not-possible' : 'withdrawn';
};

/** One that may still be paid is followed to its end, and no till waits for it. @throws {TerminalError} */
export async function cancelPayment(parts: CancellingParts, orderId: string): Promise<Cancellation> {
  try {
    return await parts.calls.between(() => cancel(parts, orderId));
  } catch (error) {
    if (error instanceof TerminalError && error.member === 'TooMany') throw cancelWaitedTooLong();
    throw terminalFailure(error, { therefore: 'what became of the payment cannot be kept: cancel it again' });
  }
}

async function cancel(parts: CancellingParts, orderId: string): Promise<Cancellation> {
  const { ledger, book, view, dispatch, withdrawal } = parts;
  if (ledger.find(orderId) === null) throw notFound(orderId);
  const before = book.find(orderId);
  if (!mayBePaid(before.status)) return { outcome: outcomeOf(before.status), payment: before };
  dispatch({ type: 'recorded', orderId, event: { type: 'cancelled' } });
  if (view.shown === orderId) view.removeCode();
  const outcome = await withdrawal.withdraw(before, CANCEL_MS);
  const payment = book.find(orderId);
  const isPaid = payment.status.state === 'ACCEPTED' && outcome !== 'refunded';
  return { outcome: isPaid ? 'already-paid' : outcome, payment };
}
