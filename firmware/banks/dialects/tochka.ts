/**
 * Tochka: universal codes for one payment, by SBP or in digital roubles. A code has no state of its own: the bank lists
 * its payments. It cannot be cancelled. Source: as `tochka-client.ts`.
 */
import { type Static, Type } from 'typebox';
import { NOBODYS_CODE } from '../adapter.ts';
import { BankId, OptionalValue, reported } from '../answer-fields.ts';
import type { FoundPayment, OnlineBank } from '../bank.ts';
import { nullWhere, outcomeOf } from '../bank-calls.ts';
import { BankError } from '../bank-error.ts';
import type { BankRef, BankReport, CancelOutcome, Order, Registering, SoughtOrder } from '../bank-payment.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import type { PaymentMethod } from '../method.ts';
import { type LinkRule, linkRuleOf } from '../payment-link.ts';
import { checkSbpLink } from '../sbp-link.ts';
import {
  isInvalid,
  isNoPayment,
  isNotFound,
  isPaid,
  moneyOf,
  operationIdOf,
  PAYMENTS,
  type Payment,
  reportOf,
  type TochkaClient,
} from './tochka-client.ts';
import { TochkaRefunds } from './tochka-refunds.ts';

/** The bank takes a purpose of Latin and Russian letters without ё, digits, the signs of ASCII and №. Others become these. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/ё/g, 'е'],
  [/Ё/g, 'Е'],
  [/[«»„“”]/g, '"'],
  [/[‘’]/g, "'"],
  [/[‐‑‒–—−]/g, '-'],
  [/\s/g, ' '],
];
const NOT_TAKEN = /[^\x20-\x7eА-Яа-я№]/gu;

/** The purpose in the bank's characters; null where nothing is left. */
export function tochkaPurpose(purpose: string | null): string | null {
  const written = INSTEAD.reduce(
    (text, [sign, other]) => text.replaceAll(sign, other),
    purpose?.normalize('NFC') ?? '',
  );
  const text = written.replaceAll(NOT_TAKEN, '').trim();
  return text === '' ? null : text;
}

/** Matches no host: test sites have the same address. */
const NO_TEST_HOSTS = /(?!)/;

/** Which links the bank may give. @param baseUrl where it is asked */
export function tochkaLinks(baseUrl: string, isTest: boolean): LinkRule {
  const rule = linkRuleOf(baseUrl, NO_TEST_HOSTS);
  return isTest && rule === 'nspk' ? 'nspk-test' : rule;
}

const Code = Type.Object({
  qrcId: BankId,
  payload: Type.String(),
  merchantQrcId: OptionalValue,
  isTest: OptionalValue,
});
type Code = Static<typeof Code>;
const CODE = {
  shape: Type.Object({ Data: Code }),
  otherwise: 'the bank returned no code with a usable qrcId and payload',
};

/** The bank's names of the methods that a code offers. */
const OFFERED: Readonly<Partial<Record<PaymentMethod, string>>> = { sbp: 'SBP', 'digital-rouble': 'DIGITAL_RUBLE' };

const codePath = (id: string, type: 'NSPK' | 'MERCHANT'): string =>
  `/sbp/qrc/${encodeURIComponent(id)}?qrcIdType=${type}`;

