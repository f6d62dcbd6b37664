/** Raiffeisenbank (raif pay): codes for one payment, and orders on a cash link. The ref of a payment says which it is. */

import { Type } from 'typebox';
import { MAX_PAYLOAD_BYTES } from '../../../drivers/display/payload.ts';
import {
  bankAdapter,
  checkedAddress,
  headerText,
  line,
  NOBODYS_CODE,
  plainAddress,
  unusableField,
  WHOLE_RANGE,
} from '../adapter.ts';
import type { OnlineBank, PrintedCode } from '../bank.ts';
import type { BankAddress } from '../bank-client.ts';
import type { BankRef, BankReport, CancelOutcome, Order, Registering } from '../bank-payment.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import { readCertificates } from '../certificates.ts';
import { isTestAddress, type LinkRule, linkRuleOf, stickerProblem } from '../payment-link.ts';
import { AUTHORITY, addressField, PAUSE_FIELD } from '../profile-fields.ts';
import { sbpLinkWarning } from '../sbp-link.ts';
import { CashLinkOrders, intendedRef, isIntended, linkIdOf } from './raiffeisen-cash-link-orders.ts';
import { type PaidTo, RaiffeisenClient } from './raiffeisen-client.ts';
import { DynamicCodes } from './raiffeisen-dynamic-codes.ts';

const DEFAULT_URL = 'https://pay.raif.ru';

/** The profile of Raiffeisenbank: the payee, and the key. */
const RaiffeisenProfile = Type.Object(
  {
    bankName: Type.Literal('Raiffeisenbank'),
    sbpMerchantId: line(1, 128, "the payment system's id of the point of sale, as MA0000000552"),
    secretKey: line(1, 4096, 'the key that the bank has given; a secret'),
    cashLink: Type.Optional(
      line(
        1,
        MAX_PAYLOAD_BYTES,
        'the link of a printed code (кассовая ссылка): each payment is put on it, and no display is needed',
      ),
    ),
    account: Type.Optional(line(1, 128, 'the account that is paid to; else the one that the bank has set')),
    baseUrl: addressField(DEFAULT_URL),
    ...AUTHORITY,
    ...PAUSE_FIELD,
  },
  { additionalProperties: false },
);

export const RAIFFEISEN = bankAdapter({
  name: 'Raiffeisenbank',
  aliases: ['raiffeisen', 'raifpay', 'райффайзенбанк'],
  schema: RaiffeisenProfile,
  fieldAliases: { merchantId: 'sbpMerchantId' },
  distinctiveFields: ['sbpMerchantId'],
  secretFields: ['secretKey'],
  freeFields: ['cashLink'],
  warning: ({ cashLink }) => (cashLink === undefined ? null : sbpLinkWarning(cashLink)),
  capabilities: {
    ...WHOLE_RANGE,
    orderId: {
      maxLength: 40,
      charset: /^[A-Za-z0-9_.-]+$/,
      words: 'Latin letters, digits, points, hyphens and underscores',
    },
  },
  settingsErrors: 'RaiffeisenbankSettings',
  merchant: ({ baseUrl = DEFAULT_URL, sbpMerchantId }) => [plainAddress(baseUrl), sbpMerchantId],
  isForTest: ([address]) => isTestAddress(address, RAIFFEISEN_TEST_HOSTS),
  trial: {
    untried: ['sbpMerchantId', 'account', 'cashLink'],
    culprit: ({ isUnauthorized }) => (isUnauthorized ? 'secretKey' : null),
  },
  async open(profile, context) {
    const { bankName: _, baseUrl: address = DEFAULT_URL, caPath, ...rest } = profile;
    headerText('secretKey', rest.secretKey);
    const baseUrl = checkedAddress(address);
    const problem = rest.cashLink === undefined ? null : stickerProblem(rest.cashLink, raiffeisenLinks(baseUrl));
    if (problem !== null) throw unusableField('cashLink', `it is ${problem}`);
    const tls = await readCertificates({ caPath }, context);
    return new RaiffeisenBank({ ...rest, baseUrl, tls });
  },
});

/** Test contours of the bank. Source: its SDKs of 2020 and 2022. */
export const RAIFFEISEN_TEST_HOSTS = /^(pay-test\.raif\.ru|test\.ecom\.raiffeisen\.ru)$/;

/** Which links the bank may give. @param baseUrl where it is asked */
export const raiffeisenLinks = (baseUrl: string): LinkRule => linkRuleOf(baseUrl, RAIFFEISEN_TEST_HOSTS);

interface RaiffeisenOptions extends BankAddress, PaidTo {
  readonly secretKey: string;
  /** The link of the printed code that carries every payment. */
  readonly cashLink?: string;
}

export class RaiffeisenBank implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly cashLinks: CashLinkOrders;
  readonly printed: PrintedCode | null;
  readonly #client: RaiffeisenClient;
  readonly #codes: DynamicCodes;
  /** The bank's id of the printed code; null where there is none. */
  readonly #linkId: string | null;

  constructor({ baseUrl, sbpMerchantId, secretKey, account, cashLink, tls }: RaiffeisenOptions) {
    const paidTo = { sbpMerchantId, ...(account !== undefined && { account }) };
    this.address = baseUrl;
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
