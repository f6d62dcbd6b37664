/**
 * Writes what happens to payments into the ledger, and keeps which acceptances the tills know. Where the ledger cannot
 * be written (a full disk), how a payment failed is kept in memory, reported anyway, and written at the next chance. An
 * outcome is returned as an event, so it is reported only after it is in the ledger.
 */
import type { Clock } from '../../core/host/index.ts';
import type { AtBank, Ledger, Transaction } from '../money/ledger.ts';
import type { NewPayment, PaymentRow } from '../money/payment-row.ts';
import type { BookEvent, RetriedEvent } from './events.ts';
import { advance, type DynamicStatus, type PaymentEvent, type PaymentFailure, type PaymentStatus } from './payment.ts';
import { failureOf, paymentFailure, reportedState } from './payment-failures.ts';
import { StatusCalls } from './status-calls.ts';

/** A till that does not poll the status repeats its call every few seconds. */
const REPEATED_WITHIN_MS = 5000;

export interface LastStatus {
  readonly status: DynamicStatus;
  readonly failure: PaymentFailure | null;
  /** The payment that the status is about; null where there is none. */
  readonly orderId: string | null;
  /** The till that has requested it (`PaymentRow.till`). */
  readonly till: string | null;
}

export interface PaymentBookOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** How long the symbol of an outcome stays on the display. */
  readonly symbolMs: number;
  /** How long a till has to read an acceptance before that is late; 0: for ever. */
  readonly unreadMs: number;
}

const OF_NONE = { failure: null, orderId: null, till: null } as const;

const unwritten = (what: string, orderId: string | null, error: unknown): BookEvent => ({
  type: 'unwritten',
  what,
  orderId,
  error,
});

/** Whether a bank has reported something about the money that the ledger does not have yet. */
const isNews = ({ trxId, paidAt, refunded, payer }: Transaction, payment: PaymentRow): boolean =>
  (payer !== null && (payer.bank !== payment.payer?.bank || payer.phone !== payment.payer.phone)) ||
  (trxId !== null && trxId !== payment.trxId) ||
  (paidAt !== null && paidAt !== payment.paidAt) ||
  (refunded !== null && refunded > payment.refunded);

export class PaymentBook {
  readonly #options: PaymentBookOptions;
  /** What the ledger has not taken yet, by order id. */
  readonly #untaken = new Map<string, readonly RetriedEvent[]>();
  /** Which call of a till the status is about. */
  readonly statusCalls: StatusCalls;
  /** The call that is being answered. */
  #call = 0;
  /** The payment that the status is about, where the ledger could not record that. */
  #spokenOf: string | null = null;
  /** The payment whose code answered the last call, and no other call, and whose status no till has read since. */
  #unasked: string | null = null;
  /** Such a payment whose acceptance was shown on the display: a cashier who only watches the display knows of it. */
  #seenAccepted: { readonly orderId: string; readonly at: number } | null = null;
  /** By order id, the tills to which a paid payment was reported: a till that did not request it is refused once. */
  readonly #reportedTo = new Map<string, ReadonlySet<string | null>>();
  /** The payment whose acceptance was on the display before the present call came. */
  #known: string | null = null;

  constructor(options: PaymentBookOptions) {
    this.#options = options;
    this.statusCalls = new StatusCalls(options.ledger);
  }

  /** Returns what `getDynamicQRStatus` answers. */
  status(): LastStatus {
    const { failure, isUnderWay } = this.statusCalls;
    if (failure !== null) return { ...OF_NONE, status: 'ERROR', failure };
    if (isUnderWay) return { ...OF_NONE, status: 'PENDING' };
    const last = this.last();
    if (last === null) return { ...OF_NONE, status: 'EMPTY' };
    const { orderId, status, till } = last;
    return { status: reportedState(status), failure: status.failure, orderId, till };
  }

