/**
 * What a person decides of a refund that no bank tells about, having looked in the account at the bank. From then on the bank is
 * never asked to make it, only what it knows of it; and what it tells after all is kept beside the decision. Money that has gone
 * back by either word counts as gone.
 */
import type { Clock } from '../../host/index.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import {
  isContradicted,
  isRefusedByHand,
  isUndecided,
  isUnderWay,
  isUntold,
  type Refund,
  type RefundOutcome,
  type RefundProgress,
} from './refund.ts';
import type { RefundBook } from './refund-book.ts';
import {
  bankSilent,
  refundDecided,
  refundFollowed,
  refundMade,
  refundNotFound,
  refundUnderWay,
} from './refund-failures.ts';
import type { RefundLedger } from './refund-ledger.ts';
import type { NoWord, RefundQuestions } from './refund-questions.ts';

/** How long a refund may be undecided before it is reported. */
const NOTICE_AFTER_MS = 10 * 60_000;
/** How long the bank is asked about a refund that a person has decided, if it has never reported anything about it. */
const ASKED_AFTER_DECISION_MS = 7 * 24 * 3_600_000;

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
  readonly refunds: Pick<RefundLedger, 'of'>;
  readonly book: RefundBook;
  readonly questions: RefundQuestions;
  readonly clock: Clock;
}

/** What asking about a refund has come to: the refund as it then is. */
interface Look {
  readonly refund: Refund;
  /** `told` where the bank has reported its state. */
  readonly word: NoWord | 'told';
}

export class RefundDecisions {
  readonly #options: RefundDecisionsOptions;

  constructor(options: RefundDecisionsOptions) {
    this.#options = options;
  }

  /** @throws {TerminalError} nothing is decided then */
  async decide({ orderId, tillId, outcome, note }: AskedDecision): Promise<Refund> {
    const { refunds, clock, book } = this.#options;
    const refund = refunds.of(orderId).find((each) => each.tillId === tillId);
    if (refund === undefined) throw refundNotFound(tillId);
    if (refund.decision !== null) return this.#decideAgain(refund, outcome, note);
    if (!isUndecided(refund)) throw refundDecided(refund);
    if (!isOverdue(refund, clock)) throw refundFollowed(refund, NOTICE_AFTER_MS);
    const look = await this.#look(refund, book.payment(orderId));
    if (look.word === 'told') throw isUndecided(look.refund) ? refundUnderWay(look.refund) : refundDecided(look.refund);
    return book.decide(refund, outcome, note);
  }

  /**
   * Before more of a payment goes back: what the bank knows of that which by a person has not.
   * @throws {TerminalError} where it is under way, the bank, which may know, does not answer, or it has made it after all: what
   * goes back now may have been meant in its place, until somebody has looked into that
   */
  async checkAgain(payment: PaymentRow): Promise<void> {
    const { refunds } = this.#options;
    for (const unconfirmed of refunds.of(payment.orderId).filter(isRefusedByHand)) {
      const { refund, word } = await this.#look(unconfirmed, payment);
      if (word === 'silent') throw bankSilent(refund);
      if (word === 'told' && isRefusedByHand(refund)) throw refundUnderWay(refund);
    }
    const made = refunds.of(payment.orderId).find((refund) => refund.told === 'done' && isContradicted(refund));
    if (made !== undefined) throw refundMade(made);
  }

  /** Whether the bank is still to be asked about a refund that a person has decided. */
  isToBeAsked(refund: Refund): boolean {
    const { decision } = refund;
    if (decision === null || !isUntold(refund)) return false;
    return isUnderWay(refund) || this.#options.clock.wall() - decision.at <= ASKED_AFTER_DECISION_MS;
  }

  /** Asks about a refund that a person has decided. @returns false where the bank reports no single refunds */
  async follow(refund: Refund, payment: PaymentRow): Promise<boolean> {
    return (await this.#lookUp(refund, payment)).word !== 'untold';
  }

  /** What has been counted as gone back is not taken back. */
  async #decideAgain(before: Refund, outcome: RefundOutcome, note: string): Promise<Refund> {
    const { book } = this.#options;
    const isOther = outcome !== before.decision?.outcome;
    // the bank may know better by now
    const { refund } =
      isOther && isUntold(before) ? await this.#look(before, book.payment(before.orderId)) : { refund: before };
    const isOpen = isContradicted(refund);
    if (isOther && !(isOpen && outcome === refund.state)) throw refundDecided(refund);
    return isOpen ? book.decide(refund, outcome, note) : refund;
  }

  /** Asks about the refund itself; where the bank does not report it, decides by the sum that has gone back. */
  async #look(refund: Refund, payment: PaymentRow): Promise<Look> {
    const look = await this.#lookUp(refund, payment);
    if (look.word === 'told' || isUnderWay(refund)) return look;
    const told = await this.#toldBySum(refund, payment);
    if (typeof told === 'string') return { refund, word: look.word === 'untold' ? told : look.word };
    return { refund: told.state === 'pending' ? refund : this.#options.book.take(refund, told), word: 'told' };
  }

  async #lookUp(refund: Refund, payment: PaymentRow): Promise<Look> {
    const { book, questions } = this.#options;
    const told = await questions.find(refund, payment);
    if (typeof told === 'string') return { refund, word: told };
    const isKnown = told.state === 'pending' && isUnderWay(refund);
    return { refund: isKnown ? refund : book.take(refund, told), word: 'told' };
  }

  async #toldBySum(refund: Refund, payment: PaymentRow): Promise<RefundProgress | 'untold' | 'silent'> {
    const { book, questions, clock } = this.#options;
    const { orderId, bankRefundId, reason, amount } = refund;
    const sum = await questions.sum(refund, payment);
    if (sum === 'going back') return { state: 'pending', bankRefundId, reason, endedAt: null }; // it may be this one
    if (typeof sum === 'string') return sum;
    if (sum === book.besides(refund) + amount) return { state: 'done', bankRefundId, reason, endedAt: clock.wall() };
    book.noteSum(orderId, sum);
    return 'untold';
  }
}
