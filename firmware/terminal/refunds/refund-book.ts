/**
 * What becomes of refunds, in both ledgers: that of the refunds, and how much has gone back of each payment. The payment is told
 * first: a process that ends in between finds the refund as it was, and does the same once more.
 */
import { hash } from 'node:crypto';
import type { Clock, LogLine } from '../../host/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payment-row.ts';
import { notFound } from '../payments/payment-failures.ts';
import { localDayOf } from '../reports/local-day.ts';
import { type Refund, type RefundOutcome, type RefundProgress, sumsOf } from './refund.ts';
import { exceedsPaid, idConflict, refundsUnknown } from './refund-failures.ts';
import type { RefundLedger } from './refund-ledger.ts';
import { type Giver, mustBeWithin } from './refund-limits.ts';

/** The shortest id that a bank takes (`RefundOrder.refundId`). */
const REFUND_ID_LENGTH = 30;

export interface AskedRefund {
  /** Of the payment. */
  readonly orderId: string;
  /** The till's, for this refund alone. */
  readonly tillId: string;
  /** Kopecks; null for all that is left. */
  readonly amount: number | null;
}

export interface RefundBookOptions {
  readonly clock: Clock;
  readonly refunds: RefundLedger;
  readonly payments: Pick<Ledger, 'find'>;
  /** So many kopecks of a payment have gone back. Thrown back where the ledger cannot take it. */
  readonly noteRefunded: (orderId: string, kopecks: number) => void;
  readonly log: LogLine;
}

/**
 * Ours follows from the till's: were the ledger of refunds lost, a repeated call would be the same refund to a bank that
 * tells them apart.
 */
const refundIdOf = ({ orderId, tillId }: AskedRefund): string =>
  hash('sha256', JSON.stringify([orderId, tillId]), 'hex').slice(0, REFUND_ID_LENGTH);

export class RefundBook {
  readonly #options: RefundBookOptions;

  constructor(options: RefundBookOptions) {
    this.#options = options;
  }

  /** @throws {TerminalError} where there is none */
  payment(orderId: string): PaymentRow {
    const payment = this.#options.payments.find(orderId);
    if (payment === null) throw notFound(orderId);
    return payment;
  }

  /** Enters a refund of which the bank has not heard. Nothing is waited for between the look at what is left and the entry. */
  enter(asked: AskedRefund, giver: Giver | null): Refund {
    const { refunds, clock } = this.#options;
    const { orderId, tillId } = asked;
    const payment = this.payment(orderId);
    const other = refunds.ofTill(tillId, payment.till);
    if (other !== null) throw idConflict(other);
    const { done } = sumsOf(refunds.of(orderId));
    const refundedBefore = Math.max(payment.refunded, done);
    const left = payment.amount - refundedBefore;
    const amount = asked.amount ?? left;
    if (amount > left || left <= 0) throw exceedsPaid(amount, Math.max(0, left));
    // it may be the one that is asked for: some banks would make it twice
    if (payment.refunded > done) throw refundsUnknown(payment.refunded - done);
    const { profile, bank } = payment;
    const refundId = refundIdOf(asked);
    const createdAt = clock.wall();
    if (giver !== null) mustBeWithin(giver, amount, refunds.givenBy(giver.name, localDayOf(createdAt)));
    return refunds.insert(
      { refundId, tillId, orderId, profile, bank, amount, refundedBefore, createdAt, giver: giver?.name ?? null },
      payment.till,
    );
  }

  /** The bank is about to hear of it. */
  sent(refund: Refund): Refund {
    return this.#options.refunds.keep(refund.refundId, { ...refund, state: 'sent' });
  }

  /** What the bank has told. */
  take(refund: Refund, progress: RefundProgress): Refund {
    const { refunds, log } = this.#options;
    const { orderId, refundId, amount, decision } = refund;
    if (progress.state === 'done' && refund.state !== 'done') this.#noteGone(refund);
    if (progress.state !== refund.state)
      log('a refund has become something else', { orderId, refundId, amount, state: progress.state });
    if (decision === null) return refunds.keep(refundId, progress);
    // not before the decision, whatever became of the clock
    const endedAt = progress.endedAt === null ? null : Math.max(progress.endedAt, decision.at);
    return refunds.hear(refundId, { ...progress, endedAt });
  }

  /** What a person has decided. */
  decide(refund: Refund, outcome: RefundOutcome, note: string): Refund {
    const { refunds, clock, log } = this.#options;
    const { orderId, refundId, amount, toldAt } = refund;
    if (outcome === 'done' && refund.state !== 'done') this.#noteGone(refund);
    log('a person has decided what became of a refund', { orderId, refundId, amount, outcome });
    return refunds.decide(refundId, { outcome, note, at: Math.max(clock.wall(), (toldAt ?? 0) + 1) });
  }

  /** So much of a payment has gone back by what the bank says, by whatever refund. */
  noteSum(orderId: string, kopecks: number): void {
    if (kopecks > this.payment(orderId).refunded) this.#options.noteRefunded(orderId, kopecks);
  }

  /** Kopecks that have gone back of its payment without it, here and elsewhere. */
  besides(refund: Refund): number {
    const others = this.#options.refunds.of(refund.orderId).filter(({ id }) => id !== refund.id);
    return Math.max(sumsOf(others).done, refund.refundedBefore);
  }

  #noteGone(refund: Refund): void {
    const { orderId, amount } = refund;
    const { refunded } = this.payment(orderId);
    this.#options.noteRefunded(orderId, Math.max(refunded, this.besides(refund) + amount));
  }
}
