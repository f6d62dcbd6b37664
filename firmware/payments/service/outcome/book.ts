/**
 * Writes the events of payments into the ledger; then the display, figures and the log report them. Where the ledger cannot
 * be written (a full disk), a `RetriedEvent` counts at once, stays in memory, and is written at the next chance. What a bank
 * has reported counts only after it is in the ledger.
 */
import type { LogLine, Timekeeper } from '../../../core/host/index.ts';
import type { LastStatus } from '../../model/call-state.ts';
import {
  acceptedOn,
  advanceWatch,
  type DisplayWatch,
  type DisplayWatchEvent,
  IDLE,
  knownOn,
  mayBeRepeated,
} from '../../model/display-watch.ts';
import { advance, type PaymentEvent, type PaymentStatus } from '../../model/payment.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { Ledger, Transaction } from '../../money/ledger.ts';
import type { CustomerView } from '../screen/customer-view.ts';
import type { PaymentFigures } from './payment-figures.ts';

export interface BookDeps {
  readonly clock: Timekeeper;
  readonly ledger: Ledger;
  readonly view: Pick<CustomerView, 'shown' | 'showEnd' | 'removeCode'>;
  readonly figures: Pick<PaymentFigures, 'countAsked' | 'countEnd'>;
  /** How long the symbol of an outcome stays on the display. */
  readonly symbolMs: number;
  /** How long a till has to read an acceptance before that is late; 0: for ever. */
  readonly unreadMs: number;
  /** Called each time something cannot be written to the ledger. */
  readonly onUnwritten: () => void;
  readonly log: LogLine;
}

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

/** Whether a bank's report about the money has something that the ledger does not have yet. */
const isNews = ({ trxId, paidAt, refunded, payer, paidBy }: Transaction, payment: PaymentRow): boolean =>
  (payer !== null && (payer.bank !== payment.payer?.bank || payer.phone !== payment.payer.phone)) ||
  (paidBy !== null && (paidBy.method !== payment.paidBy?.method || paidBy.word !== payment.paidBy.word)) ||
  (trxId !== null && trxId !== payment.trxId) ||
  (paidAt !== null && paidAt !== payment.paidAt) ||
  (refunded !== null && refunded > payment.refunded);

/** Logs what could not be written to the ledger (a full disk), and has `/health` test the storage. */
export function reportUnwritten(
  { log, onUnwritten }: Pick<BookDeps, 'log' | 'onUnwritten'>,
  what: string,
  orderId: string | null,
  error: unknown,
): void {
  log(what, { ...(orderId !== null && { orderId }), reason: String(error) });
  onUnwritten();
}

export class PaymentBook {
  readonly #deps: BookDeps;
  /** Events that are not in the ledger yet, by order id. */
  readonly #unwritten = new Map<string, readonly RetriedEvent[]>();
  /** Functions that call off the timers of accepted payments that no till has read. */
  readonly #alarms = new Set<() => void>();
  #watch: DisplayWatch = IDLE;

  constructor(deps: BookDeps) {
    this.#deps = deps;
  }

  /** Watches the acceptances that no till has read. Each gets its full time: nobody knows how long the device was off. */
  recover(): void {
    for (const payment of this.unreported()) this.#watchUnread(payment);
  }

  /** A payment, with the events that are not in the ledger yet. @throws {Error} where there is none, or of the database */
  find(orderId: string): PaymentRow {
    return this.#withUnwritten(this.#row(orderId));
  }

  /** The payment that the ledger has as that of the last call; null for none. @throws {Error} of the database */
  last(): PaymentRow | null {
    const last = this.#deps.ledger.last();
    return last === null ? null : this.#withUnwritten(last);
  }

