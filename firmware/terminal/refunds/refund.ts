/** A refund: money of a paid payment, all of it or a part, that goes back. */
import type { SQLOutputValue } from 'node:sqlite';

/**
 * - `asked`: the ledger has it, the bank has not heard of it
 * - `sent`: the bank is being asked
 * - `unknown`: the bank may have made it, no answer told so
 * - `pending`: the bank has taken it, and it is under way
 * - `done`: the money has gone back, or will for certain
 * - `refused`: the bank does not, and nothing has gone back by it
 */
export const REFUND_STATES = Object.freeze(['asked', 'sent', 'unknown', 'pending', 'done', 'refused'] as const);
export type RefundState = (typeof REFUND_STATES)[number];

export interface NewRefund {
  /** Ours, which the bank is told. */
  readonly refundId: string;
  /** The till's, which no other refund has. */
  readonly tillId: string;
  /** Of the payment. */
  readonly orderId: string;
  readonly profile: string;
  readonly bank: string;
  /** Kopecks. */
  readonly amount: number;
  /** Kopecks that had gone back before it was asked for. */
  readonly refundedBefore: number;
  /** Wall clock, ms since 1970. */
  readonly createdAt: number;
}

export interface RefundProgress {
  readonly state: RefundState;
  /** What the bank calls it; null where it has called it nothing. */
  readonly bankRefundId: string | null;
  /** The bank's words, or why no answer came; null where there are none. */
  readonly reason: string | null;
  /** Wall clock, ms since 1970; null while it is undecided. */
  readonly endedAt: number | null;
}

export interface Refund extends NewRefund, RefundProgress {
  readonly id: number;
}

/** The money may have gone back, and may not. */
export const isUndecided = ({ state }: Pick<Refund, 'state'>): boolean => state !== 'done' && state !== 'refused';

/** Kopecks of refunds that have gone back, and of those that may have. */
export function sumsOf(refunds: readonly Refund[]): { readonly done: number; readonly undecided: number } {
  const sum = (counts: (refund: Refund) => boolean): number =>
    refunds.filter(counts).reduce((total, { amount }) => total + amount, 0);
  return { done: sum(({ state }) => state === 'done'), undecided: sum(isUndecided) };
}

type Row = Readonly<Record<string, SQLOutputValue>>;

const text = (value: SQLOutputValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** A refund as its row has it. Of a damaged row nobody knows what became of the money. */
export const refundOf = (row: Row): Refund => ({
  id: Number(row.id),
  refundId: String(row.refund_id),
  tillId: String(row.till_id),
  orderId: String(row.order_id),
  profile: String(row.profile),
  bank: String(row.bank),
  amount: Number(row.amount),
  refundedBefore: Number(row.refunded_before),
  createdAt: Number(row.created_at),
  state: REFUND_STATES.find((state) => state === row.state) ?? 'unknown',
  bankRefundId: text(row.bank_refund_id),
  reason: text(row.reason),
  endedAt: row.ended_at === null || row.ended_at === undefined ? null : Number(row.ended_at),
});
