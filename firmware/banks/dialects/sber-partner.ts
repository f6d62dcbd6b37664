/**
 * Sber's present gateway (`/ecomm/gw/partner/api/v1`): the RBS gateway's calls as JSON. The code comes with the
 * registration; there are no calls about codes. Source: the bank's OpenAPI in public clients, its paper on SBP.
 *
 * It takes no id of a refund, and not what the caller expects to be left. So a refund is sent once, and only where as much has
 * gone back as this device knows; whether a lost one was made only the refunded sum says, or a person.
 */
import { Type } from 'typebox';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { beginning } from '../../../drivers/lib/text.ts';
import { NOBODYS_ORDER } from '../adapter.ts';
import {
  BankError,
  type BankRef,
  type BankReport,
  bankMessage,
  CANCEL_OUTCOMES,
  type CancelOutcome,
  type FoundPayment,
  isRefused,
  type OnlineBank,
  type Order,
  REFUND_DONE,
  type RefundOrder,
  type RefundReport,
  type Registering,
  refusedRefund,
  type SoughtOrder,
} from '../bank.ts';
import { lookAfter } from '../bank-calls.ts';
import { BankId, maybe } from '../http-answer.ts';
import { type LinkRule, linkRuleOf } from '../payment-link.ts';
import { RBS_TEST_HOSTS, type RbsOptions, unknowable } from './rbs.ts';
import { DONE_ANSWER, idsOf, RbsApi, saysDone } from './rbs-api.ts';
import { refundedOf, reportOf } from './rbs-states.ts';

const SECONDS_A_MINUTE = 60;
const ROUBLE = '643';
/** The bank advises no longer descriptions. */
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

export class SberPartner implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly #api: RbsApi;
  readonly #returnUrl: string;

  constructor(options: Omit<RbsOptions, 'payee' | 'isJson'>) {
    this.address = options.baseUrl;
    this.linkRule = linkRuleOf(options.baseUrl, RBS_TEST_HOSTS);
    this.#returnUrl = options.returnUrl;
    this.#api = new RbsApi({ ...options, isJson: true });
  }

  async begin({ orderId: orderNumber, amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const form = {
      orderNumber,
      amount,
      currency: ROUBLE,
      returnUrl: this.#returnUrl,
      sessionTimeoutSecs: Math.round(ttl * SECONDS_A_MINUTE),
      ...(purpose !== null && { description: beginning(purpose, MOST_DESCRIBED) }),
      jsonParams: SBP_CODE,
      ...this.#api.merchant,
    };
    const registered = await this.#api.call({ path: 'register.do', form }, REGISTRATION, signal);
    const { sbpPayload: payload, qrcId: linkId } = registered.externalParams ?? {};
    if (payload == null)
      throw new BankError('refused', 'the bank registered an order without a code of SBP: ask it to switch SBP on');
    return { ref: { id: registered.orderId }, code: { payload, linkId: linkId ?? null } };
  }

  /** Finds an order by our number. Its code is not given again: no customer has seen it. */
  readonly find = async ({ orderId: orderNumber }: SoughtOrder, signal: AbortSignal): Promise<FoundPayment | null> => {
    const order = await this.#api.order({ orderNumber }, signal);
    if (order === null) return null;
    const [id] = idsOf(order);
    if (id === undefined) throw new BankError('contradiction', 'the bank returned an order without its id (mdOrder)');
    return { ref: { id }, report: reportOf(order) };
  };

  async status({ id }: BankRef, signal: AbortSignal): Promise<BankReport> {
    const report = reportOf(await this.#api.orderOf(id, signal));
    return { ...report, ids: report.ids.length === 0 ? [id] : report.ids };
  }

  /** Declines the order. Only its state says whether it can still be paid: nothing is published of its code. */
  readonly cancel = async (ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> => {
    let failure: BankError | null = null;
    try {
      const form = { orderId: ref.id, ...this.#api.merchant };
      await this.#api.call({ path: 'decline.do', form }, DONE_ANSWER, signal);
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      failure = error;
    }
    const outcome = CANCEL_OUTCOMES[(await this.status(ref, signal)).verdict];
    if (outcome === 'not-possible' && failure !== null && failure.code !== 'refused') throw failure;
    return outcome;
  };

  readonly refund = async (order: RefundOrder, signal: AbortSignal): Promise<RefundReport> => {
    const { ref, amount, refundedBefore, isRepeated } = order;
    const back = (): Promise<number | null> => this.#refunded(ref, signal);
    const before = await back();
    if (isRepeated) {
      if (before === refundedBefore + amount) return REFUND_DONE;
      throw unknowable('an answer about it was lost, and the refunded sum of the payment does not decide it');
    }
    if (before !== refundedBefore) return refusedRefund(otherSum(before, refundedBefore));
    let said = 'it answers without saying that it is done';
    try {
      const call = { path: 'refund.do', form: { orderId: ref.id, amount }, isOnce: true };
      if (saysDone(await this.#api.call(call, DONE_ANSWER, signal))) return REFUND_DONE;
    } catch (error) {
      if (!isRefused(error)) throw error;
      said = bankMessage(error);
      if ((await lookAfter(back)) === refundedBefore) return refusedRefund(said);
      throw unknowable(said);
    }
    if ((await lookAfter(back)) === refundedBefore + amount) return REFUND_DONE;
    throw unknowable(said);
  };

  /** Asks for an order that does not exist: login and password are checked first. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    await this.#api.order({ orderNumber: NOBODYS_ORDER }, signal);
  };

  async close(): Promise<void> {
    this.#api.close();
  }

  async #refunded({ id }: BankRef, signal: AbortSignal): Promise<number | null> {
    return refundedOf(await this.#api.orderOf(id, signal));
  }
}

/** @param back kopecks that have gone back by the bank @param known by this device */
const otherSum = (back: number | null, known: number): string =>
  back === null
    ? 'the bank does not say how much of the payment has gone back, so that a refund might be made twice'
    : `by the bank ${amountInWords(back)} of the payment have gone back, by this device ${amountInWords(known)}: look in the account at the bank`;
