/** The shifts of the book of money: the open one, and the closed ones with their reports. */
import type { Book, BookTable, Row } from '../../core/book/index.ts';
import { fits } from '../../core/schema/index.ts';
import { columnText, type PaymentRow } from '../model/payment-row.ts';
import { type Closer, type Shift, ShiftReport } from '../model/shift.ts';

export interface OpenShift {
  readonly number: number;
  readonly openedAt: number;
  /** Number of the last commit before the shift was opened: its rows changed after that. */
  readonly sinceChange: number;
}

/** How a shift is closed. @property key of the call; null where the device closes it */
export interface Closing {
  readonly at: number;
  readonly key: string | null;
  readonly by: Closer;
  readonly report: ShiftReport;
}

const openOf = (row: Row): OpenShift => ({
  number: Number(row.number),
  openedAt: Number(row.opened_at),
  sinceChange: Number(row.since_change),
});

/** The report of a row, which a later release may have given more fields. */
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

/** Kopecks of a payment that a closed shift has counted as given back by its bank. */
export interface CountedReturn {
  readonly shift: number;
  readonly amount: number;
}

/** Returns in the reports of closed shifts, as far as these are read: a closed shift never changes. */
class KnownReturns {
  readonly read = new Set<number>();
  /** By order id of the payment. */
  readonly byOrder = new Map<string, readonly CountedReturn[]>();
  /** The version of the table for which all shifts from the number `from` on are read. */
  version = -1;
  from = 0;
}

export class ShiftBook {
  readonly book: Book;
  readonly table: BookTable;
  /**
   * The number of the open shift for one version of its table. Within a change a row that the storage has altered cannot
   * be restored: a sale that read it there would count in another shift, or in none.
   */
  #open: { readonly version: number; readonly number: number | null } | null = null;

  readonly #returns = new KnownReturns();

  constructor(book: Book) {
    this.book = book;
    this.table = book.table('shifts');
  }

  get isOpen(): boolean {
    return this.book.problem === null;
  }

  /** Number of the open shift; null before the first. Within a change that closes a shift it is still that one. */
  get openNumber(): number | null {
    const { ownVersion: version } = this.table;
    if (this.#open?.version !== version) this.#open = { version, number: this.current()?.number ?? this.#lostNumber };
    return this.#open.number;
  }

  /** The open shift; null before the first, and while its row is lost (`isSought`), or where no copy has it. */
  current(): OpenShift | null {
    this.table.restoreLost();
    const [row] = this.table.rows('number = (SELECT max(number) FROM shifts)');
    return row === undefined || row.closed_at !== null ? null : openOf(row);
  }

  /** Whether rows of shifts are being looked for: no shift may be opened in the place of one. */
  get isSought(): boolean {
    return this.book.findings.of('shifts', 'sought').length > 0;
  }

  /** Number of the last shift, open or closed; 0 for none. */
  get lastNumber(): number {
    return Number(this.table.get('SELECT max(number) AS n FROM shifts')?.n ?? 0);
  }

  begin(number: number, openedAt: number): void {
    this.table.change(() => this.#add(number, openedAt));
  }

  /**
   * Closes a shift and opens the next one, in one commit. Where the clock was set back behind its beginning, it ends at
   * its beginning; the next one begins by the new time.
   */
  closeShift({ number, openedAt }: OpenShift, { at, key, by, report }: Closing): void {
    this.table.change(() => {
      this.table.set(String(number), {
        closed_at: Math.max(at, openedAt),
        close_key: key,
        till: by.till,
        cashier: by.cashier,
        report: JSON.stringify(report),
        has_returned: Number(report.returned.length > 0),
      });
      this.#add(number + 1, at);
    });
  }

  closed(number: number): Shift | null {
    const [row] = this.table.rows('number = :number AND closed_at IS NOT NULL', { number });
    return row === undefined ? null : closedOf(row);
  }

  /** Closed shifts, newest first. @param before only shifts with a lower number */
  list(before: number, limit: number): Shift[] {
    const condition = 'number < :before AND closed_at IS NOT NULL ORDER BY number DESC LIMIT :limit';
    return this.table.rows(condition, { before, limit }).map(closedOf);
  }

  /** The shift that a call of a till has closed. */
  ofKey(key: string, till: string | null): Shift | null {
    const [row] = this.table.rows('close_key = :key AND till IS :till', { key, till });
    return row === undefined ? null : closedOf(row);
  }

  /**
   * Kopecks of a payment that closed shifts have counted as given back by its bank without a refund of ours, lowest number
   * first. Reads no shift before the one that has accepted it, and each report once.
   * @throws {StoreError} `ROWS_UNSOUND`
   */
  returnedOf({ orderId, shift }: Pick<PaymentRow, 'orderId' | 'shift'>): readonly CountedReturn[] {
    this.#readReturns(shift ?? 0);
    return (this.#returns.byOrder.get(orderId) ?? []).toSorted((one, other) => one.shift - other.shift);
  }

  #readReturns(from: number): void {
    const returns = this.#returns;
    const { ownVersion: version } = this.table;
    if (returns.version === version && from >= returns.from) return;
    const closed = this.table
      .all('SELECT number FROM shifts WHERE has_returned = 1')
      .map(({ number }) => Number(number));
    const numbers = closed.filter((number) => number >= from && !returns.read.has(number));
    const condition = 'number IN (SELECT value FROM json_each(:numbers))';
    const rows = this.book.readSound(() => this.table.rows(condition, { numbers: JSON.stringify(numbers) }));
    for (const { number, report } of rows.map(closedOf)) {
      returns.read.add(number);
      for (const { id, amount } of report.returned)
        returns.byOrder.set(id, [...(returns.byOrder.get(id) ?? []), { shift: number, amount }]);
    }
    returns.version = version;
    returns.from = from;
  }

  /** Number of the open shift where its row is lost: each close opens the next shift. Null before the first. */
  get #lostNumber(): number | null {
    const { lastNumber } = this;
    return lastNumber === 0 ? null : lastNumber + 1;
  }

  #add(number: number, openedAt: number): void {
    this.table.add(String(number), { number, opened_at: openedAt, since_change: this.book.head });
  }
}
