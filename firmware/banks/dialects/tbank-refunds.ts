/**
 * Refunds at T-Bank: `Cancel` with an amount. The bank takes a repeated call for another refund (its
 * `ExternalRequestId` does not work for SBP payments). A refund whose answer was lost may still be under way while the
 * payment reads as before. So only a refund of the whole payment is ever sent again: the bank refuses the second.
 */
import { Type } from 'typebox';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { OptionalValue } from '../answer-fields.ts';
import { nullWhere } from '../bank-calls.ts';
import { BankError, bankMessage, isRefused } from '../bank-error.ts';
import { REFUND_DONE, type RefundOrder, type RefundReport, refusedRefund } from '../bank-refund.ts';
import { kopecksOf } from '../roubles.ts';
import { isGoingBack, isPaidWhole, isPartlyBack, isWhollyBack, PaymentId, type TBankApi } from './tbank-api.ts';

const REFUND = {
  shape: Type.Object({ PaymentId, Status: Type.String(), NewAmount: OptionalValue }),
  otherwise: 'the bank took a refund without reporting its outcome',
};
const REFUND_STATE = {
  shape: Type.Object({
    Status: Type.String(),
    OrderId: Type.Unknown(),
    Amount: OptionalValue,
    QrCancelCode: OptionalValue,
    QrCancelMessage: OptionalValue,
  }),
  otherwise: 'the bank returned no state of the refund',
};
type RefundAnswer = Type.Static<typeof REFUND.shape>;
type RefundState = Type.Static<typeof REFUND_STATE.shape>;

const PENDING: RefundReport = { state: 'pending', bankRefundId: null, reason: null };

/** Whether the whole payment has gone back once this refund is done. */
const isLast = ({ refundedBefore, amount, paid }: RefundOrder): boolean => refundedBefore + amount === paid;

const unknownRefund = (): BankError =>
  new BankError(
    'unreachable',
    'the answer to this refund was lost, and the bank does not report whether it was made; it is not sent again: look it up in the account at the bank',
  );

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

const isWord = (value: unknown): value is string => typeof value === 'string' && value !== '' && value !== '0';

/** Why the payment system has refused a refund; null where it has not. */
const refusalOf = ({ QrCancelCode: code, QrCancelMessage: message }: RefundState): string | null => {
  if (!isWord(code)) return null;
  return isWord(message) ? `${message} (${code})` : code;
};

async function askRefund(api: TBankApi, { ref, orderId }: RefundOrder, signal: AbortSignal): Promise<RefundState> {
  const state = await api.call('GetQrState', { PaymentId: ref.id }, REFUND_STATE, signal);
  if (String(state.OrderId) !== orderId) {
    throw new BankError('contradiction', 'the bank returned the refund of another order');
  }
  return state;
}

/** The report in the bank's answer to a refund. @throws {BankError} `contradiction` where another amount went back */
function reportOf({ Status: state, NewAmount }: RefundAnswer, order: RefundOrder): RefundReport {
  const isBack = isWhollyBack(state) || isPartlyBack(state);
  const before = order.paid - order.refundedBefore;
  const left = isBack ? [before - order.amount] : [before - order.amount, before];
  const isSaid = !isPresent(NewAmount) || left.includes(kopecksOf(NewAmount));
  if (!isSaid || (isBack && isWhollyBack(state) !== isLast(order))) {
    const rest = isPresent(NewAmount) ? `, with ${amountInWords(kopecksOf(NewAmount))} left` : '';
    throw new BankError(
      'contradiction',
      `the bank calls the payment ${state}${rest}, after a refund of ${amountInWords(order.amount)}`,
    );
  }
  return isBack ? REFUND_DONE : PENDING;
}

async function send(api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  const body = { PaymentId: order.ref.id, Amount: order.amount };
  const answer = await api.call('Cancel', body, REFUND, signal);
  if (String(answer.PaymentId) !== order.ref.id) {
    throw new BankError('contradiction', 'the bank returned the refund of another payment');
  }
  return reportOf(answer, order);
}

const MADE_ELSEWHERE =
  'money of this payment has gone back, or is on its way, by no refund of this device: look in the account at the bank what has gone back, and refund the rest there';

