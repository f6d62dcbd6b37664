/** Payments: from the till's wish over the bank and the display to the outcome in the ledger. */
import type { Clock } from '../../host/clock.ts';
import type { LogLine } from '../../host/log.ts';
import type { CallLimits } from '../banks/bank-calls.ts';
import type { BankPool } from '../banks/bank-pool.ts';
import type { TerminalError } from '../errors.ts';
import { terminalFailure } from '../failures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import type { CustomerView } from '../screen/customer-view.ts';
import type { ActiveSettings } from '../settings/settings-document.ts';
import { type LastStatus, PaymentBook, type PaymentRequest } from './book.ts';
import { CallLine } from './call-line.ts';
import { type Caller, PRESENT } from './caller.ts';
import { EarlierPayments } from './earlier-payments.ts';
import { Follower, MOST_FOLLOWED, type Pacing, type Unanswered } from './follower.ts';
import { isOpen, type PaymentFault, type PaymentStanding } from './payment.ts';
import { faultOf, HeldBack, paidBefore, paymentFailure, RESTARTED } from './payment-faults.ts';
import { type Note, noted, SHARED_CODE, unreadBefore } from './payment-notes.ts';
import { Showing, type Wish } from './showing.ts';

/** Late acceptances that an answer names. */
const MOST_NAMED = 3;

export interface PaymentsOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly view: CustomerView;
  readonly banks: BankPool;
  readonly pacing: Pacing;
  readonly random?: () => number;
  /** How long the symbol of an outcome stays on the display. */
  readonly symbolMs: number;
  readonly log: LogLine;
  readonly onOutcome?: (state: PaymentStanding['state']) => void;
  /** Told each time that the ledger could not take something. */
  readonly onUnwritten?: () => void;
}

/** A call that is being answered, and who waits for its answer: others that ask for the same join it. */
interface Flight {
  readonly key: string;
  readonly callers: Caller[];
  readonly done: Promise<PaymentFault | null>;
}

export class Payments {
  readonly #options: PaymentsOptions;
  readonly #book: PaymentBook;
  readonly #follower: Follower;
  readonly #earlier: EarlierPayments;
  readonly #showing: Showing;
  #flight: Flight | null = null;
  readonly #line = new CallLine();
  readonly #closing = new AbortController();

