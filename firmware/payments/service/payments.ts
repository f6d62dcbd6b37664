/** Payments: from the till's call over the bank and the display to the outcome in the ledger. */

import { type TerminalError, terminalFailure } from '../../banks/index.ts';
import type { PaymentRow, SaleKey } from '../money/payment-row.ts';
import type { ActiveSettings } from '../settings/settings-document.ts';
import { type LastStatus, PaymentBook } from './book.ts';
import { type Answered, type Caller, ShowQrCalls } from './calls.ts';
import { type Cancellation, cancelPayment } from './cancellation.ts';
import { Dispatcher } from './dispatcher.ts';
import { EarlierPayments } from './earlier-payments.ts';
import { Follower, type Unanswered } from './follower.ts';
import { Following } from './following.ts';
import { askOrder } from './left-orders.ts';
import type { PaymentParts, PaymentsOptions } from './parts.ts';
import { isOpen, isUndecided, mayBePaid, type PaymentFailure } from './payment.ts';
import { failureOf, notAccepted, reportedState, stillOpen } from './payment-failures.ts';
import { Recovery } from './recovery.ts';
import { answerAgain } from './repeated-sales.ts';
import type { AskedPayment, PaymentRequest } from './sale.ts';
import { Showing } from './showing.ts';
import { Unread } from './unread.ts';
import { Withdrawal } from './withdrawal.ts';

/** How long a bank may take to withdraw a code that a till has cleared. The next payment may wait for that. */
const WITHDRAW_MS = 3000;

/** Makes the parts, each with those that it needs. @param closing aborts the requests to banks */
function partsOf(options: PaymentsOptions, closing: AbortSignal) {
  const parts: PaymentParts = {
    ...options,
    book: new PaymentBook(options),
    dispatch: (event) => dispatcher.dispatch(event),
    limits: (deadlineMs) => ({ deadlineMs, closing }),
  };
  const follower = new Follower({ ...parts, ask: (orderId, deadlineMs) => askOrder(parts, orderId, deadlineMs) });
  const following = new Following({ ...parts, follower });
  const recovery = new Recovery({ ...parts, follower });
  const withdrawal = new Withdrawal({ ...parts, following });
  const earlier = new EarlierPayments({ ...parts, follower, following, withdrawal });
  const calls = new ShowQrCalls({ ...parts, earlier, showing: new Showing({ ...parts, earlier }) });
  const unread = new Unread(parts);
  const dispatcher = new Dispatcher({ ...parts, earlier, follower, following, recovery, unread });
  return { ...parts, follower, following, recovery, withdrawal, calls, unread, dispatcher };
}

/** Why an open payment is not known to have ended. */
export interface Silence {
  readonly failure: PaymentFailure;
  /** Wall clock, ms since 1970. */
  readonly since: number;
}

export class Payments {
  readonly #closing = new AbortController();
  readonly #parts: ReturnType<typeof partsOf>;
  /** Settles when polling has ended. */
  readonly #followed: Promise<void>;
  /** Settles when the withdrawals of cleared codes have ended. */
  #withdrawals: Promise<unknown> = Promise.resolve();

  constructor(options: PaymentsOptions) {
    this.#parts = partsOf(options, this.#closing.signal);
    this.#followed = this.#parts.following.run();
  }

  /** Payments about which the last request to the bank brought no verdict. */
  get unanswered(): Unanswered[] {
    return this.#parts.follower.unanswered;
  }

  /** How many payments a till waits for the code of, or a customer for the outcome of, within ttl and grace. */
  get waiting(): number {
    const { follower, book, calls } = this.#parts;
    const shown = follower.inTime.filter((orderId) => {
      const { status } = book.find(orderId);
      return isOpen(status) && !status.superseded;
    });
    return Math.max(shown.length, calls.isBusy ? 1 : 0);
  }

  /** Follows up the payments that the previous process left. */
  recover(): void {
    this.#parts.recovery.run();
    this.#parts.unread.recover();
  }

