/** Calls to a bank: each with a deadline, a registration repeated with the same order id, a state believed with care. */
import { pause } from '../../../drivers/lib/async.ts';
import {
  BankError,
  type BankReport,
  type BankVerdict,
  type OnlineBank,
  type RegisteredPayment,
  type Registration,
} from './bank.ts';

/** Pauses before the second and the third attempt. */
const RETRY_PAUSES_MS: readonly number[] = [250, 1000];

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

/**
 * Repeats a registration whose answer was lost, as long as the first deadline has not passed.
 * @throws {BankError}
 */
export async function registerWithRetries(
  bank: OnlineBank,
  payment: Registration,
  limits: CallLimits,
): Promise<RegisteredPayment> {
  const end = performance.now() + limits.deadlineMs;
  const attempt = () =>
    callBank((signal) => bank.register(payment, signal), {
      ...limits,
      deadlineMs: Math.max(1, Math.ceil(end - performance.now())),
    });
  for (const retryPause of RETRY_PAUSES_MS) {
    try {
      return await attempt();
    } catch (error) {
      const wait = Math.max(retryPause, error instanceof BankError ? (error.retryAfterMs ?? 0) : 0);
      const mayRepeat = error instanceof BankError && error.code === 'unreachable' && !limits.closing.aborted;
      if (!mayRepeat || performance.now() + wait >= end) throw error;
      await pause(wait, limits.closing);
      if (limits.closing.aborted) throw error; // the device closes: the bank's last word stands
    }
  }
  return attempt();
}

/** The payment that a bank is asked about. */
export interface AskedPayment {
  readonly bankId: string;
  /** Kopecks. */
  readonly amount: number;
}

/** Why a report is not believed; null where all of it speaks of the payment. */
function doubt({ ids, amounts, currencies }: BankReport, { bankId, amount }: AskedPayment): string | null {
  if (ids.length === 0) return 'the bank told a state without saying of which payment';
  if (ids.some((id) => id !== bankId)) return 'the bank told the state of another payment';
  const other = amounts.find((told) => told !== amount);
  if (other !== undefined) return `the bank told a state for another amount than ${amount} kopecks (${other})`;
  if (currencies.some((currency) => !ROUBLES.includes(currency))) return 'the bank told a state in another currency';
  return null;
}

/**
 * The one place where a bank's word is taken: an answer about another payment or amount says nothing of this one.
 * @throws {BankError} `contradiction` for what cannot be true
 */
export async function askBank(bank: OnlineBank, payment: AskedPayment, limits: CallLimits): Promise<BankVerdict> {
  const report = await callBank((signal) => bank.status(payment.bankId, signal), limits);
  const reason = doubt(report, payment);
  if (reason !== null) throw new BankError('contradiction', reason);
  return report.verdict;
}
