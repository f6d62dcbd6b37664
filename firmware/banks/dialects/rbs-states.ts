/** What the states of the RBS gateway mean. Source: the bank's description of SBP for it, and public clients. */
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import { idIn } from '../answer-fields.ts';
import type { BankReport, BankVerdict } from '../bank-payment.ts';
import { type MethodWords, paidBy, payerOf } from '../method.ts';
import { kopecksOf } from '../roubles.ts';
import { idsOf, type OrderState } from './rbs-api.ts';

const QR_VERDICTS: ReadonlyMap<unknown, BankVerdict> = new Map([
  ['STARTED', 'pending'],
  ['CONFIRMED', 'processing'],
  ['ACCEPTED', 'accepted'],
  ['REJECTED', 'rejected'],
  ['REJECTED_BY_USER', 'canceled'], // by the merchant, who is the gateway's user
]);
const TRANSACTION_VERDICTS: ReadonlyMap<unknown, BankVerdict> = new Map([
  ['CREATED', 'pending'],
  ['DEPOSITED', 'accepted'],
  ['DECLINED', 'rejected'],
]);

/** The state of a code; `unknown` for a word that we do not know. */
type CodeVerdict = BankVerdict | 'unknown';

/** The state in an answer about a code: it names no payment, and may be older than the order's state. */
export function qrVerdictOf(qrStatus: unknown, transactionState: unknown): CodeVerdict {
  const state = transactionState ?? null;
  const transaction = state === null ? null : (TRANSACTION_VERDICTS.get(state) ?? 'unknown');
  const qr = QR_VERDICTS.get(qrStatus) ?? 'unknown';
  if (transaction === 'accepted') return 'accepted';
  if (qr === 'pending') return transaction ?? qr;
  return qr === 'unknown' && transaction === 'rejected' ? 'rejected' : qr;
}

/**
 * The common state of an order and its code: money that has moved wins, and an end counts only where both can agree.
 * @returns null where they cannot both be true
 */
export function agreed(code: CodeVerdict, order: BankVerdict): BankVerdict | null {
  if (order === 'accepted' || order === 'processing') return order;
  if (order === 'pending') return code === 'accepted' || code === 'unknown' ? 'processing' : code;
  if (code === 'accepted') return null;
  return code === 'processing' ? code : order;
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
/** Code of an order whose time is over. */
const TIMED_OUT = '-2007';

function orderVerdictOf({ orderStatus, actionCode }: OrderState): BankVerdict {
  const verdict = ORDER_VERDICTS.get(orderStatus) ?? 'processing';
  return verdict === 'rejected' && String(actionCode) === TIMED_OUT ? 'canceled' : verdict;
}

/** The rouble's currency number before 1998, which older descriptions of the gateway use. */
const OLD_ROUBLE = '810';

const currencyOf = (currency: unknown): string => (String(currency) === OLD_ROUBLE ? 'RUR' : String(currency));

const momentOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

/** Refunded kopecks; null where the gateway does not say. */
export function refundedOf({ paymentAmountInfo }: OrderState): number | null {
  const refunded = kopecksOf(paymentAmountInfo?.refundedAmount);
  return Number.isSafeInteger(refunded) ? refunded : null;
}

/** The payment system's id of the transfer, which the newer gateway has beside its own number. */
function transferOf({ transactionAttributes: attributes }: OrderState): string | null {
  const found: unknown = Array.isArray(attributes)
    ? attributes.find((each) => memberOf(each, 'name') === 'extTransactionId')
    : undefined;
  return idIn(memberOf(found, 'value'));
}

const PAID = 2;

/** Words of `paymentWay`. Source: answers of Sber's gateway, and its description of a card payment. */
const METHOD_WORDS: MethodWords = {
  card: 'card',
  card_binding: 'card',
  sbp_c2b: 'sbp',
  sberpay_sbp_c2b_dyn: 'sbp',
  // the sandbox bank's word; the gateway's own is not published
  sandbox_digital_rouble: 'digital-rouble',
};

/** Kopecks of the order; for a paid order also the paid sum, including refunds. */
function amountsOf({ orderStatus, amount, paymentAmountInfo }: OrderState): number[] {
  const registered = kopecksOf(amount);
  const { depositedAmount: deposited, refundedAmount: back } = paymentAmountInfo ?? {};
  if (orderStatus !== PAID || deposited === undefined || deposited === null) return [registered];
  const paid = kopecksOf(deposited);
  return [registered, paid === registered ? paid : paid + kopecksOf(back ?? 0)];
}

export function reportOf(order: OrderState): BankReport {
  const verdict = orderVerdictOf(order);
  return {
    verdict,
    ids: idsOf(order),
    amounts: amountsOf(order),
    currencies: order.currency === undefined ? [] : [currencyOf(order.currency)],
    orderIds: [String(order.orderNumber)],
    trxId: transferOf(order) ?? idIn(order.authRefNum),
    paidAt: momentOf(order.depositedDate) ?? momentOf(order.authDateTime),
    refunded: refundedOf(order),
    payer: payerOf({ bank: memberOf(order.bankInfo, 'bankName') }),
    paidBy: verdict === 'accepted' ? paidBy(order.paymentWay, METHOD_WORDS) : null,
  };
}
