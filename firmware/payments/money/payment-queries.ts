/** Queries for payments: each has an index, so that none reads the whole ledger. */
import type { BookTable, Values } from '../../core/book/index.ts';
import { type NewPayment, type PaymentRow, paymentOf } from '../model/payment-row.ts';
import { type PaymentSearch, searchOf } from './payment-search.ts';

const OF_TILL = '(:till IS NULL OR till = :till)';
const LATE = `late = 1 AND ${OF_TILL}`;

/** Payments that a search reads where no index helps: a few milliseconds of the event loop. */
const MOST_READ = 5000;

interface Numbers {
  readonly first: number;
  readonly last: number;
}

/** The numbers of all payments. */
const ALL: Numbers = { first: 1, last: Number.MAX_SAFE_INTEGER - 1 };

export interface FoundPayments {
  /** Newest first. */
  readonly payments: readonly PaymentRow[];
  /** More matches may have numbers below this one; null where there are none. */
  readonly before: number | null;
}

/** The payments of a table that meet a condition in SQL. */
export const paymentsWhere = (table: BookTable, condition: string, values: Values = {}): PaymentRow[] =>
  table.rows(condition, values).map(paymentOf);

export class PaymentQueries {
  readonly #table: BookTable;

  /** @param table of payments */
  constructor(table: BookTable) {
    this.#table = table;
  }

  /**
   * Payments that match all conditions, newest first. Without an index only a limited number is read: the answer may
   * then be shorter than `limit`, with more matches after it.
   * @param before only payments with a lower number
   */
  search(wanted: PaymentSearch, before: number, limit: number): FoundPayments {
    const { conditions, values, hasIndex, number } = searchOf(wanted);
    const { first, last } = hasIndex ? ALL : this.#numbersOf(wanted.created);
    const end = Math.min(before, last + 1);
    const least = hasIndex ? first : Math.max(end - MOST_READ, first);
    const condition = [...conditions, `${number} < :end`, `${number} >= :least`].join(' AND ');
    const sql = `${condition} ORDER BY ${number} DESC LIMIT :limit`;
    const found = this.#where(sql, { ...values, end, least, limit: limit + 1 });
    const payments = found.slice(0, limit);
    const isMore = found.length > limit || least > first;
    return { payments, before: isMore ? (found.length > limit ? (payments.at(-1)?.id ?? least) : least) : null };
  }

  /** The lowest and the highest number of the payments of some days. Where the clock was wrong, other days lie between them. */
  #numbersOf(created: PaymentSearch['created']): Numbers {
    if (created === undefined) return { ...ALL, last: this.#table.lastId };
    const sql = 'SELECT min(id) AS first, max(id) AS last FROM payments WHERE created_at >= :from AND created_at < :to';
    const found = this.#table.get(sql, { from: created.from, to: created.to });
    return { first: Number(found?.first ?? 1), last: Number(found?.last ?? 0) };
  }

  /** Payments asked for before a timestamp about which the bank may still be asked, oldest first. */
  followedFrom(before: number): PaymentRow[] {
    return this.#where('settled = 0 AND created_at < :before ORDER BY id', { before });
  }

  /** Payments that the bank must still be asked about, oldest first. */
  followed(): PaymentRow[] {
    return this.#where('settled = 0 ORDER BY id');
  }

  /** Payments that a process left before their code was shown. */
  unshown(): PaymentRow[] {
    return this.#where('settled = 0 AND seen = 0 ORDER BY id');
  }

  /** Accepted payments that were reported to no till, newest first. */
  unreported(): PaymentRow[] {
    return this.#where('untold = 1 ORDER BY id DESC');
  }

  /**
   * Accepted payments that a person must look into, the latest first. @param till only payments of this till; null for
   * all
   */
  late(limit: number, till: string | null = null): PaymentRow[] {
    // a bound limit has SQLite plan the statement again each time: 0.2 ms of a showQR
    return this.#where(`${LATE} ORDER BY ended_at DESC, id DESC LIMIT ${limit}`, { till });
  }

  lateCount(till: string | null = null): number {
    return Number(this.#table.get(`SELECT count(*) AS n FROM payments WHERE ${LATE}`, { till })?.n ?? 0);
  }

  /** The newest payments, newest first. */
  recent(limit: number): PaymentRow[] {
    return this.#where('id <= (SELECT max(id) FROM payments) ORDER BY id DESC LIMIT :limit', { limit });
  }

  /** The next payments by the number of their last change, for the master of the store. */
  changedAfter(change: number, limit: number): { readonly change: number; readonly payment: PaymentRow }[] {
    return this.#table
      .changedAfter(change, limit)
      .map((row) => ({ change: Number(row.change_no), payment: paymentOf(row) }));
  }

  /** Latest timestamp in the newest payments, ms since 1970; 0 when there are none. */
  latestMoment(): number {
    const newest = 'id > (SELECT max(id) FROM payments) - :looked';
    const sql = `SELECT max(max(created_at, coalesce(ended_at, 0))) AS latest FROM payments WHERE ${newest}`;
    return Number(this.#table.get(sql, { looked: MOST_READ })?.latest ?? 0);
  }

  /** Whether another payment of the bank has its id, or any other payment has the code. */
  belongsToAnother(
    { orderId, bank }: Pick<NewPayment, 'orderId' | 'bank'>,
    bankId: string,
    payload: string | null,
  ): boolean {
    const others = 'SELECT 1 FROM payments WHERE order_id <> :orderId AND';
    const sql = `${others} bank_id = :bankId AND bank = :bank UNION ALL ${others} payload = :payload LIMIT 1`;
    return this.#table.get(sql, { orderId, bank, bankId, payload }) !== undefined;
  }

  #where(condition: string, values: Values = {}): PaymentRow[] {
    return paymentsWhere(this.#table, condition, values);
  }
}
