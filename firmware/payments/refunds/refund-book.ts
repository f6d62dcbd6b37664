/** Records the progress of refunds: the refund and the sum of its payment that has gone back, in one commit. */
import { hash } from 'node:crypto';
import { isNamedTill } from '../../core/config/index.ts';
import type { Clock, LogLine } from '../../core/host/index.ts';
import { localDayOf } from '../model/local-day.ts';
import { notFound } from '../model/payment-failures.ts';
import type { PaymentRow } from '../model/payment-row.ts';
import {
  type Decision,
  isUndecided,
  maybeSameTill,
  NOBODY,
  type Refund,
  type RefundOutcome,
  type RefundProgress,
  type RefundRequester,
  type RefundState,
  sumsOf,
} from '../model/refund.ts';
import type { Ledger } from '../money/ledger.ts';
import type { RefundLedger } from '../money/refund-ledger.ts';
import { exceedsPaid, idConflict, refundLimit, refundsUnknown } from './refund-failures.ts';

/** Length of our ids: every bank accepts as many characters (`RefundOrder.refundId`). */
const REFUND_ID_LENGTH = 30;

export interface AskedRefund {
  /** Order id of the payment. */
  readonly orderId: string;
  /** The till's id of this refund, used for no other. */
  readonly tillId: string;
  /** Kopecks; null for the whole rest. */
  readonly amount: number | null;
  /** Who asks; nobody when left out. */
  readonly requester?: RefundRequester;
  /** The reason for the refund; null or left out where none is given. */
  readonly why?: string | null;
}

export interface RefundBookOptions {
  readonly clock: Clock;
  readonly refunds: RefundLedger;
  readonly payments: Pick<Ledger, 'find' | 'subtractRefunded'>;
  /** Records that this many kopecks of a payment have gone back in all. Throws where the ledger cannot be written. */
  readonly recordRefundedSum: (orderId: string, kopecks: number) => void;
  /** Called once a refund is done or refused. */
  readonly onEnd?: (outcome: RefundOutcome) => void;
  readonly log: LogLine;
}

/** Limits in kopecks; null for none beyond what was paid. */
interface RefundLimits {
  /** Limit of one refund. */
  readonly each: number | null;
  /** Limit of all refunds of a day by the device's clock. */
  readonly day: number | null;
}

/** Who refunds within limits. `name` is the one under which refunds are summed up: a till's own, `till`, or `(cashier)`. */
export interface RefundAuthor extends RefundLimits {
  readonly name: string;
}

/** @param before kopecks refunded today already @throws {TerminalError} where the amount exceeds a limit */
function requireWithin({ each, day }: RefundAuthor, amount: number, before: number): void {
  if (each !== null && amount > each) throw refundLimit(amount, 'refund', each);
  if (day !== null && before + amount > day) throw refundLimit(amount, 'day', Math.max(0, day - before));
}

/**
 * Derives our id from the till's. Were the ledger of refunds lost, a repeated call would be the same refund to a bank
 * that distinguishes refunds by id.
 */
function refundIdOf({ orderId, tillId, requester = NOBODY }: AskedRefund, payment: PaymentRow): string {
  const otherTill = isNamedTill(requester.till) && requester.till !== payment.till ? [requester.till] : [];
  return hash('sha256', JSON.stringify([orderId, tillId, ...otherTill]), 'hex').slice(0, REFUND_ID_LENGTH);
}

/** The fields of a refund that was not sent. */
const NOTHING_KNOWN = Object.freeze({
  state: 'asked',
  refundedBy: null,
  bankRefundId: null,
  reason: null,
  endedAt: null,
  paidBy: null,
  trxId: null,
  decision: null,
  told: null,
  toldAt: null,
  shift: null,
  isElsewhere: false,
} as const);

const isSince = (decision: Decision | null, at: number): boolean => decision !== null && decision.at >= at;

export class RefundBook {
  readonly #options: RefundBookOptions;
  /** When this process began, and when it entered or decided open refunds: monotonic clock, ms. */
  readonly #began: number;
  readonly #since = new Map<string, number>();

  constructor(options: RefundBookOptions) {
    this.#options = options;
    this.#began = options.clock.monotonic();
  }

