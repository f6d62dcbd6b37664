/** What some banks' interfaces find in the sandbox bank's books, beside what its own asks for. */

import type { Desk } from '../../firmware/sandbox-bank/desk.ts';
import { SandboxError } from '../../firmware/sandbox-bank/errors.ts';
import type { SandboxPayment } from '../../firmware/sandbox-bank/payment.ts';
import type { SandboxPayments } from '../../firmware/sandbox-bank/payments.ts';
import type { SandboxRefund } from '../../firmware/sandbox-bank/refunds.ts';

/** A merchant's own payment, by the payment system's id of the transfer. */
export function byTrxId(
  payments: SandboxPayments,
  dialect: string,
  merchant: string,
  trxId: string,
): SandboxPayment | null {
  const row = payments.db
    .prepare('SELECT qrc_id FROM sale WHERE dialect = ? AND merchant = ? AND trx_id = ?')
    .get(dialect, merchant, trxId);
  return row === undefined ? null : payments.find(String(row.qrc_id));
}

/** A merchant's own refund, by the till's id of it. */
export function refundOfMerchant(
  { payments, refunds }: Desk,
  dialect: string,
  merchant: string,
  refundId: string,
): SandboxRefund | null {
  const row = payments.db
    .prepare(
      `SELECT qrc_id FROM refund JOIN sale ON sale.seq = refund.sale
        WHERE dialect = ? AND merchant = ? AND refund_id = ?`,
    )
    .get(dialect, merchant, refundId);
  return row === undefined ? null : refunds.find(String(row.qrc_id), refundId);
}

/** Notes a refund that is done once it is confirmed. @throws {SandboxError} `not-paid`, `too-much` */
export function draftRefund({ db }: SandboxPayments, payment: SandboxPayment, amount: number, draftId: string): void {
  if (payment.state !== 'paid') throw new SandboxError('not-paid', 'the payment has not been paid');
  if (amount > payment.amount - payment.refunded) throw new SandboxError('too-much', 'more than what is left of it');
  db.prepare('INSERT INTO refund_draft SELECT ?, seq, ? FROM sale WHERE qrc_id = ?').run(
    draftId,
    amount,
    payment.qrcId,
  );
}

/** A merchant's own draft: the payment's code and the kopecks; null where there is none. */
export function draftedRefund(
  { db }: SandboxPayments,
  dialect: string,
  merchant: string,
  draftId: string,
): { qrcId: string; amount: number } | null {
  const row = db
    .prepare(
      `SELECT qrc_id, refund_draft.amount FROM refund_draft JOIN sale ON sale.seq = sale
        WHERE dialect = ? AND merchant = ? AND draft_id = ?`,
    )
    .get(dialect, merchant, draftId);
  return row === undefined ? null : { qrcId: String(row.qrc_id), amount: Number(row.amount) };
}
