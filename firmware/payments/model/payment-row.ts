/** A payment of the ledger: its fields, and the columns of its row. */

import type { SQLOutputValue } from 'node:sqlite';
import { isFields } from '../../../drivers/lib/strict-json.ts';
import { type BankRef, type PaidBy, type Payer, payerOf, storedMethod } from '../../banks/index.ts';
import type { Row } from '../../core/book/index.ts';
import { PAYMENT_STATES, type PaymentState, type PaymentStatus } from './payment.ts';
import { SALE_FIELDS, type SaleValues, saleValues } from './sale-fields.ts';

/** The key with which a till names a sale, in a call that it may repeat. */
export interface SaleKey extends SaleValues {
  readonly key: string;
  /** Digest of the request: the same key with another digest is a mistake. */
  readonly body: string;
}

/** What a payment is for. */
interface Subject {
  readonly amount: number;
  readonly purpose: string | null;
  /** Name of the profile. */
  readonly profile: string;
}

/** Whether two payments are for the same sale by their fields; a profile may have changed under its name. */
export const isForSame = (one: Subject, other: Subject): boolean =>
  one.amount === other.amount && one.purpose === other.purpose && one.profile === other.profile;

export interface NewPayment {
  readonly orderId: string;
  readonly createdAt: number;
  readonly bootId: string;
  readonly createdMono: number;
  readonly profile: string;
  readonly bank: string;
  /** Who is paid (`Merchants`); null where the row is damaged. */
  readonly merchant: string | null;
  readonly amount: number;
  readonly purpose: string | null;
  readonly ttl: number;
  /** Name of the till's credential; null where none was required. Each credential has idempotency keys of its own. */
  readonly till: string | null;
  /** The cashier: a name that the till sent, or the role signed in at the page; null where neither is known. */
  readonly cashier: string | null;
  /** Null where the till sent no key. */
  readonly sale: SaleKey | null;
  readonly status: PaymentStatus;
}

export interface PaymentRow extends NewPayment {
  readonly id: number;
  /** The bank's reference; null before the bank has given one. */
  readonly ref: BankRef | null;
  readonly payload: string | null;
  readonly endedAt: number | null;
  /** The payment system's id of the transaction; null where no bank has given it. */
  readonly trxId: string | null;
  /** By the bank's clock, ms since 1970; null where it gave no time. */
  readonly paidAt: number | null;
  /** Kopecks that have gone back. */
  readonly refunded: number;
  /** Who has paid; null where its bank does not say. */
  readonly payer: Payer | null;
  /** How it was paid; null where its bank has not said. */
  readonly paidBy: PaidBy | null;
  /** The note of the person who has reviewed it; null without one. */
  readonly note: string | null;
  /** When the person reviewed it: wall clock, ms since 1970. */
  readonly acknowledgedAt: number | null;
  /** Number of the shift that was open when it was asked for; null where none was counted. */
  readonly askedShift: number | null;
  /** Number of the shift in which its acceptance was written; null before that. */
  readonly shift: number | null;
  /** When a till recorded that it had printed the receipt: wall clock, ms since 1970; null where none has. */
  readonly receiptAt: number | null;
  /** Whether the bank is not asked any more: the outcome is known, or nothing more can be learnt. */
  readonly settled: boolean;
}

/** A payment, and whether its row is damaged; null where it is lost. */
export interface CheckedPayment {
  readonly id: number;
  readonly payment: PaymentRow | null;
  readonly isDamaged: boolean;
}

/** Checked by hand for each payment that is read: a schema takes five times as long as the rest. */
const isStoredRef = (value: unknown): value is Readonly<Record<string, string>> =>
  isFields(value) && Object.values(value).every((text) => typeof text === 'string');

/** The text of a column; null where it holds none. */
export const columnText = (value: SQLOutputValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** The state of a row. A damaged row may hold no valid state: unknown never means failed. */
export const storedStateOf = ({ state }: Row): PaymentState =>
  PAYMENT_STATES.find((known): known is PaymentState => known !== 'EMPTY' && known === state) ?? 'PENDING';

function statusOf(row: Row): PaymentStatus {
  const category = columnText(row.error_category);
  const failure =
    category === null ? null : { category, code: Number(row.error_code), message: columnText(row.error_message) ?? '' };
  return {
    state: storedStateOf(row),
    seen: row.seen === 1,
    late: row.late === 1,
    unreported: row.untold === 1,
    superseded: row.superseded === 1,
    awaited: row.awaited === 1,
    withdrawn: row.withdrawn === 1,
    cancelled: row.cancelled === 1,
    failure,
  };
}

/** The bank's reference in a row. A damaged row may hold only the id. */
function refOf(row: Row): BankRef | null {
  const id = columnText(row.bank_id);
  if (id === null) return null;
  try {
    const ref: unknown = JSON.parse(columnText(row.bank_ref) ?? '{}');
    return isStoredRef(ref) ? { ...ref, id } : { id };
  } catch (error) {
    if (error instanceof SyntaxError) return { id };
    throw error;
  }
}

function saleOf(row: Row): SaleKey | null {
  const key = columnText(row.sale_key);
  if (key === null) return null;
  const values = saleValues((name) => columnText(row[SALE_FIELDS[name].column]));
  return { key, body: columnText(row.sale_body) ?? '', ...values };
}

export const columnNumber = (value: SQLOutputValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** The payment of a row; what a damaged row lacks reads as nothing, never as an outcome. */
export function paymentOf(row: Row): PaymentRow {
  return {
    id: Number(row.id),
    orderId: String(row.order_id),
    createdAt: Number(row.created_at),
    bootId: String(row.boot_id),
    createdMono: Number(row.created_mono),
    profile: String(row.profile),
    bank: String(row.bank),
    merchant: columnText(row.merchant),
    amount: Number(row.amount),
    purpose: columnText(row.purpose),
    ttl: Number(row.ttl),
    till: columnText(row.till),
    cashier: columnText(row.cashier),
    sale: saleOf(row),
    ref: refOf(row),
    payload: columnText(row.payload),
    endedAt: columnNumber(row.ended_at),
    trxId: columnText(row.trx_id),
    paidAt: columnNumber(row.paid_at),
    refunded: Number(row.refunded ?? 0),
    payer: payerOf({ bank: row.payer_bank, phone: row.payer_phone }),
    paidBy: storedMethod(columnText(row.method), columnText(row.method_word)),
    note: columnText(row.note),
    acknowledgedAt: columnNumber(row.acknowledged_at),
    askedShift: columnNumber(row.asked_shift),
    shift: columnNumber(row.shift),
    receiptAt: columnNumber(row.receipt_at),
    settled: row.settled === 1,
    status: statusOf(row),
  };
}

/** Columns of a payment's status. */
export const statusColumns = ({ failure, ...status }: PaymentStatus) => ({
  state: status.state,
  seen: Number(status.seen),
  late: Number(status.late),
  untold: Number(status.unreported),
  superseded: Number(status.superseded),
  awaited: Number(status.awaited),
  withdrawn: Number(status.withdrawn),
  cancelled: Number(status.cancelled),
  error_category: failure?.category ?? null,
  error_code: failure?.code ?? null,
  error_message: failure?.message ?? null,
});
