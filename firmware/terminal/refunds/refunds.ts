/**
 * Refunds: money of paid payments goes back, once. Each is in the ledger of refunds before the bank hears of it; one of which no
 * answer tells is followed up until the bank has told, whatever restarts in between, and its amount counts as gone till then.
 */
import { hash } from 'node:crypto';
import { SerialQueues } from '../../../drivers/lib/serial-queue.ts';
import type { Clock } from '../../host/clock.ts';
import type { LogLine } from '../../host/log.ts';
import type { BankPool } from '../banks/pool/bank-pool.ts';
import { terminalFailure } from '../failures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import { notFound } from '../payments/payment-failures.ts';
import { isUndecided, type Refund, type RefundProgress, sumsOf } from './refund.ts';
import {
  cannotRefund,
  exceedsPaid,
  idConflict,
  isDamaged,
  isStatic,
  notAccepted,
  refundOpen,
  refundsUnknown,
} from './refund-failures.ts';
import { RefundFollower, type RefundFollowerOptions } from './refund-follower.ts';
import type { RefundLedger } from './refund-ledger.ts';
import { RefundQuestions } from './refund-questions.ts';

/** Undecided refunds that are followed up at once: a shop has a few; the rest come at the next start. */
const MOST_FOLLOWED = 500;
/** The shortest id that a bank takes (`RefundOrder.refundId`). */
const REFUND_ID_LENGTH = 30;
/** How long a refund may be undecided before somebody is told. */
const NOTICE_AFTER_MS = 10 * 60_000;
const MOST_TOLD = 100;

export interface AskedRefund {
  /** Of the payment. */
  readonly orderId: string;
  /** The till's, for this refund alone. */
  readonly tillId: string;
  /** Kopecks; null for all that is left. */
  readonly amount: number | null;
}

export interface RefundsOptions {
  readonly clock: Clock;
  readonly refunds: RefundLedger;
  readonly payments: Pick<Ledger, 'find' | 'isSound'>;
  /** So many kopecks of a payment have gone back. Thrown back where the ledger cannot take it. */
  readonly noteRefunded: (orderId: string, kopecks: number) => void;
  readonly banks: Pick<BankPool, 'canRefund' | 'refund' | 'refundStatus'>;
  /** How long a bank may take for one answer. */
  readonly deadlineMs: number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: LogLine;
  readonly followUp?: RefundFollowerOptions['rhythm'];
}

/**
 * Ours follows from the till's: were the ledger of refunds lost, a repeated call would be the same refund to a bank that
 * tells them apart.
 */
const refundIdOf = ({ orderId, tillId }: AskedRefund): string =>
  hash('sha256', JSON.stringify([orderId, tillId]), 'hex').slice(0, REFUND_ID_LENGTH);

export class Refunds {
  readonly #options: RefundsOptions;
  /** The calls about one payment wait for each other; by order id. */
  readonly #turns = new SerialQueues();
  readonly #closing = new AbortController();
  readonly #questions: RefundQuestions;
  readonly #follower: RefundFollower;

