/**
 * Raiffeisenbank's cash link (кассовая ссылка): a code that is printed once (QRVariable), and an order that is put on it for
 * each sale. Source: the bank's sbp-sdk-java.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { BankId, maybe, OptionalValue, reportedAmount, timestampIn } from '../answer-fields.ts';
import type { CashLink, CashLinks } from '../bank.ts';
import { nullWhere, outcomeOf } from '../bank-calls.ts';
import type { Expected } from '../bank-client.ts';
import type { BankCall } from '../bank-connection.ts';
import { BankError } from '../bank-error.ts';
import {
  type BankRef,
  type BankReport,
  type BankVerdict,
  type CancelOutcome,
  type Order,
  UNREPORTED,
} from '../bank-payment.ts';
import type { RefundOrder } from '../bank-refund.ts';
import { kopecksOfRoubles, roublesNumberOf } from '../roubles.ts';
import { CANCELLATION, isRefusal, type PaidTo, type RaiffeisenClient, type RefundCalls } from './raiffeisen-client.ts';

const LinkAnswer = Type.Object({ qrId: BankId, payload: Type.String() });
const LINK = { shape: LinkAnswer, otherwise: 'the bank made a cash link without a usable qrId and payload' };

const OrderAnswer = Type.Object({
  id: BankId,
  amount: OptionalValue,
  status: Type.Object({ value: Type.String(), date: OptionalValue }),
  qr: maybe(Type.Object({ id: Type.Optional(Type.String()) })),
});
type OrderAnswer = Static<typeof OrderAnswer>;
const ORDER = { shape: OrderAnswer, otherwise: 'the bank returned no state of the order' };

const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  ['NEW', 'pending'],
  ['IN_PROGRESS', 'processing'],
  ['PAID', 'accepted'],
  ['CANCELLED', 'canceled'],
  ['EXPIRED', 'canceled'],
]);

/** Verdicts of an order that can no longer be paid. */
const END_VERDICTS: readonly BankVerdict[] = ['canceled', 'rejected'];

const ORDERS = '/api/payment/v1/orders';
const orderPath = (id: string): string => `${ORDERS}/${encodeURIComponent(id)}`;

/** The reference of an order. @param id ours */
const orderRef = (id: string, linkId: string): BankRef => ({ id, kind: 'order', linkId });

/** The reference before the bank has confirmed the order. */
export const intendedRef = (id: string, linkId: string): BankRef => ({ ...orderRef(id, linkId), isIntended: 'yes' });
export const isIntended = (ref: BankRef): boolean => ref.isIntended !== undefined;

const NOT_FOUND = 'ORDER_NOT_FOUND';

/** The meaning of a failed call about an order: a confirmed order cannot be unknown to the bank. */
function aboutOrder(ref: BankRef, error: unknown): unknown {
  if (!isIntended(ref) || !isRefusal(error, NOT_FOUND)) return error;
  const { message, bankCode } = error;
  return new BankError('refused', message, { bankCode, isUnheardOf: true, cause: error });
}

const LINK_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The bank's id of a printed code, at the end of its link's path; null for no such link. */
export function linkIdOf(link: string): string | null {
  const id = URL.parse(link)?.pathname.split('/').at(-1) ?? '';
  return LINK_ID.test(id) ? id : null;
}

function reportOf({ id, amount, status }: OrderAnswer): BankReport {
  const verdict = VERDICTS.get(status.value) ?? 'processing';
  return {
    ...UNREPORTED,
    verdict,
    ids: [id],
    orderIds: [id],
    amounts: reportedAmount(amount, verdict).map(kopecksOfRoubles),
    paidAt: verdict === 'accepted' ? timestampIn(status.date) : null,
  };
}

/** @throws {BankError} `contradiction` for an order that is not the one that was asked for: a customer who scans the code would pay that one */
function requireSameOrder({ orderId, amount }: Order, { ids, amounts }: BankReport): void {
  if (ids.some((id) => id !== orderId)) {
    throw new BankError('contradiction', 'the bank made an order of another id than ours');
  }
  const other = amounts.find((reported) => reported !== amount);
  if (other === undefined) return;
  throw new BankError(
    'contradiction',
    `the bank has an order for another amount than ${amountInWords(amount)}: ${amountInWords(other)}`,
  );
}

