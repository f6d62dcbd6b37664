/**
 * Refunds give money of paid payments back, once. Each is in the ledger of refunds before the bank gets it. A refund
 * without an outcome is followed up until the bank reports one, also over restarts; meanwhile no further refund of the
 * payment is made.
 */

import type { BackoffLimits } from '../../../drivers/lib/async.ts';
import { SerialQueues } from '../../../drivers/lib/serial-queue.ts';
import type { BankPool } from '../../banks/index.ts';
import type { Timekeeper } from '../../core/host/index.ts';
import { terminalFailure } from '../model/failures.ts';
import { isGivenBack, notAccepted } from '../model/payment-failures.ts';
import type { PaymentRow } from '../model/payment-row.ts';
import { isRefusedByHand, isUndecided, type Refund, refundOfTill } from '../model/refund.ts';
import type { AcceptedPayments } from '../money/accepted-payments.ts';
import type { Ledger } from '../money/ledger.ts';
import { type AskedRefund, type RefundAuthor, RefundBook, type RefundBookOptions } from './refund-book.ts';
import { type AskedDecision, isOverdue, RefundDecisions } from './refund-decisions.ts';
import { cannotRefund, idConflict, isDamaged, isStatic, refundNotFound, refundOpen } from './refund-failures.ts';
import { RefundFollower } from './refund-follower.ts';
import { type RefundBanks, RefundQuestions } from './refund-questions.ts';

/** How many refunds decided by a person a start asks about: at banks that never report them there are more each year. */
const MOST_UNREPORTED = 500;
/**
 * Payments of this period are compared with their refunds, so that `/health` names unexplained returns before a
 * customer stands at the till.
 */
const COMPARED_MS = 7 * 24 * 3_600_000;
/** Pause between comparisons: `/health` is read every few seconds, and a comparison reads a week of payments. */
const COMPARED_EVERY_MS = 60_000;

export interface RefundsOptions extends RefundBookOptions {
  readonly clock: Timekeeper;
  readonly payments: Pick<Ledger, 'find' | 'isOpen' | 'isSound' | 'subtractRefunded'> & {
    readonly accepted: Pick<AcceptedPayments, 'andReturned'>;
  };
  readonly banks: RefundBanks & Pick<BankPool, 'canRefund'>;
  /** How long a bank may take for one answer. */
  readonly deadlineMs: number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Pauses between questions about a refund; the follower's own when left out. */
  readonly backoff?: BackoffLimits;
}

export class Refunds {
  readonly #options: RefundsOptions;
  /** Queues the calls about one payment, by order id. */
  readonly #turns = new SerialQueues();
  readonly #closing = new AbortController();
  readonly #book: RefundBook;
  readonly #questions: RefundQuestions;
  readonly #decisions: RefundDecisions;
  readonly #follower: RefundFollower;
  /** Result of the last comparison, and its time: monotonic clock, ms. */
  #unexplained: { readonly at: number; readonly payments: readonly PaymentRow[] } = { at: -Infinity, payments: [] };
  /**
   * Refunds that no bank can have received: entered by this process and not sent yet. The state `asked` does not prove
   * that, as the ledger may have been restored to an older state.
   */
  readonly #unsent = new Set<string>();

