/** Payments: from the till's call over the bank and the display to the outcome in the ledger. */
import type { Timekeeper } from '../../host/clock.ts';
import type { LogLine } from '../../host/log.ts';
import type { CallLimits } from '../banks/pool/bank-calls.ts';
import type { BankPool } from '../banks/pool/bank-pool.ts';
import type { BankProfile } from '../banks/registry.ts';
import type { TerminalError } from '../errors.ts';
import { terminalFailure } from '../failures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow, SaleKey } from '../ledger/payment-row.ts';
import type { CustomerView } from '../screen/customer-view.ts';
import type { ActiveSettings } from '../settings/settings-document.ts';
import { type LastStatus, PaymentBook } from './book.ts';
import { type Answered, type Caller, ShowQrCalls } from './calls/calls.ts';
import { RepeatedSales } from './calls/repeated-sales.ts';
import { type Cancellation, Cancellations } from './cancellation.ts';
import { EarlierPayments } from './earlier-payments.ts';
import type { Dispatch, LaneEvent } from './events.ts';
import { Follower, MOST_FOLLOWED, type Silence, type Unanswered } from './follower.ts';
import { LeftOrders } from './left-orders.ts';
import { isLeft, isOpen, type PaymentStatus } from './payment.ts';
import { failureOf, LEFT, paymentFailure, RESTARTED, RESTARTED_UNASKED, toldState } from './payment-failures.ts';
import type { Pacing } from './rhythm.ts';
import type { AskedPayment, PaymentRequest } from './sale.ts';
import { Showing } from './showing/showing.ts';
import { Withdrawal } from './withdrawal.ts';

export interface PaymentsOptions {
  readonly clock: Timekeeper;
  readonly ledger: Ledger;
  readonly view: CustomerView;
  readonly banks: BankPool;
  /** Of a text, by this device alone, the same for ever. */
  readonly digest: (text: string) => Buffer;
  /** A profile that is set up; null where none has the name. */
  readonly profileOf: (name: string) => BankProfile | null;
  readonly pacing: Pacing;
  /** 0 to 1. */
  readonly random: () => number;
  /** How long the symbol of an outcome stays on the display. */
  readonly symbolMs: number;
  readonly log: LogLine;
  readonly onOutcome?: (state: PaymentStatus['state']) => void;
  /** Told each time that the ledger could not take something. */
  readonly onUnwritten?: () => void;
}

export class Payments {
  readonly #options: PaymentsOptions;
  readonly #book: PaymentBook;
  readonly #follower: Follower;
  readonly #earlier: EarlierPayments;
  readonly #calls: ShowQrCalls;
  readonly #repeated: RepeatedSales;
  readonly #cancellations: Cancellations;
  readonly #following: Promise<void>;
  readonly #closing = new AbortController();

  constructor(options: PaymentsOptions) {
    this.#options = options;
    const { banks, clock, pacing, random, log } = options;
    const limits = (deadlineMs: number): CallLimits => ({ deadlineMs, closing: this.#closing.signal });
    const dispatch: Dispatch = (event) => this.#dispatch(event);
    const book = new PaymentBook(options);
    this.#book = book;
    const left = new LeftOrders({ ...options, book, dispatch, limits });
    this.#follower = new Follower({
      clock,
      pacing,
      random,
      // what the bank knows it by may have been confirmed since it was taken up
      ask: ({ orderId }, deadlineMs) => left.ask(orderId, deadlineMs),
      log,
    });
    const withdrawal = new Withdrawal({
      cancel: (payment, deadlineMs) => banks.cancel(payment, limits(deadlineMs)),
      askNow: async (payment, deadlineMs) => {
        const { event, transaction } = await this.#follower.askNow(payment, deadlineMs);
        dispatch({ type: 'changed', orderId: payment.orderId, event, transaction });
        return event;
      },
      dispatch,
      log,
    });
    const earlier = new EarlierPayments({
      clock,
      graceMs: pacing.graceMs,
      book,
      follower: this.#follower,
      dispatch,
      banks: { isFor: (payment, profile) => banks.isFor(payment, profile) },
      withdrawal,
    });
    this.#earlier = earlier;
    const showing = new Showing({ ...options, book, earlier, dispatch, limits });
    this.#calls = new ShowQrCalls({ ...options, book, earlier, showing, dispatch });
    this.#cancellations = new Cancellations({ ...options, book, calls: this.#calls, withdrawal, dispatch });
    this.#repeated = new RepeatedSales({ ...options, book, dispatch, calls: this.#calls });
    this.#following = this.#follow();
  }