  /** @throws {TerminalError} where there is none */
  payment(orderId: string): PaymentRow {
    const payment = this.#options.payments.find(orderId);
    if (payment === null) throw notFound(orderId);
    return payment;
  }

  /**
   * The refund that this till asked for with this id; null where there is none.
   * @throws {TerminalError} where another till used the id
   */
  known({ orderId, tillId, requester = NOBODY }: AskedRefund): Refund | null {
    const { refunds } = this.#options;
    const isSame = (refund: Refund): boolean => maybeSameTill(refund.requester.till, requester.till);
    const ofPayment = refunds.of(orderId).find((refund) => refund.tillId === tillId && isSame(refund));
    const known = ofPayment ?? refunds.ofTill(tillId, requester.till);
    if (known !== null && !isSame(known)) throw idConflict(known);
    return known;
  }

  /**
   * Kopecks of a payment that went back by no refund of this book, done or open: a person made one in the account at the
   * bank, or the book has lost one.
   */
  unexplained(orderId: string): number {
    const { done, undecided } = sumsOf(this.#options.refunds.of(orderId));
    return Math.max(0, this.payment(orderId).refunded - done - undecided);
  }

  /** The refund that would be entered, to ask the bank whether it has it. */
  planned(asked: AskedRefund, amount: number): Refund {
    const { orderId, tillId, requester = NOBODY, why = null } = asked;
    const payment = this.payment(orderId);
    const { profile, bank, refunded } = payment;
    const refundId = refundIdOf(asked, payment);
    const entry = { refundId, tillId, orderId, profile, bank, amount, requester, why, refundedBefore: refunded };
    return { ...NOTHING_KNOWN, ...entry, id: Number.MAX_SAFE_INTEGER, createdAt: this.#options.clock.wall() };
  }

  /**
   * Enters a refund that was not sent yet. Synchronous: nothing comes between the check of what is left and the entry.
   * @param isNew whether the bank has answered that it does not have it
   */
  enter(asked: AskedRefund, refundedBy: RefundAuthor | null, isNew = false): Refund {
    const { refunds, clock } = this.#options;
    const { orderId, tillId, requester = NOBODY, why = null } = asked;
    const payment = this.payment(orderId);
    const other = this.known(asked);
    if (other !== null) throw idConflict(other);
    const { done } = sumsOf(refunds.of(orderId));
    const refundedBefore = Math.max(payment.refunded, done);
    const left = payment.amount - refundedBefore;
    const amount = asked.amount ?? left;
    if (amount > left || left <= 0) throw exceedsPaid(amount, Math.max(0, left));
    // the unexplained money may be this very refund, and some banks would make it twice
    const unexplained = this.unexplained(orderId);
    if (amount <= unexplained && !isNew) throw refundsUnknown(unexplained);
    const { profile, bank } = payment;
    const refundId = refundIdOf(asked, payment);
    const [createdAt, since] = [clock.wall(), clock.monotonic()];
    if (refundedBy !== null)
      requireWithin(refundedBy, amount, refunds.sumRefundedBy(refundedBy.name, localDayOf(createdAt)));
    const refund = { refundId, tillId, orderId, profile, bank, amount, refundedBefore, createdAt, requester, why };
    const entered = refunds.insert({ ...refund, refundedBy: refundedBy?.name ?? null });
    this.#since.set(refundId, since);
    return entered;
  }

  /**
   * Milliseconds that have certainly passed since a refund was asked for, or decided by a person. For a refund of an
   * earlier process they count from the start of this one, as the wall clock may have been set meanwhile.
   */
  passed({ refundId }: Refund): number {
    return this.#options.clock.monotonic() - (this.#since.get(refundId) ?? this.#began);
  }

  /**
   * As `passed`; a refund of an earlier process also counts by the wall clock, where that gives more. @param at when the
   * refund was asked for or decided, by the wall clock
   */
  seemsPassed(refund: Refund, at: number): number {
    const passed = this.passed(refund);
    return this.#since.has(refund.refundId) ? passed : Math.max(passed, this.#options.clock.wall() - at);
  }

  /** Records that a refund is about to be sent to the bank. */
  sent(refund: Refund): Refund {
    return this.#options.refunds.record(refund.refundId, { ...refund, state: 'sent' });
  }

  /** Records what the bank has reported. */
  recordReport(refund: Refund, progress: RefundProgress): Refund {
    const { refunds, log } = this.#options;
    const { orderId, refundId, amount, decision } = refund;
    if (progress.state !== refund.state)
      log('a refund has become something else', { orderId, refundId, amount, state: progress.state });
    if (decision === null) {
      const stored = this.#change(refund, progress.state, () => refunds.record(refundId, progress));
      if (!isUndecided(stored)) this.#since.delete(refundId);
      this.#reportEnd(progress.state); // an ended refund is not asked about again
      return stored;
    }
    // never before the decision, even where the clock was set back
    const endedAt = progress.endedAt === null ? null : Math.max(progress.endedAt, decision.at);
    return this.#change(refund, progress.state, () => refunds.recordBankReport(refundId, { ...progress, endedAt }));
  }

  /** Records the decision of a person. */
  decide(refund: Refund, outcome: RefundOutcome, note: string): Refund {
    const { refunds, clock, log } = this.#options;
    const { orderId, refundId, amount, toldAt } = refund;
    log('a person has decided what became of a refund', { orderId, refundId, amount, outcome });
    const at = Math.max(clock.wall(), (toldAt ?? 0) + 1);
    const decided = this.#change(refund, outcome, () => refunds.decide(refundId, { outcome, note, at }));
    this.#since.set(refundId, clock.monotonic());
    if (outcome !== refund.state) this.#reportEnd(outcome);
    return decided;
  }

  /** Whether a refund counts as gone back by a person's decision alone, and the bank has reported nothing of it. */
  isByHandAlone(refund: Refund): boolean {
    const { state, decision, told, orderId, amount } = refund;
    const isByHand = state === 'done' && decision?.outcome === 'done' && told !== 'done';
    return isByHand && this.payment(orderId).refunded === this.besides(refund) + amount;
  }

  /** Records that a person reverses the decision `done`: nothing has gone back by the refund. */
  retractDone(refund: Refund, note: string): Refund {
    const { refunds, payments, clock, log } = this.#options;
    const { orderId, refundId, amount, decision, toldAt } = refund;
    log('a person takes back that a refund was done', { orderId, refundId, amount });
    const at = Math.max(clock.wall(), (toldAt ?? 0) + 1, (decision?.at ?? 0) + 1);
    let stored = refund;
    refunds.table.change(() => {
      payments.subtractRefunded(orderId, amount);
      stored = refunds.reverseDecision(refundId, { outcome: 'refused', note, at });
    });
    this.#since.set(refundId, clock.monotonic());
    this.#reportEnd('refused');
    return stored;
  }

  /** Records the sum of a payment that has gone back as the bank reports it, by any refund. */
  recordReportedSum(orderId: string, kopecks: number): void {
    if (kopecks > this.payment(orderId).refunded) this.#options.recordRefundedSum(orderId, kopecks);
  }

  /** Kopecks of its payment that went back by other refunds, made here or elsewhere. */
  besides(refund: Refund): number {
    const others = this.#options.refunds.of(refund.orderId).filter(({ id }) => id !== refund.id);
    // a refund done earlier, and refused by a later decision, counted as done when this one was asked for
    const takenBack = others
      .filter(({ id, state, decision }) => id < refund.id && state === 'refused' && isSince(decision, refund.createdAt))
      .reduce((sum, { amount }) => sum + amount, 0);
    return Math.max(sumsOf(others).done, refund.refundedBefore - takenBack);
  }

  /** Changes a refund, in one commit with the returned sum of its payment where that grows. */
  #change(refund: Refund, state: RefundState, write: () => Refund): Refund {
    let stored = refund;
    this.#options.refunds.table.change(() => {
      if (state === 'done' && refund.state !== 'done') this.#recordGone(refund);
      stored = write();
    });
    return stored;
  }

  #reportEnd(state: RefundState): void {
    if (state === 'done' || state === 'refused') this.#options.onEnd?.(state);
  }

  #recordGone(refund: Refund): void {
    const { orderId, amount } = refund;
    const { refunded } = this.payment(orderId);
    this.#options.recordRefundedSum(orderId, Math.max(refunded, this.besides(refund) + amount));
  }
}
