/** A payment of the ledger: what it is, and how it lies in the columns of its row. */
import type { SQLOutputValue } from 'node:sqlite';
import Type from 'typebox';
import { fits } from '../../store/index.ts';
import type { BankRef } from '../banks/bank.ts';
import { type Payer, payerOf } from '../banks/payer.ts';
import { PAYMENT_STATES, type PaymentState, type PaymentStatus } from '../payments/payment.ts';

/** What a till has named a sale by, in a call that may be repeated. */
export interface SaleKey {
  readonly key: string;
  /** Digest of what it asked for: the same key with another one is a mistake. */
  readonly body: string;
  /** What the till calls it, as the number of a receipt. */
  readonly reference: string | null;
}

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
  /** Name of the credential that asked for it; null where none was asked for. Keys belong to it. */
  readonly till: string | null;
  /** Who sat at the till: a name that it sent, or the role that was signed in at the page; null where nothing said. */
  readonly cashier: string | null;
  /** Null where the till has named it by nothing. */
  readonly sale: SaleKey | null;
  readonly status: PaymentStatus;
}

export interface PaymentRow extends NewPayment {
  readonly id: number;
  /** The bank's reference of it; null before the bank has given one. */
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
  /** The note of the person who has reviewed it; null without one. */
  readonly note: string | null;
  /** When that was: wall clock, ms since 1970. */
  readonly acknowledgedAt: number | null;
  /** Number of the shift that was open when it was asked for; null where none was counted. */
  readonly askedShift: number | null;
  /** The same when its acceptance was written; null before that. */
  readonly shift: number | null;
  /** When a till has printed its receipt: wall clock, ms since 1970; null where none has said so. */
  readonly receiptAt: number | null;
  /** Its outcome is known, or nothing more can be learnt: the bank is not asked about it any more. */
  readonly settled: boolean;
}

/** A payment with what became of its row; null where it is lost. */
export interface CheckedPayment {
  readonly id: number;
  readonly payment: PaymentRow | null;
  readonly isDamaged: boolean;
}

const StoredRef = Type.Record(Type.String(), Type.String());

type Row = Readonly<Record<string, SQLOutputValue>>;

const text = (value: SQLOutputValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** A damaged row may hold none of them: unknown never means failed. */
const stateOf = ({ state }: Row): PaymentState =>
  PAYMENT_STATES.find((known): known is PaymentState => known !== 'EMPTY' && known === state) ?? 'PENDING';

function statusOf(row: Row): PaymentStatus {
  const category = text(row.error_category);
  const failure =
    category === null ? null : { category, code: Number(row.error_code), message: text(row.error_message) ?? '' };
  return {
    state: stateOf(row),
    seen: row.seen === 1,
    late: row.late === 1,
    untold: row.untold === 1,
    superseded: row.superseded === 1,
    awaited: row.awaited === 1,
    withdrawn: row.withdrawn === 1,
    cancelled: row.cancelled === 1,
    failure,
  };
}

/** A row that is damaged may hold only the id. */
function refOf(row: Row): BankRef | null {
  const id = text(row.bank_id);
  if (id === null) return null;
  try {
    const ref: unknown = JSON.parse(text(row.bank_ref) ?? '{}');
    return fits(StoredRef, ref) ? { ...ref, id } : { id };
  } catch (error) {
    if (error instanceof SyntaxError) return { id };
    throw error;
  }
}

function saleOf(row: Row): SaleKey | null {
  const key = text(row.sale_key);
  return key === null ? null : { key, body: text(row.sale_body) ?? '', reference: text(row.reference) };
}

const numberOf = (value: SQLOutputValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** A payment as its row has it; what a damaged row lacks reads as nothing, never as an outcome. */
export function paymentOf(row: Row): PaymentRow {
  return {
    id: Number(row.id),
    orderId: String(row.order_id),
    createdAt: Number(row.created_at),
    bootId: String(row.boot_id),
    createdMono: Number(row.created_mono),
    profile: String(row.profile),
    bank: String(row.bank),
    merchant: text(row.merchant),
    amount: Number(row.amount),
    purpose: text(row.purpose),
    ttl: Number(row.ttl),
    till: text(row.till),
    cashier: text(row.cashier),
    sale: saleOf(row),
    ref: refOf(row),
    payload: text(row.payload),
    endedAt: numberOf(row.ended_at),
    trxId: text(row.trx_id),
    paidAt: numberOf(row.paid_at),
    refunded: Number(row.refunded ?? 0),
    payer: payerOf({ bank: row.payer_bank, phone: row.payer_phone }),
    note: text(row.note),
    acknowledgedAt: numberOf(row.acknowledged_at),
    askedShift: numberOf(row.asked_shift),
    shift: numberOf(row.shift),
    receiptAt: numberOf(row.receipt_at),
    settled: row.settled === 1,
    status: statusOf(row),
  };
}

/** Columns of a payment's status. */
export const STATUS_COLUMNS = [
  'state',
  'seen',
  'late',
  'untold',
  'superseded',
  'awaited',
  'withdrawn',
  'cancelled',
  'error_category',
  'error_code',
  'error_message',
] as const;

export function statusColumns({
  failure,
  ...status
}: PaymentStatus): Record<(typeof STATUS_COLUMNS)[number], string | number | null> {
  return {
    state: status.state,
    seen: Number(status.seen),
    late: Number(status.late),
    untold: Number(status.untold),
    superseded: Number(status.superseded),
    awaited: Number(status.awaited),
    withdrawn: Number(status.withdrawn),
    cancelled: Number(status.cancelled),
    error_category: failure?.category ?? null,
    error_code: failure?.code ?? null,
    error_message: failure?.message ?? null,
  };
}
