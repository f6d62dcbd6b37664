/**
 * Payments that the previous process left before it had shown their code, as the ledger has it (`isLeft`). A ledger
 * that lost its last commits in a power cut says the same of a code that was shown and paid. So the bank is asked for
 * the order before the payment is reported as failed. An order that no customer has begun to pay is cancelled there, as
 * is every order whose code is not shown.
 */

import { timeBudget } from '../../../drivers/lib/time-budget.ts';
import type { BankReport } from '../../banks/index.ts';

import type { PaymentRow } from '../money/payment-row.ts';
import type { PaymentParts } from './parts.ts';
import { isLeft } from './payment.ts';
import { codeOfAnother } from './payment-failures.ts';

/**
 * Asks the bank about a payment, with its current row. The order of one that was left is looked up and cancelled.
 * @returns null where the bank does not have the order; of a payment that was left also where its order is cancelled
 * @throws {BankError} the outcome is unknown
 */
export async function askOrder(parts: PaymentParts, orderId: string, deadlineMs: number): Promise<BankReport | null> {
  const leftMs = timeBudget(deadlineMs);
  const { book, banks, limits } = parts;
  const payment = book.find(orderId);
  const report =
    payment.ref === null ? await findOrder(parts, payment, leftMs()) : await banks.ask(payment, limits(leftMs()));
  if (report?.verdict !== 'pending' || !isLeft(book.find(orderId).status)) return report;
  return takeBack(parts, orderId, report, leftMs);
}

async function findOrder(parts: PaymentParts, payment: PaymentRow, deadlineMs: number): Promise<BankReport | null> {
  const { banks, ledger, limits, dispatch, log } = parts;
  const found = await banks.find(payment, limits(deadlineMs));
  if (found === null) return null;
  const { orderId } = payment;
  if (ledger.isTaken(payment, found.ref.id, null)) throw codeOfAnother();
  dispatch({ type: 'bank-knows', orderId, ref: found.ref });
  log('the bank knows the order of a payment that the ledger has as not registered', {
    orderId,
    verdict: found.report.verdict,
  });
  return found.report;
}

/** @param report by which no customer has begun to pay it */
async function takeBack(
  { banks, book, clock, limits }: PaymentParts,
  orderId: string,
  report: BankReport,
  leftMs: () => number,
): Promise<BankReport | null> {
  const payment = book.find(orderId);
  switch (await banks.cancel(payment, limits(leftMs()))) {
    case 'withdrawn':
      return null;
    case 'refunded':
      return { ...report, verdict: 'accepted', refunded: payment.amount };
    case 'already-paid':
      return banks.ask(payment, limits(leftMs()));
    case 'not-possible':
      // a killed process loses no commit: without a new boot the ledger is right, and the code was not shown
      return payment.bootId === clock.bootId ? null : report; // followed to its end
  }
}
