import { BankError, bankMessage, isRefused, type RefundOrder, type RefundReport, refusedRefund } from './bank.ts';

/** What can be asked of a bank that can be asked for a refund by our id. */
interface RefundSteps {
  /** What the bank has of it; null where it has nothing. */
  readonly lookUp: () => Promise<RefundReport | null>;
  readonly ask: () => Promise<RefundReport>;
}

/**
 * Looks up the outcome of a refund after the bank was asked to make it. A failed look-up says nothing of that call: a
 * 429, or a refusal to answer, does not mean that nothing was done, and no other profile may ask for the same refund.
 * @throws {BankError} `unreachable`, or `contradiction`
 */
export async function lookAfter<T>(lookUp: () => Promise<T>): Promise<T> {
  try {
    return await lookUp();
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
export async function refundOnce({ isRepeated }: RefundOrder, { lookUp, ask }: RefundSteps): Promise<RefundReport> {
  const before = isRepeated ? await lookUp() : null;
  if (before !== null) return before;
  try {
    return await ask();
  } catch (error) {
    if (!isRefused(error)) throw error;
    const found = await lookAfter(lookUp);
    if (found === null && isRepeated) throw error;
    return found ?? refusedRefund(bankMessage(error));
  }
}
