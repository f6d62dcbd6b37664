/**
 * Refunds at the RBS gateway, which makes one of each `externalRefundId`, and only where as much is left as it is told. One that does
 * not know that id refuses the second for what is left: by then the first was made.
 */
import { BankError, bankMessage, isRefused, type RefundOrder, type RefundReport } from '../bank.ts';
import { DONE_ANSWER, type RbsApi } from './api.ts';
import { refundedOf } from './states.ts';

const DONE: RefundReport = { state: 'done', bankRefundId: null, reason: null };
const refused = (reason: string): RefundReport => ({ state: 'refused', bankRefundId: null, reason });

/** What has become of a refund that the gateway may have heard of before, and refuses now: that it has not gone back yet decides nothing. */
async function lookedUp(
  api: RbsApi,
  { ref, amount, refundedBefore }: RefundOrder,
  refusal: string,
  signal: AbortSignal,
): Promise<RefundReport> {
  const refunded = refundedOf(await api.orderOf(ref.id, signal));
  if (refunded === refundedBefore + amount) return DONE;
  throw new BankError(
    'unreachable',
    `the bank refuses this refund now and cannot tell whether an earlier call, whose answer was lost, made it or will; look it up in the account at the bank (${refusal})`,
  );
}

export async function refund(api: RbsApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  const { ref, refundId, amount, paid, refundedBefore, isRepeated } = order;
  const form = {
    orderId: ref.id,
    amount: String(amount),
    externalRefundId: refundId,
    expectedDepositedAmount: String(paid - refundedBefore),
  };
  try {
    await api.call({ path: 'refund.do', form, isOnce: true }, DONE_ANSWER, signal);
    return DONE;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return isRepeated ? lookedUp(api, order, bankMessage(error), signal) : refused(bankMessage(error));
  }
}
