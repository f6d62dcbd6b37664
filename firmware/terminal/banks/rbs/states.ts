/** What the states of the RBS gateway mean. Source: the bank's description of SBP for it, and public clients. */
import type { BankReport, BankVerdict } from '../bank.ts';
import { kopecksOf } from '../roubles.ts';
import { idsOf, type OrderState } from './api.ts';

const QR_VERDICTS: ReadonlyMap<unknown, BankVerdict> = new Map([
  ['STARTED', 'pending'],
  ['CONFIRMED', 'processing'],
  ['ACCEPTED', 'accepted'],
  ['REJECTED', 'rejected'],
  ['REJECTED_BY_USER', 'canceled'], // by the merchant, who is the gateway's user
]);
const TRANSACTION_VERDICTS: ReadonlyMap<unknown, BankVerdict> = new Map([
  ['DEPOSITED', 'accepted'],
  ['DECLINED', 'rejected'],
]);

/** What the answer about a code says: it names no payment, so that it is a reason to ask about the order at most. */
export function qrVerdictOf(qrStatus: unknown, transactionState: unknown): BankVerdict {
  const transaction = TRANSACTION_VERDICTS.get(transactionState);
  const qr = QR_VERDICTS.get(qrStatus) ?? 'pending';
  return transaction === 'accepted' || qr === 'pending' ? (transaction ?? qr) : qr;
}

const ORDER_VERDICTS: ReadonlyMap<number, BankVerdict> = new Map([
  [0, 'pending'], // registered
  [1, 'processing'], // the amount is held
  [2, 'accepted'],
  [3, 'canceled'],
  [4, 'accepted'], // and refunded, whole or in part
  [5, 'processing'], // the payer's bank is asked
  [6, 'rejected'],
]);
/** The order's time was over. */
const TIMED_OUT = '-2007';

export function orderVerdictOf({ orderStatus, actionCode }: OrderState): BankVerdict {
  const verdict = ORDER_VERDICTS.get(orderStatus) ?? 'pending';
  return verdict === 'rejected' && String(actionCode) === TIMED_OUT ? 'canceled' : verdict;
}

/** The rouble's number of before 1998, which older descriptions of the gateway name. */
const OLD_ROUBLE = '810';

const currencyOf = (currency: unknown): string => (String(currency) === OLD_ROUBLE ? 'RUR' : String(currency));

const momentOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

const textOf = (value: unknown): string | null =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : null;

/** Kopecks that have gone back; null where the gateway does not tell. */
export function refundedOf({ paymentAmountInfo }: OrderState): number | null {
  const refunded = kopecksOf(paymentAmountInfo?.refundedAmount);
  return Number.isSafeInteger(refunded) ? refunded : null;
}

export function reportOf(order: OrderState): BankReport {
  return {
    verdict: orderVerdictOf(order),
    ids: idsOf(order),
    amounts: [kopecksOf(order.amount)],
    currencies: order.currency === undefined ? [] : [currencyOf(order.currency)],
    orderIds: [String(order.orderNumber)],
    trxId: textOf(order.authRefNum),
    paidAt: momentOf(order.depositedDate) ?? momentOf(order.authDateTime),
    refunded: refundedOf(order),
  };
}
