/**
 * Refunds at the RBS gateway, which makes one of each `externalRefundId`, and only where as much is left as it is told. One that does
 * not know that id refuses the second for what is left: by then the first was made.
 */
import { BankError, bankMessage, isRefused, type RefundOrder, type RefundReport } from '../bank.ts';
import { DONE_ANSWER, type RbsApi, saysDone } from './api.ts';
import { refundedOf } from './states.ts';

const DONE: RefundReport = { state: 'done', bankRefundId: null, reason: null };
const refused = (reason: string): RefundReport => ({ state: 'refused', bankRefundId: null, reason });

/** What has become of a refund that the gateway may have made: that it has not gone back yet decides nothing. @param said of this call */
async function lookedUp(
  api: RbsApi,
  { ref, amount, refundedBefore }: RefundOrder,
  said: string,
  signal: AbortSignal,
): Promise<RefundReport> {
  const refunded = refundedOf(await api.orderOf(ref.id, signal));
  if (refunded === refundedBefore + amount) return DONE;
  throw new BankError(
    'unreachable',
    `the bank cannot tell whether this refund was made or will be; look it up in the account at the bank (${said})`,
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
    const answer = await api.call({ path: 'refund.do', form, isOnce: true }, DONE_ANSWER, signal);
    if (saysDone(answer)) return DONE;
  } catch (error) {
    if (!isRefused(error)) throw error;
    const said = bankMessage(error);
    // an earlier call, whose answer was lost, may have made it
    return isRepeated ? lookedUp(api, order, `it refuses it now: ${said}`, signal) : refused(said);
  }
  return lookedUp(api, order, 'it answers without saying that it is done', signal);
}
