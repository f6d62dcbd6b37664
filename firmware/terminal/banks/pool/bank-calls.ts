/** Calls to a bank: each with a deadline, what it tells believed with care. */
import { BankError, type BankRef, type BankReport } from '../bank.ts';

/** How banks write the one currency that we ask for. */
const ROUBLES: readonly string[] = ['RUB', 'RUR', '643'];

export interface CallLimits {
  readonly deadlineMs: number;
  /** Ends every call when the device closes. */
  readonly closing: AbortSignal;
}

/** @throws {BankError} `unreachable` when the deadline passes or the device closes */
export function callBank<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { deadlineMs, closing }: CallLimits,
): Promise<T> {
  return call(AbortSignal.any([AbortSignal.timeout(deadlineMs), closing]));
}

/** The payment that a bank is asked about. */
export interface AskedPayment {
  readonly ref: BankRef;
  /** Ours. */
  readonly orderId: string;
  /** Kopecks. */
  readonly amount: number;
}

/** Why a report is not believed; null where all of it speaks of the payment. */
function doubt(
  { ids, amounts, currencies, orderIds }: BankReport,
  { ref, orderId, amount }: AskedPayment,
): string | null {
  if (ids.length === 0) return 'the bank told a state without saying of which payment';
  if (ids.some((id) => id !== ref.id)) return 'the bank told the state of another payment';
  if (orderIds.some((id) => id !== orderId)) return 'the bank told the state of another order';
  const other = amounts.find((told) => told !== amount);
  if (other !== undefined) return `the bank told a state for another amount than ${amount} kopecks (${other})`;
  if (currencies.some((currency) => !ROUBLES.includes(currency))) return 'the bank told a state in another currency';
  return null;
}

/**
 * The one place where a bank's word is taken: an answer about another payment, order or amount says nothing of this one.
 * @throws {BankError} `contradiction` for what cannot be true
 */
export function believed(report: BankReport, payment: AskedPayment): BankReport {
  const reason = doubt(report, payment);
  if (reason !== null) throw new BankError('contradiction', reason);
  return report;
}
