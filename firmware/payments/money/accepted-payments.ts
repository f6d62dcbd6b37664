/** Accepted payments by day and by shift. As in `PaymentQueries`, no query reads the whole ledger. */
import type { Book, BookTable, Row, Values } from '../../core/book/index.ts';
import { columnNumber, type PaymentRow } from '../model/payment-row.ts';
import { paymentsWhere } from './payment-queries.ts';
import { ACCEPTED_BETWEEN } from './tally.ts';

/** Condition for payments accepted in a shift. The plus keeps SQLite on the index of ids. */
const IN_SHIFT = "+state = 'ACCEPTED' AND shift = :shift";

/** The last payment of a piece, after which the next piece begins. */
type AcceptedPlace = Pick<PaymentRow, 'id' | 'paidAt' | 'endedAt'>;

/** The sum of some payments or refunds in one shift, kopecks. */
export interface SumOfShift {
  /** Null for none. */
  readonly shift: number | null;
  readonly sum: number;
  /** The part of the sum from rows without a time, which count on no day. */
  readonly withoutDay: number;
}

export const sumOf = ({ shift, sum, lost }: Row): SumOfShift => ({
  shift: columnNumber(shift),
  sum: Number(sum),
  withoutDay: Number(lost),
});

export class AcceptedPayments {
  readonly #book: Book;
  readonly #table: BookTable;

  /** @param table of payments */
  constructor(book: Book, table: BookTable) {
    this.#book = book;
    this.#table = table;
  }

  /**
   * The accepted payments themselves, the earliest acceptance first, to read in pieces.
   * @param after the last payment of the piece before
   */
  between(from: number, to: number, limit: number, after: AcceptedPlace | null = null): PaymentRow[] {
    const beyond = `AND (coalesce(paid_at, ended_at) > :from OR id > :id) ORDER BY coalesce(paid_at, ended_at), id`;
    const since = after?.paidAt ?? after?.endedAt ?? from;
    return this.#sound(`${ACCEPTED_BETWEEN} ${beyond} LIMIT :limit`, { from: since, to, id: after?.id ?? 0, limit });
  }

  /** Accepted payments of the period of which money has gone back. */
  andReturned(from: number, to: number): PaymentRow[] {
    return paymentsWhere(this.#table, `+${ACCEPTED_BETWEEN} AND refunded > 0`, { from, to });
  }

  /** Payments asked for since whose code was paid more than once (`BankRef.paidAgain`). */
  paidAgain(since: number): PaymentRow[] {
    return paymentsWhere(
      this.#table,
      `created_at >= :since AND state = 'ACCEPTED' AND instr(bank_ref, '"paidAgain"') > 0`,
      { since },
    );
  }

  /** Of the given order ids, those of payments that have changed since a commit (`since`) and of which money has gone back. */
  returnedSince(since: number, orderIds: readonly string[]): string[] {
    const sql = `SELECT order_id FROM payments WHERE order_id IN (SELECT value FROM json_each(:orderIds))
      AND +change_no > :since AND refunded > 0`;
    return this.#table.all(sql, { since, orderIds: JSON.stringify(orderIds) }).map(({ order_id }) => String(order_id));
  }

  /** Kopecks accepted, by shift: of the payments with numbers above `after`, up to `last`. */
  sumsByShift(after: number, last: number): SumOfShift[] {
    const sql = `SELECT shift, sum(amount) AS sum, sum(iif(coalesce(paid_at, ended_at) IS NULL, amount, 0)) AS lost
      FROM payments WHERE id > :after AND id <= :last AND +state = 'ACCEPTED' GROUP BY shift`;
    return this.#table.all(sql, { after, last }).map(sumOf);
  }

  /** Payments of a shift between two numbers. */
  inShift(shift: number, after: number, last: number): PaymentRow[] {
    return this.#sound(`${IN_SHIFT} AND id > :after AND id <= :last ORDER BY id`, { shift, after, last });
  }

  /** @throws {StoreError} `ROWS_UNSOUND` where one of them is not as it was written */
  #sound(condition: string, values: Values): PaymentRow[] {
    return this.#book.readSound(() => paymentsWhere(this.#table, condition, values));
  }
}
