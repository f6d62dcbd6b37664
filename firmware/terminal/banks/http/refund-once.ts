import { bankMessage, isRefused, type RefundOrder, type RefundReport } from '../bank.ts';

/** What can be asked of a bank that can be asked for a refund by our id. */
export interface RefundSteps {
  /** What the bank has of it; null where it has nothing. */
  readonly look: () => Promise<RefundReport | null>;
  readonly ask: () => Promise<RefundReport>;
}

/**
 * Asks for a refund that must not go back twice: the bank is looked into first where it may have heard of it, and again where
 * it refuses, for it may do so since it has it already. What it has not then is refused, if this was the first call: an earlier one
 * may still be under way.
 * @throws {BankError} where the bank does not take the credentials; `refused` for a repetition that the bank refuses without having it: that decides nothing
 */
export async function refundOnce({ isRepeated }: RefundOrder, { look, ask }: RefundSteps): Promise<RefundReport> {
  const before = isRepeated ? await look() : null;
  if (before !== null) return before;
  try {
    return await ask();
  } catch (error) {
    if (!isRefused(error)) throw error;
    const found = await look();
    if (found === null && isRepeated) throw error;
    return found ?? { state: 'refused', bankRefundId: null, reason: bankMessage(error) };
  }
}
