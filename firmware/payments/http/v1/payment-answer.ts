/** A payment of the ledger, as calls and events return it. */
import type { Static } from 'typebox';
import { isoTime, isoTimeOrNull } from '../../../../drivers/lib/iso-time.ts';
import { isPlayMoney } from '../../../banks/index.ts';
import { isOpen, type PaymentFailure, timeEndOf } from '../../model/payment.ts';
import { reportedState } from '../../model/payment-failures.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import { saleValues } from '../../model/sale-fields.ts';
import { codeNamed } from '../../model/terminal-error.ts';
import { METHOD_ON_RECEIPT } from '../../model/words.ts';
import type { PaymentService, Silence } from '../../service/payment-service.ts';
import type { BankPayment, FailureAnswer, PaymentAnswer, SilenceAnswer } from './payment-schemas.ts';

const WEB_ADDRESS = /^https?:\/\//i;

/** Most characters of an operation's id on a receipt (tag 1237). */
const MOST_ON_RECEIPT = 256;

function bankPaymentAnswer({
  ref,
  trxId,
  paidAt,
  endedAt,
  payer,
  paidBy,
  status,
}: PaymentRow): Static<typeof BankPayment> | null {
  const at = paidAt ?? endedAt;
  if (ref === null || at === null || status.state !== 'ACCEPTED') return null;
  const method = paidBy?.method ?? 'unknown';
  return {
    id: ref.id,
    trxId,
    method,
    methodText: METHOD_ON_RECEIPT[method],
    operationId: [trxId, ref.id].find((id) => id !== null && id.length <= MOST_ON_RECEIPT) ?? null,
    paidAt: isoTime(at),
    payerBank: payer?.bank ?? null,
    payerPhone: payer?.phone ?? null,
  };
}

export const failureAnswer = ({ category, code, message }: PaymentFailure): Static<typeof FailureAnswer> => ({
  code: codeNamed(category, code),
  detail: message,
});

const silenceAnswer = ({ failure, since }: Silence): Static<typeof SilenceAnswer> => ({
  ...failureAnswer(failure),
  since: isoTime(since),
});

/** @param silence why the bank does not report the payment; null where it does */
export const paymentAnswer = (payment: PaymentRow, silence: Silence | null): Static<typeof PaymentAnswer> => ({
  id: payment.orderId,
  number: payment.id,
  state: reportedState(payment.status),
  amount: payment.amount,
  purpose: payment.purpose,
  profile: payment.profile,
  bank: payment.bank,
  test: isPlayMoney(payment.merchant),
  qrcId: payment.ref?.id ?? null,
  trxId: payment.trxId,
  method: payment.status.state === 'ACCEPTED' ? (payment.paidBy?.method ?? 'unknown') : null,
  methodWord: payment.paidBy?.word ?? null,
  payload: payment.payload,
  link: payment.payload !== null && WEB_ADDRESS.test(payment.payload) ? payment.payload : null,
  till: payment.till,
  cashier: payment.cashier,
  shift: payment.shift,
  askedShift: payment.askedShift,
  ...saleValues((name) => payment.sale?.[name]),
  createdAt: isoTime(payment.createdAt),
  expiresAt: payment.status.state === 'STATIC' ? null : isoTime(timeEndOf(payment)),
  endedAt: isoTimeOrNull(payment.endedAt),
  paidAt: isoTimeOrNull(payment.paidAt),
  bankPayment: bankPaymentAnswer(payment),
  refunded: payment.refunded,
  late: payment.status.late,
  note: payment.note,
  acknowledgedAt: isoTimeOrNull(payment.acknowledgedAt),
  receipt: payment.receiptAt === null ? null : { state: 'printed', at: isoTime(payment.receiptAt) },
  error: isOpen(payment.status) ? null : (payment.status.failure?.message ?? null),
  failure: isOpen(payment.status) || payment.status.failure === null ? null : failureAnswer(payment.status.failure),
  silence: silence === null ? null : silenceAnswer(silence),
  doubt: null,
});

/** The payment with what is known only at present: the bank's silence, and whether the bank may hide that it was paid. */
export const presentAnswer = (
  { payments }: { readonly payments: Pick<PaymentService, 'silenceAbout' | 'mayBePaidUnseen'> },
  payment: PaymentRow,
): Static<typeof PaymentAnswer> => ({
  ...paymentAnswer(payment, payments.silenceAbout(payment)),
  doubt: payments.mayBePaidUnseen(payment) ? 'consent' : null,
});
