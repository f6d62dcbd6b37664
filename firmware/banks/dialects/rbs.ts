/**
 * The RBS gateway (BPC), which several banks run under hosts of their own. Source: public clients, one of them generated from
 * the swagger of a bank; the bank's description of SBP. `register.do` makes an order, `sbp/c2b/qr/dynamic/get.do` its code.
 */
import { Type } from 'typebox';
import { BankId, OptionalValue } from '../answer-fields.ts';
import {
  BankError,
  type BankRef,
  type BankReport,
  bankMessage,
  type CancelOutcome,
  isRefused,
  type OnlineBank,
  type Order,
  REFUND_DONE,
  type RefundOrder,
  type RefundReport,
  type Registering,
  refusedRefund,
} from '../bank.ts';
import { outcomeAfter } from '../bank-calls.ts';
import { DONE_ANSWER, type Form, type OrderState, type RbsApi, reportsDone, UNKNOWN_ORDER } from './rbs-api.ts';
import { type GatewayOptions, RbsGateway, unknowable } from './rbs-gateway.ts';
import { agreed, qrVerdictOf, refundedOf, reportOf } from './rbs-states.ts';

// Refunds. The gateway makes one for each `externalRefundId`, and only where as much is left as the call says. Neither is
// reliable: a refund that the gateway may have got is first looked for among the order's refunds.

/** Whether the gateway lists the refunds of the order: a refund missing from the list was not made by us. */
const isListing = ({ refunds = [] }: OrderState): boolean => refunds.length > 0;

/** Whether the list has a refund. One that was made in the account at the bank lacks our id. */
const isListed = ({ refunds = [] }: OrderState, { refundId }: RefundOrder): boolean =>
  refunds.some(({ externalRefundId: id }) => id !== undefined && id !== null && String(id) === refundId);

/** Kopecks that went back beyond this refund and those before it; below 0 while this one has not. */
const beyond = (state: OrderState, { amount, refundedBefore }: RefundOrder): number =>
  (refundedOf(state) ?? 0) - refundedBefore - amount;

/** Whether a refund is listed, and at least as much has gone back. */
const isListedDone = (state: OrderState, order: RefundOrder): boolean =>
  isListed(state, order) && beyond(state, order) >= 0;

/** Whether a repeated refund is done: listed, or, where nothing is listed, exactly as much has gone back. */
const isDone = (state: OrderState, order: RefundOrder): boolean =>
  isListing(state) ? isListedDone(state, order) : beyond(state, order) === 0;

/** Whether the refund has certainly not been made, and is not under way. */
const isAbsent = (state: OrderState, order: RefundOrder): boolean =>
  refundedOf(state) === order.refundedBefore && !isListed(state, order);

/**
 * The outcome of a refund that the gateway may have made. Where the money has not gone back yet, it is unknown.
 * @param detail the answer to this call
 */
async function lookedUp(api: RbsApi, order: RefundOrder, detail: string, signal: AbortSignal): Promise<RefundReport> {
  if (isDone(await outcomeAfter(() => api.orderOf(order.ref.id, signal)), order)) return REFUND_DONE;
  throw unknowable(detail);
}

/**
 * The outcome after the gateway refuses a first call: where the ledger was put back to an older state, an earlier call
 * with the same id may have made it. Then it is listed: an equal sum alone may be a refund made elsewhere.
 */
async function refused(api: RbsApi, order: RefundOrder, detail: string, signal: AbortSignal): Promise<RefundReport> {
  const state = await outcomeAfter(() => api.orderOf(order.ref.id, signal));
  if (isListedDone(state, order)) return REFUND_DONE;
  if (isListed(state, order)) throw unknowable(`it has a refund of this id, and refuses it now: ${detail}`);
  return refusedRefund(detail);
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
    if (reportsDone(answer)) return REFUND_DONE;
  } catch (error) {
    if (!isRefused(error)) throw error;
    const detail = bankMessage(error);
    // an earlier call, whose answer was lost, may have made it
    if (isRepeated) return lookedUp(api, order, `it refuses it now: ${detail}`, signal);
    return error.bankCode === UNKNOWN_ORDER ? refusedRefund(detail) : refused(api, order, detail, signal);
  }
  return lookedUp(api, order, 'it answers without saying that it is done', signal);
}

/** Makes a refund. @throws {BankError} where the look-up gives no sure answer: nothing is sent then */
async function refund(api: RbsApi, order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
  if (!order.isRepeated) return send(api, order, signal);
  const state = await api.orderOf(order.ref.id, signal);
  if (isDone(state, order)) return REFUND_DONE;
  if (isAbsent(state, order)) return send(api, order, signal);
  throw unknowable(
    'an answer about it was lost, and the refunded sum of the payment is not reported, or does not decide it',
  );
}