  /** What the bank's last answers told nothing of. */
  get unanswered(): Unanswered[] {
    return this.#follower.unanswered;
  }

  /** How many payments somebody waits for: a till for the code, or a customer for the bank's word within ttl and grace. */
  get waiting(): number {
    const shown = this.#follower.inTime.filter((orderId) => {
      const { status } = this.#book.find(orderId);
      return isOpen(status) && !status.superseded;
    });
    return Math.max(shown.length, this.#calls.isBusy ? 1 : 0);
  }

  /** Takes up what the process before left: what nobody can have seen ends, what somebody may have seen is followed. */
  recover(): void {
    const { ledger } = this.#options;
    this.#book.recover();
    for (const payment of ledger.unshown()) this.#leaveUnshown(payment);
    const followed = ledger.followed(MOST_FOLLOWED);
    for (const payment of followed) this.takeUp(payment);
    if (followed[0] !== undefined) this.#follower.leaveWaiting(followed[0].id);
    this.#options.view.restore();
  }

  /** Follows a payment that somebody may have seen. */
  takeUp({ orderId }: PaymentRow): void {
    const payment = this.#book.find(orderId);
    if (payment.status.seen || isLeft(payment.status)) this.#follower.follow(payment);
  }

  /** A full disk must not keep the device from starting. */
  #leaveUnshown({ orderId }: PaymentRow): void {
    try {
      this.#dispatch({ type: 'left-unshown', orderId });
    } catch (error) {
      this.#options.log('what a payment was left as cannot be recorded', { orderId, reason: String(error) });
    }
  }

  /**
   * Returns what `getDynamicQRStatus` tells; while the bank does not tell of an open payment, its failure says why.
   * @throws {TerminalError} where the ledger cannot be read
   */
  status(): LastStatus {
    const last = this.#lastStatus();
    if (last.status !== 'PENDING' || last.orderId === null) return last;
    const silence = this.#follower.silenceAbout(last.orderId);
    return silence === null ? last : { ...last, failure: failureOf(paymentFailure(silence.error)) };
  }

  /** Why the bank does not tell of a payment that is open, and since when; null where it tells, or is not to be asked. */
  silenceAbout({ orderId, status }: PaymentRow): Silence | null {
    return isOpen(status) ? this.#follower.silenceAbout(orderId) : null;
  }

  /** A till has got this status as an answer; of what another credential has asked for, that one has heard nothing by it. Never throws. */
  isRead(status: LastStatus, till = status.till): void {
    if (till === status.till) this.#dispatchAll(this.#book.isRead(status));
  }

  /** A payment as it has become. @throws {Error} where there is none */
  find(orderId: string): PaymentRow {
    return this.#book.find(orderId);
  }

  /** A till has been told of a payment by its id: whoever asked for it knows that it is paid. Never throws. */
  isReadBy(till: string | null, { orderId, till: asker, status }: PaymentRow): void {
    const told = toldState(status);
    if (told === 'ACCEPTED') this.isRead({ status: told, failure: null, orderId, till: asker }, till);
  }

  /**
   * A person has looked into a late acceptance.
   * @param note who, and what came of it
   * @returns whether there is one of this order id
   */
  acknowledge(orderId: string, note: string | null = null): boolean {
    if (this.#options.ledger.find(orderId)?.status.late !== true) return false;
    this.#dispatch({ type: 'looked-into', orderId, note });
    return true;
  }

  /** The till wants a payment no more. @throws {TerminalError} */
  cancel(orderId: string): Promise<Cancellation> {
    return this.#cancellations.cancel(orderId);
  }

  /** So many kopecks of a payment have gone back. @throws {Error} of the database: nothing has changed then */
  noteRefunded(orderId: string, refunded: number): void {
    this.#dispatch({ type: 'money-returned', orderId, refunded });
  }

  /**
   * Shows the code of a payment and settles after the last byte: that of an earlier call for the same as long as it may be
   * paid, else that of a payment which it registers. An identical call in flight is joined, another one waits for its turn.
   * @param caller the till that waits for the answer
   * @param key names the sale, where `repeated` knows of none by it
   * @throws {TerminalError}
   */
  showQR(
    settings: ActiveSettings,
    request: PaymentRequest,
    caller?: Caller,
    key: SaleKey | null = null,
  ): Promise<Answered> {
    const { clearings } = this.#options.view;
    const { profileName, profile } = settings;
    const { till, ownOnly } = caller ?? { till: null, ownOnly: false };
    return this.#calls.show({ ...request, profileName, profile, clearings, till, ownOnly, key, orderId: null }, caller);
  }

  /**
   * The answer to a call whose key is known, before anything else is looked at; null where it is new.
   * @throws {TerminalError} where the key stands for something else, or its payment could not be registered
   */
  repeated(key: SaleKey, asked: AskedPayment, caller: Caller): Promise<Answered> | null {
    try {
      return this.#repeated.answer(key, asked, caller);
    } catch (error) {
      throw terminalFailure(error, {
        therefore: 'what became of a sale of this key cannot be told: send the same again',
      });
    }
  }

  /** A right call that cannot be taken: the status must not go on telling that the payment before was paid. */
  failCall(error: TerminalError): void {
    const { ledger } = this.#options;
    if (!ledger.isOpen || ledger.last() === null) return;
    this.#dispatch({ type: 'call-failed', call: this.#book.nextCall(), error, always: false });
  }

  /** The till clears the display: it waits for the payment of its last call no more, which may still be paid. Never throws. */
  giveUp(): void {
    const last = this.#options.ledger.isOpen ? this.#book.last() : null;
    if (last === null || !isOpen(last.status)) return;
    this.#dispatch({ type: 'noted', orderId: last.orderId, event: { type: 'given-up' } });
  }

  /** Draws the code that may still be paid once more, else whatever is shown. @throws {TerminalError} */
  async redraw(): Promise<void> {
    const { view } = this.#options;
    const last = view.drawable;
    if (last !== null) this.#dispatch({ type: 'changed', orderId: last.orderId, event: { type: 'shown-again' } });
    await view.redraw();
  }

  /** Ends what the bank is being asked, and asks no more; what is open stays so in the ledger. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#calls.idle();
    this.#follower.close();
    await this.#following;
    this.#dispatchAll(this.#book.close());
  }

  /** The one place where anything comes of what happens: into the ledger first, then whoever must be told. */
  #dispatch(event: LaneEvent): void {
    this.#dispatchAll(this.#takeIn(event));
  }

  #dispatchAll(events: readonly LaneEvent[]): void {
    for (const event of events) this.#dispatch(event);
  }

  /** @returns what has come of it @throws {Error} of the database */
  #takeIn(event: LaneEvent): readonly LaneEvent[] {
    const { ledger, view } = this.#options;
    const book = this.#book;
    switch (event.type) {
      case 'call-begun':
        return book.beginCall(event.call, (orderId) => this.#earlier.isSameSale(orderId, event.sale));
      case 'call-foreseen':
        return book.foresee();
      case 'call-answered':
        if (event.isOnce) book.isAnswered(event.orderId);
        this.#follower.hurry(this.#shown());
        return [];
      case 'call-failed':
        return book.failCall(event.call, event.error, event.always);
      case 'call-held-back':
        return book.speakOf(event.orderId, event.call);
      case 'call-paid-before':
        view.removeCode();
        view.showPaid(event.orderId); // where the display is free, who has paid sees so
        return [];
      case 'paid-told':
        return book.tell(event.payments, event.call, event.till);
      case 'entered':
        return book.enter(event.payment, { ref: null, payload: event.payload });
      case 'adopted': {
        const events = book.enter(event.payment, event.known);
        this.#follower.follow(book.find(event.payment.orderId));
        return events;
      }
      case 'bank-knows':
        ledger.keepRef(event.orderId, event.ref);
        return [];
      case 'registered':
        ledger.intendToShow(event.orderId, event.payload);
        this.#follower.follow(book.find(event.orderId));
        return [];
      case 'called-again': {
        const events = book.callAgain(event.orderId, { type: 'shown-again' });
        this.#follower.hasten(event.orderId);
        return events;
      }
      case 'changed':
        return book.apply(event.orderId, event.event, event.transaction);
      case 'noted':
        return book.note(event.orderId, event.event);
      case 'looked-into':
        ledger.keepNote(event.orderId, event.note, this.#options.clock.wall());
        return book.apply(event.orderId, { type: 'acknowledged' });
      case 'money-returned':
        ledger.setTransaction(event.orderId, { trxId: null, paidAt: null, refunded: event.refunded });
        return [];
      case 'left-unshown': {
        const { orderId } = event;
        const payment = book.find(orderId);
        const { banks, clock } = this.#options;
        if (isOpen(payment.status) && banks.isTelling(payment))
          return book.note(orderId, { type: 'left', failure: LEFT });
        const failure = payment.bootId === clock.bootId ? RESTARTED : RESTARTED_UNASKED;
        const events = book.note(orderId, { type: 'restarted', failure });
        return book.hasTaken(orderId) ? [...events, { type: 'settled', orderId }] : events;
      }
      case 'bank-answered': {
        const { answer } = event;
        const { payment, transaction } = answer;
        return [...book.apply(payment.orderId, answer.event, transaction), { type: 'answer-recorded', answer }];
      }
      case 'answer-recorded': {
        const { status } = book.find(event.answer.payment.orderId);
        // who has paid is asked about no more, whatever is shown: even where that cannot be read
        return this.#follower.goOn(event.answer, status, status.state === 'ACCEPTED' ? null : this.#shown());
      }
      case 'settled':
        ledger.markSettled(event.orderId);
        this.#follower.takeWaiting((id) => ledger.followedBefore(id));
        return [];
      case 'ended':
        this.#tellEnd(event.payment);
        return [];
      case 'unwritten':
        this.#tellUnwritten(event);
        return [];
    }
  }

  /** Takes in what the bank tells of the payments that are followed. */
  async #follow(): Promise<void> {
    for await (const answer of this.#follower.answers()) {
      try {
        this.#dispatch({ type: 'bank-answered', answer });
      } catch (error) {
        // the ledger could not take it (a full disk): the bank keeps its word, so it is asked again
        const { orderId } = answer.payment;
        this.#options.log('a payment could not be followed, it will be asked about again', {
          orderId,
          reason: String(error),
        });
        this.#follower.askLater(answer.payment);
      }
    }
  }

  /** @throws {TerminalError} where the ledger cannot be read */
  #lastStatus(): LastStatus {
    try {
      return this.#book.status();
    } catch (error) {
      throw terminalFailure(error, { therefore: 'what became of the last payment cannot be told' });
    }
  }

  /** The payment whose code is on the display. */
  #shown(): PaymentRow | null {
    const { shown } = this.#options.view;
    return shown === null ? null : this.#book.find(shown);
  }

  #tellUnwritten({ what, orderId, error }: Extract<LaneEvent, { readonly type: 'unwritten' }>): void {
    const { log, onUnwritten } = this.#options;
    log(what, { ...(orderId !== null && { orderId }), reason: String(error) });
    onUnwritten?.();
  }

  #tellEnd(payment: PaymentRow): void {
    const { log, onOutcome, view } = this.#options;
    const { orderId, amount, status } = payment;
    log('a payment has ended', { orderId, state: status.state, amount, late: status.late });
    onOutcome?.(status.state);
    try {
      const isShown = view.showEnd(payment);
      if (isShown && status.state === 'ACCEPTED') this.#book.isShownAccepted(orderId);
    } catch (error) {
      // the ledger has its end, and could not be read: whoever noted it must not fail for the display
      log('the end of a payment could not be shown', { orderId, reason: String(error) });
      if (view.shown === orderId) view.removeCode(); // nobody is to pay it once more
    }
  }
}
