/**
 * Sber's present gateway (`/ecomm/gw/partner/api/v1`): the RBS gateway's calls as JSON. The code comes with the
 * registration; there are no calls about codes. Source: the bank's OpenAPI in public clients, its paper on SBP.
 *
 * A refund there has neither an id of ours nor the sum that should be left. So it is sent once, and only where the bank's
 * refunded sum is that of this device. Whether a refund whose answer was lost was made, only that sum shows, or a person.
 */
import { Type } from 'typebox';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { beginning } from '../../../drivers/lib/text.ts';
import { BankId, maybe } from '../answer-fields.ts';
import type { OnlineBank } from '../bank.ts';
import { outcomeAfter } from '../bank-calls.ts';
import { BankError, bankMessage, isRefused } from '../bank-error.ts';
import type { BankRef, BankReport, CancelOutcome, Order, Registering } from '../bank-payment.ts';
import { REFUND_DONE, type RefundOrder, type RefundReport, refusedRefund } from '../bank-refund.ts';
import { DONE_ANSWER, reportsDone } from './rbs-api.ts';
import { type GatewayOptions, RbsGateway, unknownRefund } from './rbs-gateway.ts';
import { refundedOf, reportOf } from './rbs-states.ts';

/** Longest description that the bank advises, in characters. */
const MOST_DESCRIBED = 99;
/** Asks for a code of SBP for one payment. */
const SBP_CODE = { qrType: 'DYNAMIC_QR_SBP', 'sbp.scenario': 'C2B' };

const REGISTRATION = {
  shape: Type.Object({
    orderId: BankId,
    externalParams: maybe(Type.Object({ sbpPayload: maybe(Type.String()), qrcId: maybe(BankId) })),
  }),
  otherwise: 'the bank registered an order without a usable orderId',
};

export class SberPartner extends RbsGateway implements OnlineBank {
  constructor(options: Omit<GatewayOptions, 'isJson'>) {
    super({ ...options, isJson: true });
  }

  async begin(order: Order, signal: AbortSignal): Promise<Registering> {
    const { purpose } = order;
    const description = purpose === null ? null : beginning(purpose, MOST_DESCRIBED);
    const form = { ...this.registration({ ...order, purpose: description }), jsonParams: SBP_CODE };
    const registered = await this.api.call({ path: 'register.do', form }, REGISTRATION, signal);
    const { sbpPayload: payload, qrcId: linkId } = registered.externalParams ?? {};
    if (payload == null)
      throw new BankError('refused', 'the bank registered an order without a code of SBP: ask it to switch SBP on');
    return { ref: { id: registered.orderId }, code: { payload, linkId: linkId ?? null } };
  }

  async status({ id }: BankRef, signal: AbortSignal): Promise<BankReport> {
    const report = reportOf(await this.api.orderOf(id, signal));
    return { ...report, ids: report.ids.length === 0 ? [id] : report.ids };
  }

  /** Declines the order. Only its state says whether it can still be paid: nothing is published of its code. */
  readonly cancel = (ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> =>
    this.cancelled(ref, signal, async () => {
      const form = { orderId: ref.id, ...this.api.merchant };
      await this.api.call({ path: 'decline.do', form }, DONE_ANSWER, signal);
      return false;
    });

  readonly refund = async (order: RefundOrder, signal: AbortSignal): Promise<RefundReport> => {
    const { ref, amount, refundedBefore, isRepeated } = order;
    const back = (): Promise<number | null> => this.#refunded(ref, signal);
    const before = await back();
    if (isRepeated) {
      if (before === refundedBefore + amount) return REFUND_DONE;
      throw unknownRefund('an answer about it was lost, and the refunded sum of the payment does not decide it');
    }
    if (before !== refundedBefore) return refusedRefund(otherSum(before, refundedBefore));
    let answer = 'it answers without saying that it is done';
    try {
      const call = { path: 'refund.do', form: { orderId: ref.id, amount }, isOnce: true };
      if (reportsDone(await this.api.call(call, DONE_ANSWER, signal))) return REFUND_DONE;
    } catch (error) {
      if (!isRefused(error)) throw error;
      answer = bankMessage(error);
      if ((await outcomeAfter(back)) === refundedBefore) return refusedRefund(answer);
      throw unknownRefund(answer);
    }
    if ((await outcomeAfter(back)) === refundedBefore + amount) return REFUND_DONE;
    throw unknownRefund(answer);
  };

  async #refunded({ id }: BankRef, signal: AbortSignal): Promise<number | null> {
    return refundedOf(await this.api.orderOf(id, signal));
  }
}

/** @param back kopecks that have gone back by the bank @param known by this device */
const otherSum = (back: number | null, known: number): string =>
  back === null
    ? 'the bank does not say how much of the payment has gone back, so that a refund might be made twice'
    : `by the bank ${amountInWords(back)} of the payment have gone back, by this device ${amountInWords(known)}: look in the account at the bank`;