/** A refund in the gateway's list; null where the list lacks it. @throws {BankError} */
async function findRefund(
  api: RbsApi,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundReport | 'unreported' | null> {
  const state = await api.orderOf(order.ref.id, signal);
  if (isListedDone(state, order)) return REFUND_DONE;
  return isListing(state) && !isListed(state, order) ? null : 'unreported';
}

export interface RbsOptions extends GatewayOptions {
  /** The payee of a code, where the login has several. */
  readonly payee?: Form;
}

const REGISTRATION = {
  shape: Type.Object({ orderId: BankId }),
  otherwise: 'the bank registered an order without a usable orderId',
};
/** State of a new code. */
const OPEN = 'STARTED';
const CODE = {
  shape: Type.Object({ qrId: BankId, payload: Type.String(), qrStatus: OptionalValue }),
  otherwise: 'the bank gave no usable code',
};
const QR_STATE = {
  shape: Type.Object({ qrStatus: OptionalValue, status: OptionalValue, transactionState: OptionalValue }),
  otherwise: 'the bank returned no state of the code',
};

export class Rbs extends RbsGateway implements OnlineBank {
  readonly #payee: Form;

  constructor({ payee = {}, ...options }: RbsOptions) {
    super(options);
    this.#payee = payee;
  }

  async begin(order: Order, signal: AbortSignal): Promise<Registering> {
    const call = { path: 'register.do', form: this.registration(order) };
    const { orderId: id } = await this.api.call(call, REGISTRATION, signal);
    return { ref: { id }, code: null };
  }

  readonly code = async ({ id }: BankRef, { purpose }: Order, signal: AbortSignal): Promise<Registering> => {
    const form = { mdOrder: id, ...(purpose !== null && { paymentPurpose: purpose }), ...this.#payee };
    const call = { path: 'sbp/c2b/qr/dynamic/get.do', form };
    const { qrId, payload, qrStatus } = await this.api.call(call, CODE, signal);
    if ((qrStatus ?? OPEN) !== OPEN) throw new BankError('contradiction', 'the bank gave a code that is not open');
    // the gateway's id of the code is not the payment system's
    return { ref: { id, qrId }, code: { payload, linkId: null } };
  };

  /** Reads the state. The order is always read: a code may still be open, or unknown, when it has been paid. */
  async status(ref: BankRef, signal: AbortSignal): Promise<BankReport> {
    const code = await this.#qrVerdict(ref, signal);
    const report = reportOf(await this.api.orderOf(ref.id, signal));
    const verdict = code === null ? report.verdict : agreed(code, report.verdict);
    if (verdict === null) throw new BankError('contradiction', 'the bank calls the code paid and its order not');
    // some gateways do not return their id: then our number, which every order has, identifies it
    return { ...report, verdict, ids: report.ids.length === 0 ? [ref.id] : report.ids };
  }

  /** Cancels the code; where the gateway cannot, its order. */
  readonly cancel = (ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> =>
    this.cancelled(ref, signal, () => this.#withdraw(ref, signal));

  readonly refund = (order: RefundOrder, signal: AbortSignal): Promise<RefundReport> => refund(this.api, order, signal);

  readonly findRefund = (order: RefundOrder, signal: AbortSignal): Promise<RefundReport | 'unreported' | null> =>
    findRefund(this.api, order, signal);

  /** The state of the code; null for an order without one. */
  async #qrVerdict({ id, qrId }: BankRef, signal: AbortSignal): Promise<ReturnType<typeof qrVerdictOf> | null> {
    if (qrId === undefined) return null;
    const form = { mdOrder: id, qrId };
    const { qrStatus, status, transactionState } = await this.api.callEither(
      { path: 'sbp/c2b/qr/status.do', form },
      { path: 'sbp/c2b/qr/dynamic/status.do', form },
      QR_STATE,
      signal,
    );
    const state = qrStatus ?? status;
    if (state === undefined && transactionState === undefined) throw new BankError('contradiction', QR_STATE.otherwise);
    return qrVerdictOf(state, transactionState);
  }

  async #withdraw({ id, qrId }: BankRef, signal: AbortSignal): Promise<boolean> {
    const decline = { path: 'decline.do', form: { orderId: id, ...this.api.merchant } };
    const reject = { path: 'sbp/c2b/qr/dynamic/reject.do', form: { mdOrder: id, qrId: qrId ?? '' } };
    const answer =
      qrId === undefined
        ? await this.api.call(decline, DONE_ANSWER, signal)
        : await this.api.callEither(reject, decline, DONE_ANSWER, signal);
    const { rejected } = answer; // only in the answer about a code
    if (rejected === undefined || rejected === null) return reportsDone(answer);
    return rejected === true || rejected === 'true';
  }
}
