/** What some banks' interfaces find in the sandbox bank's books, beside what its own asks for. */

import type { Desk } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';
import type { SandboxPayments } from '../../firmware/tools/sandbox-bank/payments.ts';
import type { SandboxRefund } from '../../firmware/tools/sandbox-bank/refunds.ts';

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

/** A table of an interface alone, which has a text for each key. */
export function tableOf({ db }: SandboxPayments, name: string) {
  db.exec(`CREATE TABLE IF NOT EXISTS ${name} (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`);
  return {
    keep: (key: readonly string[], value: string): void => {
      db.prepare(`INSERT OR IGNORE INTO ${name} VALUES (?, ?)`).run(JSON.stringify(key), value);
    },
    find: (key: readonly string[]): string | null => {
      const row = db.prepare(`SELECT value FROM ${name} WHERE key = ?`).get(JSON.stringify(key));
      return row === undefined ? null : String(row.value);
    },
  };
}

const draftsOf = (payments: SandboxPayments) => tableOf(payments, 'drafts');

interface DraftKey {
  readonly merchant: string;
  readonly draftId: string;
}

/** Notes a refund that is done once it is confirmed. @throws {SandboxError} `not-paid`, `too-much` */
export function draftRefund(
  payments: SandboxPayments,
  { merchant, draftId }: DraftKey,
  { state, qrcId, ...payment }: SandboxPayment,
  amount: number,
): void {
  if (state !== 'paid') throw new SandboxError('not-paid', 'the payment has not been paid');
  if (amount > payment.amount - payment.refunded) throw new SandboxError('too-much', 'more than what is left of it');
  draftsOf(payments).keep([merchant, draftId], JSON.stringify({ qrcId, amount }));
}

/** A merchant's own draft: the payment's code and the kopecks; null where there is none. */
export function draftedRefund(
  payments: SandboxPayments,
  { merchant, draftId }: DraftKey,
): { qrcId: string; amount: number } | null {
  return JSON.parse(draftsOf(payments).find([merchant, draftId]) ?? 'null');
}
