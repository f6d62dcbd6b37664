/**
 * Records the outcome of payments: each answer of a bank, whether it came by polling or was asked for. Takes over the payments of the
 * previous process.
 *
 * A payment that the previous process abandoned before it had shown the code is not failed at once (`isAbandoned`): a ledger that lost its last
 * commits in a power cut says the same of a code that was shown and paid. So the bank is asked for the order first. An order that no
 * customer has begun to pay is cancelled there, as is every order whose code is not shown.
 */
import { isAbandoned, isOpen } from '../../model/payment.ts';
import { ABANDONED, RESTARTED, RESTARTED_UNASKED } from '../../model/payment-failures.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { PaymentDeps } from './deps.ts';
import type { BankAnswer, Follower } from './follower.ts';

/** How long `/health` names a payment whose code was paid more than once, unless somebody has looked into it. */
const NAMED_MS = 30 * 86_400_000;

export class OutcomeRecorder {
  readonly #deps: PaymentDeps;
  readonly #follower: Follower;
  /** Order ids of payments whose code was paid more than once; null until they are read from the ledger. */
  #paidAgain: Set<string> | null = null;

  constructor(deps: PaymentDeps, follower: Follower) {
    this.#deps = deps;
    this.#follower = follower;
  }

  /**
   * Takes over the payments of the previous process: those whose code was not shown end, the others are followed.
   * @throws {Error} of the database
   */
  recover(): void {
    const { book, callBook, ledger, view } = this.#deps;
    callBook.recover();
    book.recover();
    for (const payment of ledger.queries.unshown()) this.#endUnshown(payment);
    for (const payment of ledger.queries.followed()) this.followSeen(payment);
    view.restore();
  }

  /** Payments whose code was paid more than once, by their bank, until somebody has looked into it. */
  get paidAgain(): readonly PaymentRow[] {
    const { ledger, clock } = this.#deps;
    if (!ledger.isOpen) return [];
    this.#paidAgain ??= new Set(ledger.accepted.paidAgain(clock.wall() - NAMED_MS).map(({ orderId }) => orderId));
    const payments = [...this.#paidAgain].map((orderId) => ledger.find(orderId));
    return payments.filter((payment) => payment !== null && payment.acknowledgedAt === null) as PaymentRow[];
  }

  /** Follows a payment whose code a customer may have seen. */
  followSeen({ orderId }: PaymentRow): void {
    const payment = this.#deps.book.find(orderId);
    if (payment.status.seen || isAbandoned(payment.status)) this.#follower.resume(payment);
  }

  /** Records each answer as it comes. Settles when the follower is closed. */
  async run(): Promise<void> {
    for await (const answer of this.#follower.answers()) {
      const { payment } = answer;
      try {
        this.#reportingResult(answer, () => {
          this.#record(answer);
          this.#scheduleNext(answer);
        });
      } catch (error) {
        // the ledger cannot be written (a full disk): the bank will report the same again, so it is asked again
        const { orderId } = payment;
        this.#deps.log('a payment could not be followed, it will be asked about again', {
          orderId,
          reason: String(error),
        });
        this.#follower.askLater(payment);
      }
    }
  }

  /** Asks the bank out of turn. Returns its answer, once that is recorded. @throws {Error} of the database */
  async askNow(payment: PaymentRow, deadlineMs: number): Promise<BankAnswer> {
    const answer = await this.#follower.askNow(payment, deadlineMs);
    this.#reportingResult(answer, () => this.#record(answer));
    return answer;
  }

  /** Asks about ended payments whose sale has another code on the display now: the customer may have paid the earlier one. */
  hurryRivals(): void {
    this.#follower.hurryRivals(() => this.#shown());
  }

  /**
   * Writes to the ledger, and tells the follower whether that succeeded: a till must learn why a payment stays open though
   * its bank has reported the end.
   * @throws {Error} of the database
   */
  #reportingResult(answer: BankAnswer, write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#follower.recordStored(answer, error);
      throw error;
    }
    this.#follower.recordStored(answer, null);
  }

  /**
   * Records an answer. Where the payment was accepted while the bank was asked, the event `refunded` does not apply: money of
   * such a payment goes back only by a refund of ours, or in the account at the bank.
   */
  #record({ payment: { orderId }, event, transaction }: BankAnswer): void {
    const { book } = this.#deps;
    if (event.type === 'refunded' && book.find(orderId).status.state === 'ACCEPTED') return;
    book.apply(orderId, event, transaction);
    this.#recordPaidAgain(orderId, transaction?.paidAgain ?? 0);
  }

  #recordPaidAgain(orderId: string, kopecks: number): void {
    const { book, ledger, log } = this.#deps;
    const { ref } = book.find(orderId);
    if (kopecks === 0 || ref === null || ref.paidAgain === String(kopecks)) return;
    log('more than one payment was made by one code: a person must give the others back', { orderId, kopecks });
    ledger.recordRef(orderId, { ...ref, paidAgain: String(kopecks) });
    this.#paidAgain?.add(orderId);
  }

  /** Plans the next question, or none, once the bank's answer is in the ledger. */
  #scheduleNext(answer: BankAnswer): void {
    const { orderId } = answer.payment;
    const { book, ledger } = this.#deps;
    const { status } = book.find(orderId);
    // an accepted payment is not polled again: what is shown does not matter then, and reading it may fail
    const isSettled = this.#follower.scheduleNext(answer, status, status.state === 'ACCEPTED' ? null : this.#shown());
    if (isSettled) ledger.markSettled(orderId);
  }

  /** The payment whose code is on the display. */
  #shown(): PaymentRow | null {
    const { view, book } = this.#deps;
    return view.shown === null ? null : book.find(view.shown);
  }

  /**
   * Ends a payment whose code was not shown, after asking its bank where possible. A full disk must not keep the device
   * from starting.
   */
  #endUnshown({ orderId }: PaymentRow): void {
    const { banks, book, clock, ledger, log } = this.#deps;
    try {
      const payment = book.find(orderId);
      if (isOpen(payment.status) && banks.isAnswering(payment)) {
        book.note(orderId, { type: 'abandoned', failure: ABANDONED });
        return;
      }
      const failure = payment.bootId === clock.bootId ? RESTARTED : RESTARTED_UNASKED;
      book.note(orderId, { type: 'restarted', failure });
      if (book.isWritten(orderId)) ledger.markSettled(orderId);
    } catch (error) {
      log('what a payment was left as cannot be recorded', { orderId, reason: String(error) });
    }
  }
}
