/**
 * Refunds at the RBS gateway. It makes one for each `externalRefundId`, and only where as much is left as the call says.
 * Neither is reliable: a refund that the gateway may have got is first looked for among the order's refunds.
 */
import { outcomeAfter } from '../bank-calls.ts';
import { bankMessage, isRefused } from '../bank-error.ts';
import { REFUND_DONE, type RefundOrder, type RefundReport, refusedRefund } from '../bank-refund.ts';
import { DONE_ANSWER, type OrderState, type RbsApi, reportsDone, UNKNOWN_ORDER } from './rbs-api.ts';
import { unknownRefund } from './rbs-gateway.ts';
import { refundedOf } from './rbs-states.ts';

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

export class RbsRefunds {
  readonly #api: RbsApi;

  constructor(api: RbsApi) {
    this.#api = api;
  }

  /** Makes a refund. @throws {BankError} where the look-up gives no sure answer: nothing is sent then */
  async refund(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    if (!order.isRepeated) return this.#send(order, signal);
    const state = await this.#api.orderOf(order.ref.id, signal);
    if (isDone(state, order)) return REFUND_DONE;
    if (isAbsent(state, order)) return this.#send(order, signal);
    throw unknownRefund(
      'an answer about it was lost, and the refunded sum of the payment is not reported, or does not decide it',
    );
  }

  /** A refund in the gateway's list; null where the list lacks it. @throws {BankError} */
  async find(order: RefundOrder, signal: AbortSignal): Promise<RefundReport | 'unreported' | null> {
    const state = await this.#api.orderOf(order.ref.id, signal);
    if (isListedDone(state, order)) return REFUND_DONE;
    return isListing(state) && !isListed(state, order) ? null : 'unreported';
  }

  async #send(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    const { ref, refundId, amount, paid, refundedBefore, isRepeated } = order;
    const form = {
      orderId: ref.id,
      amount: String(amount),
      externalRefundId: refundId,
      expectedDepositedAmount: String(paid - refundedBefore),
    };
    try {
      const answer = await this.#api.call({ path: 'refund.do', form, isOnce: true }, DONE_ANSWER, signal);
      if (reportsDone(answer)) return REFUND_DONE;
    } catch (error) {
      if (!isRefused(error)) throw error;
      const detail = bankMessage(error);
      // an earlier call, whose answer was lost, may have made it
      if (isRepeated) return this.#lookUp(order, `it refuses it now: ${detail}`, signal);
      return error.bankCode === UNKNOWN_ORDER ? refusedRefund(detail) : this.#refused(order, detail, signal);
    }
    return this.#lookUp(order, 'it answers without saying that it is done', signal);
  }

  /**
   * The outcome of a refund that the gateway may have made. Where the money has not gone back yet, it is unknown.
   * @param detail the answer to this call
   */
  async #lookUp(order: RefundOrder, detail: string, signal: AbortSignal): Promise<RefundReport> {
    if (isDone(await outcomeAfter(() => this.#api.orderOf(order.ref.id, signal)), order)) return REFUND_DONE;
    throw unknownRefund(detail);
  }

  /**
   * The outcome after the gateway refuses a first call: where the ledger was put back to an older state, an earlier call
   * with the same id may have made it. Then it is listed: an equal sum alone may be a refund made elsewhere.
   */
  async #refused(order: RefundOrder, detail: string, signal: AbortSignal): Promise<RefundReport> {
    const state = await outcomeAfter(() => this.#api.orderOf(order.ref.id, signal));
    if (isListedDone(state, order)) return REFUND_DONE;
    if (isListed(state, order)) throw unknownRefund(`it has a refund of this id, and refuses it now: ${detail}`);
    return refusedRefund(detail);
  }
}
