/**
 * A person decides the outcome of a refund that the bank does not report, after looking in the account at the bank.
 * From then on the bank is never asked to make the refund, only for its state. A later report of the bank is stored
 * beside the decision. Money counts as gone back where the bank has reported it or the person has decided so.
 */
import type { Clock } from '../../core/host/index.ts';
import type { PaymentRow } from '../model/payment-row.ts';
import {
  isContradicted,
  isRefusedByHand,
  isUndecided,
  isUnderWay,
  isUnreported,
  type Refund,
  type RefundOutcome,
  type RefundProgress,
  refundOfTill,
} from '../model/refund.ts';
import type { RefundLedger } from '../money/refund-ledger.ts';
import type { RefundBook } from './refund-book.ts';
import {
  bankSilent,
  refundDecided,
  refundFollowed,
  refundMade,
  refundNotFound,
  refundUnderWay,
} from './refund-failures.ts';
import type { NoReport, RefundQuestions } from './refund-questions.ts';

/** A refund undecided for longer is reported in `/health`; until then no person may decide it. */
const NOTICE_AFTER_MS = 10 * 60_000;
/** `NOTICE_AFTER_MS` of a refund that the bank reports under way, and may book on the next day. */
const NOTICE_UNDER_WAY_MS = 48 * 3_600_000;
/** How long the bank is asked about a refund that a person has decided, if it has never reported anything about it. */
const ASKED_AFTER_DECISION_MS = 7 * 24 * 3_600_000;

/** Whether the refund has been undecided so long, or was left by another board, that somebody should ask the bank. */
export const isOverdue = (refund: Refund, book: RefundBook): boolean =>
  isUndecided(refund) &&
  (refund.isElsewhere ||
    book.seemsPassed(refund, refund.createdAt) > (isUnderWay(refund) ? NOTICE_UNDER_WAY_MS : NOTICE_AFTER_MS));

export interface AskedDecision {
  /** Order id of the payment. */
  readonly orderId: string;
  /** The till's id of the refund. */
  readonly tillId: string;
  /** The till that decides; null where it has no name. */
  readonly till?: string | null;
  readonly outcome: RefundOutcome;
  /** Who looked where, and what was seen. */
  readonly note: string;
}

/** The result of asking the bank about a refund. */
interface Inquiry {
  /** The refund after the answer. */
  readonly refund: Refund;
  /** `reported`: the bank has reported its state. */
  readonly result: NoReport | 'reported';
}

export class RefundDecisions {
  readonly #clock: Pick<Clock, 'wall'>;
  readonly #refunds: RefundLedger;
  readonly #book: RefundBook;
  readonly #questions: RefundQuestions;

  constructor(clock: Pick<Clock, 'wall'>, refunds: RefundLedger, book: RefundBook, questions: RefundQuestions) {
    this.#clock = clock;
    this.#refunds = refunds;
    this.#book = book;
    this.#questions = questions;
  }

