/**
 * What a person decides of a refund that no bank tells about, having looked in the account at the bank. From then on the bank is
 * never asked to make it, only what it knows of it; and what it tells after all is kept beside the decision. Money that has gone
 * back by either word counts as gone.
 */
import type { Clock } from '../../host/clock.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import {
  isContradicted,
  isDoubtful,
  isUndecided,
  isUnderWay,
  type Refund,
  type RefundOutcome,
  type RefundProgress,
} from './refund.ts';
import type { RefundBook } from './refund-book.ts';
import { refundDecided, refundFollowed, refundNotFound, refundUnderWay } from './refund-failures.ts';
import type { RefundLedger } from './refund-ledger.ts';
import type { RefundQuestions } from './refund-questions.ts';

/** How long a refund may be undecided before somebody is told. */
const NOTICE_AFTER_MS = 10 * 60_000;

/** Whether it has been undecided for so long that somebody should ask the bank. */
export const isOverdue = (refund: Refund, clock: Clock): boolean =>
  isUndecided(refund) && clock.wall() - refund.createdAt > NOTICE_AFTER_MS;

export interface AskedDecision {
  /** Of the payment. */
  readonly orderId: string;
  /** The till's, of the refund. */
  readonly tillId: string;
  readonly outcome: RefundOutcome;
  /** Who has looked where, and what was seen. */
  readonly note: string;
}

export interface RefundDecisionsOptions {
  readonly refunds: Pick<RefundLedger, 'of' | 'ofTill'>;
  readonly book: RefundBook;
  readonly questions: RefundQuestions;
  readonly clock: Clock;
}

export class RefundDecisions {
  readonly #options: RefundDecisionsOptions;

  constructor(options: RefundDecisionsOptions) {
    this.#options = options;
  }

  /** @throws {TerminalError} nothing is decided then */
  async decide({ orderId, tillId, outcome, note }: AskedDecision): Promise<Refund> {
    const { refunds, clock, book } = this.#options;
    const refund = refunds.ofTill(tillId);
    if (refund?.orderId !== orderId) throw refundNotFound(tillId);
    if (refund.decision !== null) return this.#decideAgain(refund, outcome, note);
    if (!isUndecided(refund)) throw refundDecided(refund);
    if (!isOverdue(refund, clock)) throw refundFollowed(refund, NOTICE_AFTER_MS);
    const told = await this.look(refund, book.payment(orderId));
    if (told !== null) throw isUndecided(told) ? refundUnderWay(told) : refundDecided(told);
    return book.decide(refund, outcome, note);
  }

  /**
   * Before more of a payment goes back: what the bank knows of that which by a person has not.
   * @throws {TerminalError} where it is under way
   */
  async checkAgain(payment: PaymentRow): Promise<void> {
    for (const doubtful of this.#options.refunds.of(payment.orderId).filter(isDoubtful)) {
      const told = await this.look(doubtful, payment);
      if (told !== null && isDoubtful(told)) throw refundUnderWay(told);
    }
  }

  /**
   * What the bank tells of a refund without being asked to make it: of one that it has taken what became of that, else by the sum
   * that has gone back.
   * @returns the refund as it then is; null where the bank does not tell
   */
  async look(refund: Refund, payment: PaymentRow): Promise<Refund | null> {
    const { book, questions } = this.#options;
    const told = isUnderWay(refund) ? await questions.status(refund, payment) : await this.#toldBySum(refund, payment);
    if (told === null) return null;
    return told.state === 'pending' ? refund : book.take(refund, told);
  }

  /** What has been counted as gone back is not taken back. */
  #decideAgain(refund: Refund, outcome: RefundOutcome, note: string): Refund {
    const { decision, state } = refund;
    const isOpen = isContradicted(refund);
    if (outcome !== decision?.outcome && !(isOpen && outcome === state)) throw refundDecided(refund);
    return isOpen ? this.#options.book.decide(refund, outcome, note) : refund;
  }

  async #toldBySum(refund: Refund, payment: PaymentRow): Promise<RefundProgress | null> {
    const { book, questions, clock } = this.#options;
    const { orderId, bankRefundId, reason, amount } = refund;
    const sum = await questions.sum(refund, payment);
    if (sum === null) return null;
    if (sum === 'going back') return { state: 'pending', bankRefundId, reason, endedAt: null }; // it may be this one
    if (sum === book.besides(refund) + amount) return { state: 'done', bankRefundId, reason, endedAt: clock.wall() };
    book.noteSum(orderId, sum);
    return null;
  }
}
