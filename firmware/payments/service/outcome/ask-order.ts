/** Asks a bank about the order of a payment. The order of an abandoned payment is looked up, and withdrawn where it is unpaid. */
import { timeBudget } from '../../../../drivers/lib/async.ts';
import type { BankReport } from '../../../banks/index.ts';
import { isAbandoned } from '../../model/payment.ts';
import { codeOfAnother } from '../../model/payment-failures.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { PaymentDeps } from './deps.ts';

/**
 * Asks the bank about a payment, with its current row. The order of an abandoned payment is looked up and cancelled.
 * @returns null where the bank does not have the order; for an abandoned payment also where its order is cancelled
 * @throws {BankError} the outcome is unknown
 */
export async function askOrder(deps: PaymentDeps, orderId: string, deadlineMs: number): Promise<BankReport | null> {
  const leftMs = timeBudget(deadlineMs);
  const { book, banks, limits } = deps;
  const payment = book.find(orderId);
  const report =
    payment.ref === null ? await findOrder(deps, payment, leftMs()) : await banks.ask(payment, limits(leftMs()));
  if (report?.verdict !== 'pending' || !isAbandoned(book.find(orderId).status)) return report;
  return withdrawUnpaid(deps, orderId, report, leftMs);
}

async function findOrder(deps: PaymentDeps, payment: PaymentRow, deadlineMs: number): Promise<BankReport | null> {
  const { banks, ledger, limits, log } = deps;
  const found = await banks.find(payment, limits(deadlineMs));
  if (found === null) return null;
  const { orderId } = payment;
  if (ledger.queries.belongsToAnother(payment, found.ref.id, null)) throw codeOfAnother();
  ledger.recordRef(orderId, found.ref);
  log('the bank knows the order of a payment that the ledger has as not registered', {
    orderId,
    verdict: found.report.verdict,
  });
  return found.report;
}

/** @param report the bank's report, by which no customer has begun to pay */
async function withdrawUnpaid(
  { banks, book, clock, limits }: PaymentDeps,
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
