/**
 * Writes the events of payments into the ledger, and knows what tills were told: which payment the status is about, and
 * which acceptances were reported. Where the ledger cannot be written (a full disk), the failure of a payment is kept
 * in memory, reported anyway, and written at the next chance. An outcome is reported only after it is in the ledger.
 *
 * The status is about the latest call: PENDING until that call has a payment, ERROR where it fails without one. A till
 * that lost the answer to its call reads the status, and must not take the payment before for the outcome. That holds
 * after a restart, too, so the ledger keeps the failure until there is a later call.
 */
import type { LogLine, Timekeeper } from '../../../core/host/index.ts';
import {
  advance,
  type DynamicStatus,
  type PaymentEvent,
  type PaymentFailure,
  type PaymentStatus,
} from '../../model/payment.ts';
import { failureOf, paymentFailure, RESTARTED, reportedState } from '../../model/payment-failures.ts';
import type { NewPayment, PaymentRow } from '../../model/payment-row.ts';
import type { AtBank, Ledger, Transaction } from '../../money/ledger.ts';
import type { CustomerView } from '../screen/customer-view.ts';
import type { PaymentFigures } from './payment-figures.ts';

/** A till that does not poll the status repeats its call within this time. */
const REPEATED_WITHIN_MS = 5000;

export interface BookDeps {
  readonly clock: Timekeeper;
  readonly ledger: Ledger;
  readonly view: CustomerView;
  readonly figures: PaymentFigures;
  /** How long the symbol of an outcome stays on the display. */
  readonly symbolMs: number;
  /** How long a till has to read an acceptance before that is late; 0: for ever. */
  readonly unreadMs: number;
  /** Called each time the ledger cannot take something. */
  readonly onUnwritten: () => void;
  readonly log: LogLine;
}

export interface LastStatus {
  readonly status: DynamicStatus;
  readonly failure: PaymentFailure | null;
  /** The payment that the status is about; null where there is none. */
  readonly orderId: string | null;
  /** The till that requested it (`PaymentRow.till`). */
  readonly till: string | null;
}

const OF_NONE = { failure: null, orderId: null, till: null } as const;

/** Events that count even where the ledger cannot be written (a full disk): they are written again at the next call. */
export type RetriedEvent = Extract<
  PaymentEvent,
  {
    readonly type:
      | 'failed'
      | 'abandoned'
      | 'restarted'
      | 'given-up'
      | 'cancelled'
      | 'superseded'
      | 'unread'
      | 'reported'
      | 'read'
      | 'handled';
  }
>;

/** Whether a bank has reported something about the money that the ledger does not have yet. */
const isNews = ({ trxId, paidAt, refunded, payer, paidBy }: Transaction, payment: PaymentRow): boolean =>
  (payer !== null && (payer.bank !== payment.payer?.bank || payer.phone !== payment.payer.phone)) ||
  (paidBy !== null && (paidBy.method !== payment.paidBy?.method || paidBy.word !== payment.paidBy.word)) ||
  (trxId !== null && trxId !== payment.trxId) ||
  (paidAt !== null && paidAt !== payment.paidAt) ||
  (refunded !== null && refunded > payment.refunded);

export class PaymentBook {
  readonly #deps: BookDeps;
  /** Events that the ledger has not taken yet, by order id. */
  readonly #untaken = new Map<string, readonly RetriedEvent[]>();
  /** Number of the latest call; 0 stands for the calls of the previous process. */
  #lastCall = 0;
  /** Number of the latest call that has a payment. */
  #callWithPayment = 0;
  /** The call that is being answered. */
  #call = 0;
  /** The latest call that has failed without a payment, or in spite of one. */
  #failed: { readonly call: number; readonly failure: PaymentFailure } | null = null;
  /** Whether the ledger keeps the latest call as failed: its payment must then be recorded after that. */
  #isFailureKept = false;
  /** The payment that the status is about, where the ledger could not record it. */
  #unrecorded: string | null = null;
  /** The payment whose code answered the last call, and no other call, and whose status no till has read since. */
  #unasked: string | null = null;
  /** Such a payment whose acceptance the display has shown: a cashier who only watches the display knows of it. */
  #seenAccepted: { readonly orderId: string; readonly at: number } | null = null;
  /** The payment whose acceptance was on the display before the present call came. */
  #known: string | null = null;
  /** By order id, the tills to which a paid payment was reported: a till that did not request it is refused once. */
  readonly #deliveredTo = new Map<string, ReadonlySet<string | null>>();
  /** Timers of accepted payments that no till has read. */
  readonly #alarms = new Set<() => void>();

