/** Payments: from the till's call over the bank and the display to the outcome in the ledger. */
import { type Asking, adapterOf, askingOf, UNREPORTED } from '../../banks/index.ts';
import type { LastStatus } from '../model/call-state.ts';
import { terminalFailure } from '../model/failures.ts';
import { isOpen, type PaymentFailure } from '../model/payment.ts';
import { cancelWaitedTooLong, failureOf, notAccepted, reportedState, stillOpen } from '../model/payment-failures.ts';
import type { PaymentRow, SaleKey } from '../model/payment-row.ts';
import { TerminalError } from '../model/terminal-error.ts';
import type { ActiveSettings } from '../settings/settings-document.ts';
import { askOrder } from './outcome/ask-order.ts';
import { PaymentBook } from './outcome/book.ts';
import { CallBook } from './outcome/call-book.ts';
import type { PaymentDeps, ServiceDeps } from './outcome/deps.ts';
import { Follower, type Unanswered } from './outcome/follower.ts';
import { OutcomeRecorder } from './outcome/outcome-recorder.ts';
import { type Cancellation, Withdrawal } from './outcome/withdrawal.ts';
import { type Answered, ShowQrCalls } from './sale/calls.ts';
import { EarlierPayments } from './sale/earlier-payments.ts';
import { RefusedCalls } from './sale/refused-calls.ts';
import type { Caller, Sale, SaleRequest } from './sale/sale.ts';
import { Showing } from './sale/showing.ts';

/** Why an open payment is not known to have ended. */
export interface Silence {
  readonly failure: PaymentFailure;
  /** Wall clock, ms since 1970. */
  readonly since: number;
}

export class PaymentService {
  readonly #closing = new AbortController();
  readonly #deps: PaymentDeps;
  readonly #follower: Follower;
  readonly #recorder: OutcomeRecorder;
  readonly #withdrawal: Withdrawal;
  readonly #calls: ShowQrCalls;
  /** Settles when polling has ended. */
  readonly #followed: Promise<void>;

