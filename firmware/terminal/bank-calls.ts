/** Calls to a bank: each with a deadline, a registration repeated with the same order id. */
import { setTimeout as pause } from 'node:timers/promises';
import { BankError, type OnlineBank, type RegisteredPayment, type Registration } from './banks/bank.ts';
import { TerminalError } from './errors.ts';

/** Pauses before the second and the third attempt. */
const RETRY_PAUSES_MS: readonly number[] = [250, 1000];

/** @throws {BankError} `unreachable` when the deadline passes */
export async function callBank<T>(call: (signal: AbortSignal) => Promise<T>, deadlineMs: number): Promise<T> {
  return call(AbortSignal.timeout(deadlineMs));
}

/**
 * Repeats a registration whose answer was lost, as long as the first deadline has not passed.
 * @throws {BankError}
 */
export async function registerWithRetries(
  bank: OnlineBank,
  payment: Registration,
  deadlineMs: number,
): Promise<RegisteredPayment> {
  const began = performance.now();
  for (const retryPause of RETRY_PAUSES_MS) {
    try {
      return await callBank((signal) => bank.register(payment, signal), deadlineMs);
    } catch (error) {
      const wait = Math.max(retryPause, error instanceof BankError ? (error.retryAfterMs ?? 0) : 0);
      const timeLeft = deadlineMs - (performance.now() - began) - wait;
      if (!(error instanceof BankError) || error.code !== 'unreachable' || timeLeft <= 0) throw error;
      await pause(wait);
    }
  }
  return callBank((signal) => bank.register(payment, signal), Math.max(1, deadlineMs - (performance.now() - began)));
}

const MEMBERS = { unreachable: 'Unreachable', refused: 'Refused', contradiction: 'Contradiction' } as const;

/** Words a bank's failure, with the bank's own code and text; any other error comes back as it is. */
export function bankFailure(error: unknown): unknown {
  if (!(error instanceof BankError)) return error;
  const own = error.bankCode === null ? '' : ` (bank code ${error.bankCode})`;
  return TerminalError.of(500, 'Bank', MEMBERS[error.code], `${error.message}${own}`, { cause: error });
}
