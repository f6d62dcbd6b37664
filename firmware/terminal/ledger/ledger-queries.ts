/** What is asked of the ledger: each question has an index, so that none reads it as a whole. */
import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../../store/index.ts';
import type { PaymentFailure, PaymentState } from '../payments/payment.ts';
import { CheckedBook } from './checked-book.ts';
import { columnText, type NewPayment, type PaymentRow, paymentOf } from './payment-row.ts';
import { PAID_WITHOUT_RECEIPT, type PaymentSearch, searchOf } from './payment-search.ts';

export type Values = Readonly<Record<string, SQLInputValue>>;

/** The place of the last call. */
export const LAST_CALL = '(SELECT coalesce(max(called), 0) FROM payments)';

const CALLED_LAST = 'called = (SELECT max(called) FROM payments)';

/** Of payments that were accepted from one moment to another. */
const TAKEN = `state = 'ACCEPTED' AND coalesce(paid_at, ended_at) >= :from AND coalesce(paid_at, ended_at) < :to`;

/** The plus keeps SQLite on the index of changes, or of ids. */
const IN_SHIFT = "+state = 'ACCEPTED' AND shift = :shift";

const HOUR_MS = 3_600_000;

const OF_TILL = '(:till IS NULL OR till = :till)';
const LATE = `late = 1 AND ${OF_TILL}`;

/** What was accepted with one profile. */
export interface Taken {
  readonly profile: string;
  readonly bank: string;
  readonly count: number;
  /** Kopecks. */
  readonly sum: number;
  /** How many of them a person must look into. */
  readonly late: number;
  /** Those without a receipt, of tills that print them. */
  readonly withoutReceipt: { readonly count: number; readonly sum: number };
}

/** Behind which payment a reading in pieces goes on. */
type TakenPlace = Pick<PaymentRow, 'id' | 'paidAt' | 'endedAt'>;

/** What was accepted in a shift with one profile, at one till, by one cashier. */
export interface AcceptedGroup extends Pick<PaymentRow, 'profile' | 'bank' | 'till' | 'cashier'> {
  readonly accepted: { readonly count: number; readonly sum: number };
  /** Those without a receipt, of tills that print them. */
  readonly withoutReceipt: { readonly count: number; readonly sum: number };
  /** Numbers of the first and the last payment. */
  readonly first: number;
  readonly last: number;
}

const LACKING = `count(*) FILTER (WHERE ${PAID_WITHOUT_RECEIPT}) AS lacking,
  coalesce(sum(amount) FILTER (WHERE ${PAID_WITHOUT_RECEIPT}), 0) AS lacking_sum`;
const lackingOf = ({ lacking, lacking_sum: sum }: Row): Taken['withoutReceipt'] => ({
  count: Number(lacking),
  sum: Number(sum),
});

/** Payments that a search looks at where no index leads to them: a few milliseconds of the event loop. */
const MOST_LOOKED_AT = 5000;

export interface FoundPayments {
  /** Newest first. */
  readonly payments: readonly PaymentRow[];
  /** Those that may fit too have lower numbers than this; null where there are none. */
  readonly before: number | null;
}

const paymentOrNull = (row: Row | null): PaymentRow | null => (row === null ? null : paymentOf(row));

export class LedgerQueries extends CheckedBook {
  /** What has been read in this turn of the event loop, by the question and the version of the table. */
  readonly #read = new Map<string, readonly PaymentRow[]>();

  byId(id: number): PaymentRow | null {
    return this.one('id = :id', { id });
  }

  find(orderId: string): PaymentRow | null {
    if (this.table.isChanging) return this.one('order_id = :orderId', { orderId });
    return paymentOrNull(this.table.find(orderId));
  }

  /** The payment that a till has named by a key. @param till name of its credential */
  ofSale(till: string | null, key: string): PaymentRow | null {
    return this.one('sale_key = :key AND till IS :till ORDER BY id LIMIT 1', { key, till });
  }

  /**
   * Payments that fit all that is asked for, newest first. Where no index leads to them, only so many are looked at: then there may be
   * fewer than there is room for, and more behind them.
   * @param before only those with a lower number
   */
  search(wanted: PaymentSearch, before: number, limit: number): FoundPayments {
    const { conditions, values, hasIndex } = searchOf(wanted);
    const least = hasIndex ? 0 : Math.max(Math.min(before, this.table.lastId + 1) - MOST_LOOKED_AT, 0);
    const which = [...conditions, 'id < :before', 'id >= :least'].join(' AND ');
    const found = this.many(`${which} ORDER BY id DESC LIMIT :limit`, { ...values, before, least, limit: limit + 1 });
    const payments = found.slice(0, limit);
    const isMore = found.length > limit || least > 1;
    return { payments, before: isMore ? (found.length > limit ? (payments.at(-1)?.id ?? least) : least) : null };
  }

