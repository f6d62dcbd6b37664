/** Takes codes out of use at their bank when a till cancels a payment, clears the display or asks for another payment. */
import { BankError, type CancelOutcome, UNREPORTED } from '../../../banks/index.ts';
import { isAbandoned, isUndecided, mayBePaid, type PaymentEvent, type PaymentStatus } from '../../model/payment.ts';
import { GIVEN_BACK, isGivenBack, notFound } from '../../model/payment-failures.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { PaymentDeps } from './deps.ts';
import type { OutcomeRecorder } from './outcome-recorder.ts';

/** How long a bank may take to report the state of a payment that it did not withdraw. */
const CHECK_MS = 3000;
/** How long a bank may take to withdraw a code that a till has cleared. The next payment may wait for that. */
const CLEAR_MS = 3000;
/** How long a bank may take to withdraw a code that a till cancels: the till waits meanwhile. */
const CANCEL_MS = 10_000;

/** `unknown`: the bank has not answered; the payment is followed to its end. */
export type Withdrawn = CancelOutcome | 'unknown';

export interface Cancellation {
  readonly outcome: Withdrawn;
  /** The payment afterwards. */
  readonly payment: PaymentRow;
}

/** The outcome of withdrawing an abandoned payment, from the bank's answer to a question about it. */
function outcomeOf(event: PaymentEvent): Withdrawn {
  if (event.type === 'restarted') return 'withdrawn';
  if (event.type === 'refunded') return 'refunded';
  return event.type === 'verdict' && event.verdict === 'accepted' ? 'already-paid' : 'unknown';
}

/** The outcome for a payment whose code cannot be paid. */
function outcomeOfEnded(status: PaymentStatus): Withdrawn {
  const { state, seen } = status;
  if (isGivenBack(status)) return 'refunded';
  if (state === 'ACCEPTED') return 'already-paid';
  return state === 'STATIC' || (state === 'PENDING' && !seen) ? 'not-possible' : 'withdrawn';
}

export class Withdrawal {
  readonly #deps: PaymentDeps;
  readonly #recorder: OutcomeRecorder;
  /**
   * Withdrawals under way, by order id: a till may clear the display and ask for the next payment before the bank has
   * answered.
   */
  readonly #underWay = new Map<string, Promise<Withdrawn>>();

  constructor(deps: PaymentDeps, recorder: OutcomeRecorder) {
    this.#deps = deps;
    this.#recorder = recorder;
  }

  /**
   * Joins a withdrawal that is under way. A payment that is not withdrawn is followed to its end.
   * @throws {Error} of the database
   */
  withdraw(payment: PaymentRow, deadlineMs: number): Promise<Withdrawn> {
    const { orderId } = payment;
    const underWay = this.#underWay.get(orderId);
    if (underWay !== undefined) return underWay;
    const withdrawn = this.#withdraw(payment, deadlineMs).finally(() => this.#underWay.delete(orderId));
    this.#underWay.set(orderId, withdrawn);
    return withdrawn;
  }

  /**
   * A till cancels a payment: its code is removed from the display, and withdrawn where the bank can. A payment that
   * may still be paid is followed to its end, and no till waits for it. @throws {TerminalError} @throws {Error} of the
   * database
   */
  async cancel(orderId: string): Promise<Cancellation> {
    const { ledger, book, view } = this.#deps;
    if (ledger.find(orderId) === null) throw notFound(orderId);
    const before = book.find(orderId);
    if (!mayBePaid(before.status)) return { outcome: outcomeOfEnded(before.status), payment: before };
    book.note(orderId, { type: 'cancelled' });
    if (view.shown === orderId) view.removeCode();
    const outcome = await this.withdraw(before, CANCEL_MS);
    const payment = book.find(orderId);
    const isPaid = payment.status.state === 'ACCEPTED' && outcome !== 'refunded';
    return { outcome: isPaid ? 'already-paid' : outcome, payment };
  }

  /**
   * The till clears the display: that ends the latest payment, the one on the display, and each followed one without a
   * key. Their codes are never shown again, and the next call for the same is another sale. The bank is asked in the
   * background to withdraw those that a customer may have scanned, a declined one included: it could be paid by a second
   * try. Never throws.
   * @param followed order ids of the payments that may have been paid without a report
   */
  endSales(followed: readonly string[]): void {
    const { book, callBook, view } = this.#deps;
    book.markCleared();
    const latest = [callBook.last()?.orderId, view.shown];
    for (const orderId of new Set([...latest, ...followed])) {
      if (!orderId) continue;
      const payment = book.find(orderId);
      const hasOwnKey = payment.sale !== null && !latest.includes(orderId); // its till cancels it by itself
      if (hasOwnKey || payment.status.cancelled || !mayBePaid(payment.status)) continue;
      book.note(orderId, { type: 'cancelled' });
      const isReplaced = payment.status.superseded; // the bank was asked when another payment replaced it
      if (isUndecided(payment.status) && !isReplaced) this.#withdrawSoon(payment);
    }
  }

  /** Settles when the withdrawals under way have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  #withdrawSoon(payment: PaymentRow): void {
    const { orderId } = payment;
    this.withdraw(payment, CLEAR_MS).catch((error: unknown) => {
      this.#deps.log('the outcome of a code that was cleared cannot be kept', { orderId, reason: String(error) });
    });
  }

  async #withdraw(payment: PaymentRow, deadlineMs: number): Promise<Withdrawn> {
    const { banks, limits, log } = this.#deps;
    if (isAbandoned(payment.status)) return outcomeOf(await this.#askNow(payment, deadlineMs)); // which cancels its order, too
    try {
      const outcome = await banks.cancel(payment, limits(deadlineMs));
      await this.#record(payment, outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      const { orderId } = payment;
      log('the bank did not cancel a payment; it is followed to its end', { orderId, reason: error.message });
      const event = await this.#askNow(payment, CHECK_MS); // most likely because it has just been paid
      if (error.isUnheardOf) return this.#outcomeOfUnknownOrder(payment, event);
      return error.code === 'refused' ? 'not-possible' : 'unknown';
    }
  }

  /** @returns the meaning of the bank's answer, which is recorded, for the payment */
  async #askNow(payment: PaymentRow, deadlineMs: number): Promise<PaymentEvent> {
    return (await this.#recorder.askNow(payment, deadlineMs)).event;
  }

  /** The bank does not know the order: its registration may still be under way, but not after the end of its ttl. */
  async #outcomeOfUnknownOrder(payment: PaymentRow, event: PaymentEvent): Promise<Withdrawn> {
    if (event.type !== 'expired' || event.verdict !== 'pending') return 'unknown';
    await this.#record(payment, 'withdrawn');
    return 'withdrawn';
  }

  async #record(payment: PaymentRow, outcome: CancelOutcome): Promise<void> {
    const { book, log } = this.#deps;
    const { orderId, amount } = payment;
    switch (outcome) {
      case 'withdrawn':
        book.apply(orderId, { type: 'withdrawn' });
        return;
      case 'refunded': {
        log('a payment had been paid when its code was taken out of use: the bank gives the money back', { orderId });
        book.apply(orderId, { type: 'refunded', failure: GIVEN_BACK }, { ...UNREPORTED, refunded: amount });
        return;
      }
      case 'already-paid':
        await this.#askNow(payment, CHECK_MS);
        return;
      case 'not-possible':
        return; // it is followed to its end
    }
  }
}