export class TochkaBank implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly #client: TochkaClient;
  readonly #refunds: TochkaRefunds;
  readonly #offered: readonly (string | undefined)[] | null;
  readonly #isTest: boolean;

  /**
   * @param methods the methods that a code offers; null: the bank's default
   * @param isTest whether the site is one of the bank's tests
   */
  constructor(
    client: TochkaClient,
    linkRule: LinkRule,
    methods: readonly PaymentMethod[] | null = null,
    isTest = false,
  ) {
    this.address = client.address;
    this.linkRule = linkRule;
    this.#client = client;
    this.#refunds = new TochkaRefunds(this.#client, (order, signal) => this.#paidUid(order, signal));
    this.#offered = methods?.map((method) => OFFERED[method]) ?? null;
    this.#isTest = isTest;
  }

  async begin({ orderId, amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const paymentPurpose = tochkaPurpose(purpose);
    const data = {
      qrcType: 'DYNAMIC',
      amount: moneyOf(amount),
      merchantQrcId: orderId,
      ttl,
      ...(paymentPurpose !== null && { paymentPurpose }),
      ...(this.#offered !== null && { paymentMethods: this.#offered }),
    };
    const { Data } = await this.#client.post('/sbp/qrc', data, CODE, signal);
    return this.#registering(Data, orderId);
  }

  async code({ id }: BankRef, { orderId }: Order, signal: AbortSignal): Promise<Registering> {
    const { Data } = await this.#client.get(codePath(id, 'NSPK'), CODE, signal);
    if (Data.qrcId !== id) throw new BankError('contradiction', 'the bank returned another code');
    return this.#registering(Data, orderId);
  }

  /** Finds a code by our id. The amount of an unpaid code stands only in its link. @throws {BankError} */
  async find({ orderId }: SoughtOrder, signal: AbortSignal): Promise<FoundPayment | null> {
    const code = await this.#known(orderId, signal);
    if (code === null) return null;
    const { ref } = this.#registering(code, orderId);
    const report = await this.status(ref, signal);
    const link = checkSbpLink(code.payload);
    const isNamed = report.amounts.length > 0 || link.kind !== 'sbp' || link.sum === null;
    return { ref, report: isNamed ? report : { ...report, amounts: [link.sum], orderIds: [orderId] } };
  }

  async status(ref: BankRef, signal: AbortSignal): Promise<BankReport> {
    return reportOf(ref, await this.#payments(ref, signal));
  }

  /** A code for one payment cannot be taken back: the answer says whether it may still be paid. @throws {BankError} */
  async cancel(ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> {
    return outcomeOf(await this.status(ref, signal), ref);
  }

  refund(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    return this.#refunds.refund(order, signal);
  }

  refundStatus(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    return this.#refunds.status(order, signal);
  }

  findRefund(order: RefundOrder, signal: AbortSignal): Promise<RefundReport | null> {
    return this.#refunds.find(order, signal);
  }

  /** Asks for a code that does not exist. No source names the error for that: "not found" and "invalid" both are answers. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    const asked = this.#client.get(codePath(NOBODYS_CODE, 'NSPK'), CODE, signal);
    await nullWhere((error) => isNotFound(error) || isInvalid(error), asked);
  };

  async close(): Promise<void> {
    this.#client.close();
  }

  /** The code of our id; null where the bank has none. */
  async #known(orderId: string, signal: AbortSignal): Promise<Code | null> {
    const found = await nullWhere(isNotFound, this.#client.get(codePath(orderId, 'MERCHANT'), CODE, signal));
    return found?.Data ?? null;
  }

  async #payments({ id }: BankRef, signal: AbortSignal): Promise<Payment[]> {
    const path = `/sbp/qrc/${encodeURIComponent(id)}/payments?qrcIdType=NSPK`;
    const all: Payment[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      // no page says how the list of an unpaid code looks: empty, or an error
      const found = await nullWhere(isNoPayment, this.#client.get(`${path}&page=${page}`, PAYMENTS, signal));
      const { Data, Meta } = found ?? { Data: [], Meta: undefined };
      for (const { isTest } of Data) this.#requireOwnSite(isTest);
      all.push(...Data);
      pages = Meta?.totalPages ?? 1;
    }
    return all;
  }

  /**
   * The bank's id of the payment by a code. Of several it is the one in the ledger: a refund asked for at one payment,
   * and looked for at another, would be made twice.
   */
  async #paidUid({ ref, trxId }: RefundOrder, signal: AbortSignal): Promise<string> {
    const paid = (await this.#payments(ref, signal)).filter(isPaid);
    const [only, ...others] = paid;
    if (only === undefined) throw new BankError('contradiction', 'the bank has no payment by the code any more');
    if (others.length === 0) return only.paymentUid;
    const [wanted, ...alike] = paid.filter((each) => trxId !== null && operationIdOf(each) === trxId);
    if (wanted === undefined || alike.length > 0)
      throw new BankError('contradiction', 'the bank has several payments by the code, and the refund may be of any');
    return wanted.paymentUid;
  }

  /** @throws {BankError} `contradiction` */
  #registering({ qrcId, payload, merchantQrcId, isTest }: Code, orderId: string): Registering {
    this.#requireOwnSite(isTest);
    if (reported(merchantQrcId).some((id) => id !== orderId))
      throw new BankError('contradiction', 'the bank returned the code of another order');
    return { ref: { id: qrcId }, code: { payload, linkId: qrcId } };
  }

  /** @throws {BankError} `contradiction` */
  #requireOwnSite(isTest: unknown): void {
    if (isTest === undefined || isTest === null || isTest === this.#isTest) return;
    const words = this.#isTest
      ? 'the bank returned a payment of money for a site that the profile calls one of tests: leave out its mode'
      : 'the bank returned a test payment, without money, for a profile that takes money: this site is one of tests (mode)';
    throw new BankError('contradiction', words);
  }
}