  constructor(options: RefundsOptions) {
    this.#options = options;
    const { banks, clock, deadlineMs, random, log, followUp } = options;
    this.#questions = new RefundQuestions({ banks, clock, log, limits: { deadlineMs, closing: this.#closing.signal } });
    this.#follower = new RefundFollower({
      isToBeAsked: (refundId) => this.#isToBeAsked(refundId),
      ask: (refundId) => this.#askAgain(refundId),
      random,
      log,
      rhythm: followUp,
    });
  }

  /** Takes up what the process before left undecided. */
  recover(): void {
    const { refunds } = this.#options;
    if (refunds.isOpen) for (const { refundId } of refunds.undecided(MOST_FOLLOWED)) this.#follower.follow(refundId);
  }

  /** Those of one payment, oldest first. */
  of(orderId: string): Refund[] {
    return this.#options.refunds.of(orderId);
  }

  /** Those that have been undecided for so long that somebody should ask the bank. */
  get overdue(): Refund[] {
    const { refunds, clock } = this.#options;
    if (!refunds.isOpen) return [];
    return refunds.undecided(MOST_TOLD).filter(({ createdAt }) => clock.wall() - createdAt > NOTICE_AFTER_MS);
  }

  /**
   * Gives money of a payment back, or tells what has become of the refund of the same id.
   * @returns it, undecided where the bank has not told in time: it is followed up then
   * @throws {TerminalError} nothing has gone back by it, unless its ledger could not be written
   */
  async refund(asked: AskedRefund): Promise<Refund> {
    try {
      return await this.#turns.run(asked.orderId, () => this.#refund(asked));
    } catch (error) {
      throw terminalFailure(error, {
        therefore: 'what became of the refund cannot be kept: ask for it again with the same id',
      });
    }
  }

  /** Ends what a bank is being asked; what is undecided stays so in the ledger. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#follower.close();
    await this.#turns.idle();
  }

  async #refund(asked: AskedRefund): Promise<Refund> {
    const { refunds, banks, payments } = this.#options;
    const known = refunds.ofTill(asked.tillId);
    if (known !== null) return this.#repeated(known, asked);
    const payment = this.#payment(asked.orderId);
    if (!payments.isSound(payment.id)) throw isDamaged();
    if (payment.status.state === 'STATIC') throw isStatic();
    if (payment.status.state !== 'ACCEPTED') throw notAccepted(payment);
    if (!(await banks.canRefund(payment))) throw cannotRefund(payment.bank);
    for (const earlier of refunds.of(payment.orderId).filter(isUndecided)) {
      const decided = await this.#goOn(earlier, payment);
      if (isUndecided(decided)) throw refundOpen(decided);
    }
    return this.#goOn(this.#enter(asked), payment);
  }

  #repeated(known: Refund, { orderId, amount }: AskedRefund): Refund | Promise<Refund> {
    if (known.orderId !== orderId || (amount ?? known.amount) !== known.amount) throw idConflict(known);
    if (!isUndecided(known)) return known;
    return this.#goOn(known, this.#payment(orderId));
  }

  #payment(orderId: string): PaymentRow {
    const payment = this.#options.payments.find(orderId);
    if (payment === null) throw notFound(orderId);
    return payment;
  }

  /** Before the bank hears of it. Nothing is waited for between the look at what is left and the entry. */
  #enter(asked: AskedRefund): Refund {
    const { refunds, clock } = this.#options;
    const { orderId, tillId } = asked;
    const other = refunds.ofTill(tillId);
    if (other !== null) throw idConflict(other);
    const payment = this.#payment(orderId);
    const { done } = sumsOf(refunds.of(orderId));
    const refundedBefore = Math.max(payment.refunded, done);
    const left = payment.amount - refundedBefore;
    const amount = asked.amount ?? left;
    if (amount > left || left <= 0) throw exceedsPaid(amount, Math.max(0, left));
    // it may be the one that is asked for: some banks would make it twice
    if (payment.refunded > done) throw refundsUnknown(payment.refunded - done);
    const { profile, bank } = payment;
    const refundId = refundIdOf(asked);
    return refunds.insert({
      refundId,
      tillId,
      orderId,
      profile,
      bank,
      amount,
      refundedBefore,
      createdAt: clock.wall(),
    });
  }

  /** Asks the bank once, and keeps what it told. An undecided one is followed up. */
  async #goOn(refund: Refund, payment: PaymentRow): Promise<Refund> {
    const { refunds } = this.#options;
    try {
      const sent = refund.state === 'asked' ? refunds.keep(refund.refundId, { ...refund, state: 'sent' }) : refund;
      return this.#take(sent, await this.#questions.ask(sent, payment, refund.state !== 'asked'));
    } finally {
      this.#follower.follow(refund.refundId);
    }
  }

  /** The payment first: a process that ends in between finds the refund undecided, and asks again. */
  #take(refund: Refund, progress: RefundProgress): Refund {
    const { refunds, noteRefunded, log } = this.#options;
    const { orderId, refundId, amount } = refund;
    if (progress.state === 'done') {
      const { done } = sumsOf(refunds.of(orderId));
      const before = Math.max(done, refund.refundedBefore); // what was given back elsewhere counts, too
      noteRefunded(orderId, Math.max(this.#payment(orderId).refunded, before + amount));
    }
    if (progress.state !== refund.state)
      log('a refund has become something else', { orderId, refundId, amount, state: progress.state });
    return refunds.keep(refundId, progress);
  }

  /** A ledger that is closed now tells later. */
  #isToBeAsked(refundId: string): boolean {
    const { refunds } = this.#options;
    return !refunds.isOpen || isUndecided(refunds.get(refundId));
  }

  #askAgain(refundId: string): Promise<void> {
    const { refunds } = this.#options;
    const { orderId } = refunds.get(refundId);
    return this.#turns.run(orderId, async () => {
      const refund = refunds.get(refundId);
      if (isUndecided(refund)) await this.#goOn(refund, this.#payment(orderId));
    });
  }
}
