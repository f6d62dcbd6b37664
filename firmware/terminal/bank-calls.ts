/** Calls to a bank: each with a deadline, a registration repeated with the same order id. */
import { pause } from '../../drivers/pause.ts';
import { BankError, type OnlineBank, type RegisteredPayment, type Registration } from './banks/bank.ts';
import { TerminalError } from './errors.ts';

/** Pauses before the second and the third attempt. */
const RETRY_PAUSES_MS: readonly number[] = [250, 1000];

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

const MEMBERS = { unreachable: 'Unreachable', refused: 'Refused', contradiction: 'Contradiction' } as const;

/** Words a bank's failure, with the bank's own code and text; any other error comes back as it is. */
export function bankFailure(error: unknown): unknown {
  if (!(error instanceof BankError)) return error;
  const own = error.bankCode === null ? '' : ` (bank code ${error.bankCode})`;
  return TerminalError.of(500, 'Bank', MEMBERS[error.code], `${error.message}${own}`, { cause: error });
}