  /** The payment that the status is about, unless a later call is under way or has failed without one. */
  last(): PaymentRow | null {
    if (this.#spokenOf !== null) return this.find(this.#spokenOf);
    const last = this.#options.ledger.last();
    return last === null ? null : this.#asKnown(last);
  }

  /** Accepted payments that were reported to no till, newest first. */
  untold(): PaymentRow[] {
    const untold = this.#options.ledger.untold().map((payment) => this.#asKnown(payment));
    return untold.filter(({ orderId, status }) => status.untold && orderId !== this.#known);
  }

  /** Whether it was reported to a till that a payment of another till was paid. */
  isReportedTo(till: string | null, orderId: string): boolean {
    return this.#reportedTo.get(orderId)?.has(till) === true;
  }

  /**
   * A call begins to be answered. An acceptance that the display has shown by now counts as known to a till that only
   * watches it. A call for the same sale just after the symbol appeared is a repetition: the next customer does not buy
   * the same so soon.
   */
  beginCall(call: number, isSameSale: (orderId: string) => boolean): readonly BookEvent[] {
    this.#call = call;
    const { clock, symbolMs } = this.#options;
    const seen = this.#seenAccepted;
    this.#seenAccepted = null;
    this.#unasked = null;
    this.#known = null;
    const events = [...this.#untaken.keys()].flatMap((orderId) => this.#catchUpWith(orderId));
    if (seen === null) return events;
    const isFresh = clock.monotonic() < seen.at + Math.max(symbolMs, REPEATED_WITHIN_MS);
    if (!isFresh || !isSameSale(seen.orderId)) this.#known = seen.orderId;
    return events;
  }

  find(orderId: string): PaymentRow {
    return this.#asKnown(this.#row(orderId));
  }

  /** Enters a new payment, which replaces the one before. @throws {Error} of the database: nothing is entered */
  enter(payment: NewPayment, known: AtBank): readonly BookEvent[] {
    const ofLaterCall = this.#ofCallAfter(this.#call);
    this.#options.ledger.insert(payment, known, this.#replacedBy(payment.orderId));
    return this.#isRecorded(this.#call, ofLaterCall);
  }

  /**
   * Makes a payment the one that the status is about, and applies `event` to it.
   * @throws {Error} of the database: nothing has changed then
   */
  callAgain(orderId: string, event: PaymentEvent | null, call = this.#call): readonly BookEvent[] {
    const payment = this.find(orderId);
    const status = event === null ? payment.status : advance(payment.status, event);
    const endedAt = status.state === payment.status.state ? payment.endedAt : null;
    const ofLaterCall = this.#ofCallAfter(call);
    this.#options.ledger.callAgain({ ...payment, status, endedAt }, this.#replacedBy(orderId));
    this.#untaken.delete(orderId);
    return this.#isRecorded(call, ofLaterCall);
  }

  /**
   * Makes the status ERROR with the failure of a call, unless the call has a payment that reports it.
   * @param always also where the call has a payment
   */
  failCall(call: number, cause: unknown, always = false): readonly BookEvent[] {
    const isOfTheLedger = (cause as { errcode?: number }).errcode !== undefined;
    const isMissed = always || isOfTheLedger || !this.statusCalls.isSpokenOf(call);
    const events = isMissed ? this.statusCalls.fail(call, failureOf(paymentFailure(cause))) : [];
    return isOfTheLedger ? [...events, unwritten('a call failed as the ledger did', null, cause)] : events;
  }

  /**
   * The refusal of a call has reported to a till that payments were paid. From now on the status is about the newest of
   * its own, unless another call has come. A payment that another credential has requested counts as not reported to
   * its till. Never throws.
   */
  reportPaid(paid: readonly PaymentRow[], call: number, till: string | null): readonly BookEvent[] {
    const own = paid.filter((payment) => payment.till === till);
    for (const { orderId } of paid) this.#reportedTo.set(orderId, new Set(this.#reportedTo.get(orderId)).add(till));
    const events = own.flatMap(({ orderId }) => this.note(orderId, { type: 'reported' }));
    const [newest] = own;
    const isLast = newest !== undefined && call === this.statusCalls.last;
    return isLast ? [...events, ...this.speakOf(newest.orderId, call)] : events;
  }

  /** Makes the status report a payment as the outcome of a call, in place of the one before. Never throws. */
  speakOf(orderId: string, call: number): readonly BookEvent[] {
    const events = this.#recordLast(orderId, call);
    this.statusCalls.speakOf(call);
    return events;
  }

  /** The call for a new payment is answered with its code. */
  isAnswered(orderId: string): void {
    this.#unasked = orderId;
  }

  /** The display has shown that a payment was accepted. */
  isShownAccepted(orderId: string): void {
    if (this.#unasked === orderId) this.#seenAccepted = { orderId, at: this.#options.clock.monotonic() };
  }

  /** A till has cleared the display: the next call is another sale, however soon after the symbol. */
  isCleared(): void {
    if (this.#seenAccepted !== null) this.#seenAccepted = { ...this.#seenAccepted, at: Number.NEGATIVE_INFINITY };
  }

  /** A till has received the answer of `getDynamicQRStatus`. Never throws. */
  isRead({ status, orderId }: LastStatus): readonly BookEvent[] {
    this.#unasked = null; // a till that polls the status does not only watch the display
    return orderId !== null && status === 'ACCEPTED' ? this.note(orderId, { type: 'acknowledged' }) : [];
  }

  /**
   * Records that an acceptance which the display has shown is known, also for the next process. As no till has read it,
   * a person is to look into it. Never throws.
   */
  close(): readonly BookEvent[] {
    if (this.#seenAccepted === null) return [];
    const { orderId } = this.#seenAccepted;
    const unread = this.#options.unreadMs === 0 ? [] : this.note(orderId, { type: 'unread' });
    return [...unread, ...this.note(orderId, { type: 'superseded', known: true })];
  }

  /** @throws {Error} of the database: nothing has changed then */
  apply(orderId: string, event: PaymentEvent, transaction: Transaction | null = null): readonly BookEvent[] {
    const payment = this.#row(orderId);
    return this.#keep(payment, advance(this.#asKnown(payment).status, event), transaction);
  }

  /** Applies an event even where the ledger cannot be written: it is written later. Never throws. */
  note(orderId: string, event: RetriedEvent): readonly BookEvent[] {
    this.#untaken.set(orderId, [...(this.#untaken.get(orderId) ?? []), event]);
    return this.#catchUpWith(orderId);
  }

  /** Whether the ledger has all noted events of a payment. */
  hasTaken(orderId: string): boolean {
    return !this.#untaken.has(orderId);
  }

  #catchUpWith(orderId: string): readonly BookEvent[] {
    try {
      const payment = this.#row(orderId);
      return this.#keep(payment, this.#asKnown(payment).status);
    } catch (error) {
      return [unwritten('what has become of a payment cannot be recorded', orderId, error)];
    }
  }

  #keep(payment: PaymentRow, status: PaymentStatus, reported: Transaction | null = null): readonly BookEvent[] {
    const { clock, ledger } = this.#options;
    const { orderId } = payment;
    const ended = status.state !== payment.status.state;
    const endedAt = ended ? clock.wall() : payment.endedAt;
    const news = reported !== null && isNews(reported, payment) ? reported : null;
    if (status !== payment.status || news !== null) ledger.setStatus(orderId, status, endedAt, news);
    this.#untaken.delete(orderId);
    return ended ? [{ type: 'ended', payment: { ...payment, status, endedAt } }] : [];
  }

  /** Makes a payment the last in the ledger, as the outcome of a call, where it is not yet. */
  #recordLast(orderId: string, call: number): readonly BookEvent[] {
    try {
      const isLast = this.#options.ledger.last()?.orderId === orderId;
      const events = isLast && !this.statusCalls.isForeseen ? [] : this.callAgain(orderId, null, call);
      this.#spokenOf = null;
      return events;
    } catch (error) {
      this.#spokenOf = orderId;
      return [unwritten('which payment the status speaks of cannot be recorded', orderId, error)];
    }
  }

  /** The payment that the status reports for a later call, which was refused before this call had its own payment. */
  #ofCallAfter(call: number): string | null {
    return this.statusCalls.spokenOf > call ? (this.last()?.orderId ?? null) : null;
  }

  /** The ledger has the payment of a call as the last. Where a later call has one, that is made the last again. */
  #isRecorded(call: number, ofLaterCall: string | null): readonly BookEvent[] {
    this.#spokenOf = null;
    const events = this.statusCalls.isRecorded(call);
    return ofLaterCall === null ? events : [...events, ...this.speakOf(ofLaterCall, this.statusCalls.spokenOf)];
  }

  /** The payment of the last call as it is after this one has replaced it; null where nothing changes. */
  #replacedBy(orderId: string): PaymentRow | null {
    const last = this.#options.ledger.last();
    if (last === null || last.orderId === orderId) return null;
    const status = advance(last.status, { type: 'superseded', known: last.orderId === this.#known });
    return status === last.status ? null : { ...last, status };
  }

  #row(orderId: string): PaymentRow {
    const payment = this.#options.ledger.find(orderId);
    if (payment === null) throw new Error(`payment ${orderId} is not in the ledger`);
    return payment;
  }

  #asKnown(payment: PaymentRow): PaymentRow {
    const events = this.#untaken.get(payment.orderId);
    return events === undefined ? payment : { ...payment, status: events.reduce(advance, payment.status) };
  }
}
