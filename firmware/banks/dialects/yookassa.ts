/**
 * YooKassa, payments by SBP. A code always lives for one hour and cannot be cancelled. Source:
 * yookassa.ru/developers and the bank's SDKs. They differ on whether a shop may ask for the code itself (`qr`) without the
 * bank's permission: where it may not, the bank's page is shown as a code (`redirect`).
 */
import { type Static, Type } from 'typebox';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import { NOBODYS_UUID } from '../adapter.ts';
import { BankId, finiteOf, idIn, maybe, OptionalValue, reported, timestampIn } from '../answer-fields.ts';
import type { OnlineBank } from '../bank.ts';
import { nullWhere, outcomeOf } from '../bank-calls.ts';
import type { BankAddress } from '../bank-client.ts';
import { BankError, isRefused } from '../bank-error.ts';
import {
  type BankCode,
  type BankRef,
  type BankReport,
  type BankVerdict,
  type CancelOutcome,
  type Order,
  type Registering,
  UNREPORTED,
} from '../bank-payment.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import { paidBy, payerOf } from '../method.ts';
import { type LinkRule, linkRuleOf } from '../payment-link.ts';
import { kopecksOfRoubles } from '../roubles.ts';
import {
  CancellationDetails,
  METHOD_WORDS,
  Money,
  moneyOf,
  YooKassaClient,
  YooKassaRefunds,
} from './yookassa-client.ts';

/** What the QR code leads to: the payment system's code, or the bank's page. */
export type Confirmation = 'qr' | 'redirect';

interface YooKassaOptions extends BankAddress {
  readonly shopId: string;
  readonly secretKey: string;
  readonly confirmation: Confirmation;
  readonly log?: ((message: string) => void) | undefined;
}

/** Where the bank's page sends the customer afterwards: required. */
const RETURN_URL = 'https://yookassa.ru/';
/** Hosts of the bank's pages. */
const OWN_HOSTS = /^([a-z0-9-]+\.)*(yoomoney|yookassa)\.ru$/;
/** Matches no host: a test shop has the same address. */
const NO_TEST_HOSTS = /(?!)/;

/** Whether the key belongs to a shop that takes no money. */
export const isTestKey = (secretKey: string): boolean => secretKey.startsWith('test_');

const Payment = Type.Object({
  id: BankId,
  status: Type.String(),
  paid: OptionalValue,
  test: OptionalValue,
  amount: Type.Optional(Money),
  confirmation: maybe(
    Type.Object({ confirmation_data: Type.Optional(Type.String()), confirmation_url: Type.Optional(Type.String()) }),
  ),
  cancellation_details: CancellationDetails,
  captured_at: OptionalValue,
  refunded_amount: maybe(Money),
  metadata: maybe(Type.Object({ order_id: OptionalValue })),
  payment_method: maybe(
    Type.Object({ type: OptionalValue, sbp_operation_id: OptionalValue, payer_bank_details: OptionalValue }),
  ),
});
type Payment = Static<typeof Payment>;
const REGISTRATION = { shape: Payment, otherwise: 'the bank registered a payment without a usable id' };
const STATE = { shape: Payment, otherwise: 'the bank returned no state of the payment' };

const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  ['pending', 'pending'],
  ['waiting_for_capture', 'processing'],
  ['succeeded', 'accepted'],
]);
/** Reasons of a payment's end before any payer tried, or by our cancellation. */
const UNTRIED: readonly string[] = ['expired_on_confirmation', 'canceled_by_merchant'];

function verdictOf({ status, cancellation_details: details }: Payment): BankVerdict {
  if (status !== 'canceled') return VERDICTS.get(status) ?? 'processing';
  return UNTRIED.includes(details?.reason ?? '') ? 'canceled' : 'rejected';
}

/** @param isTest whether the shop takes no money @throws {BankError} `contradiction` */
function requireConsistent(payment: Payment, isTest: boolean): void {
  if (payment.test !== undefined && payment.test !== isTest) {
    const [its, shop] = isTest
      ? ['a payment of money', 'takes none']
      : ['a test payment, without money,', 'takes money'];
    throw new BankError('contradiction', `the bank returned ${its} for a shop whose key says that it ${shop}`);
  }
  if (payment.status === 'succeeded' && payment.paid !== undefined && payment.paid !== true)
    throw new BankError('contradiction', 'the bank says that the payment has succeeded, and that it is not paid');
}

function reportOf(payment: Payment): BankReport {
  const { id, amount, captured_at: captured, refunded_amount: refunded, metadata, payment_method: method } = payment;
  const verdict = verdictOf(payment);
  const payerBank = method?.payer_bank_details;
  return {
    ...UNREPORTED,
    verdict,
    ids: [id],
    amounts: [kopecksOfRoubles(amount?.value)], // a missing amount is not believed: the bank always sends it
    currencies: amount === undefined ? [] : [String(amount.currency)],
    orderIds: reported(metadata?.order_id).map(String),
    trxId: idIn(method?.sbp_operation_id),
    paidAt: timestampIn(captured),
    payer: payerOf({ bank: memberOf(payerBank, 'bank_id') ?? memberOf(payerBank, 'bic') }),
    paidBy: verdict === 'accepted' ? paidBy(method?.type, METHOD_WORDS) : null,
    refunded: finiteOf(kopecksOfRoubles(refunded?.value)),
  };
}

