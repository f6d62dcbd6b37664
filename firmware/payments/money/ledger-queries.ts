/** Queries for accepted payments by day and by shift. As in `PaymentQueries`, none reads the whole ledger. */
import { methodNamed, type PaymentMethod } from '../../banks/index.ts';
import type { Row, Values } from '../../core/store/index.ts';
import { OF_TILL, PaymentQueries } from './payment-queries.ts';
import { columnNumber, columnText, type PaymentRow } from './payment-row.ts';
import { METHOD, PAID_WITHOUT_RECEIPT } from './payment-search.ts';

/** Condition for payments accepted between two timestamps. */
const TAKEN = `state = 'ACCEPTED' AND coalesce(paid_at, ended_at) >= :from AND coalesce(paid_at, ended_at) < :to`;

/** Condition for payments accepted in a shift. The plus keeps SQLite on the index of changes, or of ids. */
const IN_SHIFT = "+state = 'ACCEPTED' AND shift = :shift";

const HOUR_MS = 3_600_000;

/** How many payments, and how many kopecks. */
interface Sum {
  readonly count: number;
  readonly sum: number;
}

/** The sum accepted for one merchant with one profile. */
export interface Taken extends Sum, Pick<PaymentRow, 'profile' | 'bank' | 'merchant'> {
  /** How many of these payments a person must look into. */
  readonly late: number;
  /** Payments without a receipt, counted at tills that print them. */
  readonly withoutReceipt: Sum;
}

/** The payment after which a reading in pieces goes on. */
type TakenPlace = Pick<PaymentRow, 'id' | 'paidAt' | 'endedAt'>;

/** The sum accepted in a shift for one merchant with one profile, at one till, by one cashier. */
export interface AcceptedGroup extends Pick<PaymentRow, 'profile' | 'bank' | 'merchant' | 'till' | 'cashier'> {
  readonly method: PaymentMethod;
  readonly accepted: Sum;
  /** Payments without a receipt, counted at tills that print them. */
  readonly withoutReceipt: Sum;
  /** Numbers of the first and the last payment. */
  readonly first: number;
  readonly last: number;
}

const LACKING = `count(*) FILTER (WHERE ${PAID_WITHOUT_RECEIPT}) AS lacking,
  coalesce(sum(amount) FILTER (WHERE ${PAID_WITHOUT_RECEIPT}), 0) AS lacking_sum`;
const sumIn = ({ count, sum }: Row): Sum => ({ count: Number(count), sum: Number(sum) });
const lackingIn = (row: Row): Sum => ({ count: Number(row.lacking), sum: Number(row.lacking_sum) });

export class LedgerQueries extends PaymentQueries {
  /**
   * Sums accepted between two timestamps (ms since 1970), by the bank's clock where it gave the time, per profile, bank
   * and merchant.
   * @param till counts only payments of this till; null for all
   */
  taken(from: number, to: number, till: string | null = null): Taken[] {
    this.table.requireSound(TAKEN, { from, to });
    const sql = `SELECT profile, bank, merchant, count(*) AS count, sum(amount) AS sum, sum(late) AS late,
      ${LACKING} FROM payments
      WHERE ${TAKEN} AND ${OF_TILL} GROUP BY profile, bank, merchant ORDER BY profile, bank, merchant`;
    return this.table.all(sql, { from, to, till }).map((row) => ({
      profile: String(row.profile),
      bank: String(row.bank),
      merchant: columnText(row.merchant),
      ...sumIn(row),
      late: Number(row.late),
      withoutReceipt: lackingIn(row),
    }));
  }

  /**
   * The same sums by hours since the first timestamp.
   * @returns hour (0: the first), payments and kopecks of each hour in which something was accepted
   */
  takenByHour(from: number, to: number, till: string | null = null): (Sum & { readonly hour: number })[] {
    const sql = `SELECT CAST((coalesce(paid_at, ended_at) - :from) / ${HOUR_MS} AS INTEGER) AS hour, count(*) AS count, sum(amount) AS sum
      FROM payments WHERE ${TAKEN} AND ${OF_TILL} GROUP BY hour ORDER BY hour`;
    return this.table.all(sql, { from, to, till }).map((row) => ({ hour: Number(row.hour), ...sumIn(row) }));
  }

