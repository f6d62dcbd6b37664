/** Shifts: one is always open. A till, a person, or the device at a set hour closes it, and the next one begins. */

import { nextTurn } from '../../../../drivers/lib/turns.ts';
import { StoreError } from '../../../core/files/index.ts';
import type { Clock, LogLine } from '../../../core/host/index.ts';
import type { TerminalConfig } from '../../model/config.ts';
import { terminalFailure } from '../../model/failures.ts';
import { lastMomentAt } from '../../model/local-day.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import { asRefunded, type Closer, type Shift, type ShiftReport, turnoverOf } from '../../model/shift.ts';
import { add, NONE, type Sum } from '../../model/sums.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { Ledger } from '../../money/ledger.ts';
import type { RefundLedger } from '../../money/refund-ledger.ts';
import type { OpenShift, ShiftBook } from '../../money/shift-book.ts';
import { shiftSpan } from '../../money/tally.ts';
import { OrderCache } from '../order-cache.ts';
import { ReturnedSums } from '../returned-sums.ts';
import { type CountedBooks, countShift, returnedIn, type ShiftBack } from './count-shift.ts';

/** How often the device checks for the set hour. */
const HOUR_CHECK_MS = 15_000;
/** A shift that seems to begin this much after now was opened before the clock was set back. */
const SET_BACK_MS = 3_600_000;
/** Numbers of payments read in one turn of the event loop: a few milliseconds, as each row is checked. */
const READ_AT_ONCE = 100;

/** Restores rows that are lost, or not as they were written (`LedgerMaintenance`). */
export interface CareOfRows {
  /** Restores rows of later commits than `since`. Never fails. */
  restoreSince(since: number): Promise<void>;
  /** Runs a reading. Where it meets such rows, it runs once more after the search for their copies. */
  whenSound<T>(read: () => T | Promise<T>): Promise<T>;
}

export interface ShiftsOptions {
  readonly config: Pick<TerminalConfig, 'shiftCloseAt'>;
  readonly book: ShiftBook;
  readonly ledger: Ledger;
  readonly refunds: RefundLedger;
  readonly care: CareOfRows;
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: LogLine;
}

/** A shift counted from its rows now. */
export interface Recounted {
  readonly accepted: Sum;
  readonly refunds: Sum;
}

/** @param number of the shift that the caller means, if named @throws {TerminalError} where it is another one */
function requireMeant(number: number | undefined, actual: number, is: string): void {
  if (number === undefined || number === actual) return;
  const message = `not shift ${number}, but shift ${actual} ${is}: nothing was closed now`;
  throw TerminalError.of('Payments', 'ShiftNotOpen', message);
}

export class Shifts {
  readonly #options: ShiftsOptions;
  /** Payments whose money has gone back, and their refunds. */
  readonly orders: OrderCache;
  readonly #back: ReturnedSums<ShiftBack>;
  /** The open shift, counted for one version of the table. */
  #current: { readonly version: number; readonly shift: Shift } | null = null;
  #timer: NodeJS.Timeout | null = null;
  /**
   * Where the clock was set back behind the open shift's beginning: the shift, and when that was seen; it counts from
   * then by the new time.
   */
  #setBack: { readonly number: number; readonly seenAt: number } | null = null;
  /** The reason, as logged last, why the device could not close the shift at the set hour. */
  #closeFailure: string | null = null;
  /** Whether the device is closing the shift now. */
  #isClosing = false;

  constructor(options: ShiftsOptions) {
    this.#options = options;
    this.orders = new OrderCache(options.ledger, options.refunds);
    this.#back = new ReturnedSums(options.refunds);
    this.begin();
  }

  /** Ends when a shift whose set hour has passed is closed: payments found to be accepted after that count in the next shift. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.closeIfDue(), HOUR_CHECK_MS).unref();
    await this.closeIfDue();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** Opens a shift where none is open. Call it whenever the book may have been opened, or hold other rows. */
  begin(): void {
    const { book, clock, log } = this.#options;
    if (!book.isOpen) return;
    try {
      if (book.current() === null && !book.isSought) book.begin(book.lastNumber + 1, clock.wall());
    } catch (error) {
      log('no shift can be opened', { reason: String(error) });
    }
  }

