/** Raiffeisenbank (raif pay): codes for one payment, and orders on a cash link. The ref of a payment says which it is. */
import type {
  BankRef,
  BankReport,
  CancelOutcome,
  OnlineBank,
  Order,
  PrintedCode,
  RefundOrder,
  RefundReport,
  Registering,
} from '../bank.ts';
import type { BankAddress } from '../bank-client.ts';
import { NOBODYS_CODE } from '../nobodys.ts';
import { type LinkRule, linkRuleOf } from '../payment-link.ts';
import { CashLinkOrders, intendedRef, isIntended, linkIdOf } from './raiffeisen-cash-link-orders.ts';
import { type PaidTo, RaiffeisenClient } from './raiffeisen-client.ts';
import { DynamicCodes } from './raiffeisen-dynamic-codes.ts';

/** Test contours of the bank. Source: its SDKs of 2020 and 2022. */
export const RAIFFEISEN_TEST_HOSTS = /^(pay-test\.raif\.ru|test\.ecom\.raiffeisen\.ru)$/;

/** What links the bank may give. @param baseUrl where it is asked */
export const raiffeisenLinks = (baseUrl: string): LinkRule => linkRuleOf(baseUrl, RAIFFEISEN_TEST_HOSTS);

interface RaiffeisenOptions extends BankAddress, PaidTo {
  readonly secretKey: string;
  /** The link of a printed code: every payment is put on it. */
  readonly cashLink?: string;
}

export class RaiffeisenBank implements OnlineBank {
  readonly kind = 'online';
  readonly linkRule: LinkRule;
  readonly cashLinks: CashLinkOrders;
  readonly printed: PrintedCode | null;
  readonly #client: RaiffeisenClient;
  readonly #codes: DynamicCodes;
  /** The bank's id of the printed code; null where there is none. */
  readonly #linkId: string | null;

  constructor({ baseUrl, sbpMerchantId, secretKey, account, cashLink, tls }: RaiffeisenOptions) {
    const paidTo = { sbpMerchantId, ...(account !== undefined && { account }) };
    this.linkRule = raiffeisenLinks(baseUrl);
    this.#client = new RaiffeisenClient({ baseUrl, tls }, secretKey);
    this.#codes = new DynamicCodes(this.#client, paidTo);
    this.cashLinks = new CashLinkOrders(this.#client, paidTo);
    this.#linkId = cashLink === undefined ? null : linkIdOf(cashLink);
    this.printed =
      cashLink === undefined
        ? null
        : {
            payload: cashLink,
            refOf: (orderId) => intendedRef(orderId, linkIdOf(cashLink) ?? ''),
            isConfirmed: (ref) => !isIntended(ref),
          };
  }

  isOnPresentCode({ kind, linkId }: BankRef): boolean {
    return kind === 'order' ? linkId === this.#linkId : this.#linkId === null;
  }

  async begin(order: Order, signal: AbortSignal): Promise<Registering> {
    if (this.printed === null) return this.#codes.begin(order, signal);
    const { payload, refOf } = this.printed;
    const ref = await this.cashLinks.activate(refOf(order.orderId).linkId ?? '', order, signal);
    return { ref, code: { payload, linkId: null, isPrinted: true } };
  }

  status(ref: BankRef, signal: AbortSignal): Promise<BankReport> {
    return this.#of(ref).status(ref, signal);
  }

  cancel(ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> {
    return this.#of(ref).cancel(ref, signal);
  }

  refund(refund: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    return this.#client.refund(refund, this.#of(refund.ref).refundCalls(refund), signal);
  }

  refundStatus(refund: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    return this.#client.refundStatus(refund, this.#of(refund.ref).refundCalls(refund), signal);
  }

  findRefund(refund: RefundOrder, signal: AbortSignal): Promise<RefundReport | null> {
    return this.#client.findRefund(refund, this.#of(refund.ref).refundCalls(refund), signal);
  }

  /** Asks for a payment of a code that does not exist. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    await this.#codes.payment(NOBODYS_CODE, signal);
  };

  async close(): Promise<void> {
    this.#client.close();
  }

  #of({ kind }: BankRef): DynamicCodes | CashLinkOrders {
    return kind === 'order' ? this.cashLinks : this.#codes;
  }
}
