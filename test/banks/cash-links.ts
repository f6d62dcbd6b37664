/** Printed codes, each of which waits for payments that stand on it. */
import { newSbpId, type SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import type { SandboxPayments } from '../../firmware/tools/sandbox-bank/payments.ts';
import { tableOf } from './books.ts';

/** A code that stays, such as one that is printed. */
export interface CashLink {
  readonly qrcId: string;
  readonly link: string;
}

const linksOf = (payments: SandboxPayments) => tableOf(payments, 'printed_codes');

export function addCashLink(
  payments: SandboxPayments,
  dialect: string,
  merchant: string,
  linkOf: (qrcId: string) => string,
): CashLink {
  const qrcId = newSbpId('AS');
  const link = linkOf(qrcId);
  linksOf(payments).keep([dialect, merchant, qrcId], link);
  return { qrcId, link };
}

/** A merchant's own printed code. */
export function findCashLink(
  payments: SandboxPayments,
  dialect: string,
  merchant: string,
  qrcId: string,
): CashLink | null {
  const link = linksOf(payments).find([dialect, merchant, qrcId]);
  return link === null ? null : { qrcId, link };
}

/** What a payer finds on a printed code: the newest payment that stands on it, in any state. */
export function onCashLink(payments: SandboxPayments, qrcId: string): SandboxPayment | null {
  const sql = `SELECT qrc_id FROM sale WHERE json_extract(detail, '$.cashLink') = ? ORDER BY seq DESC LIMIT 1`;
  const row = payments.db.prepare(sql).get(qrcId);
  return row === undefined ? null : payments.find(String(row.qrc_id));
}