  constructor(options: PaymentsOptions) {
    this.#options = options;
    const { banks, clock, pacing, log } = options;
    this.#book = new PaymentBook({
      ...options,
      onEnd: (payment) => this.#tellEnd(payment),
      onUnwritten: () => options.onUnwritten?.(),
    });
    this.#follower = new Follower({
      clock,
      pacing,
      random: options.random ?? Math.random,
      ask: (payment, deadlineMs) => banks.ask(payment, this.#limits(deadlineMs)),
      apply: (orderId, event) => this.#book.apply(orderId, event),
      shown: () => (options.view.shown === null ? null : this.#book.find(options.view.shown)),
      done: (orderId) => options.ledger.markSettled(orderId),
      waiting: (id) => options.ledger.followedBefore(id),
      log,
    });
    this.#earlier = new EarlierPayments({
      clock,
      graceMs: pacing.graceMs,
      book: this.#book,
      follower: this.#follower,
      banks: {
        isFor: (payment, profile) => banks.isFor(payment, profile),
        cancel: (payment, bankId, deadlineMs) => banks.cancel(payment, bankId, this.#limits(deadlineMs)),
      },
      log,
    });
    this.#showing = new Showing({
      ...options,
      book: this.#book,
      follower: this.#follower,
      earlier: this.#earlier,
      limits: (deadlineMs) => this.#limits(deadlineMs),
    });
  }

  /** What the bank's last answers told nothing of. */
  get unanswered(): Unanswered[] {
    return this.#follower.unanswered;
  }

  /** How many payments somebody waits for: a till for the code, or a customer for the bank's word within ttl and grace. */
  get waiting(): number {
    const shown = this.#follower.inTime.filter((orderId) => {
      const { standing } = this.#book.find(orderId);
      return isOpen(standing) && !standing.superseded;
    });
    return Math.max(shown.length, this.#line.isBusy ? 1 : 0);
  }

  /** Takes up what the process before left: what nobody saw ends, what somebody may have seen is followed. */
  recover(): void {
    const { ledger } = this.#options;
    this.#book.recover();
    for (const payment of ledger.unshown()) this.takeUp(payment);
    const followed = ledger.followed(MOST_FOLLOWED);
    for (const payment of followed) this.takeUp(payment);
    if (followed[0] !== undefined) this.#follower.leaveWaiting(followed[0].id);
    this.#options.view.restore();
  }

  /** Takes up a payment as the ledger has it. A full disk must not keep the device from starting. */
  takeUp(payment: PaymentRow): void {
    const { ledger, log } = this.#options;
    const { orderId, standing } = payment;
    if (standing.seen) {
      this.#follower.follow(payment);
      return;
    }
    try {
      if (this.#book.note(orderId, { type: 'restarted', fault: RESTARTED })) ledger.markSettled(orderId);
    } catch (error) {
      log('what a payment was left as cannot be recorded', { orderId, reason: String(error) });
    }
  }

  /**
   * What `getDynamicQRStatus` answers; while the bank does not tell of an open payment, its fault says why.
   * @throws {TerminalError} where the ledger cannot be read
   */
  status(): LastStatus {
    const last = this.#lastStatus();
    if (last.status !== 'PENDING' || last.orderId === null) return last;
    const silence = this.#follower.silenceAbout(last.orderId);
    return silence === null ? last : { ...last, fault: faultOf(paymentFailure(silence)) };
  }

  /** A till has got this status as an answer. Never throws. */
  isRead(status: LastStatus): void {
    this.#book.isRead(status);
  }

  /** A person has looked into a late acceptance. @returns whether there is one of this order id */
  acknowledge(orderId: string): boolean {
    if (this.#options.ledger.find(orderId)?.standing.late !== true) return false;
    this.#book.apply(orderId, { type: 'acknowledged' });
    return true;
  }

  /**
   * Shows the code of a payment and settles after the last byte: that of an earlier call for the same as long as it may be
   * paid, else that of a payment which it registers. An identical call in flight is joined, another one waits for its turn.
   * @param caller the till that waits for the answer
   * @returns what is to be said beside the success, if anything
   * @throws {TerminalError}
   */
  showQR(settings: ActiveSettings, request: PaymentRequest, caller = PRESENT): Promise<PaymentFault | null> {
    const { clearings } = this.#options.view;
    const { profileName, profile } = settings;
    const key = JSON.stringify([clearings, profileName, request.amount, request.purpose, request.ttl]);
    if (this.#flight?.key === key) {
      this.#flight.callers.push(caller);
      return this.#flight.done;
    }
    const callers = [caller];
    const done = this.#inTurn({ ...request, profileName, profile, clearings }, callers);
    const flight: Flight = { key, callers, done };
    const landed = (): void => {
      if (this.#flight === flight) this.#flight = null;
    };
    this.#flight = flight;
    void done.then(landed, landed);
    return done;
  }

  /** A right call that cannot be taken: the status must not go on telling that the payment before was paid. */
  miss(error: TerminalError): void {
    const { ledger } = this.#options;
    if (ledger.isOpen && ledger.last() !== null) this.#book.miss(this.#book.comes(), error);
  }

  /** The till clears the display: it waits for the payment of its last call no more, which may still be paid. Never throws. */
  giveUp(): void {
    const last = this.#options.ledger.isOpen ? this.#book.last() : null;
    if (last !== null && isOpen(last.standing)) this.#book.note(last.orderId, { type: 'given-up' });
  }

  /** Draws the code that may still be paid once more, else whatever is shown. @throws {TerminalError} */
  async redraw(): Promise<void> {
    const { view } = this.#options;
    const last = view.drawable;
    if (last !== null) this.#book.apply(last.orderId, { type: 'shown-again' });
    await view.redraw();
  }

  /** Ends what the bank is being asked, and asks no more; what is open stays so in the ledger. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#line.idle();
    this.#follower.close();
    this.#book.close();
  }

  /** @throws {TerminalError} where the ledger cannot be read */
  #lastStatus(): LastStatus {
    try {
      return this.#book.status();
    } catch (error) {
      throw terminalFailure(error, { therefore: 'what became of the last payment cannot be told' });
    }
  }

  #limits(deadlineMs: number): CallLimits {
    return { deadlineMs, closing: this.#closing.signal };
  }

  #inTurn(wish: Wish, callers: readonly Caller[]): Promise<PaymentFault | null> {
    if (this.#line.isBusy) this.#earlier.foresee(wish);
    const call = this.#book.comes();
    return this.#line.run({
      answer: () => this.#showQR(wish, call, callers),
      isGone: () => callers.every(({ gone }) => gone.aborted),
      refused: (error) => {
        if (!this.#speakOfSale(wish, call, this.#book.last())) this.#book.miss(call, error);
      },
    });
  }

  async #showQR(wish: Wish, call: number, callers: readonly Caller[]): Promise<PaymentFault | null> {
    try {
      this.#book.beginCall(call, (orderId) => this.#earlier.isSameSale(orderId, wish));
      const shown = await this.#showing.show(wish);
      // a till that asks twice at once is one that repeats
      if (!shown.isAgain && callers.length === 1) this.#book.isAnswered(shown.orderId);
      this.#watch(shown.orderId, callers);
      this.#follower.hurry();
      return noted([...this.#unread(), ...shown.notes, ...(callers.length > 1 && !shown.isAgain ? [SHARED_CODE] : [])]);
    } catch (error) {
      this.#refuse(wish, call, error, callers);
      throw paymentFailure(error);
    }
  }

  /** The status must never pass the payment before for the outcome of a call that failed. */
  #refuse(wish: Wish, call: number, error: unknown, callers: readonly Caller[]): void {
    const paid = paidBefore(error);
    if (error instanceof HeldBack && this.#speakOfSale(wish, call, this.#book.last(), error.payment)) return;
    this.#book.miss(call, error, paid.length > 0);
    const [newest] = paid;
    if (newest === undefined) return;
    this.#tellBefore(paid, call, callers);
    this.#options.view.makeWay();
    this.#options.view.showPaid(newest.orderId); // where the display is free, who has paid sees so
  }

  /** Payments count as told once the refusal has reached a till: one that has hung up knows of nothing. */
  #tellBefore(paid: readonly PaymentRow[], call: number, callers: readonly Caller[]): void {
    let isTold = false;
    for (const caller of callers) {
      caller.whenAnswered(() => {
        if (!isTold) this.#book.tell(paid, call);
        isTold = true;
      });
    }
  }

  /** Has the status speak of the first open payment of a sale whose call was refused. Answers whether there is one. */
  #speakOfSale(wish: Wish, call: number, ...payments: readonly (PaymentRow | null)[]): boolean {
    const open = payments.find((payment) => payment !== null && this.#earlier.isOpenSale(payment, wish));
    if (open) this.#book.speakOf(open.orderId, call);
    return open !== undefined;
  }

  #unread(): Note[] {
    const { ledger } = this.#options;
    const late = ledger.late(MOST_NAMED);
    return late.length === 0 ? [] : [unreadBefore(late, ledger.lateCount())];
  }

  /** Marks a payment that no till awaits: all that asked for it had hung up before they could be answered. */
  #watch(orderId: string, callers: readonly Caller[]): void {
    const look = (): void => {
      if (!callers.every(({ gone }) => gone.aborted)) return;
      this.#options.log('a code is shown that no till awaits: it hung up before it was answered', { orderId });
      this.#book.note(orderId, { type: 'given-up' });
    };
    look();
    for (const { gone } of callers) gone.addEventListener('abort', look, { once: true });
  }

  #tellEnd(payment: PaymentRow): void {
    const { log, onOutcome, view } = this.#options;
    const { orderId, amount, standing } = payment;
    log('a payment has ended', { orderId, state: standing.state, amount, late: standing.late });
    onOutcome?.(standing.state);
    if (standing.withdrawn && view.shown === orderId) view.makeWay(); // another code follows: nothing has failed
    const isAccepted = standing.state === 'ACCEPTED';
    if (isAccepted) this.#spare(payment);
    if (view.showOutcome(orderId, standing.state) && isAccepted) this.#book.isShownAccepted(orderId);
  }

  /** Whoever has paid is not asked to pay once more by another code of the same sale. */
  #spare({ orderId, amount, purpose, profile }: PaymentRow): void {
    const { view } = this.#options;
    if (view.shown === null || view.shown === orderId) return;
    const shown = this.#book.find(view.shown);
    if (shown.amount !== amount || shown.purpose !== purpose || shown.profile !== profile) return;
    view.makeWay();
    view.showPaid(orderId);
  }
}