  constructor(deps: BookDeps) {
    this.#deps = deps;
  }

  /**
   * Restores the state of the previous process once the ledger can be read: the failure of its last call, and the
   * acceptances that no till has read. Each gets its full time, as nobody knows how long the device was off.
   */
  recover(): void {
    const failure = this.#deps.ledger.failedCall();
    if (failure !== null) {
      this.#failed ??= { call: 0, failure };
      this.#isFailureKept = true;
    }
    for (const payment of this.unreported()) this.#watchUnread(payment);
  }

  /** The answer of `getDynamicQRStatus`. */
  status(): LastStatus {
    const failure = this.#failureOfLast;
    if (failure !== null) return { ...OF_NONE, status: 'ERROR', failure };
    if (this.#callWithPayment !== this.#lastCall) return { ...OF_NONE, status: 'PENDING' };
    const last = this.last();
    if (last === null) return { ...OF_NONE, status: 'EMPTY' };
    const { orderId, status, till } = last;
    return { status: reportedState(status), failure: status.failure, orderId, till };
  }

  /** The payment that the status is about, unless a later call is under way or has failed without one. */
  last(): PaymentRow | null {
    if (this.#unrecorded !== null) return this.find(this.#unrecorded);
    const last = this.#deps.ledger.last();
    return last === null ? null : this.#asKnown(last);
  }

  find(orderId: string): PaymentRow {
    return this.#asKnown(this.#row(orderId));
  }

  /** Accepted payments that were reported to no till, newest first. */
  unreported(): PaymentRow[] {
    const unreported = this.#deps.ledger.unreported().map((payment) => this.#asKnown(payment));
    return unreported.filter(({ orderId, status }) => status.unreported && orderId !== this.#known);
  }

  /** Whether a till was told that a payment of another till was paid. */
  isDeliveredTo(till: string | null, orderId: string): boolean {
    return this.#deliveredTo.get(orderId)?.has(till) === true;
  }

  /** Counts a new call, which may have to wait, and returns its number. From now on the status is about this call. */
  nextCall(): number {
    this.#lastCall += 1;
    return this.#lastCall;
  }

  /** Before a call that may take a while: should the process restart meanwhile, the call counts as failed. Never throws. */
  expectRestart(): void {
    if (!this.#isFailureKept) this.#keepFailure(RESTARTED);
  }

  /**
   * A call begins to be answered. An acceptance that the display has shown counts as known to a till that only watches
   * it. A call for the same sale just after the symbol is a repetition: the next customer does not buy the same so
   * soon.
   */
  beginCall(call: number, isSameSale: (orderId: string) => boolean): void {
    this.#call = call;
    const { clock, symbolMs } = this.#deps;
    const seen = this.#seenAccepted;
    this.#seenAccepted = null;
    this.#unasked = null;
    this.#known = null;
    for (const orderId of [...this.#untaken.keys()]) this.#catchUpWith(orderId);
    if (seen === null) return;
    const isFresh = clock.monotonic() < seen.at + Math.max(symbolMs, REPEATED_WITHIN_MS);
    if (!isFresh || !isSameSale(seen.orderId)) this.#known = seen.orderId;
  }

  /** Enters a new payment, which replaces the one before. @throws {Error} of the database: nothing is entered */
  enter(payment: NewPayment, known: AtBank): void {
    const { ledger, figures } = this.#deps;
    const ofLaterCall = this.#ofCallAfter(this.#call);
    ledger.insert(payment, known, this.#replacedBy(payment.orderId));
    this.#noteRecorded(this.#call, ofLaterCall);
    figures.countAsked(payment);
  }

  /**
   * Makes a payment the one that the status is about, and applies `event` to it.
   * @throws {Error} of the database: nothing has changed then
   */
  callAgain(orderId: string, event: PaymentEvent | null, call = this.#call): void {
    const payment = this.find(orderId);
    const status = event === null ? payment.status : advance(payment.status, event);
    const endedAt = status.state === payment.status.state ? payment.endedAt : null;
    const ofLaterCall = this.#ofCallAfter(call);
    this.#deps.ledger.callAgain({ ...payment, status, endedAt }, this.#replacedBy(orderId));
    this.#untaken.delete(orderId);
    this.#noteRecorded(call, ofLaterCall);
  }

  /**
   * Makes the status ERROR with the failure of a call, unless the call has a payment that reports it. Never throws.
   * @param always true: also where the call has a payment
   */
  failCall(call: number, cause: unknown, always = false): void {
    const isOfTheLedger = (cause as { errcode?: number }).errcode !== undefined;
    if (always || isOfTheLedger || this.#callWithPayment !== call) this.#fail(call, failureOf(paymentFailure(cause)));
    if (isOfTheLedger) this.#reportUnwritten('a call failed as the ledger did', null, cause);
  }

  /**
   * The refusal of a call told a till that payments were paid. From now on the status is about the newest of the till's
   * own, unless another call has come. A payment that another credential requested counts as not reported to its till.
   * Never throws.
   */
  reportPaid(paid: readonly PaymentRow[], call: number, till: string | null): void {
    const own = paid.filter((payment) => payment.till === till);
    for (const { orderId } of paid) this.#deliveredTo.set(orderId, new Set(this.#deliveredTo.get(orderId)).add(till));
    for (const { orderId } of own) this.note(orderId, { type: 'reported' });
    const [newest] = own;
    if (newest !== undefined && call === this.#lastCall) this.reportPayment(newest.orderId, call);
  }

  /** Makes the status report a payment as the outcome of a call, in place of the one before. Never throws. */
  reportPayment(orderId: string, call: number): void {
    this.#recordLast(orderId, call);
    this.#noteHasPayment(call);
  }

  /** The call for a new payment is answered with its code, and no other call is. */
  markAnswered(orderId: string): void {
    this.#unasked = orderId;
  }

  /** A till has cleared the display: the next call is another sale, however soon after the symbol. */
  onCleared(): void {
    if (this.#seenAccepted !== null) this.#seenAccepted = { ...this.#seenAccepted, at: Number.NEGATIVE_INFINITY };
  }

  /** A till has received the answer of `getDynamicQRStatus`, or of another call by which it goes on with a payment. Never throws. */
  markHandled({ status, orderId }: LastStatus): void {
    this.#unasked = null; // a till that polls the status does not only watch the display
    if (orderId !== null && status === 'ACCEPTED') this.note(orderId, { type: 'handled' });
  }

  /**
   * Records that a shown acceptance is known, also for the next process. As no till has read it, a person is to look
   * into it. Never throws.
   */
  close(): void {
    for (const callOff of this.#alarms) callOff();
    this.#alarms.clear();
    if (this.#seenAccepted === null) return;
    const { orderId } = this.#seenAccepted;
    if (this.#deps.unreadMs > 0) this.note(orderId, { type: 'unread' });
    this.note(orderId, { type: 'superseded', known: true });
  }

  /**
   * Applies an event to a payment.
   * @param transaction the bank's report about the money in the same answer
   * @throws {Error} of the database: nothing has changed then
   */
  apply(orderId: string, event: PaymentEvent, transaction: Transaction | null = null): void {
    const payment = this.#row(orderId);
    this.#keep(payment, advance(this.#asKnown(payment).status, event), transaction);
  }

  /** Applies an event even where the ledger cannot be written: it is written later. Never throws. */
  note(orderId: string, event: RetriedEvent): void {
    this.#untaken.set(orderId, [...(this.#untaken.get(orderId) ?? []), event]);
    this.#catchUpWith(orderId);
  }

  /** Whether the ledger has all noted events of a payment. */
  hasTaken(orderId: string): boolean {
    return !this.#untaken.has(orderId);
  }

  #catchUpWith(orderId: string): void {
    try {
      const payment = this.#row(orderId);
      this.#keep(payment, this.#asKnown(payment).status);
    } catch (error) {
      this.#reportUnwritten('the outcome of a payment cannot be recorded', orderId, error);
    }
  }

  #keep(payment: PaymentRow, status: PaymentStatus, reported: Transaction | null = null): void {
    const { clock, ledger } = this.#deps;
    const { orderId } = payment;
    const ended = status.state !== payment.status.state;
    const endedAt = ended ? clock.wall() : payment.endedAt;
    const news = reported !== null && isNews(reported, payment) ? reported : null;
    if (status !== payment.status || news !== null) ledger.setStatus(orderId, status, endedAt, news);
    this.#untaken.delete(orderId);
    if (ended) this.#reportEnd({ ...payment, status, endedAt, paidBy: news?.paidBy ?? payment.paidBy });
  }

  /** Reports the end of a payment that the ledger has. Never throws. */
  #reportEnd(payment: PaymentRow): void {
    const { figures, log, view } = this.#deps;
    const { orderId, amount, status } = payment;
    this.#watchUnread(payment);
    log('a payment has ended', { orderId, state: status.state, amount, late: status.late });
    figures.countEnd(payment);
    try {
      const isShown = view.showEnd(payment);
      // no customer watched a late one
      if (isShown && status.state === 'ACCEPTED' && !status.late && this.#unasked === orderId)
        this.#seenAccepted = { orderId, at: this.#deps.clock.monotonic() };
    } catch (error) {
      // its end is in the ledger: a failure to show it must not fail the part that wrote it
      log('the end of a payment could not be shown', { orderId, reason: String(error) });
      if (view.shown === orderId) view.removeCode(); // it must not be paid again
    }
  }

  /** An acceptance that no till reads becomes late after a while, so that `/health` reports it. */
  #watchUnread({ orderId, status }: PaymentRow): void {
    const { clock, unreadMs } = this.#deps;
    if (unreadMs === 0 || !status.unreported || status.late) return;
    const callOff = clock.after(unreadMs, () => {
      this.#alarms.delete(callOff);
      this.note(orderId, { type: 'unread' });
    });
    this.#alarms.add(callOff);
  }

  #reportUnwritten(what: string, orderId: string | null, error: unknown): void {
    const { log, onUnwritten } = this.#deps;
    log(what, { ...(orderId !== null && { orderId }), reason: String(error) });
    onUnwritten();
  }

  /** The failure of the latest call; null where it has not failed. */
  get #failureOfLast(): PaymentFailure | null {
    return this.#failed?.call === this.#lastCall ? this.#failed.failure : null;
  }

  /** Notes that a call has a payment. The failure of a later call stays the last. */
  #noteHasPayment(call: number): void {
    this.#callWithPayment = Math.max(this.#callWithPayment, call);
    if (this.#failed !== null && this.#failed.call <= call) this.#failed = null;
  }

  #fail(call: number, failure: PaymentFailure): void {
    if (this.#failed !== null && this.#failed.call > call) return;
    this.#failed = { call, failure };
    this.#keepFailure(failure);
  }

  #keepFailure(failure: PaymentFailure): void {
    try {
      this.#deps.ledger.keepFailedCall(failure);
      this.#isFailureKept = true;
    } catch (error) {
      this.#reportUnwritten('how a call failed cannot be recorded', null, error);
    }
  }

  /** Makes a payment the last in the ledger, as the outcome of a call, where it is not yet. */
  #recordLast(orderId: string, call: number): void {
    try {
      const isLast = this.#deps.ledger.last()?.orderId === orderId;
      if (!isLast || this.#isFailureKept) this.callAgain(orderId, null, call);
      this.#unrecorded = null;
    } catch (error) {
      this.#unrecorded = orderId;
      this.#reportUnwritten('which payment the status is about cannot be recorded', orderId, error);
    }
  }

  /** The payment that the status reports for a later call, refused before this call had its own payment. */
  #ofCallAfter(call: number): string | null {
    return this.#callWithPayment > call ? (this.last()?.orderId ?? null) : null;
  }

  /**
   * After the ledger made the payment of a call the last: makes the payment of a later call, or its failure, the last
   * again.
   */
  #noteRecorded(call: number, ofLaterCall: string | null): void {
    this.#unrecorded = null;
    this.#isFailureKept = false;
    this.#noteHasPayment(call);
    if (this.#callWithPayment < this.#lastCall) this.#keepFailure(this.#failureOfLast ?? RESTARTED);
    if (ofLaterCall !== null) this.reportPayment(ofLaterCall, this.#callWithPayment);
  }

  /** The payment of the last call, as it is once this one replaces it; null where nothing changes. */
  #replacedBy(orderId: string): PaymentRow | null {
    const last = this.#deps.ledger.last();
    if (last === null || last.orderId === orderId) return null;
    const status = advance(last.status, { type: 'superseded', known: last.orderId === this.#known });
    return status === last.status ? null : { ...last, status };
  }

  #row(orderId: string): PaymentRow {
    const payment = this.#deps.ledger.find(orderId);
    if (payment === null) throw new Error(`payment ${orderId} is not in the ledger`);
    return payment;
  }

  #asKnown(payment: PaymentRow): PaymentRow {
    const events = this.#untaken.get(payment.orderId);
    return events === undefined ? payment : { ...payment, status: events.reduce(advance, payment.status) };
  }
}
