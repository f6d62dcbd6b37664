/** Printed codes, each of which waits for payments that stand on it. */
import type { SandboxPayment } from '../../firmware/sandbox-bank/payment.ts';
import type { SandboxPayments } from '../../firmware/sandbox-bank/payments.ts';
import { newSbpId } from '../../firmware/sandbox-bank/sbp-id.ts';

/** A code that stays, such as one that is printed. */
export interface CashLink {
  readonly qrcId: string;
  readonly link: string;
}

export function addCashLink(
  { db }: SandboxPayments,
  dialect: string,
  merchant: string,
  linkOf: (qrcId: string) => string,
): CashLink {
  const qrcId = newSbpId('AS');
  const link = linkOf(qrcId);
  db.prepare('INSERT INTO cash_link VALUES (?, ?, ?, ?)').run(qrcId, dialect, merchant, link);
  return { qrcId, link };
}

/** A merchant's own printed code. */
export function findCashLink(
  { db }: SandboxPayments,
  dialect: string,
  merchant: string,
  qrcId: string,
): CashLink | null {
  const sql = 'SELECT link FROM cash_link WHERE dialect = ? AND merchant = ? AND qrc_id = ?';
  const row = db.prepare(sql).get(dialect, merchant, qrcId);
  return row === undefined ? null : { qrcId, link: String(row.link) };
}

/** What a payer finds on a printed code: the newest payment that stands on it, in any state. */
export function onCashLink(payments: SandboxPayments, qrcId: string): SandboxPayment | null {
  const sql = `SELECT qrc_id FROM sale WHERE json_extract(detail, '$.cashLink') = ? ORDER BY seq DESC LIMIT 1`;
  const row = payments.db.prepare(sql).get(qrcId);
  return row === undefined ? null : payments.find(String(row.qrc_id));
}
