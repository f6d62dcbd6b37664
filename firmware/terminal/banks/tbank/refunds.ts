/**
 * Refunds at T-Bank: `Cancel` with an amount. The bank takes the same one again for another one (its `ExternalRequestId` does
 * not work for payments of SBP), so that one which it may have heard of is looked for first.
 */
import { Type } from 'typebox';
import { BankError, bankMessage, type RefundOrder, type RefundReport } from '../bank.ts';
import { kopecksOf } from '../roubles.ts';
import { PaymentId, type TBankApi, unlessRefused } from './api.ts';
import { isGoingBack, isPaidWhole, isPartlyBack, isWhollyBack } from './states.ts';

const REFUND = {
  shape: Type.Object({ PaymentId, Status: Type.String() }),
  otherwise: 'the bank took a refund without telling what came of it',
};
const REFUND_STATE = {
  shape: Type.Object({
    Status: Type.String(),
    OrderId: Type.Unknown(),
    Amount: Type.Optional(Type.Unknown()),
    QrCancelCode: Type.Optional(Type.Unknown()),
    QrCancelMessage: Type.Optional(Type.Unknown()),
  }),
  otherwise: 'the bank told no state of the refund',
};
type RefundState = Type.Static<typeof REFUND_STATE.shape>;

const DONE: RefundReport = { state: 'done', bankRefundId: null, reason: null };
const PENDING: RefundReport = { state: 'pending', bankRefundId: null, reason: null };
const refused = (reason: string): RefundReport => ({ state: 'refused', bankRefundId: null, reason });

/** Whether all that was paid has gone back once this refund is done. */
const isLast = ({ refundedBefore, amount, paid }: RefundOrder): boolean => refundedBefore + amount === paid;

const unknowable = (): BankError =>
  new BankError(
    'unreachable',
    'the bank cannot tell whether this refund was made when its answer was lost; it is not sent again: look it up in the account at the bank',
  );

const isWord = (value: unknown): value is string => typeof value === 'string' && value !== '' && value !== '0';

/** Why the payment system has refused a refund; null where it has not. */
const refusalOf = ({ QrCancelCode: code, QrCancelMessage: message }: RefundState): string | null => {
  if (!isWord(code)) return null;
  return isWord(message) ? `${message} (${code})` : code;
};

async function askRefund(api: TBankApi, { ref, orderId }: RefundOrder, signal: AbortSignal): Promise<RefundState> {
  const state = await api.call('GetQrState', { PaymentId: ref.id }, REFUND_STATE, signal);
  if (String(state.OrderId) !== orderId) {
    throw new BankError('contradiction', 'the bank told the refund of another order');
  }
  return state;
}

/** Sends a refund that the bank has not heard of. */
async function send(api: TBankApi, { ref, amount }: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  try {
    const body = { PaymentId: ref.id, Amount: amount };
    const { PaymentId: id, Status: state } = await api.call('Cancel', body, REFUND, signal);
    if (String(id) !== ref.id) throw new BankError('contradiction', 'the bank told the refund of another payment');
    return isWhollyBack(state) || isPartlyBack(state) ? DONE : PENDING;
  } catch (error) {
    if (error instanceof BankError && error.code === 'refused') return refused(bankMessage(error));
    throw error;
  }
}

/** Looks for a refund whose answer was lost, and sends it again only where it cannot have been made. */
async function repeat(api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  const { Status: state } = await api.state(order.ref.id, signal);
  if (isGoingBack(state)) return PENDING;
  if (isWhollyBack(state) && isLast(order)) return DONE;
  // with another refund before it, or after it, no state tells whose money has gone back
  if (order.refundedBefore > 0 || !(isPaidWhole(state) || isPartlyBack(state))) throw unknowable();
  const told = await unlessRefused(askRefund(api, order, signal)); // refused where there was none
  if (isPartlyBack(state)) {
    if (kopecksOf(told?.Amount) === order.amount && !isLast(order)) return DONE;
    throw unknowable();
  }
  const refusal = told === null ? null : refusalOf(told);
  return refusal === null ? send(api, order, signal) : refused(refusal);
}

export const refund = (api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> =>
  order.isRepeated ? repeat(api, order, signal) : send(api, order, signal);

/** What has become of a refund that the bank has taken. */
export async function refundStatus(api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  const told = await askRefund(api, order, signal);
  const { Status: state } = told;
  if (isWhollyBack(state)) return DONE;
  const isAsBefore = order.refundedBefore === 0 ? isPaidWhole(state) : isPartlyBack(state);
  const refusal = isAsBefore ? refusalOf(told) : null;
  if (refusal !== null) return refused(refusal);
  return isPartlyBack(state) && !isLast(order) ? DONE : PENDING;
}