  /** Accepted payments that were reported to no till, newest first. */
  unreported(): PaymentRow[] {
    const known = knownOn(this.#watch);
    const unreported = this.#deps.ledger.queries.unreported().map((payment) => this.#withUnwritten(payment));
    return unreported.filter(({ orderId, status }) => status.unreported && orderId !== known);
  }

  /** The turn of a call has come: what is not in the ledger yet is written, and a shown acceptance may become known. */
  beginCall(isSameSale: (orderId: string) => boolean): void {
    const before = this.#watch;
    this.#onWatch({ type: 'begun' });
    for (const orderId of [...this.#unwritten.keys()]) this.#writePending(orderId);
    const orderId = acceptedOn(before);
    if (orderId === null) return;
    const { clock, symbolMs } = this.#deps;
    const isRepeated = mayBeRepeated(before, clock.monotonic(), symbolMs) && isSameSale(orderId);
    if (!isRepeated) this.#onWatch({ type: 'known', orderId });
  }

  /**
   * Makes a payment that of the last call, and applies `event` to it.
   * @throws {Error} of the database: nothing has changed then
   */
  callAgain(orderId: string, event: PaymentEvent | null): void {
    const payment = this.find(orderId);
    const status = event === null ? payment.status : advance(payment.status, event);
    const endedAt = status.state === payment.status.state ? payment.endedAt : null;
    this.#deps.ledger.callAgain({ ...payment, status, endedAt }, this.replacedBy(orderId));
    this.#unwritten.delete(orderId);
  }

  /** The payment of the last call, as it is once another one replaces it; null where nothing changes. */
  replacedBy(orderId: string): PaymentRow | null {
    const last = this.#deps.ledger.last();
    if (last === null || last.orderId === orderId) return null;
    const status = advance(last.status, { type: 'superseded', known: last.orderId === knownOn(this.#watch) });
    return status === last.status ? null : { ...last, status };
  }

  /** A single call without a key is answered with the code of a new payment. */
  markAnswered(orderId: string): void {
    this.#onWatch({ type: 'answered', orderId });
  }

  /** A till has cleared the display. */
  markCleared(): void {
    this.#onWatch({ type: 'cleared' });
  }

  /** A till has received the answer of `getDynamicQRStatus`, or of another call by which it acts on a payment. Never throws. */
  markHandled({ status, orderId }: LastStatus): void {
    this.#onWatch({ type: 'polled' });
    if (orderId !== null && status === 'ACCEPTED') this.note(orderId, { type: 'handled' });
  }

  /**
   * Records that a shown acceptance is known, also for the next process. As no till has read it, a person must look into
   * it. Never throws.
   */
  close(): void {
    for (const callOff of this.#alarms) callOff();
    this.#alarms.clear();
    const orderId = acceptedOn(this.#watch);
    if (orderId === null) return;
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
    this.#record(payment, advance(this.#withUnwritten(payment).status, event), transaction);
  }

  /** Applies an event even where the ledger cannot be written: it is written later. Never throws. */
  note(orderId: string, event: RetriedEvent): void {
    this.#unwritten.set(orderId, [...(this.#unwritten.get(orderId) ?? []), event]);
    this.#writePending(orderId);
  }

  /** Whether the ledger has all noted events of a payment. */
  isWritten(orderId: string): boolean {
    return !this.#unwritten.has(orderId);
  }

  #writePending(orderId: string): void {
    try {
      const payment = this.#row(orderId);
      this.#record(payment, this.#withUnwritten(payment).status);
    } catch (error) {
      reportUnwritten(this.#deps, 'the outcome of a payment cannot be recorded', orderId, error);
    }
  }

  #record(payment: PaymentRow, status: PaymentStatus, reported: Transaction | null = null): void {
    const { clock, ledger } = this.#deps;
    const { orderId } = payment;
    const ended = status.state !== payment.status.state;
    const endedAt = ended ? clock.wall() : payment.endedAt;
    const news = reported !== null && isNews(reported, payment) ? reported : null;
    if (status !== payment.status || news !== null) ledger.setStatus(orderId, status, endedAt, news);
    this.#unwritten.delete(orderId);
    if (ended) this.#reportEnd({ ...payment, status, endedAt, paidBy: news?.paidBy ?? payment.paidBy });
  }

  /** Reports the end of a payment that the ledger has. Never throws. */
  #reportEnd(payment: PaymentRow): void {
    const { clock, figures, log, view } = this.#deps;
    const { orderId, amount, status } = payment;
    this.#watchUnread(payment);
    log('a payment has ended', { orderId, state: status.state, amount, late: status.late });
    figures.countEnd(payment);
    try {
      const isShown = view.showEnd(payment);
      // no customer watched a late one
      if (isShown && status.state === 'ACCEPTED' && !status.late)
        this.#onWatch({ type: 'accepted', orderId, at: clock.monotonic() });
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

  #onWatch(event: DisplayWatchEvent): void {
    this.#watch = advanceWatch(this.#watch, event);
  }

  #row(orderId: string): PaymentRow {
    const payment = this.#deps.ledger.find(orderId);
    if (payment === null) throw new Error(`payment ${orderId} is not in the ledger`);
    return payment;
  }

  #withUnwritten(payment: PaymentRow): PaymentRow {
    const events = this.#unwritten.get(payment.orderId);
    return events === undefined ? payment : { ...payment, status: events.reduce(advance, payment.status) };
  }
}