  /**
   * The open shift up to now: counted once for a version of the table, as its page reads it often.
   * @throws {TerminalError} where it cannot be read
   */
  current(): Shift {
    const { version } = this.#options.book.table;
    if (this.#current?.version !== version) {
      const shift = this.#withTerminalErrors(() => {
        const open = this.#requireOpen();
        return { ...open, closedAt: null, closedBy: null, report: this.#count(open) };
      });
      this.#current = { version: this.#options.book.table.version, shift };
    }
    return this.#current.shift;
  }

  /** As `find`; the rows of the open shift are counted first, between the turns of sales. @param number null: the open one */
  async read(number: number | null): Promise<Shift> {
    const { book, ledger, refunds } = this.#options;
    if (number !== null && number !== book.openNumber) return this.find(number);
    const open = this.#withTerminalErrors(() => this.#requireOpen());
    await ledger.sums.count(shiftSpan(open));
    await this.orders.readAll(refunds.changedSince(open.sinceChange));
    return this.current();
  }

  /** The shift of a number. @throws {TerminalError} 404 where there is none */
  find(number: number): Shift {
    return this.#withTerminalErrors(() => {
      const { book } = this.#options;
      if (number === book.openNumber) return this.current();
      const shift = this.#readSound(() => book.closed(number));
      if (shift === null)
        throw TerminalError.of('Payments', 'ShiftNotFound', `there is no shift ${number} on this device`);
      return shift;
    });
  }

  /** Closed shifts, newest first. @param before only shifts with a lower number */
  list(before: number, limit: number): Shift[] {
    return this.#withTerminalErrors(() => this.#readSound(() => this.#options.book.list(before, limit)));
  }

  /** As `close`, once all rows of the shift are as the journal has them: a closed shift never changes. */
  async closeWhenSound(...[by, key, number]: Parameters<Shifts['close']>): Promise<ReturnType<Shifts['close']>> {
    const { care, book } = this.#options;
    const isAgain = key !== null && this.#withTerminalErrors(() => book.ofKey(key, by.till)) !== null;
    if (isAgain) return await care.whenSound(() => this.close(by, key, number));
    const open = this.#withTerminalErrors(() => book.current());
    if (open !== null) requireMeant(number, open.number, 'is open'); // before all rows of the shift are read
    await care.restoreSince(open?.sinceChange ?? 0);
    return await care.whenSound(async () => {
      await this.#recount();
      return this.close(by, key, number);
    });
  }

  /**
   * Closes the open shift, also without sales. Synchronous: nothing is accepted between the count and the end.
   * @param key of the call: the same key of the same till returns the shift that it closed; null for the device itself
   * @param number of the shift that the caller means; any when left out
   * @throws {TerminalError} `ShiftNotOpen` where another one is open, or was closed with this key
   */
  close(by: Closer, key: string | null, number?: number): { readonly shift: Shift; readonly isAgain: boolean } {
    return this.#withTerminalErrors(() => {
      const { book, clock, log } = this.#options;
      const before = key === null ? null : this.#readSound(() => book.ofKey(key, by.till));
      if (before !== null) {
        requireMeant(number, before.number, 'was closed with this key');
        return { shift: before, isAgain: true };
      }
      const open = this.#requireOpen();
      requireMeant(number, open.number, 'is open');
      const report = this.#count(open);
      book.closeShift(open, { at: clock.wall(), key, by, report });
      log('a shift is closed', { number: open.number, net: turnoverOf(report.groups).net });
      return { shift: this.find(open.number), isAgain: false };
    });
  }

  /** Closes the shift once the set hour has passed since its opening; a device that was off then closes it at its start. Never throws. */
  async closeIfDue(): Promise<void> {
    const { config, book, clock, log } = this.#options;
    if (config.shiftCloseAt === null || !book.isOpen || this.#isClosing) return;
    const now = clock.wall();
    try {
      const open = book.current();
      if (open === null) return;
      const { number, openedAt } = open;
      if (openedAt > now + SET_BACK_MS && this.#setBack?.number !== number) this.#setBack = { number, seenAt: now };
      const since = this.#setBack?.number === number ? this.#setBack.seenAt : openedAt;
      if (since >= lastMomentAt(config.shiftCloseAt, now)) return;
      this.#isClosing = true;
      await this.closeWhenSound({ till: null, cashier: null }, null, number);
      this.#closeFailure = null;
    } catch (error) {
      const reason = String(error);
      if (reason !== this.#closeFailure) log('the shift cannot be closed at the set hour', { reason });
      this.#closeFailure = reason;
    } finally {
      this.#isClosing = false;
    }
  }

  /**
   * Numbers of the shifts that counted returns of these payments which no refund explains now; none where the book
   * cannot be read.
   */
  returning(payments: readonly PaymentRow[]): number[] {
    const { book } = this.#options;
    if (!book.isOpen || payments.length === 0) return [];
    const open = book.current();
    if (open === null) return [];
    const { ledger, refunds } = this.#options;
    const ids = new Set(payments.map(({ orderId }) => orderId));
    const changed = [
      ...ledger.accepted.returnedSince(open.sinceChange, [...ids]),
      ...refunds.changedSince(open.sinceChange).filter((orderId) => ids.has(orderId)),
    ];
    const before = payments.flatMap((payment) => book.returnedOf(payment).map(({ shift }) => shift));
    const now = returnedIn(this.#books, open, changed).length > 0 ? [open.number] : [];
    return [...new Set([...before.toSorted((one, other) => one - other), ...now])];
  }

  /** Payments of a shift, in pieces, lowest numbers first. */
  *payments({ number, report: { first, last } }: Shift): Generator<readonly PaymentRow[]> {
    for (let after = first - 1; after < last; after += READ_AT_ONCE)
      yield this.#options.ledger.accepted.inShift(number, after, Math.min(after + READ_AT_ONCE, last));
  }

  /** Counts a closed shift anew from the rows of both ledgers, to compare it with its report. */
  async recounted(shift: Shift): Promise<Recounted> {
    const accepted = { count: 0, sum: 0 };
    for (const piece of this.payments(shift)) {
      accepted.count += piece.length;
      accepted.sum += piece.reduce((sum, { amount }) => sum + amount, 0);
      await nextTurn();
    }
    const done = this.#readSound(() => this.#options.refunds.doneIn(shift.number, 0)).map(({ amount }) => ({
      count: 1,
      sum: amount,
    }));
    return { accepted, refunds: [...done, ...shift.report.returned.map(asRefunded)].reduce(add, NONE) };
  }

  /** Before a close: counts the shift from its rows again, as a closed shift never changes. */
  async #recount(): Promise<void> {
    const { ledger } = this.#options;
    try {
      await ledger.sums.recount(shiftSpan(this.#requireOpen()));
    } catch (error) {
      throw terminalFailure(error, { therefore: 'nothing was closed' });
    }
  }

  /** @throws {StoreError} `ROWS_UNSOUND` */
  #count(open: OpenShift): ShiftReport {
    return this.#readSound(() => countShift(this.#books, open, this.#back));
  }

  get #books(): CountedBooks {
    return { ...this.#options, orders: this.orders };
  }

  #readSound<T>(read: () => T): T {
    return this.#options.book.book.readSound(read);
  }

  #requireOpen(): OpenShift {
    const { book } = this.#options;
    if (book.current() === null) this.begin();
    const open = book.current();
    if (open !== null) return open;
    if (book.isSought) throw new StoreError('ROWS_UNSOUND', 'the open shift is being looked for');
    throw new Error('no shift could be opened');
  }

  #withTerminalErrors<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw terminalFailure(error, { therefore: 'nothing was closed' });
    }
  }
}
