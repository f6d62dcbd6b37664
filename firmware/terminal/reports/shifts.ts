/** Shifts: one is open at any time. It is closed by a till, by a person, or by the device at a set hour, and the next one begins. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import type { Clock, LogLine } from '../../host/index.ts';
import { TerminalError } from '../errors.ts';
import { terminalFailure } from '../failures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import { sumsOf } from '../refunds/refund.ts';
import type { RefundLedger } from '../refunds/refund-ledger.ts';
import { countShift, lostRefunds, returnedIn } from './count-shift.ts';
import { add, NONE, type Sum } from './day-report.ts';
import { lastMomentAt } from './local-day.ts';
import { asRefunded, type Closer, type Shift, turnoverOf } from './shift.ts';
import type { Begun, OpenShift, ShiftBook } from './shift-book.ts';

/** How often the set hour is looked at. */
const LOOK_EVERY_MS = 15_000;
/** A shift that seems to have been opened so much later than now was opened before the clock was set back. */
const SET_BACK_MS = 3_600_000;
/** Of the changes of both ledgers: all of them are looked at. */
const FROM_THE_BEGINNING = Object.freeze({ paymentChange: 0, refundChange: 0 });
/** Payments that are looked at before others get a turn: a few milliseconds. */
const LOOKED_AT_ONCE = 5000;

export interface ShiftsOptions {
  readonly config: Pick<Config['terminal'], 'shiftCloseAt'>;
  readonly book: ShiftBook;
  readonly ledger: Ledger;
  readonly refunds: RefundLedger;
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: LogLine;
}

/** A shift, and what both ledgers say of it now. */
export interface Recounted {
  readonly accepted: Sum;
  readonly refunds: Sum;
}

/** @param number of the shift that is meant, if one is named @throws {TerminalError} where it is another */
function requireMeant(number: number | undefined, actual: number, is: string): void {
  if (number === undefined || number === actual) return;
  const message = `not shift ${number}, but shift ${actual} ${is}: nothing was closed now`;
  throw TerminalError.of('Payments', 'ShiftNotOpen', message);
}

export class Shifts {
  readonly #options: ShiftsOptions;
  /** As the book has it; null where that cannot be read. */
  #open: OpenShift | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** The open shift, where the clock was set back behind its beginning: by the new time it counts from when that was seen. */
  #setBack: { readonly number: number; readonly seenAt: number } | null = null;
  /** Why the device could not close it at the set hour: the reason that was logged last. */
  #unclosed: string | null = null;

