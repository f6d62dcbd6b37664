/** What the RBS gateway and its successor at Sber have in common: the registration's fields, the look-up of an order, the end of a cancellation. */
import { NOBODYS_ORDER } from '../adapter.ts';
import type { FoundPayment } from '../bank.ts';
import { BankError } from '../bank-error.ts';
import {
  type BankRef,
  type BankReport,
  CANCEL_OUTCOMES,
  type CancelOutcome,
  type Order,
  type SoughtOrder,
} from '../bank-payment.ts';
import { type LinkRule, linkRuleOf } from '../payment-link.ts';
import { idsOf, RbsApi, type RbsLogin } from './rbs-api.ts';
import { reportOf } from './rbs-states.ts';

/** The error of a refund whose outcome the gateway does not show. @param detail its last answer, or what is missing */
export const unknownRefund = (detail: string): BankError =>
  new BankError(
    'unreachable',
    `the bank does not report whether this refund was made or will be; look it up in the account at the bank (${detail})`,
  );

export interface GatewayOptions extends RbsLogin {
  /** Where a payer's browser would go: required by the gateway, and never used. */
  readonly returnUrl: string;
}

const SECONDS_A_MINUTE = 60;
const ROUBLE = '643';

/** Test contours of the banks. */
export const RBS_TEST_HOSTS = /(^|\.)rbsuat\.com$|^(3dsec|ecomtest|ecomift)\.sberbank\.ru$|^sandbox\.vtb\.ru$/;

export abstract class RbsGateway {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  protected readonly api: RbsApi;
  readonly #returnUrl: string;

  constructor(options: GatewayOptions) {
    this.address = options.baseUrl;
    this.linkRule = linkRuleOf(options.baseUrl, RBS_TEST_HOSTS);
    this.#returnUrl = options.returnUrl;
    this.api = new RbsApi(options);
  }

  abstract status(ref: BankRef, signal: AbortSignal): Promise<BankReport>;

  /** Finds an order by our number. A code is not given again with it. */
  readonly find = async ({ orderId: orderNumber }: SoughtOrder, signal: AbortSignal): Promise<FoundPayment | null> => {
    const order = await this.api.order({ orderNumber }, signal);
    if (order === null) return null;
    const [id] = idsOf(order);
    if (id === undefined) throw new BankError('contradiction', 'the bank returned an order without its id (mdOrder)');
    return { ref: { id }, report: reportOf(order) };
  };

  /** Asks for an order that does not exist: login and password are checked first. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    await this.api.order({ orderNumber: NOBODYS_ORDER }, signal);
  };

  async close(): Promise<void> {
    this.api.close();
  }

  /** The fields of `register.do`. */
  protected registration({ orderId: orderNumber, amount, purpose, ttl }: Order): Readonly<Record<string, unknown>> {
    return {
      orderNumber,
      amount,
      currency: ROUBLE,
      returnUrl: this.#returnUrl,
      sessionTimeoutSecs: Math.round(ttl * SECONDS_A_MINUTE),
      ...(purpose !== null && { description: purpose }),
      ...this.api.merchant,
    };
  }

  /**
   * The outcome of a cancellation. @param withdraw returns whether the code is surely withdrawn; else the state of the order decides:
   * it may have been paid meanwhile, or cancelled after all
   */
  protected async cancelled(
    ref: BankRef,
    signal: AbortSignal,
    withdraw: () => Promise<boolean>,
  ): Promise<CancelOutcome> {
    let failure: BankError | null = null;
    try {
      if (await withdraw()) return 'withdrawn';
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      failure = error;
    }
    const outcome = CANCEL_OUTCOMES[(await this.status(ref, signal)).verdict];
    if (outcome === 'not-possible' && failure !== null && failure.code !== 'refused') throw failure;
    return outcome;
  }
}
