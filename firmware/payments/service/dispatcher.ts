/**
 * Handles each event, in one place: first in the ledger, then in each part that needs it. What concerns a single part
 * is done by that part; which parts an event concerns is written here.
 */

import { UNREPORTED } from '../../banks/index.ts';
import type { AtBank } from '../money/ledger.ts';
import type { NewPayment, PaymentRow } from '../money/payment-row.ts';
import type { EarlierPayments } from './earlier-payments.ts';
import type { LaneEvent } from './events.ts';
import type { Follower } from './follower.ts';
import type { Following } from './following.ts';
import type { PaymentParts } from './parts.ts';
import type { Recovery } from './recovery.ts';
import type { Unread } from './unread.ts';

interface DispatcherOptions extends PaymentParts {
  readonly earlier: EarlierPayments;
  readonly follower: Follower;
  readonly following: Following;
  readonly recovery: Recovery;
  readonly unread: Unread;
}

type EventOf<T extends LaneEvent['type']> = Extract<LaneEvent, { readonly type: T }>;

export class Dispatcher {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** @throws {Error} of the database, where the event says so */
  dispatch(event: LaneEvent): void {
    this.dispatchAll(this.#takeIn(event));
  }

  dispatchAll(events: readonly LaneEvent[]): void {
    for (const event of events) this.dispatch(event);
  }

  /** @returns the events that follow from it @throws {Error} of the database */
  #takeIn(event: LaneEvent): readonly LaneEvent[] {
    const { book, clock, earlier, following, ledger, recovery, unread, view } = this.#options;
    switch (event.type) {
      case 'call-begun':
        return book.beginCall(event.call, (orderId) => earlier.isSameSale(orderId, event.sale));
      case 'call-foreseen':
        return book.statusCalls.foresee();
      case 'call-answered':
        return this.#answered(event);
      case 'call-failed':
        return book.failCall(event.call, event.error, event.always);
      case 'call-held-back':
        return book.speakOf(event.orderId, event.call);
      case 'call-paid-before':
        view.removeCode();
        view.showPaid(event.orderId); // where the display is free, the customer who has paid sees that
        return [];
      case 'paid-reported':
        return book.reportPaid(event.payments, event.call, event.till);
      case 'entered':
        return this.#entered(event.payment, { ref: null, payload: event.payload });
      case 'adopted':
        return this.#adopted(event);
      case 'bank-knows':
        ledger.keepRef(event.orderId, event.ref);
        return [];
      case 'registered':
        return this.#registered(event);
      case 'called-again':
        return this.#calledAgain(event);
      case 'changed':
        return book.apply(event.orderId, event.event, event.transaction);
      case 'recorded':
        return book.note(event.orderId, event.event);
      case 'looked-into':
        ledger.keepNote(event.orderId, event.note, clock.wall());
        return book.apply(event.orderId, { type: 'acknowledged' });
      case 'receipt-printed':
        ledger.keepReceipt(event.orderId, clock.wall());
        return [];
      case 'money-returned':
        ledger.setTransaction(event.orderId, { ...UNREPORTED, refunded: event.refunded });
        return [];
      case 'left-unshown':
        return recovery.end(event.orderId);
      case 'bank-answered':
        return following.record(event.answer);
      case 'answer-recorded':
        return following.goOn(event.answer);
      case 'settled':
        ledger.markSettled(event.orderId);
        following.takeWaiting();
        return [];
      case 'ended':
        unread.watch(event.payment);
        this.#reportEnd(event.payment);
        return [];
      case 'unwritten':
        this.#reportUnwritten(event);
        return [];
    }
  }

  #answered({ orderId, isOnce }: EventOf<'call-answered'>): readonly LaneEvent[] {
    const { book, following } = this.#options;
    if (isOnce) book.isAnswered(orderId);
    following.hurryShown();
    return [];
  }

  #entered(payment: NewPayment, known: AtBank): readonly LaneEvent[] {
    const { book, figures } = this.#options;
    const events = book.enter(payment, known);
    figures.isAsked(payment);
    return events;
  }

  #adopted({ payment, known }: EventOf<'adopted'>): readonly LaneEvent[] {
    const { book, follower } = this.#options;
    const events = this.#entered(payment, known);
    follower.follow(book.find(payment.orderId));
    return events;
  }

  #registered({ orderId, payload, ref }: EventOf<'registered'>): readonly LaneEvent[] {
    const { ledger, book, follower } = this.#options;
    ledger.intendToShow(orderId, payload, ref);
    follower.follow(book.find(orderId));
    return [];
  }

  #calledAgain({ orderId }: EventOf<'called-again'>): readonly LaneEvent[] {
    const { book, follower } = this.#options;
    const events = book.callAgain(orderId, { type: 'shown-again' });
    follower.hasten(orderId);
    return events;
  }

  /** Of a payment whose end is in the ledger. Never throws. */
  #reportEnd(payment: PaymentRow): void {
    const { log, figures } = this.#options;
    const { orderId, amount, status } = payment;
    log('a payment has ended', { orderId, state: status.state, amount, late: status.late });
    figures.hasEnded(payment);
    this.#showEnd(payment);
  }

  #showEnd(payment: PaymentRow): void {
    const { book, log, view } = this.#options;
    const { orderId, status } = payment;
    try {
      const isShown = view.showEnd(payment);
      // no customer watched a late one
      if (isShown && status.state === 'ACCEPTED' && !status.late) book.isShownAccepted(orderId);
    } catch (error) {
      // its end is in the ledger: a failure to show it must not fail the part that wrote it
      log('the end of a payment could not be shown', { orderId, reason: String(error) });
      if (view.shown === orderId) view.removeCode(); // it must not be paid again
    }
  }

  #reportUnwritten({ what, orderId, error }: EventOf<'unwritten'>): void {
    const { log, onUnwritten } = this.#options;
    log(what, { ...(orderId !== null && { orderId }), reason: String(error) });
    onUnwritten();
  }
}
