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

/** Whether the gateway lists what has gone back of the order: what is not in the list was not made by us. */
const isListing = ({ refunds = [] }: OrderState): boolean => refunds.length > 0;

/** Whether the list has it. A refund that was made in the account at the bank has no id of ours. */
const isListed = ({ refunds = [] }: OrderState, { refundId }: RefundOrder): boolean =>
  refunds.some(({ externalRefundId: id }) => id !== undefined && id !== null && String(id) === refundId);

/** Kopecks that have gone back beyond what had before and this refund. */
const beyond = (state: OrderState, { amount, refundedBefore }: RefundOrder): number =>
  (refundedOf(state) ?? 0) - refundedBefore - amount;

/** Whether it is listed and at least as much has gone back. */
const isListedDone = (state: OrderState, order: RefundOrder): boolean =>
  isListed(state, order) && beyond(state, order) >= 0;

/** The same of a refund that was asked for before; where nothing is listed: whether just as much has gone back. */
const isDone = (state: OrderState, order: RefundOrder): boolean =>
  isListing(state) ? isListedDone(state, order) : beyond(state, order) === 0;

/** Whether nothing of it has gone back, or is about to, for certain. */
const isAbsent = (state: OrderState, order: RefundOrder): boolean =>
  refundedOf(state) === order.refundedBefore && !isListed(state, order);

/** The outcome of a refund that the gateway may have made: that it has not gone back yet decides nothing. @param said of this call */
async function lookedUp(api: RbsApi, order: RefundOrder, said: string, signal: AbortSignal): Promise<RefundReport> {
  if (isDone(await lookAfter(() => api.orderOf(order.ref.id, signal)), order)) return REFUND_DONE;
  throw unknowable(said);
}

/**
 * What has become of a first call that the gateway refuses: where the ledger was put back to an older state, an earlier one of the same
 * id may have made it. Then it is listed: an equal sum alone may have gone back by a refund that was made elsewhere.
 */
async function refused(api: RbsApi, order: RefundOrder, said: string, signal: AbortSignal): Promise<RefundReport> {
  const state = await lookAfter(() => api.orderOf(order.ref.id, signal));
  if (isListedDone(state, order)) return REFUND_DONE;
  if (isListed(state, order)) throw unknowable(`it has a refund of this id, and refuses it now: ${said}`);
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

/** @throws {BankError} where the look-up gives no sure answer: nothing is sent then */
export async function refund(api: RbsApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  if (!order.isRepeated) return send(api, order, signal);
  const state = await api.orderOf(order.ref.id, signal);
  if (isDone(state, order)) return REFUND_DONE;
  if (isAbsent(state, order)) return send(api, order, signal);
  throw unknowable(
    'an answer about it was lost, and the refunded sum of the payment is not reported, or does not decide it',
  );
}

/** What the gateway has of a refund, by its list alone; null where the list does not have it. @throws {BankError} */
export async function findRefund(
  api: RbsApi,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundReport | 'unreported' | null> {
  const state = await api.orderOf(order.ref.id, signal);
  if (isListedDone(state, order)) return REFUND_DONE;
  return isListing(state) && !isListed(state, order) ? null : 'unreported';
}
