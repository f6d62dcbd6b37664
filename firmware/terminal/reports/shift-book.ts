/** The book of shifts: the open one, and those that are closed with their reports. A file of its own beside the two ledgers, as theirs. */
import { CheckedTable, fits, type Migration, type Row } from '../../store/index.ts';
import { type BookPlace, CheckedBook } from '../ledger/checked-book.ts';
import { columnText } from '../ledger/payment-row.ts';
import { type Closer, type Shift, ShiftReport } from './shift.ts';

const SHIFTS_TABLE = { name: 'shifts', key: 'number' } as const;

const SHIFT_MIGRATIONS: readonly Migration[] = [
  {
    schema: 2,
    readableFrom: '0.1.0',
    sql: `CREATE TABLE shifts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      number INTEGER NOT NULL UNIQUE,
      opened_at INTEGER NOT NULL,      -- wall clock, ms since 1970
      payment_change INTEGER NOT NULL, -- last change of the ledger before it was opened: its rows have changed since
      refund_change INTEGER NOT NULL,  -- the same of the ledger of refunds
      refund_id INTEGER NOT NULL,      -- last refund before it was opened
      closed_at INTEGER,               -- wall clock; null while it is open
      close_key TEXT,                  -- Idempotency-Key; null where the device has closed it by itself
      till TEXT,                       -- name of the credential that has closed it
      cashier TEXT,                    -- who sat there
      report TEXT,                     -- JSON, never changed
      has_returned INTEGER NOT NULL DEFAULT 0, -- whether banks have given money back in it without a refund of ours
      change_no INTEGER,               -- number of the change that made the row what it is
      checksum TEXT                    -- over all other columns
    );
    CREATE INDEX shifts_changed ON shifts (change_no);
    CREATE INDEX shifts_key ON shifts (close_key) WHERE close_key IS NOT NULL;
    CREATE INDEX shifts_returned ON shifts (id) WHERE has_returned = 1;`,
  },
];

/** Where both ledgers stood when a shift was opened. */
export interface Begun {
  readonly paymentChange: number;
  readonly refundChange: number;
  readonly refundId: number;
}

export interface OpenShift extends Begun {
  readonly number: number;
  readonly openedAt: number;
}

/** How a shift is closed. @property key of the call; null where the device does it by itself */
export interface Closing {
  readonly at: number;
  readonly key: string | null;
  readonly by: Closer;
  readonly report: ShiftReport;
}

const openOf = (row: Row): OpenShift => ({
  number: Number(row.number),
  openedAt: Number(row.opened_at),
  paymentChange: Number(row.payment_change),
  refundChange: Number(row.refund_change),
  refundId: Number(row.refund_id),
});

const columnsOf = ({ paymentChange, refundChange, refundId }: Begun) => ({
  payment_change: paymentChange,
  refund_change: refundChange,
  refund_id: refundId,
});

/** A report of a release after this one may hold more. */
function reportOf(row: Row): ShiftReport {
  const report: unknown = JSON.parse(String(row.report));
  if (!fits(ShiftReport, report)) throw new Error(`the report of shift ${row.number} cannot be read`);
  return report;
}

const closedOf = (row: Row): Shift => ({
  number: Number(row.number),
  openedAt: Number(row.opened_at),
  closedAt: Number(row.closed_at),
  closedBy: row.close_key === null ? null : { till: columnText(row.till), cashier: columnText(row.cashier) },
  report: reportOf(row),
});

export class ShiftBook extends CheckedBook {
  static open(place: BookPlace): ShiftBook {
    return new ShiftBook(CheckedTable.open({ ...place, migrations: SHIFT_MIGRATIONS, shape: SHIFTS_TABLE }));
  }

  /** The shift that is open; null before the first, and where its row is lost. */
  current(): OpenShift | null {
    const row = this.table.get('SELECT * FROM shifts ORDER BY number DESC LIMIT 1');
    return row === undefined || row.closed_at !== null ? null : openOf(row);
  }

  /** Number of the last one, open or closed; 0 for none. */
  get lastNumber(): number {
    return Number(this.table.get('SELECT max(number) AS n FROM shifts')?.n ?? 0);
  }

  begin(number: number, openedAt: number, begun: Begun): void {
    this.table.change(() => this.#add(number, openedAt, begun));
  }

  /** The ledgers were put back to an older state: their numbers of changes begin again. */
  beginAgain(number: number, begun: Begun): void {
    this.table.change(() => this.table.set(String(number), columnsOf(begun)));
  }

  /**
   * Closes a shift and opens the next one, in one commit. A shift that the file has lost since it was read is entered again. Where the
   * clock was set back behind its beginning, it ends there; the next one begins by the new time.
   */
  closeShift({ number, openedAt, ...begun }: OpenShift, { at, key, by, report }: Closing, next: Begun): void {
    this.table.change(() => {
      if (this.table.row(String(number)) === null) this.#add(number, openedAt, begun);
      this.table.set(String(number), {
        ...{ closed_at: Math.max(at, openedAt), close_key: key, till: by.till, cashier: by.cashier },
        ...{ report: JSON.stringify(report), has_returned: Number(report.returned.length > 0) },
      });
      this.#add(number + 1, at, next);
    });
  }

  closed(number: number): Shift | null {
    const row = this.table.get('SELECT * FROM shifts WHERE number = :number AND closed_at IS NOT NULL', { number });
    return row === undefined ? null : closedOf(row);
  }

  /** Closed ones, newest first. @param before only those with a lower number */
  list(before: number, limit: number): Shift[] {
    const sql = `SELECT * FROM shifts WHERE number < :before AND closed_at IS NOT NULL ORDER BY number DESC LIMIT :limit`;
    return this.table.all(sql, { before, limit }).map(closedOf);
  }

  /** The shift that a call of a till has closed. */
  ofKey(key: string, till: string | null): Shift | null {
    const row = this.table.get('SELECT * FROM shifts WHERE close_key = :key AND till IS :till', { key, till });
    return row === undefined ? null : closedOf(row);
  }

  /** Closed shifts in which banks have given money back without a refund of ours. */
  withReturned(): Shift[] {
    return this.table.all('SELECT * FROM shifts WHERE has_returned = 1').map(closedOf);
  }

  /** The closed shift that has counted a payment; null where none has. @param from number of the first that may have */
  counting(payment: number, from: number): number | null {
    const closed = this.table.all('SELECT * FROM shifts WHERE number >= :from AND closed_at IS NOT NULL', { from });
    const found = closed.find((row) => reportOf(row).numbers.includes(payment));
    return found === undefined ? null : Number(found.number);
  }

  /** Kopecks that refunds have given back of a payment, as closed shifts have counted it. @param from number of the first */
  refunded(orderId: string, from: number): { readonly shift: number; readonly amount: number }[] {
    return this.table
      .all('SELECT * FROM shifts WHERE number >= :from AND closed_at IS NOT NULL', { from })
      .map((row) => ({ shift: Number(row.number), amount: reportOf(row).refunded[orderId] ?? 0 }));
  }

  #add(number: number, openedAt: number, begun: Begun): void {
    this.table.add(String(number), { number, opened_at: openedAt, ...columnsOf(begun) });
  }
}