  constructor(options: RefundsOptions) {
    this.#options = options;
    this.#book = new RefundBook(options);
    const { clock, refunds, banks, random, log, backoff } = options;
    const limits = { deadlineMs: options.deadlineMs, closing: this.#closing.signal };
    this.#questions = new RefundQuestions(clock, refunds, banks, limits, log);
    this.#decisions = new RefundDecisions(clock, refunds, this.#book, this.#questions);
    const isToBeAsked = (refundId: string) => this.#isToBeAsked(refundId);
    const ask = (refundId: string) => this.#followAgain(refundId);
    this.#follower = new RefundFollower(clock, isToBeAsked, ask, random, log, backoff);
  }

  /** Follows up the refunds that the previous process left undecided. */
  recover(): void {
    const { refunds } = this.#options;
    if (!refunds.isOpen) return;
    for (const { refundId } of [...refunds.undecided(), ...refunds.unreported(MOST_UNREPORTED)])
      this.#follower.follow(refundId);
  }

  /** Refunds of one payment, oldest first. */
  of(orderId: string): Refund[] {
    return this.#options.refunds.of(orderId);
  }

  /**
   * A refund of a payment. @param tillId the till's id of the refund @param till the till that asks @throws {TerminalError}
   * where the payment has no refund of that id
   */
  find(orderId: string, tillId: string, till: string | null): Refund {
    const refund = refundOfTill(till, tillId, this.of(orderId));
    if (refund === undefined) throw refundNotFound(tillId);
    return refund;
  }

  /** Whether this till has asked for this refund before. */
  isKnown(orderId: string, tillId: string, till: string | null): boolean {
    return this.#options.refunds.ofTill(tillId, till)?.orderId === orderId;
  }

  /** @param changed called whenever the refund of this `refundId` has changed @returns a function that ends the watch */
  watch(refundId: string, changed: () => void): () => void {
    return this.#options.refunds.changes.watch(refundId, changed);
  }

  /** Refunds undecided so long that somebody should ask the bank. */
  get overdue(): Refund[] {
    const { refunds } = this.#options;
    return refunds.isOpen ? refunds.undecided().filter((refund) => isOverdue(refund, this.#book)) : [];
  }

  /** Refunds where the bank contradicted a person's decision and no person has decided again. */
  get contradicted(): Refund[] {
    const { refunds } = this.#options;
    return refunds.isOpen ? refunds.contradicted() : [];
  }

  /**
   * Payments of the last days of which more went back than the ledger of refunds explains: a refund was made elsewhere,
   * or the ledger lost one. None while a ledger is closed.
   */
  get unexplained(): readonly PaymentRow[] {
    const { clock, refunds, payments } = this.#options;
    if (!refunds.isOpen || !payments.isOpen) return [];
    const at = clock.monotonic();
    if (at - this.#unexplained.at >= COMPARED_EVERY_MS) this.#unexplained = { at, payments: this.#compare() };
    return this.#unexplained.payments;
  }

  /**
   * Gives money of a payment back, or returns the state of the refund of the same id.
   * @param refundedBy to whose limits it counts; null where there are no limits, or a supervisor has approved it
   * @returns the refund; undecided where the bank has not answered in time: it is followed up then
   * @throws {TerminalError} nothing has gone back by it, unless its ledger could not be written
   */
  async refund(asked: AskedRefund, refundedBy: RefundAuthor | null = null): Promise<Refund> {
    try {
      return await this.#turns.run(asked.orderId, () => this.#refund(asked, refundedBy));
    } catch (error) {
      throw terminalFailure(error, {
        therefore: 'what became of the refund cannot be kept: ask for it again with the same id',
      });
    }
  }

  /**
   * A person decides a refund whose outcome the bank does not report. The same decision again changes nothing, unless
   * the bank has reported the opposite meanwhile: then it confirms that a person has reviewed that report.
   * @throws {TerminalError} nothing is decided then
   */
  async decide(decision: AskedDecision): Promise<Refund> {
    try {
      return await this.#turns.run(decision.orderId, async () => {
        const decided = await this.#decisions.decide(decision);
        this.#follower.follow(decided.refundId);
        return decided;
      });
    } catch (error) {
      throw terminalFailure(error, { therefore: 'the decision cannot be kept: send it again' });
    }
  }

  /** Aborts the requests to banks. Undecided refunds stay undecided in the ledger. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#follower.close();
    await this.#turns.idle();
  }

  /**
   * Payments with unexplained returns. Money that a bank returned by itself is reported with the payment, and was never
   * a refund.
   */
  #compare(): readonly PaymentRow[] {
    const { clock, payments } = this.#options;
    const now = clock.wall();
    return payments.accepted
      .andReturned(now - COMPARED_MS, now + 1)
      .filter(({ orderId, status }) => !isGivenBack(status) && this.#book.unexplained(orderId) > 0);
  }

  async #refund(asked: AskedRefund, refundedBy: RefundAuthor | null): Promise<Refund> {
    const { refunds, banks, payments } = this.#options;
    const payment = this.#book.payment(asked.orderId);
    const known = this.#book.known(asked);
    if (known !== null) return this.#repeated(known, asked, payment);
    if (!payments.isSound(payment.id)) throw isDamaged();
    if (payment.status.state === 'STATIC') throw isStatic();
    if (payment.status.state !== 'ACCEPTED') throw notAccepted(payment, 'can be refunded');
    if (!(await banks.canRefund(payment))) throw cannotRefund(payment.bank);
    for (const earlier of refunds.of(payment.orderId).filter(isUndecided)) {
      const decided = await this.#askOnce(earlier, payment);
      if (isUndecided(decided)) throw refundOpen(decided);
    }
    await this.#decisions.checkAgain(payment);
    const entered = this.#book.enter(asked, refundedBy, await this.#isNew(asked, payment));
    this.#unsent.add(entered.refundId);
    const refund = await this.#askOnce(entered, payment);
    if (refund.state === 'refused') await this.#recordSum(refund, payment);
    return refund;
  }

  /**
   * Whether the bank answers that it does not have this refund: then the unexplained money went back by another. The bank is
   * not asked where this refund is of more than that money. Nor is it asked where a person has decided a refund to be
   * refused: the unexplained one may have been made by hand in its place, and this one may be meant to replace it, too.
   */
  async #isNew(asked: AskedRefund, payment: PaymentRow): Promise<boolean> {
    const unexplained = this.#book.unexplained(payment.orderId);
    const amount = asked.amount ?? payment.amount - this.#book.payment(payment.orderId).refunded;
    if (amount > unexplained || this.of(payment.orderId).some(isRefusedByHand)) return false;
    return (await this.#questions.find(this.#book.planned(asked, amount), payment)) === 'nothing';
  }

  /**
   * After a refusal, records the sum that went back: money may have gone back elsewhere, and the next refund then fails
   * for that reason.
   */
  async #recordSum(refund: Refund, payment: PaymentRow): Promise<void> {
    const sum = await this.#questions.sum(refund, payment);
    if (typeof sum === 'number') this.#book.recordReportedSum(refund.orderId, sum);
  }

