/**
 * Handles each event, in one place: first in the ledger, then in each part that needs it. What concerns a single part
 * is done by that part; which parts an event concerns is written here.
 */
import type { Clock } from '../../host/index.ts';
import { UNREPORTED } from '../banks/bank.ts';
import type { AtBank, Ledger } from '../ledger/ledger.ts';
import type { NewPayment } from '../ledger/payment-row.ts';
import type { PaymentBook } from './book.ts';
import type { CustomerView } from './customer-view.ts';
import type { EarlierPayments } from './earlier-payments.ts';
import type { LaneEvent } from './events.ts';
import type { Follower } from './follower.ts';
import type { Following } from './following.ts';
import type { Outcomes } from './outcomes.ts';
import type { PaymentFigures } from './payment-figures.ts';
import type { Recovery } from './recovery.ts';
import type { Unread } from './unread.ts';

export interface DispatcherOptions {
  readonly clock: Clock;
  readonly ledger: Pick<
    Ledger,
    'keepRef' | 'intendToShow' | 'keepNote' | 'keepReceipt' | 'setTransaction' | 'markSettled'
  >;
  readonly view: Pick<CustomerView, 'removeCode' | 'showPaid'>;
  readonly book: PaymentBook;
  readonly earlier: Pick<EarlierPayments, 'isSameSale'>;
  readonly follower: Pick<Follower, 'follow' | 'hasten'>;
  readonly following: Pick<Following, 'hurryShown' | 'record' | 'goOn' | 'takeWaiting'>;
  readonly recovery: Pick<Recovery, 'end'>;
  readonly outcomes: Outcomes;
  readonly figures: Pick<PaymentFigures, 'isAsked'>;
  readonly unread: Pick<Unread, 'watch'>;
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
    const { book, earlier, following, outcomes, recovery } = this.#options;
    switch (event.type) {
      case 'call-begun':
        return book.beginCall(event.call, (orderId) => earlier.isSameSale(orderId, event.sale));
      case 'call-foreseen':
        return book.foresee();
      case 'call-answered':
        return this.#answered(event);
      case 'call-failed':
        return book.failCall(event.call, event.error, event.always);
      case 'call-held-back':
        return book.speakOf(event.orderId, event.call);
      case 'call-paid-before':
        return this.#paidBefore(event);
      case 'paid-reported':
        return book.reportPaid(event.payments, event.call, event.till);
      case 'entered':
        return this.#entered(event.payment, { ref: null, payload: event.payload });
      case 'adopted':
        return this.#adopted(event);
      case 'bank-knows':
        return this.#bankKnows(event);
      case 'registered':
        return this.#registered(event);
      case 'called-again':
        return this.#calledAgain(event);
      case 'changed':
        return book.apply(event.orderId, event.event, event.transaction);
      case 'recorded':
        return book.note(event.orderId, event.event);
      case 'looked-into':
        return this.#lookedInto(event);
      case 'receipt-printed':
        return this.#receiptPrinted(event);
      case 'money-returned':
        return this.#moneyReturned(event);
      case 'left-unshown':
        return recovery.end(event.orderId);
      case 'bank-answered':
        return following.record(event.answer);
      case 'answer-recorded':
        return following.goOn(event.answer);
      case 'settled':
        return this.#settled(event);
      case 'ended':
        this.#options.unread.watch(event.payment);
        return outcomes.reportEnd(event.payment);
      case 'unwritten':
        return outcomes.reportUnwritten(event);
    }
  }

  #answered({ orderId, isOnce }: EventOf<'call-answered'>): readonly LaneEvent[] {
    const { book, following } = this.#options;
    if (isOnce) book.isAnswered(orderId);
    following.hurryShown();
    return [];
  }

  #paidBefore({ orderId }: EventOf<'call-paid-before'>): readonly LaneEvent[] {
    const { view } = this.#options;
    view.removeCode();
    view.showPaid(orderId); // where the display is free, the customer who has paid sees that
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

  #bankKnows({ orderId, ref }: EventOf<'bank-knows'>): readonly LaneEvent[] {
    this.#options.ledger.keepRef(orderId, ref);
    return [];
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

  #lookedInto({ orderId, note }: EventOf<'looked-into'>): readonly LaneEvent[] {
    const { ledger, book, clock } = this.#options;
    ledger.keepNote(orderId, note, clock.wall());
    return book.apply(orderId, { type: 'acknowledged' });
  }

  #receiptPrinted({ orderId }: EventOf<'receipt-printed'>): readonly LaneEvent[] {
    const { ledger, clock } = this.#options;
    ledger.keepReceipt(orderId, clock.wall());
    return [];
  }

  #moneyReturned({ orderId, refunded }: EventOf<'money-returned'>): readonly LaneEvent[] {
    this.#options.ledger.setTransaction(orderId, { ...UNREPORTED, refunded });
    return [];
  }

  #settled({ orderId }: EventOf<'settled'>): readonly LaneEvent[] {
    const { ledger, following } = this.#options;
    ledger.markSettled(orderId);
    following.takeWaiting();
    return [];
  }
}
