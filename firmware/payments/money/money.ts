/** The book of money: payments, refunds and shifts in one database with one journal, and the events that each commit means. */
import type { DatabaseSync } from 'node:sqlite';
import type { EventType } from '../../core/config/index.ts';
import { Book, type BookFile, type BookPlan, type Commit, type RowChange } from '../../core/store/index.ts';
import { paymentEvents, refundEvent } from '../events/event-types.ts';
import { type Refund, refundOf } from '../refunds/refund.ts';
import { RefundLedger } from '../refunds/refund-ledger.ts';
import { ShiftBook } from '../reports/shift-book.ts';
import { Ledger } from './ledger.ts';
import { assertRules } from './money-rules.ts';
import { MONEY_MIGRATIONS, MONEY_TABLES } from './money-schema.ts';
import { type PaymentRow, paymentOf } from './payment-row.ts';

/** A payment and a refund as events have them. */
export interface Described {
  readonly payment: (payment: PaymentRow) => object;
  readonly refund: (refund: Refund) => object;
}

interface NewEvent {
  readonly type: EventType;
  readonly orderId: string;
  readonly body: object;
}

const INSERT = 'INSERT INTO events (number, at, type, order_id, body) VALUES (?, ?, ?, ?, ?)';

function eventsOf({ table, before, after }: RowChange, { payment, refund }: Described, commit: Commit): NewEvent[] {
  if (table === 'payments') {
    const row = paymentOf(after);
    const types = paymentEvents(before === null ? null : paymentOf(before), row);
    return types.map((type) => ({ type, orderId: row.orderId, body: { payment: payment(row) } }));
  }
  if (table !== 'refunds') return [];
  const its = refundOf(after);
  const type = refundEvent(before === null ? null : refundOf(before).state, its.state);
  const paid = commit.statement('SELECT * FROM payments WHERE order_id = ?').get(its.orderId);
  if (type === null || paid === undefined) return []; // of a payment that is lost nothing can be said
  return [{ type, orderId: its.orderId, body: { payment: payment(paymentOf(paid)), refund: refund(its) } }];
}

/** Numbers go on above those of all events before, and above the clock: decision 0022. */
function writeEvents(described: Described, commit: Commit): number {
  const { changes, at, lastEvent, known, statement } = commit;
  const events = changes.flatMap((change) => eventsOf(change, described, commit));
  let number = lastEvent;
  for (const [index, { type, orderId, body }] of events.entries()) {
    const least = known === null ? at : known - events.length + 1 + index;
    number = Math.max(number + 1, least);
    statement(INSERT).run(number, at, type, orderId, JSON.stringify(body));
  }
  return Math.max(number, known ?? 0);
}

/** @param described null: nobody is notified, and no events are kept */
export const moneyPlan = (described: Described | null): BookPlan => ({
  tables: MONEY_TABLES,
  migrations: MONEY_MIGRATIONS,
  writeEvents: (commit) => {
    if (commit.known === null) assertRules(commit); // what a journal has was looked at before it was written
    return described === null ? commit.lastEvent : writeEvents(described, commit);
  },
});

export class Money implements Disposable {
  readonly book: Book;
  readonly payments: Ledger;
  readonly refunds: RefundLedger;
  readonly shifts: ShiftBook;

  constructor(book: Book) {
    this.book = book;
    this.shifts = new ShiftBook(book);
    const openShift = (): number | null => this.shifts.openNumber;
    this.payments = new Ledger(book, openShift);
    this.refunds = new RefundLedger(book, openShift);
  }

  static open(file: BookFile, described: Described | null = null): Money {
    return new Money(Book.open(file, moneyPlan(described)));
  }

  /** In memory. */
  static over(db: DatabaseSync, described: Described | null = null): Money {
    return new Money(Book.over(db, moneyPlan(described)));
  }

  [Symbol.dispose](): void {
    this.book.close();
  }
}