/** Whether money goes back that no refund of the ledger explains. Equal sums do not show whose refund it is. */
async function isElsewhere(api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<boolean> {
  const { Status: state } = await api.state(order.ref.id, signal);
  if (isGoingBack(state)) return true; // our refunds have ended, and no other was asked for
  if (order.refundedBefore === 0) return isPartlyBack(state) || isWhollyBack(state);
  if (!isPartlyBack(state)) return isWhollyBack(state) && order.refundedBefore < order.paid;
  const last = (await nullWhere(isRefused, askRefund(api, order, signal)))?.Amount;
  return isPresent(last) && !order.earlierAmounts.includes(kopecksOf(last));
}

/** Why a refund must not be sent for the first time; null where it may. */
async function obstacleTo(api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<string | null> {
  try {
    return (await isElsewhere(api, order, signal)) ? MADE_ELSEWHERE : null;
  } catch (error) {
    if (!(error instanceof BankError) || error.code === 'refused') throw error;
    return `nothing was sent, as the bank does not report what has gone back before: ${bankMessage(error)}`;
  }
}

/** The consent for refunds in the settings of the digital rouble account. Source: the bank's page of digital roubles, which gives no code of the refusal. */
const CONSENT =
  'if it was paid in digital roubles, the shop may lack the consent (согласие) «Возвраты по операциям с физлицами»: give it in the settings of the digital rouble account, then refund again';

/**
 * Whether the consent may be missing. The bank's word for digital roubles is not published: it is among the unknown
 * ones.
 */
const mayNeedConsent = ({ paidBy }: RefundOrder): boolean =>
  paidBy?.method === 'digital-rouble' || paidBy?.method === 'unknown';

const refused = (order: RefundOrder, words: string): RefundReport =>
  refusedRefund(mayNeedConsent(order) ? `${words}; ${CONSENT}` : words);

async function sendFirst(api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  const obstacle = await obstacleTo(api, order, signal);
  if (obstacle !== null) return refusedRefund(obstacle);
  try {
    return await send(api, order, signal);
  } catch (error) {
    if (isRefused(error)) return refused(order, bankMessage(error));
    throw error;
  }
}

/** Looks for a refund whose answer was lost. A refusal in `GetQrState` may be about an earlier refund: it decides nothing. */
async function repeat(api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  const { Status: state } = await api.state(order.ref.id, signal);
  if (isGoingBack(state)) return PENDING;
  if (isWhollyBack(state) && isLast(order)) return REFUND_DONE;
  // with another refund before or after it, the state does not show which one was made
  if (order.refundedBefore > 0) throw unknownRefund();
  if (isPaidWhole(state) && isLast(order)) return send(api, order, signal);
  if (!isPartlyBack(state)) throw unknownRefund();
  const found = await nullWhere(isRefused, askRefund(api, order, signal)); // the bank refuses where there was none
  if (kopecksOf(found?.Amount) === order.amount && !isLast(order)) return REFUND_DONE;
  throw unknownRefund();
}

export const refund = (api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> =>
  order.isRepeated ? repeat(api, order, signal) : sendFirst(api, order, signal);

const ofAnother = (what: string): BankError =>
  new BankError(
    'unreachable',
    `${what} of this payment; if that stays so, look up in the account at the bank what became of this one`,
  );

/**
 * The outcome of a refund that the bank has taken. For a while its report may be about an earlier refund of the
 * payment.
 * @throws {BankError} `unreachable` where the report is about another refund, or may be
 */
export async function refundStatus(api: TBankApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  const { amount, refundedBefore, refusedAmounts = [] } = order;
  const answer = await askRefund(api, order, signal);
  const { Status: state, Amount } = answer;
  if (isWhollyBack(state)) return REFUND_DONE;
  const isAsBefore = refundedBefore === 0 ? isPaidWhole(state) : isPartlyBack(state);
  const isOther = isPresent(Amount) && kopecksOf(Amount) !== amount;
  if (isAsBefore && isOther) throw ofAnother('the bank still reports an earlier refund');
  if (isPartlyBack(state) && isOther) throw ofAnother('the bank reports another refund');
  const refusal = isAsBefore ? refusalOf(answer) : null;
  if (refusal === null) return isPartlyBack(state) && !isLast(order) ? REFUND_DONE : PENDING;
  const isClear = !refusedAmounts.some((each) => !isPresent(Amount) || each === amount);
  if (!isClear) throw ofAnother(`the bank reports a refusal (${refusal}) that may be of an earlier refund`);
  return refused(order, refusal);
}
