/** The book of money: payments, refunds and shifts in one database with one journal, and the events of each commit. */
import type { DatabaseSync } from 'node:sqlite';
import { Book, type BookFile, type BookPlan, BrokenRule, type Commit, type RowChange } from '../../core/book/index.ts';
import { type EventType, paymentEvents, refundEvent } from '../model/event-types.ts';
import { type PaymentRow, paymentOf } from '../model/payment-row.ts';
import { type Refund, refundOf } from '../model/refund.ts';
import { Ledger } from './ledger.ts';
import { MONEY_MIGRATIONS, MONEY_TABLES } from './money-schema.ts';
import { RefundLedger } from './refund-ledger.ts';
import { ShiftBook } from './shift-book.ts';

// Rules of money for each change of a row, beyond those of the schema: a paid payment stays paid; no more goes back
// than was paid; the returned sum only shrinks by a refund that a person alone had wrongly called done; a closed shift
// never changes. They are checked before each write, also on a device that sells. A broken rule is a fault of this
// program: the change is refused, `/health` names the rule, and everything else continues.

/** Columns that are set with the row and never change. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  payments: ['order_id', 'amount', 'merchant', 'created_at', 'till', 'sale_key', 'sale_body', 'asked_shift'],
  refunds: ['refund_id', 'till_id', 'order_id', 'amount', 'refunded_before', 'created_at', 'till'],
  shifts: ['number', 'opened_at', 'since_change'],
};
/** Columns that are set once. */
const ONCE: Readonly<Record<string, readonly string[]>> = {
  payments: ['shift', 'receipt_at'],
  refunds: ['shift'],
};
/** A column whose number only grows, also from row to row. */
const GROWING: Readonly<Record<string, string>> = { payments: 'called', shifts: 'number' };

/** The rule that a change breaks, in words; null for none. */
function brokenRule({ table, before, after }: RowChange, statement: Commit['statement']): string | null {
  const fixed = before === null ? [] : (FIXED[table] ?? []).filter((name) => before[name] !== after[name]);
  // a done refund that a person decides to be refused while its shift is open leaves that shift
  const isTakenBack =
    table === 'refunds' && before?.state === 'done' && after.state === 'refused' && after.shift === null;
  const once = isTakenBack ? [] : (ONCE[table] ?? []);
  const setAgain = once.filter((name) => (before?.[name] ?? null) !== null && before?.[name] !== after[name]);
  const [name] = [...fixed, ...setAgain];
  if (name !== undefined) return `${name} never changes`;
  const growing = GROWING[table];
  if (growing === undefined || before?.[growing] === after[growing]) return null;
  const number = Number(after[growing]);
  // BETWEEN leaves out a text in a damaged row, which SQLite orders above all numbers: it must not block other rows
  const sql = `SELECT id FROM ${table} WHERE ${growing} BETWEEN ? AND ${Number.MAX_SAFE_INTEGER} AND id <> ? LIMIT 1`;
  const isBehind = statement(sql).get(number, Number(after.id)) !== undefined;
  return isBehind || number <= Number(before?.[growing] ?? 0) ? `${growing} only grows` : null;
}

/** @throws {BrokenRule} */
function assertRules({ changes, statement }: Commit): void {
  for (const change of changes) {
    const rule = brokenRule(change, statement);
    if (rule !== null) throw new BrokenRule(`${change.table} ${String(change.after.id)}: ${rule}`);
  }
}

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
  const refundRow = refundOf(after);
  const type = refundEvent(before === null ? null : refundOf(before).state, refundRow.state);
  const paid = commit.statement('SELECT * FROM payments WHERE order_id = ?').get(refundRow.orderId);
  if (type === null || paid === undefined) return []; // nothing can be said about a lost payment
  return [{ type, orderId: refundRow.orderId, body: { payment: payment(paymentOf(paid)), refund: refund(refundRow) } }];
}

/** Writes the events of a commit. Their numbers are above those of all earlier events, and not below the clock: `outbox.ts`. */
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

/** @param described null: nobody is notified, and no events are written */
export const moneyPlan = (described: Described | null): BookPlan => ({
  tables: MONEY_TABLES,
  migrations: MONEY_MIGRATIONS,
  writeEvents: (commit) => {
    if (commit.known === null) assertRules(commit); // changes from a journal were checked before they were written
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

  /** A book in memory. */
  static over(db: DatabaseSync, described: Described | null = null): Money {
    return new Money(Book.over(db, moneyPlan(described)));
  }

  [Symbol.dispose](): void {
    this.book.close();
  }
}