  /** @throws {TerminalError} nothing is decided then */
  async decide({ orderId, tillId, till = null, outcome, note }: AskedDecision): Promise<Refund> {
    const refund = refundOfTill(till, tillId, this.#refunds.of(orderId));
    if (refund === undefined) throw refundNotFound(tillId);
    if (refund.decision !== null) return this.#decideAgain(refund, outcome, note);
    if (!isUndecided(refund)) throw refundDecided(refund);
    const left = NOTICE_AFTER_MS - this.#book.passed(refund);
    if (left >= 0 && !refund.isElsewhere) throw refundFollowed(refund, this.#clock.wall() + left);
    const asked = await this.#inquire(refund, this.#book.payment(orderId));
    if (asked.result === 'reported')
      throw isUndecided(asked.refund) ? refundUnderWay(asked.refund) : refundDecided(asked.refund);
    return this.#book.decide(refund, outcome, note);
  }

  /**
   * Before another refund of a payment: asks the bank about those that a person has decided to be refused.
   * @throws {TerminalError} where one is under way, where the bank could report it and does not answer, or where the
   * bank has made it after all. The new refund may be meant to replace that one, so a person must look into it first.
   */
  async checkAgain(payment: PaymentRow): Promise<void> {
    for (const unconfirmed of this.#refunds.of(payment.orderId).filter(isRefusedByHand)) {
      const { refund, result } = await this.#inquire(unconfirmed, payment);
      if (result === 'silent') throw bankSilent(refund);
      if (result === 'reported' && isRefusedByHand(refund)) throw refundUnderWay(refund);
    }
    const made = this.#refunds.of(payment.orderId).find((refund) => refund.told === 'done' && isContradicted(refund));
    if (made !== undefined) throw refundMade(made);
  }

  /** Whether the bank is still to be asked about a refund that a person has decided. */
  isToBeAsked(refund: Refund): boolean {
    const { decision } = refund;
    if (decision === null || !isUnreported(refund)) return false;
    return isUnderWay(refund) || this.#book.seemsPassed(refund, decision.at) <= ASKED_AFTER_DECISION_MS;
  }

  /** Asks about a refund that this board never sends. @returns false where the bank reports no single refunds */
  async follow(refund: Refund, payment: PaymentRow): Promise<boolean> {
    return (await this.#inquireById(refund, payment)).result !== 'unreported';
  }

  /**
   * Decides a decided refund again. Money counted as gone back stays counted, unless only a person's decision counted it,
   * and is reversed.
   */
  async #decideAgain(before: Refund, outcome: RefundOutcome, note: string): Promise<Refund> {
    const isChange = outcome !== before.decision?.outcome;
    // the bank may have an outcome by now
    const { refund, result } =
      isChange && isUnreported(before)
        ? await this.#inquire(before, this.#book.payment(before.orderId))
        : { refund: before, result: 'reported' };
    if (isChange && this.#book.isByHandAlone(refund)) {
      if (result === 'silent') throw bankSilent(refund);
      if (isUnderWay(refund)) throw refundUnderWay(refund);
      await this.#requireCountedLess(refund);
      return this.#book.retractDone(refund, note);
    }
    const isOpen = isContradicted(refund);
    if (isChange && !(isOpen && outcome === refund.state)) throw refundDecided(refund);
    return isOpen ? this.#book.decide(refund, outcome, note) : refund;
  }

  /** @throws {TerminalError} where the bank counts the money as gone back, by whatever refund */
  async #requireCountedLess(refund: Refund): Promise<void> {
    const sum = await this.#questions.sum(refund, this.#book.payment(refund.orderId));
    if (sum === 'silent') throw bankSilent(refund);
    if (sum === 'going back') throw refundUnderWay(refund);
    if (sum !== 'unreported' && sum > this.#book.besides(refund)) throw refundDecided(refund);
  }

  /**
   * Asks the bank about the refund itself; where it reports no single refunds, infers the state from the sum that has gone
   * back. Where it reports them, an equal sum is that of another refund.
   */
  async #inquire(refund: Refund, payment: PaymentRow): Promise<Inquiry> {
    const found = await this.#inquireById(refund, payment);
    if (found.result === 'reported' || isUnderWay(refund)) return found;
    const progress = await this.#progressBySum(refund, payment, found.result === 'unreported');
    if (typeof progress === 'string')
      return { refund, result: found.result === 'unreported' ? progress : found.result };
    const isPending = progress.state === 'pending';
    return { refund: isPending ? refund : this.#book.recordReport(refund, progress), result: 'reported' };
  }

  async #inquireById(refund: Refund, payment: PaymentRow): Promise<Inquiry> {
    const progress = await this.#questions.find(refund, payment);
    if (typeof progress === 'string') return { refund, result: progress };
    const isKnown = progress.state === 'pending' && isUnderWay(refund);
    return { refund: isKnown ? refund : this.#book.recordReport(refund, progress), result: 'reported' };
  }

  async #progressBySum(
    refund: Refund,
    payment: PaymentRow,
    isSumDecisive: boolean,
  ): Promise<RefundProgress | 'unreported' | 'silent'> {
    const { orderId, bankRefundId, reason, amount } = refund;
    const sum = await this.#questions.sum(refund, payment);
    if (sum === 'going back') return { state: 'pending', bankRefundId, reason, endedAt: null }; // it may be this one
    if (typeof sum === 'string') return sum;
    if (isSumDecisive && sum === this.#book.besides(refund) + amount)
      return { state: 'done', bankRefundId, reason, endedAt: this.#clock.wall() };
    this.#book.recordReportedSum(orderId, sum);
    return 'unreported';
  }
}
