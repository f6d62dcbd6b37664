/** Raiffeisenbank's codes for one payment (QRDynamic). Source: the bank's ecom-API (sbp.yml) and sbp-sdk-java. */
import { type Static, Type } from 'typebox';
import { BankId, idIn, OptionalValue, reported, reportedAmount, timestampIn } from '../answer-fields.ts';
import { nullWhere, outcomeOf } from '../bank-calls.ts';
import { BankError } from '../bank-error.ts';
import {
  type BankRef,
  type BankReport,
  type BankVerdict,
  type CancelOutcome,
  type Order,
  type Registering,
  UNREPORTED,
} from '../bank-payment.ts';
import type { RefundOrder } from '../bank-refund.ts';
import { kopecksOfRoubles, roublesNumberOf } from '../roubles.ts';
import { CANCELLATION, isRefusal, type PaidTo, type RaiffeisenClient, type RefundCalls } from './raiffeisen-client.ts';

const QrAnswer = Type.Object({ qrId: BankId, payload: Type.String(), qrStatus: OptionalValue });
const QR = { shape: QrAnswer, otherwise: 'the bank registered a payment without a usable qrId and payload' };

const QrStatusAnswer = Type.Object({ qrId: Type.String(), qrStatus: Type.String() });
const QR_STATUS = { shape: QrStatusAnswer, otherwise: 'the bank returned no state of the code' };

const PaymentInfo = Type.Object({
  paymentStatus: Type.String(),
  qrId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  amount: OptionalValue,
  currency: OptionalValue,
  order: OptionalValue,
  transactionId: OptionalValue,
  transactionDate: OptionalValue,
});
type PaymentInfo = Static<typeof PaymentInfo>;
const PAYMENT_INFO = { shape: PaymentInfo, otherwise: 'the bank returned no state of the payment' };

/** Status before anybody has tried to pay. */
const NO_PAYMENT = 'NO_INFO';
/** Verdicts by `paymentStatus`. */
const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  [NO_PAYMENT, 'pending'],
  ['IN_PROGRESS', 'processing'],
  ['SUCCESS', 'accepted'],
  ['DECLINED', 'rejected'],
]);
/** Verdicts by `qrStatus`. `paymentStatus` shows a paid code as paid already, or soon will. */
const QR_VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  ['NEW', 'pending'],
  ['IN_PROGRESS', 'processing'],
  ['PAID', 'processing'],
  ['CANCELLED', 'canceled'],
  ['EXPIRED', 'canceled'],
]);

function reportOf(info: PaymentInfo, verdict: BankVerdict): BankReport {
  const { qrId, amount, currency, order, transactionId, transactionDate } = info;
  return {
    ...UNREPORTED,
    verdict,
    ids: reported(qrId).map(String),
    amounts: reportedAmount(amount, verdict).map(kopecksOfRoubles),
    currencies: reported(currency).map(String),
    orderIds: reported(order).map(String),
    trxId: idIn(transactionId),
    paidAt: verdict === 'accepted' ? timestampIn(transactionDate) : null,
  };
}

const codePath = (id: string): string => `/api/sbp/v2/qrs/${encodeURIComponent(id)}`;

interface ReportedPayment {
  readonly report: BankReport;
  /** Whether anybody has tried to pay: amount and order are reported even before. */
  readonly isAttempted: boolean;
}

export class DynamicCodes {
  readonly #client: RaiffeisenClient;
  readonly #options: PaidTo;

  constructor(client: RaiffeisenClient, options: PaidTo) {
    this.#client = client;
    this.#options = options;
  }

  /** @throws {BankError} */
  async begin({ orderId, amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const body = {
      qrType: 'QRDynamic',
      amount: roublesNumberOf(amount),
      currency: 'RUB',
      order: orderId,
      ...this.#options,
      ...(purpose !== null && { additionalInfo: purpose, paymentDetails: purpose }),
      qrExpirationDate: await this.#client.expiry(ttl, signal),
    };
    const call = { method: 'POST', path: '/api/sbp/v2/qrs', body } as const;
    const { qrId, payload, qrStatus } = await this.#client.call(call, QR, signal);
    if (QR_VERDICTS.get(String(qrStatus)) === 'canceled') {
      throw new BankError('contradiction', 'the bank gave a code that cannot be paid');
    }
    return { ref: { id: qrId, kind: 'code' }, code: { payload, linkId: qrId } };
  }

  /**
   * The payment's state has the amount and the order; the code's state says whether it can still be paid. Where it
   * cannot, the payment is read again: it may have been made in between.
   * @throws {BankError}
   */
  async status({ id }: BankRef, signal: AbortSignal): Promise<BankReport> {
    const before = await this.payment(id, signal);
    if (before?.isAttempted === true) return before.report;
    const { qrId, qrStatus } = await this.#client.call({ method: 'GET', path: codePath(id) }, QR_STATUS, signal);
    const verdict = QR_VERDICTS.get(qrStatus) ?? 'processing';
    const after = verdict === 'canceled' ? await this.payment(id, signal) : before;
    if (after?.isAttempted === true) return after.report;
    const more = after?.report ?? { ...UNREPORTED, ids: [] };
    return { ...more, verdict, ids: [...more.ids, qrId] };
  }

  /** @throws {BankError} */
  async cancel(ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> {
    const call = this.#client.call({ method: 'DELETE', path: codePath(ref.id) }, CANCELLATION, signal);
    await nullWhere((error) => isRefusal(error, 'WRONG_QR_STATUS'), call);
    return outcomeOf(await this.status(ref, signal), ref);
  }

  refundCalls({ orderId, amount, refundId }: RefundOrder): RefundCalls {
    const path = '/api/sbp/v1/refund';
    return {
      ask: { method: 'POST', path, body: { amount: roublesNumberOf(amount), order: orderId, refundId } },
      lookUp: { method: 'GET', path: `${path}/${encodeURIComponent(refundId)}` },
    };
  }

  /** The bank's state of the payment by a code; null where it says nothing. */
  async payment(id: string, signal: AbortSignal): Promise<ReportedPayment | null> {
    const path = `/api/sbp/v1/qr/${encodeURIComponent(id)}/payment-info`;
    const call = this.#client.call({ method: 'GET', path }, PAYMENT_INFO, signal);
    // the bank's own example of an error: ERROR.NOT_FOUND, the code has not been paid
    const info = await nullWhere((error) => isRefusal(error, 'ERROR.NOT_FOUND'), call);
    if (info === null) return null;
    const report = reportOf(info, VERDICTS.get(info.paymentStatus) ?? 'processing');
    return { report, isAttempted: info.paymentStatus !== NO_PAYMENT };
  }
}
