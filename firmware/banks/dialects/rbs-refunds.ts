/**
 * Refunds at the RBS gateway, which makes one of each `externalRefundId`, and only where as much is left as the call says. Neither can be
 * relied on: so a refund that the gateway may have heard of is looked for first, by what has gone back of its order.
 */
import {
  BankError,
  bankMessage,
  isRefused,
  REFUND_DONE,
  type RefundOrder,
  type RefundReport,
  refusedRefund,
} from '../bank.ts';
import { lookAfter } from '../refund-once.ts';
import { DONE_ANSWER, type OrderState, type RbsApi, saysDone, UNKNOWN_ORDER } from './rbs-api.ts';
import { refundedOf } from './rbs-states.ts';

const unknowable = (said: string): BankError =>
  new BankError(
    'unreachable',
    `the bank does not report whether this refund was made or will be; look it up in the account at the bank (${said})`,
  );

/** The ids of ours by which the gateway lists what has gone back of the order; none where it lists none. */
const listed = ({ refunds = [] }: OrderState): string[] =>
  refunds.flatMap(({ externalRefundId: id }) => (id === undefined || id === null ? [] : [String(id)]));

/** Whether just as much has gone back, or more and it is listed. */
function isDone(state: OrderState, { refundId, amount, refundedBefore }: RefundOrder): boolean {
  const more = (refundedOf(state) ?? 0) - refundedBefore - amount;
  return more === 0 || (more > 0 && listed(state).includes(refundId));
}

/** Whether nothing of it has gone back, or is about to, for certain. */
const isAbsent = (state: OrderState, { refundId, refundedBefore }: RefundOrder): boolean =>
  refundedOf(state) === refundedBefore && !listed(state).includes(refundId);

/** What has become of a refund that the gateway may have made: that it has not gone back yet decides nothing. @param said of this call */
async function lookedUp(api: RbsApi, order: RefundOrder, said: string, signal: AbortSignal): Promise<RefundReport> {
  if (isDone(await lookAfter(() => api.orderOf(order.ref.id, signal)), order)) return REFUND_DONE;
  throw unknowable(said);
}

/**
 * What has become of a first call that the gateway refuses: where the ledger was put back to an older state, an earlier one of the same
 * id may have made it.
 */
async function refused(api: RbsApi, order: RefundOrder, said: string, signal: AbortSignal): Promise<RefundReport> {
  const state = await lookAfter(() => api.orderOf(order.ref.id, signal));
  const ids = listed(state);
  const isListed = ids.includes(order.refundId);
  if ((isListed || ids.length === 0) && isDone(state, order)) return REFUND_DONE;
  if (isListed) throw unknowable(`it has a refund of this id, and refuses it now: ${said}`);
  return refusedRefund(said);
}

async function send(api: RbsApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  const { ref, refundId, amount, paid, refundedBefore, isRepeated } = order;
  const form = {
    orderId: ref.id,
    amount: String(amount),
    externalRefundId: refundId,
    expectedDepositedAmount: String(paid - refundedBefore),
  };
  try {
    const answer = await api.call({ path: 'refund.do', form, isOnce: true }, DONE_ANSWER, signal);
    if (saysDone(answer)) return REFUND_DONE;
  } catch (error) {
    if (!isRefused(error)) throw error;
    const said = bankMessage(error);
    // an earlier call, whose answer was lost, may have made it
    if (isRepeated) return lookedUp(api, order, `it refuses it now: ${said}`, signal);
    return error.bankCode === UNKNOWN_ORDER ? refusedRefund(said) : refused(api, order, said, signal);
  }
  return lookedUp(api, order, 'it answers without saying that it is done', signal);
}

/** @throws {BankError} where the look gives no sure answer: nothing is sent then */
export async function refund(api: RbsApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  if (!order.isRepeated) return send(api, order, signal);
  const state = await api.orderOf(order.ref.id, signal);
  if (isDone(state, order)) return REFUND_DONE;
  if (isAbsent(state, order)) return send(api, order, signal);
  throw unknowable(
    'an answer about it was lost, and the refunded sum of the payment is not reported, or does not decide it',
  );
}