  /** Follows a payment whose code a customer may have seen. */
  takeUp(payment: PaymentRow): void {
    this.#parts.recovery.takeUp(payment);
  }

  /**
   * Returns the answer of `getDynamicQRStatus`. While the bank does not report an open payment, `failure` says why.
   * @throws {TerminalError} where the ledger cannot be read
   */
  status(): LastStatus {
    const last = this.#lastStatus();
    if (last.status !== 'PENDING' || last.orderId === null) return last;
    return { ...last, failure: this.#silenceAbout(last.orderId)?.failure ?? null };
  }

  /**
   * Why an open payment is not known to have ended, and since when: its bank does not report it, or the ledger cannot
   * take what it reports. Null where neither is so.
   */
  silenceAbout({ orderId, status }: PaymentRow): Silence | null {
    return isOpen(status) ? this.#silenceAbout(orderId) : null;
  }

  /** Whether its bank has reported something about a payment that the ledger could not take. */
  isUnstored(orderId: string): boolean {
    return this.#parts.follower.unstoredAbout(orderId) !== null;
  }

  /** A till has received this status. A payment of another credential does not count as read by that. Never throws. */
  isRead(status: LastStatus, till = status.till): void {
    if (till === status.till) this.#parts.dispatcher.dispatchAll(this.#parts.book.isRead(status));
  }

  /** A payment, with the events that the ledger could not take yet. @throws {Error} where there is none */
  find(orderId: string): PaymentRow {
    return this.#parts.book.find(orderId);
  }

  /** A till has read a payment by its id; where that is ACCEPTED, the till knows it now. Never throws. */
  isReadBy(till: string | null, { orderId, till: asker, status }: PaymentRow): void {
    const state = reportedState(status);
    if (state === 'ACCEPTED') this.isRead({ status: state, failure: null, orderId, till: asker }, till);
  }

  /**
   * A person has looked into a late acceptance.
   * @param note who has, and the result
   * @returns whether there is a late acceptance of this order id
   */
  acknowledge(orderId: string, note: string | null): boolean {
    if (this.#parts.ledger.find(orderId)?.status.late !== true) return false;
    this.#parts.dispatch({ type: 'looked-into', orderId, note });
    return true;
  }

  /**
   * A till has printed the receipt of a payment; the moment of the first call stays.
   * @throws {TerminalError} where it is not paid
   */
  receiptIsPrinted(payment: PaymentRow): void {
    const { orderId, status, receiptAt } = payment;
    if (status.state !== 'ACCEPTED' && status.state !== 'STATIC') throw notAccepted(payment, 'has a receipt');
    if (receiptAt === null) this.#parts.dispatch({ type: 'receipt-printed', orderId });
  }

  /** The till cancels a payment. @throws {TerminalError} */
  cancel(orderId: string): Promise<Cancellation> {
    return cancelPayment(this.#parts, orderId);
  }

  /**
   * Records that so many kopecks of a payment have gone back.
   * @throws {Error} of the database: nothing has changed then
   */
  noteRefunded(orderId: string, refunded: number): void {
    this.#parts.dispatch({ type: 'money-returned', orderId, refunded });
  }

  /**
   * Shows the code of a payment and settles after the last byte. It is the code of an earlier call for the same as long
   * as that may be paid, else the code of a new payment. An identical call in flight is joined; any other waits for its
   * turn.
   * @param caller the till that waits for the answer
   * @param key names the sale, where `repeated` has found none
   * @throws {TerminalError}
   */
  showQR(
    { profileName, profile }: ActiveSettings,
    request: PaymentRequest,
    caller: Caller,
    key: SaleKey | null,
  ): Promise<Answered> {
    const { clearings } = this.#parts.view;
    const { till, cashier, ownOnly } = caller;
    const sale = { ...request, profileName, profile, till, cashier, ownOnly, key, orderId: null };
    return this.#parts.calls.show({ ...sale, clearings }, caller);
  }

  /**
   * The answer to a call whose key is known, before any other check; null where the key is new.
   * @throws {TerminalError} where the key stands for another sale, or its payment could not be registered
   */
  repeated(key: SaleKey, asked: AskedPayment, caller: Caller): Promise<Answered> | null {
    try {
      return answerAgain(this.#parts, key, asked, caller);
    } catch (error) {
      throw terminalFailure(error, {
        therefore: 'the outcome of a sale of this key cannot be read: send the same again',
      });
    }
  }

  /** A valid call cannot be served: the status must not go on reporting that the payment before was paid. */
  failCall(error: TerminalError): void {
    const { ledger, book, dispatch } = this.#parts;
    if (!ledger.isOpen || ledger.last() === null) return;
    dispatch({ type: 'call-failed', call: book.statusCalls.nextCall(), error, always: false });
  }

  /**
   * The till clears the display: that ends each sale without a key. Its code is never shown again, and the next call
   * for the same is another sale. The bank is asked in the background to withdraw a code that a customer may have
   * scanned. A customer who was declined may try again; that, too, is no payment of the next customer. Never throws.
   */
  endSales(): void {
    const { ledger, book, view, follower, dispatch } = this.#parts;
    if (!ledger.isOpen) return;
    book.isCleared();
    const current = [book.last()?.orderId, view.shown];
    const followed = follower.unsure.map(({ payment }) => payment.orderId);
    for (const orderId of new Set([...current, ...followed])) {
      if (!orderId) continue;
      const payment = book.find(orderId);
      const isNamed = payment.sale !== null && !current.includes(orderId);
      if (isNamed || payment.status.cancelled || !mayBePaid(payment.status)) continue;
      dispatch({ type: 'recorded', orderId, event: { type: 'cancelled' } });
      const isOfBefore = payment.status.superseded; // then the bank was asked when another payment replaced it
      if (isUndecided(payment.status) && !isOfBefore) this.#withdrawSoon(payment);
    }
  }

  /**
   * Draws the code of the last payment again, where it is in this state and may still be paid; else that there is none.
   * @throws {TerminalError}
   */
  async redraw(state: 'PENDING' | 'STATIC'): Promise<void> {
    const { view, dispatch } = this.#parts;
    const last = view.drawable;
    if (last !== null && last.status.state === state)
      dispatch({ type: 'changed', orderId: last.orderId, event: { type: 'shown-again' } });
    await view.redraw(state);
  }

  /** Aborts the requests to the bank and sends no more. Open payments stay open in the ledger. */
  async close(): Promise<void> {
    const { unread, calls, follower, book, dispatcher } = this.#parts;
    this.#closing.abort();
    unread.close();
    await Promise.all([calls.idle(), this.#withdrawals]);
    follower.close();
    await this.#followed;
    dispatcher.dispatchAll(book.close());
  }

  #withdrawSoon(payment: PaymentRow): void {
    const { log, withdrawal } = this.#parts;
    const withdrawn = withdrawal.withdraw(payment, WITHDRAW_MS).catch((error: unknown) => {
      log('what became of a code that was cleared cannot be kept', { orderId: payment.orderId, reason: String(error) });
    });
    this.#withdrawals = Promise.all([this.#withdrawals, withdrawn]);
  }

  #silenceAbout(orderId: string): Silence | null {
    const { follower } = this.#parts;
    const silence = follower.unstoredAbout(orderId) ?? follower.silenceAbout(orderId);
    return silence === null ? null : { failure: failureOf(stillOpen(silence.error)), since: silence.since };
  }

  /** @throws {TerminalError} where the ledger cannot be read */
  #lastStatus(): LastStatus {
    try {
      return this.#parts.book.status();
    } catch (error) {
      throw terminalFailure(error, { therefore: 'the outcome of the last payment cannot be read' });
    }
  }
}
