/** Handles the bank's answers about the followed payments. The payment whose code is on the display comes first. */
import type { PaymentRow } from '../money/payment-row.ts';
import type { BankAnswer, LaneEvent } from './events.ts';
import type { Follower } from './follower.ts';
import type { PaymentParts } from './parts.ts';

interface FollowingOptions extends PaymentParts {
  readonly follower: Follower;
}

export class Following {
  readonly #options: FollowingOptions;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** Takes in each answer as it comes. Settles when the follower is closed. */
  async run(): Promise<void> {
    const { follower, log } = this.#options;
    for await (const answer of follower.answers()) {
      try {
        this.#takeIn(answer, { type: 'bank-answered', answer });
      } catch (error) {
        // the ledger could not take it (a full disk): the bank keeps its word, so it is asked again
        const { orderId } = answer.payment;
        log('a payment could not be followed, it will be asked about again', { orderId, reason: String(error) });
        follower.askLater(answer.payment);
      }
    }
  }

  /** Asks the bank out of turn. Returns its answer, once that is taken in. @throws {Error} of the database */
  async askNow(payment: PaymentRow, deadlineMs: number): Promise<BankAnswer> {
    const answer = await this.#options.follower.askNow(payment, deadlineMs);
    const { event, transaction } = answer;
    this.#takeIn(answer, { type: 'changed', orderId: payment.orderId, event, transaction });
    return answer;
  }

  /** A till must learn why a payment stays open of which the bank has reported the end. @throws {Error} of the database */
  #takeIn(answer: BankAnswer, event: LaneEvent): void {
    const { follower, dispatch } = this.#options;
    try {
      dispatch(event);
    } catch (error) {
      follower.noteStored(answer, error);
      throw error;
    }
    follower.noteStored(answer, null);
  }

  /** Enters the bank's answer. @throws {Error} of the database */
  record(answer: BankAnswer): readonly LaneEvent[] {
    const { payment, event, transaction } = answer;
    const events = this.#options.book.apply(payment.orderId, event, transaction);
    return [...events, { type: 'answer-recorded', answer }];
  }

  /** The bank's answer is in the ledger: the next question is planned, or none any more. */
  goOn(answer: BankAnswer): readonly LaneEvent[] {
    const { book, follower } = this.#options;
    const { status } = book.find(answer.payment.orderId);
    // an accepted payment is not polled again: what is shown does not matter then, and reading it may fail
    return follower.goOn(answer, status, status.state === 'ACCEPTED' ? null : this.#shown());
  }

  /** A customer stands in front of the code that is shown: its bank is asked now. */
  hurryShown(): void {
    this.#options.follower.hurry(() => this.#shown());
  }

  /** There is room for one that waits in the ledger. */
  takeWaiting(): void {
    const { follower, ledger } = this.#options;
    follower.takeWaiting((id) => ledger.followedBefore(id));
  }

  /** The payment whose code is on the display. */
  #shown(): PaymentRow | null {
    const { view, book } = this.#options;
    return view.shown === null ? null : book.find(view.shown);
  }
}