  /**
   * What was accepted from one moment (ms since 1970) to another, by the bank's clock where it gave the time, by profile and bank.
   * @param till only what it has asked for; null for all
   */
  taken(from: number, to: number, till: string | null = null): Taken[] {
    const sql = `SELECT profile, bank, count(*) AS count, sum(amount) AS sum, sum(late) AS late,
      ${LACKING} FROM payments
      WHERE ${TAKEN} AND ${OF_TILL} GROUP BY profile, bank ORDER BY profile, bank`;
    return this.table.all(sql, { from, to, till }).map((row) => ({
      profile: String(row.profile),
      bank: String(row.bank),
      count: Number(row.count),
      sum: Number(row.sum),
      late: Number(row.late),
      withoutReceipt: lackingOf(row),
    }));
  }

  /**
   * The same by hours since the first moment.
   * @returns hour (0: the first), payments and kopecks of those in which something was accepted
   */
  takenByHour(from: number, to: number, till: string | null = null): { hour: number; count: number; sum: number }[] {
    const sql = `SELECT CAST((coalesce(paid_at, ended_at) - :from) / ${HOUR_MS} AS INTEGER) AS hour, count(*) AS count, sum(amount) AS sum
      FROM payments WHERE ${TAKEN} AND ${OF_TILL} GROUP BY hour ORDER BY hour`;
    return this.table.all(sql, { from, to, till }).map((row) => ({
      hour: Number(row.hour),
      count: Number(row.count),
      sum: Number(row.sum),
    }));
  }

  /**
   * The payments themselves, those accepted first in front: for reading them in pieces.
   * @param after the last one of the piece before
   */
  takenBetween(from: number, to: number, limit: number, after: TakenPlace | null = null): PaymentRow[] {
    const beyond = `AND (coalesce(paid_at, ended_at) > :from OR id > :id) ORDER BY coalesce(paid_at, ended_at), id`;
    const since = after?.paidAt ?? after?.endedAt ?? from;
    return this.many(`${TAKEN} ${beyond} LIMIT :limit`, { from: since, to, id: after?.id ?? 0, limit });
  }

  /** Of these, the payments of which something has gone back. */
  takenAndReturned(from: number, to: number): PaymentRow[] {
    return this.many(`${TAKEN} AND refunded > 0`, { from, to });
  }

  /** The shifts in which payments were counted that were accepted from one moment to another. */
  shiftsOf(from: number, to: number, till: string | null = null): number[] {
    const sql = `SELECT DISTINCT shift FROM payments WHERE ${TAKEN} AND ${OF_TILL} AND shift IS NOT NULL`;
    return this.table.all(sql, { from, to, till }).map(({ shift }) => Number(shift));
  }

  /** @param since number of a change: payments of the shift have changed after it */
  acceptedIn(shift: number, since: number): AcceptedGroup[] {
    const sql = `SELECT profile, bank, till, cashier, count(*) AS count, sum(amount) AS sum, min(id) AS first, max(id) AS last,
      ${LACKING} FROM payments WHERE ${IN_SHIFT} AND change_no > :since GROUP BY profile, bank, till, cashier`;
    return this.table.all(sql, { shift, since }).map((row) => ({
      ...{
        profile: String(row.profile),
        bank: String(row.bank),
        till: columnText(row.till),
        cashier: columnText(row.cashier),
      },
      accepted: { count: Number(row.count), sum: Number(row.sum) },
      withoutReceipt: lackingOf(row),
      ...{ first: Number(row.first), last: Number(row.last) },
    }));
  }

  /** Numbers of the same payments. */
  numbersIn(shift: number, since: number): number[] {
    const sql = `SELECT id FROM payments WHERE ${IN_SHIFT} AND change_no > :since ORDER BY id`;
    return this.table.all(sql, { shift, since }).map(({ id }) => Number(id));
  }

  /** Those of a shift that were asked for in an earlier one. */
  askedBefore(shift: number, since: number): PaymentRow[] {
    return this.many(`${IN_SHIFT} AND change_no > :since AND asked_shift < :shift ORDER BY id`, { shift, since });
  }

  /** Those that have changed since, and of which something has gone back. */
  returnedSince(since: number): PaymentRow[] {
    return this.many('change_no > :since AND refunded > 0', { since });
  }

  /** Those of a shift among some numbers. */
  inShift(shift: number, after: number, last: number): PaymentRow[] {
    return this.many(`${IN_SHIFT} AND id > :after AND id <= :last ORDER BY id`, { shift, after, last });
  }

  /** The last shift that any payment names. @param since number of a change: only those that have changed after it; from 0 on it reads the whole ledger */
  lastShift(since = 0): number {
    const sql = `SELECT max(max(coalesce(shift, 0), coalesce(asked_shift, 0))) AS n FROM payments WHERE change_no > :since`;
    return Number(this.table.get(sql, { since })?.n ?? 0);
  }

  /** Those that were asked for from one moment to another, and are in a state now. */
  askedBetween(from: number, to: number, state: PaymentState): PaymentRow[] {
    return this.many('created_at >= :from AND created_at < :to AND state = :state', { from, to, state });
  }