function requireOn(linkId: string | undefined, { qr }: OrderAnswer): void {
  const id = qr?.id ?? null;
  if (id !== null && id !== linkId) throw new BankError('contradiction', 'the bank returned an order of another link');
}

export class CashLinkOrders implements CashLinks {
  readonly #client: RaiffeisenClient;
  readonly #options: PaidTo;

  constructor(client: RaiffeisenClient, options: PaidTo) {
    this.#client = client;
    this.#options = options;
  }

  /** @throws {BankError} */
  async create(description: string, signal: AbortSignal): Promise<CashLink> {
    const body = { qrType: 'QRVariable', ...this.#options, qrDescription: description };
    const { qrId, payload } = await this.#client.call({ method: 'POST', path: '/api/sbp/v2/qrs', body }, LINK, signal);
    return { id: qrId, payload };
  }

  /**
   * Puts an order on the link. It has our id, so that an order whose answer was lost is found, and nothing is put on
   * the link twice. @throws {BankError}
   */
  async activate(linkId: string, order: Order, signal: AbortSignal): Promise<BankRef> {
    const { orderId, amount, purpose, ttl } = order;
    const body = {
      id: orderId,
      amount: roublesNumberOf(amount),
      qr: { id: linkId, ...(purpose !== null && { additionalInfo: purpose, paymentDetails: purpose }) },
      expirationDate: await this.#client.expiry(ttl, signal),
    };
    try {
      // not repeated by the client: a refusal of the second call would say nothing about the first
      const made = await this.#client.call({ method: 'POST', path: ORDERS, body, isOnce: true }, ORDER, signal);
      requireOn(linkId, made);
      requireSameOrder(order, reportOf(made));
      return orderRef(orderId, linkId);
    } catch (error) {
      if (!(error instanceof BankError && error.code === 'refused')) throw error;
      if (await this.#isOn(linkId, order, signal)) return orderRef(orderId, linkId);
      throw error;
    }
  }

  /** @throws {BankError} */
  async status(ref: BankRef, signal: AbortSignal): Promise<BankReport> {
    const order = await this.#call({ method: 'GET', path: orderPath(ref.id) }, ORDER, ref, signal);
    requireOn(ref.linkId, order);
    return reportOf(order);
  }

  /** @throws {BankError} */
  async cancel(ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> {
    const call = this.#call({ method: 'DELETE', path: orderPath(ref.id) }, CANCELLATION, ref, signal);
    await nullWhere((error) => isRefusal(error, 'ORDER_HAS_FINAL_STATUS'), call);
    return outcomeOf(await this.status(ref, signal), ref);
  }

  /** The refund calls. Their path says `payments` where that of orders says `payment`, as in the bank's SDK. */
  refundCalls({ ref, amount, refundId }: RefundOrder): RefundCalls {
    const path = `/api/payments/v1/orders/${encodeURIComponent(ref.id)}/refunds/${encodeURIComponent(refundId)}`;
    return {
      ask: { method: 'POST', path, body: { amount: roublesNumberOf(amount) } },
      lookUp: { method: 'GET', path },
    };
  }

  /** Whether the link carries exactly this order, from a call whose answer was lost. */
  async #isOn(linkId: string, order: Order, signal: AbortSignal): Promise<boolean> {
    const call = this.status(orderRef(order.orderId, linkId), signal);
    const report = await nullWhere((error) => isRefusal(error, NOT_FOUND), call);
    if (report === null) return false;
    requireSameOrder(order, report);
    return END_VERDICTS.every((verdict) => verdict !== report.verdict);
  }

  async #call<Shape extends TSchema>(
    call: BankCall,
    expected: Expected<Shape>,
    ref: BankRef,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    try {
      return await this.#client.call(call, expected, signal);
    } catch (error) {
      throw aboutOrder(ref, error);
    }
  }
}
