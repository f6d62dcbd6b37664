/** Gazprombank (SBPGate). It takes no order id of the shop: a repeated registration is another code. */
import { Type } from 'typebox';
import { NOBODYS_CODE } from '../adapter.ts';
import { BankId, idIn, reported } from '../answer-fields.ts';
import type { OnlineBank } from '../bank.ts';
import { nullWhere, outcomeOf } from '../bank-calls.ts';
import { BankError, isRefused } from '../bank-error.ts';
import {
  type BankRef,
  type BankReport,
  type BankVerdict,
  type CancelOutcome,
  type Order,
  type Registering,
  UNREPORTED,
} from '../bank-payment.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import { type LinkRule, linkRuleOf } from '../payment-link.ts';
import { kopecksOf } from '../roubles.ts';
import { ONE_PAYMENT } from '../sbp-link.ts';
import { GazprombankClient, type GazprombankClientOptions } from './gazprombank-client.ts';
import { GazprombankRefunds } from './gazprombank-refunds.ts';

export interface GazprombankOptions extends GazprombankClientOptions {
  readonly account: string;
  readonly merchantId: string;
}

/** Test contour of the bank. Source: the till of Crystals. */
export const GAZPROMBANK_TEST_HOSTS = /^195\.225\.38\.125$/;

const Registration = Type.Object({
  code: Type.Literal('000'),
  data: Type.Object({ qrcId: BankId, payload: Type.String() }),
});
const REGISTRATION = {
  shape: Registration,
  otherwise: 'the bank registered a payment without a usable qrcId and payload',
};

const Blocked = Type.Object({ code: Type.Literal('000') });
const BLOCKED = { shape: Blocked, otherwise: 'the bank did not say that the code is blocked' };

const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  ['NOT_STARTED', 'pending'],
  ['RECEIVED', 'processing'],
  ['IN_PROGRESS', 'processing'],
  ['ACCEPTED', 'accepted'],
  ['REJECTED', 'rejected'],
]);

export class GazprombankBank implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly #client: GazprombankClient;
  readonly #refunds: GazprombankRefunds;
  readonly #merchant: { readonly account: string; readonly merchantId: string };

  constructor({ account, merchantId, ...client }: GazprombankOptions) {
    this.address = client.baseUrl;
    this.linkRule = linkRuleOf(client.baseUrl, GAZPROMBANK_TEST_HOSTS);
    this.#merchant = { account, merchantId };
    this.#client = new GazprombankClient(client);
    this.#refunds = new GazprombankRefunds(this.#client);
  }

  async begin({ amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const body = {
      ...this.#merchant,
      templateVersion: '01',
      qrcType: ONE_PAYMENT,
      amount: String(amount),
      currency: 'RUB',
      ...(purpose !== null && { paymentPurpose: purpose }),
      qrTtl: String(ttl),
    };
    const call = { method: 'POST', path: '/merchant/qrc-data', body } as const;
    const { qrcId, payload } = (await this.#client.call(call, REGISTRATION, signal)).data;
    return { ref: { id: qrcId }, code: { payload, linkId: qrcId } };
  }

  /**
   * Reads the state. The bank repeats no order, and mostly no amount: then only the id of the code can be compared.
   * @throws {BankError}
   */
  async status({ id }: BankRef, signal: AbortSignal): Promise<BankReport> {
    const states = await this.#client.states(id, signal);
    const [state] = states;
    if (state?.status == null && state?.qrcId === id) throw this.#client.unknownCode(state);
    for (const each of states) this.#client.requireGood(each);
    if (states.some(({ status, trxId }) => status !== state?.status || idIn(trxId) !== idIn(state?.trxId)))
      throw new BankError('contradiction', 'the bank returned two states of one code');
    return {
      ...UNREPORTED,
      verdict: VERDICTS.get(state?.status ?? '') ?? 'processing',
      ids: states.map(({ qrcId }) => qrcId),
      amounts: states.flatMap(({ amount }) => reported(amount)).map(kopecksOf),
      currencies: states.flatMap(({ currency }) => reported(currency)).map(String),
      trxId: idIn(state?.trxId),
    };
  }

  /** Cancels a code. Any code but success leaves open whether it can still be paid. @throws {BankError} */
  async cancel(ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> {
    const call = { method: 'POST', path: '/merchant/qrc-block', body: { qrcId: ref.id } } as const;
    if ((await nullWhere(isRefused, this.#client.call(call, BLOCKED, signal))) !== null) return 'withdrawn';
    const outcome = outcomeOf(await this.status(ref, signal), ref);
    return outcome === 'already-paid' ? outcome : 'not-possible';
  }

  async refund(refund: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    if (refund.bankRefundId !== null) return this.refundStatus(refund, signal);
    const trxId = refund.trxId ?? (await this.status(refund.ref, signal)).trxId;
    if (trxId === null)
      throw new BankError('refused', 'the bank has reported no transaction of the payment to be refunded');
    return this.#refunds.refund(refund, trxId, signal);
  }

  async refundStatus({ bankRefundId }: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    if (bankRefundId === null) throw new BankError('refused', 'the refund has not been prepared at the bank');
    return this.#refunds.confirmIfDraft(bankRefundId, signal);
  }

  /** Looks for a refund by the bank's id; without the id the bank cannot be asked. @throws {BankError} */
  async findRefund({ bankRefundId }: RefundOrder, signal: AbortSignal): Promise<RefundReport | 'unreported' | null> {
    return bankRefundId === null ? 'unreported' : this.#refunds.find(bankRefundId, signal);
  }

  /** Asks for the state of a code that does not exist: the error comes inside a success. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    await this.#client.states(NOBODYS_CODE, signal);
  };

  async close(): Promise<void> {
    this.#client.close();
  }
}