  constructor(options: ShiftsOptions) {
    this.#options = options;
    const openShift = (): number | null => this.#open?.number ?? null;
    options.ledger.countedIn(openShift, (payment) => this.#shiftOf(payment));
    options.refunds.countedIn(openShift);
    this.begin();
  }

  start(): void {
    this.closeIfDue();
    this.#timer = setInterval(() => this.closeIfDue(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** Reads which shift is open, or opens the first. To be called whenever a file may be open that was not, or hold other rows. */
  begin(): void {
    const { book, ledger, refunds, log } = this.#options;
    this.#open = null;
    if (!book.isOpen || !ledger.isOpen || !refunds.isOpen) return;
    try {
      this.#open = this.#found() ?? this.#first();
      this.#adopt();
    } catch (error) {
      log('the book of shifts cannot be written', { reason: String(error) });
    }
  }

  /** The shift that is open, as far as it has come. @throws {TerminalError} where it cannot be read */
  current(): Shift {
    return this.#orFail(() => {
      const open = this.#mustBeOpen();
      return { ...open, closedAt: null, closedBy: null, report: countShift(this.#options, open) };
    });
  }

  /** @throws {TerminalError} 404 where there is none */
  find(number: number): Shift {
    return this.#orFail(() => {
      if (number === this.#open?.number) return this.current();
      const shift = this.#options.book.closed(number);
      if (shift === null)
        throw TerminalError.of('Payments', 'ShiftNotFound', `there is no shift ${number} on this device`);
      return shift;
    });
  }

  /** Closed ones, newest first. @param before only those with a lower number */
  list(before: number, limit: number): Shift[] {
    return this.#orFail(() => this.#options.book.list(before, limit));
  }

  /**
   * Closes the shift that is open, also where nothing was sold in it. Synchronous: nothing is accepted between the count and the end.
   * @param key of the call: the same of the same till again is the shift that it has closed; null for the device itself
   * @param number of the shift that is meant; left out: whichever is open
   * @throws {TerminalError} `ShiftNotOpen` where another one is open, or was closed with this key
   */
  close(by: Closer, key: string | null, number?: number): { readonly shift: Shift; readonly isAgain: boolean } {
    return this.#orFail(() => {
      const { book, clock, log } = this.#options;
      const before = key === null ? null : book.ofKey(key, by.till);
      if (before !== null) {
        requireMeant(number, before.number, 'was closed with this key');
        return { shift: before, isAgain: true };
      }
      this.#adopt();
      const open = this.#mustBeOpen();
      requireMeant(number, open.number, 'is open');
      const report = countShift(this.#options, open);
      book.closeShift(open, { at: clock.wall(), key, by, report }, this.#heads());
      this.#open = book.current();
      log('a shift is closed', { number: open.number, net: turnoverOf(report.groups).net });
      return { shift: this.find(open.number), isAgain: false };
    });
  }

  /** Closes the shift where the set hour has passed since it was opened. A device that was off then does it at its start. Never throws. */
  closeIfDue(): void {
    const { config, clock, log } = this.#options;
    if (config.shiftCloseAt === null || this.#open === null) return;
    const now = clock.wall();
    const { number, openedAt } = this.#open;
    if (openedAt > now + SET_BACK_MS && this.#setBack?.number !== number) this.#setBack = { number, seenAt: now };
    const since = this.#setBack?.number === number ? this.#setBack.seenAt : openedAt;
    if (since >= lastMomentAt(config.shiftCloseAt, now)) return;
    try {
      this.close({ till: null, cashier: null }, null);
      this.#unclosed = null;
    } catch (error) {
      const reason = String(error);
      if (reason !== this.#unclosed) log('the shift cannot be closed at the set hour', { reason });
      this.#unclosed = reason;
    }
  }

  /**
   * Numbers of the shifts that have counted money of these payments as given back which no refund explains now; none where the book
   * cannot be read.
   */
  returning(payments: readonly PaymentRow[]): number[] {
    const { book } = this.#options;
    const open = this.#open;
    if (open === null || !book.isOpen || payments.length === 0) return [];
    const now = { number: open.number, lines: returnedIn(this.#options, open).map(({ line }) => line) };
    const before = book.withReturned().map(({ number, report }) => ({ number, lines: report.returned }));
    const ids = new Set(payments.map(({ orderId }) => orderId));
    const named = [...before, now].filter(({ lines }) => lines.some(({ id }) => ids.has(id)));
    const lost = payments.filter(this.#isUnexplained).flatMap((payment) => lostRefunds(this.#options, payment));
    return [...named.map(({ number }) => number), ...lost.map(({ shift }) => shift)];
  }

  /** Payments of a shift, in pieces, those with the lowest numbers first. */
  *payments({ number, report: { first, last } }: Shift): Generator<readonly PaymentRow[]> {
    for (let after = first - 1; after < last; after += LOOKED_AT_ONCE)
      yield this.#options.ledger.inShift(number, after, Math.min(after + LOOKED_AT_ONCE, last));
  }

  /** What the rows of both ledgers say of a closed shift now, to be laid beside its report. */
  async recounted(shift: Shift): Promise<Recounted> {
    const accepted = { count: 0, sum: 0 };
    for (const piece of this.payments(shift)) {
      accepted.count += piece.length;
      accepted.sum += piece.reduce((sum, { amount }) => sum + amount, 0);
      await breathe();
    }
    const done = this.#options.refunds.doneIn(shift.number, 0).map(({ amount }) => ({ count: 1, sum: amount }));
    return { accepted, refunds: [...done, ...shift.report.returned.map(asRefunded)].reduce(add, NONE) };
  }

  /** Of a payment that is accepted now. What the book cannot say must not keep it from being accepted. */
  #shiftOf({ id, askedShift }: PaymentRow): number | null {
    const { book, log } = this.#options;
    const open = this.#open?.number ?? null;
    if (open === null || askedShift === null || askedShift === open) return open;
    try {
      return book.counting(id, askedShift) ?? open;
    } catch (error) {
      log('whether an earlier shift has counted a payment cannot be read', { number: id, reason: String(error) });
      return open;
    }
  }

  readonly #isUnexplained = ({ orderId, refunded }: PaymentRow): boolean => {
    const { done, undecided } = sumsOf(this.#options.refunds.of(orderId));
    return refunded > done + undecided;
  };

  #mustBeOpen(): OpenShift {
    if (this.#open === null) this.begin();
    const { book, ledger, refunds } = this.#options;
    const problem = book.table.problem ?? ledger.table.problem ?? refunds.table.problem;
    if (this.#open === null) throw problem ?? new Error('no shift could be opened');
    return this.#open;
  }

  #heads(): Begun {
    const { ledger, refunds } = this.#options;
    return {
      paymentChange: ledger.table.head,
      refundChange: refunds.table.head,
      refundId: refunds.table.lastId,
    };
  }

  #found(): OpenShift | null {
    const { book, ledger, refunds, clock, log } = this.#options;
    const open = book.current();
    if (open === null) return null;
    const heads = this.#heads();
    const named = Math.max(ledger.lastShift(open.paymentChange), refunds.lastShift(open.refundChange));
    if (named > open.number) {
      log('the book of shifts was put back to an older state', { open: open.number, named });
      book.begin(named + 1, clock.wall(), heads);
      return book.current();
    }
    // of a ledger that is whole, closed shifts have counted what was there before
    const paymentChange = heads.paymentChange < open.paymentChange ? 0 : open.paymentChange;
    const refundChange = heads.refundChange < open.refundChange ? 0 : open.refundChange;
    if (paymentChange === open.paymentChange && refundChange === open.refundChange) return open;
    book.beginAgain(open.number, { ...open, paymentChange, refundChange });
    return book.current();
  }

  /** The first of all, or the one after the last that is known. Where the book is lost, numbers go on above those that payments have. */
  #first(): OpenShift | null {
    const { book, ledger, refunds, clock } = this.#options;
    const last = book.lastNumber;
    const number = last > 0 ? last : Math.max(ledger.lastShift(), refunds.lastShift());
    book.begin(number + 1, clock.wall(), { ...this.#heads(), ...(last > 0 ? FROM_THE_BEGINNING : {}) });
    return book.current();
  }

  /** What was accepted and done while the book could not be read counts in the shift that is open. */
  #adopt(): void {
    const { ledger, refunds } = this.#options;
    if (this.#open === null) return;
    ledger.adopt();
    refunds.adopt();
  }

  #orFail<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw terminalFailure(error, { therefore: 'nothing was closed' });
    }
  }
}