  #repeated(known: Refund, { orderId, amount }: AskedRefund, payment: PaymentRow): Refund | Promise<Refund> {
    const rest = payment.amount - known.refundedBefore; // what was left when it was asked for
    if (known.orderId !== orderId || known.amount !== (amount ?? rest)) throw idConflict(known);
    return isUndecided(known) ? this.#askOnce(known, payment) : known;
  }

  /** Asks the bank once, and records its answer. An undecided refund is followed up; another board's is never sent. */
  async #askOnce(refund: Refund, payment: PaymentRow): Promise<Refund> {
    try {
      if (refund.isElsewhere) {
        await this.#decisions.follow(refund, payment);
        return this.#options.refunds.get(refund.refundId);
      }
      const sent = refund.state === 'asked' ? this.#book.sent(refund) : refund;
      const isFirst = this.#unsent.delete(refund.refundId);
      return this.#book.recordReport(sent, await this.#questions.ask(sent, payment, !isFirst));
    } finally {
      this.#follower.follow(refund.refundId);
    }
  }

  /** Whether the bank must still be asked; true while the ledger is closed, as the refund cannot be looked up then. */
  #isToBeAsked(refundId: string): boolean {
    const { refunds } = this.#options;
    if (!refunds.isOpen) return true;
    const refund = refunds.get(refundId);
    return isUndecided(refund) || this.#decisions.isToBeAsked(refund);
  }

  #followAgain(refundId: string): Promise<void> {
    const { refunds } = this.#options;
    const { orderId } = refunds.get(refundId);
    return this.#turns.run(orderId, async () => {
      const refund = refunds.get(refundId);
      if (isUndecided(refund)) await this.#askOnce(refund, this.#book.payment(orderId));
      else if (!this.#isToBeAsked(refundId)) this.#follower.drop(refundId);
      else if (await this.#decisions.follow(refund, this.#book.payment(orderId))) this.#follower.follow(refundId);
      else this.#follower.drop(refundId);
    });
  }
}