  /** The same sums by payment method. */
  takenByMethod(from: number, to: number, till: string | null = null): (Sum & { readonly method: PaymentMethod })[] {
    const sql = `SELECT ${METHOD} AS by, count(*) AS count, sum(amount) AS sum
      FROM payments WHERE ${TAKEN} AND ${OF_TILL} GROUP BY by ORDER BY sum DESC, by`;
    const rows = this.table.all(sql, { from, to, till });
    return rows.map((row) => ({ method: methodNamed(columnText(row.by)), ...sumIn(row) }));
  }

  /**
   * The accepted payments themselves, the earliest acceptance first, to read in pieces.
   * @param after the last payment of the piece before
   */
  takenBetween(from: number, to: number, limit: number, after: TakenPlace | null = null): PaymentRow[] {
    const beyond = `AND (coalesce(paid_at, ended_at) > :from OR id > :id) ORDER BY coalesce(paid_at, ended_at), id`;
    const since = after?.paidAt ?? after?.endedAt ?? from;
    return this.#sound(`${TAKEN} ${beyond} LIMIT :limit`, { from: since, to, id: after?.id ?? 0, limit });
  }

  /** Accepted payments of the period of which money has gone back. */
  takenAndReturned(from: number, to: number): PaymentRow[] {
    return this.many(`+${TAKEN} AND refunded > 0`, { from, to });
  }

  /** Payments asked for since whose code was paid more than once (`BankRef.paidAgain`). */
  paidAgain(since: number): PaymentRow[] {
    return this.many(`created_at >= :since AND state = 'ACCEPTED' AND instr(bank_ref, '"paidAgain"') > 0`, { since });
  }

  /** Numbers of the shifts that counted payments accepted between two timestamps. */
  shiftsOf(from: number, to: number, till: string | null = null): number[] {
    const sql = `SELECT DISTINCT shift FROM payments WHERE ${TAKEN} AND ${OF_TILL} AND shift IS NOT NULL`;
    return this.table.all(sql, { from, to, till }).map(({ shift }) => Number(shift));
  }

  /**
   * @param since number of a change after which payments of the shift have changed; rows that were not written are
   * restored before the count
   */
  acceptedIn(shift: number, since: number): AcceptedGroup[] {
    this.table.requireSound('change_no > :since', { since });
    const sql = `SELECT profile, bank, merchant, till, cashier, ${METHOD} AS by, count(*) AS count, sum(amount) AS sum, min(id) AS first, max(id) AS last,
      ${LACKING} FROM payments WHERE ${IN_SHIFT} AND change_no > :since GROUP BY profile, bank, merchant, till, cashier, by`;
    return this.table.all(sql, { shift, since }).map((row) => ({
      profile: String(row.profile),
      bank: String(row.bank),
      merchant: columnText(row.merchant),
      till: columnText(row.till),
      cashier: columnText(row.cashier),
      method: methodNamed(columnText(row.by)),
      accepted: sumIn(row),
      withoutReceipt: lackingIn(row),
      first: Number(row.first),
      last: Number(row.last),
    }));
  }

  /** Payments of a shift that were asked for in an earlier one. */
  askedBefore(shift: number, since: number): PaymentRow[] {
    return this.many(`${IN_SHIFT} AND change_no > :since AND asked_shift < :shift ORDER BY +id`, { shift, since });
  }

  /** Payments that changed since, and of which money has gone back. */
  returnedSince(since: number): PaymentRow[] {
    return this.many('change_no > :since AND refunded > 0', { since });
  }

  /** Kopecks accepted, by the number of their shift; null for none. Reads the whole ledger. */
  sumsByShift(): ReadonlyMap<number | null, number> {
    const sql = "SELECT shift, sum(amount) AS sum FROM payments WHERE state = 'ACCEPTED' GROUP BY shift";
    return new Map(this.table.all(sql).map(({ shift, sum }) => [columnNumber(shift), Number(sum)]));
  }

  /** Kopecks accepted that count on no day. */
  withoutDay(): number {
    const sql =
      "SELECT sum(amount) AS sum FROM payments WHERE state = 'ACCEPTED' AND coalesce(paid_at, ended_at) IS NULL";
    return Number(this.table.get(sql)?.sum ?? 0);
  }

  /** Payments of a shift between two numbers. */
  inShift(shift: number, after: number, last: number): PaymentRow[] {
    return this.#sound(`${IN_SHIFT} AND id > :after AND id <= :last ORDER BY id`, { shift, after, last });
  }

  /** @throws {StoreError} `ROWS_UNSOUND` where one of them is not as it was written */
  #sound(which: string, values: Values): PaymentRow[] {
    return this.book.soundly(() => this.many(which, values));
  }
}
