/** The steps of one showQR: from what is to be done about the payments before to the last byte of the code. */
import type { Clock } from '../../host/clock.ts';
import type { LogLine } from '../../host/log.ts';
import { type Bank, BankError, type OnlineBank, type RegisteredPayment } from '../banks/bank.ts';
import type { CallLimits } from '../banks/bank-calls.ts';
import type { BankPool } from '../banks/bank-pool.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NewPayment, PaymentRow } from '../ledger/payment-row.ts';
import type { CustomerView } from '../screen/customer-view.ts';
import type { PaymentBook } from './book.ts';
import { leftOf } from './code-life.ts';
import type { EarlierPayments, Sale, Settled } from './earlier-payments.ts';
import type { Follower, Pacing } from './follower.ts';
import { isOpen, type PaymentStanding, REGISTERING } from './payment.ts';
import { cleared, codeOfAnother, faultOf, justEnded, paymentFailure } from './payment-faults.ts';
import { type Note, sameCode, unknownBefore } from './payment-notes.ts';

/** How long the bank may take to take a code out of use that is not shown after all: a till waits meanwhile. */
const CANCEL_MS = 3000;

/** A showQR as the till has sent it. */
export interface Wish extends Sale {
  /** How often the till had cleared the display by then: a code that it asked for before is not drawn after. */
  readonly clearings: number;
}

export interface Shown {
  readonly orderId: string;
  /** Whether its code was shown before, by an earlier call for the same sale. */
  readonly isAgain: boolean;
  /** What the till is to be told beside the success. */
  readonly notes: readonly Note[];
}

export interface ShowingOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly view: CustomerView;
  readonly banks: BankPool;
  readonly pacing: Pacing;
  readonly book: PaymentBook;
  readonly follower: Follower;
  readonly earlier: EarlierPayments;
  readonly limits: (deadlineMs: number) => CallLimits;
  readonly log: LogLine;
}

export class Showing {
  readonly #options: ShowingOptions;

  constructor(options: ShowingOptions) {
    this.#options = options;
  }

  /** @throws {Error} what `paymentFailure` words */
  async show(wish: Wish): Promise<Shown> {
    this.#mustBeWanted(wish);
    const bank = await this.#options.banks.open(wish.profile);
    const { again, unknown } = await this.#settleEarlier(wish);
    const before = unknown.length > 0 ? [unknownBefore(unknown)] : [];
    if (again === null) return { orderId: await this.#showNew(wish, bank), isAgain: false, notes: before };
    await this.#showAgain(wish, again);
    return { orderId: again.orderId, isAgain: true, notes: [...before, sameCode(leftOf(again, this.#options.clock))] };
  }

  /** The code of another sale comes off the display first: nobody may begin to pay it any more. */
  async #settleEarlier(wish: Wish): Promise<Settled> {
    const { view, earlier } = this.#options;
    if (view.shown !== null && !earlier.isSameSale(view.shown, wish)) view.makeWay();
    return earlier.settle(wish);
  }

  #showNew(wish: Wish, bank: Bank): Promise<string> {
    return bank.kind === 'static' ? this.#showStatic(wish, bank.payload) : this.#showDynamic(wish, bank);
  }

  async #showStatic(wish: Wish, payload: string): Promise<string> {
    const standing: PaymentStanding = { ...REGISTERING, state: 'STATIC', seen: true };
    const payment = this.#options.book.enter(wish, standing, payload);
    await this.#orFail(payment, () => {
      this.#mustBeWanted(wish);
      return this.#options.view.showPayment(payment, payload);
    });
    return payment.orderId;
  }

  async #showDynamic(wish: Wish, bank: OnlineBank): Promise<string> {
    const { view, pacing, banks } = this.#options;
    const payment = this.#options.book.enter(wish, REGISTERING, null);
    const { orderId, amount, purpose, ttl } = payment;
    await this.#orFail(payment, async () => {
      await view.ready();
      this.#mustBeWanted(wish);
      const limits = this.#options.limits(pacing.bankDeadlineMs);
      const registered = await banks.register(bank, { orderId, amount, purpose, ttl }, limits);
      await this.#intendToShow(payment, registered, wish);
      this.#options.follower.follow(this.#options.book.find(orderId));
      await view.showPayment(payment, registered.payload);
    });
    return orderId;
  }

  /** The last moment to give a payment up: its code is taken out of use at the bank, and nobody has seen it. */
  async #intendToShow(payment: NewPayment, { bankId, payload }: RegisteredPayment, wish: Wish): Promise<void> {
    const { ledger } = this.#options;
    // the other payment's code: not to be shown for this one, and not to be cancelled
    if (ledger.isTaken(payment.orderId, bankId, payload)) throw codeOfAnother();
    try {
      this.#mustBeWanted(wish);
      this.#options.earlier.mustBeUnpaid(wish);
      ledger.intendToShow(payment.orderId, bankId, payload);
    } catch (error) {
      await this.#cancel(payment, bankId);
      throw error;
    }
  }

  /** Shows a code that was shown before; that it will be is in the ledger before the first byte goes out. */
  async #showAgain(wish: Wish, { orderId, payload }: PaymentRow): Promise<void> {
    const { view, book, follower } = this.#options;
    try {
      book.callAgain(orderId, { type: 'shown-again' });
    } catch (error) {
      view.makeWay(); // it may be on the display, and the call fails
      throw error;
    }
    follower.hasten(orderId);
    try {
      await view.ready();
      this.#mustBeWanted(wish);
      this.#options.earlier.mustBeUnpaid(wish);
      const payment = book.find(orderId);
      if (payload === null || !isOpen(payment.standing)) throw justEnded();
      await view.showPayment(payment, payload);
    } catch (error) {
      book.note(orderId, { type: 'given-up' }); // the call has failed; who has scanned the code may still pay
      throw error;
    }
  }

  /** @throws {TerminalError} where the till has cleared the display since */
  #mustBeWanted({ clearings }: Wish): void {
    if (clearings !== this.#options.view.clearings) throw cleared();
  }

  /** Runs the steps of a payment; a failure ends it, and is told in the terminal's words. */
  async #orFail({ orderId }: Pick<NewPayment, 'orderId'>, steps: () => Promise<void> | void): Promise<void> {
    try {
      await steps();
    } catch (cause) {
      const error = paymentFailure(cause);
      this.#options.book.note(orderId, { type: 'failed', fault: faultOf(error) });
      throw error;
    }
  }

  /** A code that is taken back before anybody has seen it; where the bank does not, nobody can pay it all the same. */
  async #cancel(payment: NewPayment, bankId: string): Promise<void> {
    try {
      await this.#options.banks.cancel(payment, bankId, this.#options.limits(CANCEL_MS));
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      const { orderId } = payment;
      this.#options.log('the bank did not cancel a payment that was not shown', { orderId, reason: error.message });
    }
  }
}