/** Whether the bank refuses `qr`: it names that field to a shop without permission. */
const isAboutConfirmation = (error: unknown): error is BankError =>
  error instanceof BankError &&
  error.code === 'refused' &&
  (error.bankCode ?? '').startsWith('invalid_request') &&
  /confirmation/i.test(`${error.bankCode} ${error.message}`);

/** Whether an address, plainly written, is the bank's own; for a bank on this machine, an address of this machine. */
function isOwnPage(page: string, rule: LinkRule): boolean {
  const url = URL.parse(page);
  if (url === null || !page.startsWith(`${url.origin}/`)) return false;
  if (url.protocol === 'https:' && OWN_HOSTS.test(url.host)) return true;
  return rule === 'this-machine' && linkRuleOf(page, NO_TEST_HOSTS) === 'this-machine';
}

/** @param chosen the confirmation that was requested: another one is not shown */
function codeOf({ confirmation }: Payment, chosen: Confirmation, rule: LinkRule): BankCode {
  const { confirmation_data: data, confirmation_url: page } = confirmation ?? {};
  if (chosen === 'qr' && data !== undefined) return { payload: data, linkId: null };
  if (chosen === 'qr' || page === undefined) {
    throw new BankError('contradiction', 'the bank registered a payment without a code');
  }
  if (!isOwnPage(page, rule)) {
    throw new BankError('contradiction', 'the bank gave the address of a page that is not its own; it is not shown');
  }
  return { payload: page, linkId: null, isPage: true };
}

export class YooKassaBank implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly #client: YooKassaClient;
  readonly #refunds: YooKassaRefunds;
  readonly #isTest: boolean;
  readonly #log: (message: string) => void;
  #confirmation: Confirmation;

  constructor({ baseUrl, shopId, secretKey, confirmation, tls, log }: YooKassaOptions) {
    this.address = baseUrl;
    this.linkRule = linkRuleOf(baseUrl, NO_TEST_HOSTS);
    this.#client = new YooKassaClient({ baseUrl, tls }, shopId, secretKey);
    this.#refunds = new YooKassaRefunds(this.#client);
    this.#isTest = isTestKey(secretKey);
    this.#confirmation = confirmation;
    this.#log = log ?? (() => undefined);
  }

  /** Registers a payment; the same order id returns the same payment, for a day. @throws {BankError} */
  async begin(order: Order, signal: AbortSignal): Promise<Registering> {
    const confirmation = this.#confirmation;
    try {
      return await this.#register(order, confirmation, signal);
    } catch (error) {
      if (confirmation === 'redirect' || !isAboutConfirmation(error)) throw error;
    }
    const registered = await this.#register(order, 'redirect', signal);
    this.#fallBack();
    return registered;
  }

  async status({ id }: BankRef, signal: AbortSignal): Promise<BankReport> {
    const payment = await this.#client.get(`/payments/${encodeURIComponent(id)}`, STATE, signal);
    requireConsistent(payment, this.#isTest);
    return reportOf(payment);
  }

  /**
   * Cancels nothing: the bank cannot take back an SBP payment; returns whether it may still be paid. @throws
   * {BankError}
   */
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

  /** Asks for a payment that does not exist. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    const isUnknown = (error: unknown) => isRefused(error) && error.bankCode?.startsWith('not_found') === true;
    await nullWhere(isUnknown, this.status({ id: NOBODYS_UUID }, signal));
  };

  async close(): Promise<void> {
    this.#client.close();
  }

  async #register(order: Order, confirmation: Confirmation, signal: AbortSignal): Promise<Registering> {
    const { orderId, amount, purpose } = order;
    const body = {
      amount: moneyOf(amount),
      capture: true,
      payment_method_data: { type: 'sbp' },
      confirmation: confirmation === 'qr' ? { type: 'qr' } : { type: 'redirect', return_url: RETURN_URL },
      ...(purpose !== null && { description: purpose }),
      metadata: { order_id: orderId },
    };
    // another body needs another key: the bank refuses the same one
    const key = confirmation === 'qr' ? orderId : `${orderId}-page`;
    const payment = await this.#client.post({ path: '/payments', body, key }, REGISTRATION, signal);
    requireConsistent(payment, this.#isTest);
    const { verdict, amounts, currencies, orderIds } = reportOf(payment);
    const isOther =
      amounts.some((reported) => reported !== amount) ||
      currencies.some((reported) => reported !== body.amount.currency) ||
      orderIds.some((reported) => reported !== orderId);
    if (isOther) {
      const words = `the bank registered another amount, currency or order than ${amountInWords(amount)} for ours`;
      throw new BankError('contradiction', words);
    }
    if (verdict === 'canceled' || verdict === 'rejected') {
      throw new BankError('refused', 'the bank has ended the payment before its code was shown');
    }
    return { ref: { id: payment.id }, code: codeOf(payment, confirmation, this.linkRule) };
  }

  #fallBack(): void {
    if (this.#confirmation === 'redirect') return;
    this.#confirmation = 'redirect';
    this.#log(
      'the bank does not let this shop ask for codes of SBP (confirmation qr): its own page is shown as a code instead, which costs the customer one tap more. Ask the manager at YooKassa for it, or set confirmation to redirect',
    );
  }
}
