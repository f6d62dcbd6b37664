/** Calls to a bank: their deadline, the checks of the answers, and refunds that must not be made twice. */

import { isoTime, isoTimeOrNull } from '../../drivers/lib/iso-time.ts';
import { amountInWords } from '../../drivers/lib/money.ts';
import { BankError, bankMessage, isRefused } from './bank-error.ts';
import { type BankRef, type BankReport, CANCEL_OUTCOMES, type CancelOutcome } from './bank-payment.ts';
import { type RefundOrder, type RefundReport, refusedRefund } from './bank-refund.ts';

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

/** A payment as its bank knows it. */
export interface PaymentAtBank {
  readonly ref: BankRef;
  /** Our order id. */
  readonly orderId: string;
  /** Kopecks. */
  readonly amount: number;
}

/** Whether all money went back or is about to: the bank may then report no amount, and it does not matter. */
export const isAllBack = ({ refunded, isGoingBack }: BankReport, amount: number): boolean =>
  isGoingBack === true || (refunded !== null && refunded >= amount);

/** Why a report is not believed; null where all of it speaks of the payment. */
function contradiction(report: BankReport, { ref, orderId, amount }: PaymentAtBank): string | null {
  const { ids, amounts, currencies, orderIds } = report;
  if (ids.length === 0) return 'the bank returned a state without the id of the payment';
  if (ids.some((id) => id !== ref.id)) return 'the bank returned the state of another payment';
  if (orderIds.some((id) => id !== orderId)) return 'the bank returned the state of another order';
  const other = amounts.find((reported) => reported !== amount);
  if (other !== undefined)
    return `the bank returned a state with another amount than ${amountInWords(amount)}: ${amountInWords(other)}`;
  if (currencies.some((currency) => !ROUBLES.includes(currency)))
    return 'the bank returned a state in another currency';
  if (ref.link === 'no-amount' && report.verdict === 'accepted' && amounts.length === 0 && !isAllBack(report, amount))
    return 'the bank says that it was paid, and not which amount; the link said none either';
  return null;
}

/**
 * The one check of a bank's report: an answer about another payment, order or amount says nothing about
 * this one.
 * @throws {BankError} `contradiction` for what cannot be true
 */
export function verified(report: BankReport, payment: PaymentAtBank): BankReport {
  const reason = contradiction(report, payment);
  if (reason !== null) throw new BankError('contradiction', reason);
  return report;
}

/** How far a bank's clock, or ours, may be off, including mixed up time zones. */
const CLOCK_SLACK_MS = 24 * 3_600_000;

/** The times to check a payment's timestamp against: ms since 1970, by this device's clock. */
interface PaymentTimes {
  readonly orderId: string;
  readonly createdAt: number;
  readonly now: number;
}

/**
 * The report without an impossible time of payment, before the payment was made or after now: seconds taken for
 * milliseconds, or a settlement date, would count it on a wrong day. The time of the report stands in its place.
 * @param log gets a sentence about such a timestamp
 */
export function withPlausibleTime(report: BankReport, times: PaymentTimes, log: (message: string) => void): BankReport {
  const { paidAt } = report;
  const { orderId, createdAt, now } = times;
  if (paidAt === null) return report;
  if (paidAt >= Math.min(createdAt, now) - CLOCK_SLACK_MS && paidAt <= now + CLOCK_SLACK_MS) return report;
  const moment = isoTimeOrNull(paidAt) ?? `${paidAt} ms since 1970`;
  log(
    `the bank says that the payment ${orderId} was paid at ${moment}, which cannot be by the clock of this device (${isoTime(now)}): it counts on the day on which this device hears of it`,
  );
  return { ...report, paidAt: null };
}

/**
 * A bank's answer; null where its failure is an answer, too, such as that it does not have the order.
 * @throws {BankError} any other failure
 */
export async function nullWhere<T>(isAnswer: (error: unknown) => boolean, call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isAnswer(error)) return null;
    throw error;
  }
}

/**
 * The outcome of a cancellation that the bank does not state, by the state of the payment after it.
 * @throws {BankError} `contradiction` for the state of another payment
 */
export function outcomeOf({ verdict, ids }: BankReport, { id }: BankRef): CancelOutcome {
  if (ids.length === 0 || ids.some((reported) => reported !== id))
    throw new BankError('contradiction', 'the bank returned the state of another payment');
  return CANCEL_OUTCOMES[verdict];
}

/** @param kopecks that the bank gives back @throws {BankError} `contradiction` where they differ from those asked for */
export function requireRefunded(kopecks: number, { amount }: RefundOrder, currency: unknown = 'RUB'): void {
  if (kopecks === amount && currency === 'RUB') return;
  throw new BankError('contradiction', `the bank returned a refund of another amount than ${amountInWords(amount)}`);
}

/** The calls of a bank that finds refunds by our id. */
interface RefundSteps {
  /** The bank's report on the refund; null where it has none. */
  readonly find: () => Promise<RefundReport | null>;
  readonly ask: () => Promise<RefundReport>;
}

/**
 * Looks up the outcome of a refund after the bank was asked to make it. A failed look-up (429, a refusal) does not mean
 * that nothing was done: it counts as `unreachable`, so that no other profile asks for the same refund.
 * @throws {BankError} `unreachable`, or `contradiction`
 */
export async function outcomeAfter<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (cause) {
    if (!(cause instanceof BankError) || cause.code === 'contradiction') throw cause;
    const { retryAfterMs } = cause;
    const message = `the bank does not report what became of the refund: ${bankMessage(cause)}`;
    throw new BankError('unreachable', message, { retryAfterMs, cause });
  }
}

/**
 * Asks for a refund that must not be made twice. It is looked up first where the bank may know it already, and again
 * where the bank refuses, which may be because it has it already. A refund that is not found then counts as refused,
 * but only after the first call: otherwise an earlier one may still be under way.
 * @throws {BankError} where the bank does not take the credentials; `refused` for a repetition that the bank refuses without having it: that decides nothing
 */
export async function refundOnce({ isRepeated }: RefundOrder, { find, ask }: RefundSteps): Promise<RefundReport> {
  const before = isRepeated ? await find() : null;
  if (before !== null) return before;
  try {
    return await ask();
  } catch (error) {
    if (!isRefused(error)) throw error;
    const found = await outcomeAfter(find);
    if (found === null && isRepeated) throw error;
    return found ?? refusedRefund(bankMessage(error));
  }
}