  /** Those that were asked for before a moment and may still be asked about, oldest first. */
  followedFrom(before: number): PaymentRow[] {
    return this.many('settled = 0 AND created_at < :before ORDER BY id', { before });
  }

  /** The payment of the last call: the one that `getDynamicQRStatus` reports. */
  last(): PaymentRow | null {
    return this.table.isChanging ? this.one(CALLED_LAST) : paymentOrNull(this.table.first(CALLED_LAST));
  }

  /** The place of a call that comes after all others. Not within a change. */
  protected nextCall(): number {
    return Number(this.table.first(CALLED_LAST)?.called ?? 0) + 1;
  }

  /** The newest payments that the bank must still be asked about, oldest first. */
  followed(limit: number): PaymentRow[] {
    return this.many('settled = 0 ORDER BY id DESC LIMIT :limit', { limit }).reverse();
  }

  /** The newest of them before one. */
  followedBefore(id: number): PaymentRow | null {
    return this.one('id = (SELECT max(id) FROM payments WHERE settled = 0 AND id < :id)', { id });
  }

  /** Those that a process left before their code was shown. */
  unshown(): PaymentRow[] {
    return this.many('settled = 0 AND seen = 0 ORDER BY id');
  }

  /** Accepted without a till knowing, newest first. */
  untold(): PaymentRow[] {
    return this.many('untold = 1 ORDER BY id DESC');
  }

  /** Accepted and to be looked into, the latest first. @param till only those that it has asked for; null for all */
  late(limit: number, till: string | null = null): PaymentRow[] {
    // a bound limit has SQLite plan the statement anew each time: 0.2 ms of a showQR
    return this.many(`${LATE} ORDER BY ended_at DESC, id DESC LIMIT ${limit}`, { till });
  }

  lateCount(till: string | null = null): number {
    return Number(this.table.get(`SELECT count(*) AS n FROM payments WHERE ${LATE}`, { till })?.n ?? 0);
  }

  /** Newest first. */
  recent(limit: number): PaymentRow[] {
    return this.many('id <= (SELECT max(id) FROM payments) ORDER BY id DESC LIMIT :limit', { limit });
  }

  /** The next payments after an id, in order: for reading the whole ledger in pieces. */
  after(id: number, limit: number): PaymentRow[] {
    return this.many('id > :id ORDER BY id LIMIT :limit', { id, limit });
  }

  /** The next payments by the number of their last change, for the master of the store. */
  changedAfter(change: number, limit: number): { readonly change: number; readonly payment: PaymentRow }[] {
    // a damaged row may have any number
    const which = 'change_no > :change AND change_no <= :head ORDER BY change_no LIMIT :limit';
    return this.table
      .all(`SELECT * FROM payments WHERE ${which}`, { change, head: this.table.head, limit })
      .map((row) => ({ change: Number(row.change_no), payment: paymentOf(row) }));
  }

  /** Latest moment in the newest payments, ms since 1970; 0 when there are none. */
  latestMoment(): number {
    const newest = 'id > (SELECT max(id) FROM payments) - :looked';
    const sql = `SELECT max(max(created_at, coalesce(ended_at, 0))) AS latest FROM payments WHERE ${newest}`;
    return Number(this.table.get(sql, { looked: MOST_LOOKED_AT })?.latest ?? 0);
  }

  /** Whether another payment of the bank has its id, or any other the code. */
  isTaken({ orderId, bank }: Pick<NewPayment, 'orderId' | 'bank'>, bankId: string, payload: string | null): boolean {
    const others = 'SELECT 1 FROM payments WHERE order_id <> :orderId AND';
    const sql = `${others} bank_id = :bankId AND bank = :bank UNION ALL ${others} payload = :payload LIMIT 1`;
    return this.table.get(sql, { orderId, bank, bankId, payload }) !== undefined;
  }

  /** How the last call failed, where it has no payment of its own; else null. */
  failedCall(): PaymentFailure | null {
    const row = this.table.get(`SELECT * FROM failed_call WHERE after = ${LAST_CALL}`);
    return row === undefined
      ? null
      : { category: String(row.category), code: Number(row.code), message: String(row.message) };
  }

  protected one(which: string, values: Values = {}): PaymentRow | null {
    return this.many(which, values)[0] ?? null;
  }

  /** What one decision asks again is read once: as long as nothing has changed, and this turn of the event loop lasts. */
  protected many(which: string, values: Values = {}): PaymentRow[] {
    const { version, isChanging } = this.table;
    const sql = `SELECT * FROM payments WHERE ${which}`;
    if (isChanging) return this.table.all(sql, values).map(paymentOf);
    if (this.#read.size === 0) setImmediate(() => this.#read.clear());
    const question = `${version} ${which} ${JSON.stringify(values)}`;
    const known = this.#read.get(question) ?? this.table.all(sql, values).map(paymentOf);
    this.#read.set(question, known);
    return [...known];
  }
}