  constructor(options: ServiceDeps) {
    const closing = this.#closing.signal;
    const book = new PaymentBook(options);
    const deps = {
      ...options,
      book,
      callBook: new CallBook(options, book),
      limits: (deadlineMs: number) => ({ deadlineMs, closing }),
    };
    this.#deps = deps;
    const { clock, pacing, random, figures, log } = options;
    const banks = {
      ask: (orderId: string, ms: number, gone: AbortSignal) => {
        const closingOrGone = AbortSignal.any([closing, gone]);
        return askOrder({ ...deps, limits: (deadlineMs) => ({ deadlineMs, closing: closingOrGone }) }, orderId, ms);
      },
      askingOf: (payment: PaymentRow) => this.#askingOf(payment),
      countTooMany: (profile: string) => figures.countTooMany(profile),
    };
    this.#follower = new Follower(clock, pacing, random, banks, log);
    this.#recorder = new OutcomeRecorder(deps, this.#follower);
    this.#withdrawal = new Withdrawal(deps, this.#recorder);
    const earlier = new EarlierPayments(deps, this.#follower, this.#recorder, this.#withdrawal);
    const showing = new Showing(deps, this.#follower, earlier);
    this.#calls = new ShowQrCalls(deps, this.#recorder, earlier, showing, new RefusedCalls(deps, earlier));
    this.#followed = this.#recorder.run();
  }

  /** Payments about which the last request to the bank brought no verdict. */
  get unanswered(): Unanswered[] {
    return this.#follower.unanswered;
  }

  /** Payments whose code was paid more than once, until somebody has looked into it. */
  get paidAgain(): readonly PaymentRow[] {
    return this.#recorder.paidAgain;
  }

  /** Number of payments within ttl and grace that somebody waits for: a till for the code, or a customer for the outcome. */
  get waiting(): number {
    const shown = this.#follower.inTime.filter((orderId) => {
      const { status } = this.#deps.book.find(orderId);
      return isOpen(status) && !status.superseded;
    });
    return Math.max(shown.length, this.#calls.isBusy ? 1 : 0);
  }

  /** Follows up the payments that the previous process left. */
  recover(): void {
    this.#recorder.recover();
  }

  /** Follows a payment whose code a customer may have seen. */
  followSeen(payment: PaymentRow): void {
    this.#recorder.followSeen(payment);
  }

  /**
   * The answer of `getDynamicQRStatus`. While the bank does not report an open payment, `failure` says why.
   * @throws {TerminalError} where the ledger cannot be read
   */
  status(): LastStatus {
    const last = this.#lastStatus();
    if (last.status !== 'PENDING' || last.orderId === null) return last;
    return { ...last, failure: this.#silenceAbout(last.orderId)?.failure ?? null };
  }

  /**
   * Why an open payment is not known to have ended, and since when: its bank does not report it, or the ledger cannot
   * store the report. Null for neither.
   */
  silenceAbout({ orderId, status }: PaymentRow): Silence | null {
    return isOpen(status) ? this.#silenceAbout(orderId) : null;
  }

  /** Whether an unpaid payment may be paid: its bank hides that from a shop without a consent. */
  mayBePaidUnseen({ profile: name, bank, ref, status: { state } }: PaymentRow): boolean {
    if (ref === null || (state !== 'PENDING' && state !== 'CANCELED')) return false;
    const profile = this.#deps.profileOf(name);
    if (profile === null || profile.bankName !== bank) return false;
    return (adapterOf(bank).lackedConsent?.(profile) ?? null) !== null;
  }

  /** Whether its bank has reported something about a payment that could not be written to the ledger. */
  isUnstored(orderId: string): boolean {
    return this.#follower.unstoredAbout(orderId) !== null;
  }

  /**
   * A till has received this status, and acts on the payment; the payment of another credential is not marked.
   * Never throws.
   */
  markHandled(status: LastStatus, till = status.till): void {
    if (till === status.till) this.#deps.book.markHandled(status);
  }

  /** A person wants to know how a payment stands: its bank is asked soon. @returns whether it is asked about at all */
  askSoon(orderId: string): boolean {
    return this.#follower.askSoon(orderId);
  }

  /** A payment, with the events that are not in the ledger yet. @throws {Error} where there is none */
  find(orderId: string): PaymentRow {
    return this.#deps.book.find(orderId);
  }

  /** A till got a payment as an answer and acts on it: an ACCEPTED one then needs no review by a person. Never throws. */
  markHandledBy(till: string | null, { orderId, till: requester, status }: PaymentRow): void {
    const state = reportedState(status);
    if (state === 'ACCEPTED') this.markHandled({ status: state, failure: null, orderId, till: requester }, till);
  }

  /** A till has read a payment: an ACCEPTED one is then known to it. A late one stays late. Never throws. */
  markReadBy(till: string | null, { orderId, till: requester, status }: PaymentRow): void {
    const isNews = status.unreported && reportedState(status) === 'ACCEPTED';
    if (isNews && till === requester) this.#deps.book.note(orderId, { type: 'read' });
  }

  /**
   * A person has looked into a late acceptance, or a code that was paid more than once.
   * @param note who looked, and the result
   * @returns whether this order id has one
   * @throws {Error} of the database
   */
  acknowledge(orderId: string, note: string | null): boolean {
    const { book, clock, ledger } = this.#deps;
    const payment = ledger.find(orderId);
    if (payment?.status.late !== true && payment?.ref?.paidAgain === undefined) return false;
    ledger.acknowledge(orderId, note, clock.wall());
    book.apply(orderId, { type: 'reviewed' });
    return true;
  }

  /**
   * Records that a till has printed the receipt of a payment; the timestamp of the first call stays.
   * @throws {TerminalError} where it is not paid @throws {Error} of the database
   */
  recordReceipt(payment: PaymentRow): void {
    const { orderId, status, receiptAt } = payment;
    if (status.state !== 'ACCEPTED' && status.state !== 'STATIC') throw notAccepted(payment, 'has a receipt');
    if (receiptAt === null) this.#deps.ledger.recordReceipt(orderId, this.#deps.clock.wall());
  }

  /** The till cancels a payment. @throws {TerminalError} */
  async cancel(orderId: string): Promise<Cancellation> {
    try {
      return await this.#calls.between(() => this.#withdrawal.cancel(orderId));
    } catch (error) {
      if (error instanceof TerminalError && error.member === 'TooMany') throw cancelWaitedTooLong();
      throw terminalFailure(error, { therefore: 'the outcome of the payment cannot be kept: cancel it again' });
    }
  }

  /**
   * Records that this many kopecks of a payment have gone back in all.
   * @throws {Error} of the database: nothing has changed then
   */
  recordRefundedSum(orderId: string, refunded: number): void {
    this.#deps.ledger.setTransaction(orderId, { ...UNREPORTED, refunded });
  }

  /**
   * Shows the code of a payment and settles after the last byte: the code of an earlier call for the same sale while
   * that may be paid, else of a new payment. Joins an identical call in flight; any other waits for its turn.
   * @param caller the till that waits for the answer
   * @param key names the sale, where `repeated` has found none
   * @throws {TerminalError}
   */
  startSale(
    { profileName, profile }: ActiveSettings,
    { amount, purpose, ttl }: Pick<Sale, 'amount' | 'purpose' | 'ttl'>,
    caller: Caller,
    key: SaleKey | null,
  ): Promise<Answered> {
    const { clearings } = this.#deps.view;
    const { till, cashier, ownOnly } = caller;
    const sale = { amount, purpose, ttl, profileName, profile, till, cashier, ownOnly, key, orderId: null, clearings };
    return this.#calls.joinOrQueue(sale, caller);
  }

  /**
   * The answer to a call whose key is known, before any other check; null where the key is new.
   * @throws {TerminalError} where the key stands for another sale, or its payment could not be registered
   */
  repeated(key: SaleKey, asked: SaleRequest, caller: Caller): Promise<Answered> | null {
    try {
      return this.#calls.repeated(key, asked, caller);
    } catch (error) {
      throw terminalFailure(error, {
        therefore: 'the outcome of a sale of this key cannot be read: send the same again',
      });
    }
  }

  /** A valid call cannot be served: the status must no longer report that the previous payment was paid. */
  failCall(error: TerminalError): void {
    const { ledger, callBook } = this.#deps;
    if (ledger.isOpen && ledger.last() !== null) callBook.failCall(callBook.nextCall(), error);
  }

  /** The till clears the display, which ends each sale without a key ({@link Withdrawal.endSales}). Never throws. */
  endSales(): void {
    if (!this.#deps.ledger.isOpen) return;
    this.#withdrawal.endSales(this.#follower.unsure.map(({ payment }) => payment.orderId));
  }

  /**
   * Draws the code of the last payment again, where it is in this state and may still be paid; else shows that there is
   * none.
   * @throws {TerminalError}
   */
  async redraw(state: 'PENDING' | 'STATIC'): Promise<void> {
    const { book, view } = this.#deps;
    const last = view.drawable;
    if (last !== null && last.status.state === state) book.apply(last.orderId, { type: 'shown-again' });
    await view.redraw(state);
  }

  /** Aborts the requests to the bank and sends no more. Open payments stay open in the ledger. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#calls.idle(), this.#withdrawal.idle()]);
    this.#follower.close();
    await this.#followed;
    this.#deps.book.close();
  }

  /** How the bank of a payment may be asked. Its profile counts only as long as it is of that bank. */
  #askingOf({ profile: name, bank }: PaymentRow): Asking {
    const profile = this.#deps.profileOf(name);
    return askingOf(adapterOf(bank), profile?.bankName === bank ? profile : null);
  }

  #silenceAbout(orderId: string): Silence | null {
    const silence = this.#follower.unstoredAbout(orderId) ?? this.#follower.silenceAbout(orderId);
    return silence === null ? null : { failure: failureOf(stillOpen(silence.error)), since: silence.since };
  }

  /** @throws {TerminalError} where the ledger cannot be read */
  #lastStatus(): LastStatus {
    try {
      return this.#deps.callBook.status();
    } catch (error) {
      throw terminalFailure(error, { therefore: 'the outcome of the last payment cannot be read' });
    }
  }
}
