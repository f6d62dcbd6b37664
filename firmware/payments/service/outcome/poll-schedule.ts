/**
 * When the bank is asked about a payment again: by the age of its code, as customers pay from the fourth second to the
 * fortieth, and few after.
 */
import type { Asking, BankVerdict } from '../../../banks/index.ts';
import type { Clock } from '../../../core/host/index.ts';
import { isOpen, mayBePaid, type PaymentStatus } from '../../model/payment.ts';
import { isForSame, type PaymentRow } from '../../model/payment-row.ts';
import type { Pace } from './pace.ts';

const MINUTE_MS = 60_000;
/** Pauses up to each age of a code, ms. */
type Steps = readonly (readonly [untilMs: number, pauseMs: number])[];
const LATER_STEPS: Steps = [
  [180_000, 4000],
  [15 * MINUTE_MS, 10_000],
  [Number.POSITIVE_INFINITY, MINUTE_MS],
];
const STEPS: Steps = [[40_000, 1500], [90_000, 2500], ...LATER_STEPS];
/** For a bank that reports nothing before "paid": `PAYING_MS` never applies there. */
const UNANNOUNCED_STEPS: Steps = [[40_000, 1200], [90_000, 2000], ...LATER_STEPS];
/** The pause once the customer is paying. */
const PAYING_MS = 800;
/** How long that pause applies, from the bank's first report that the customer is paying: the payment system takes no longer. */
const PAYING_FOR_MS = 15_000;
/** The least pause of a payment that no customer stands in front of. */
const OTHERS_MS = 5000;
/** The least time between the starts of two questions about a payment, where it is asked about at once. */
const AT_ONCE_MS = 1000;
/** Share by which a pause is made shorter or longer, so that the lanes of a store do not ask in step. */
const JITTER = 0.15;
/**
 * The longest pause that a bank's request (429, `Retry-After`) imposes on the payment that a customer stands in front of:
 * else a customer who has paid might wait an hour. No bank is known to allow fewer than four questions a minute.
 */
const MOST_PATIENCE_MS = 15_000;
/** When to ask again about a payment that ended without acceptance: a late acceptance must reach the ledger. */
const LATE_CHECKS_MS: readonly number[] = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** Pause of the questions after those, while its code is valid at the bank. */
const LATE_CHECKS_LONG_MS = 60 * MINUTE_MS;

export type Pacing = Pick<Pace, 'askingSpeed' | 'graceMs' | 'bankDeadlineMs'>;

/** The state of polling one payment. Times are monotonic ms. */
export interface PollState {
  /** The end of its ttl. */
  readonly expiresAt: number;
  /** When its code was shown first. */
  readonly shownAt: number;
  /** When the bank first reported that the customer is paying; null where it has not, or that is unknown. */
  payingAt: number | null;
  /** Whether the quick pace may be over, as the process before may have seen the report. */
  readonly isTakenUp: boolean;
  /** When the last question began; null before the first. */
  askedAt: number | null;
  lateChecks: number;
}

/** How the bank of a payment may be asked at the moment. */
export interface Allowed extends Asking {
  /** By how much its pauses are longer, as it has answered that the questions are too many. */
  readonly slowness: number;
}

/** What is known about a payment when its next poll is scheduled. */
export interface PollContext {
  readonly payment: PaymentRow;
  readonly status: PaymentStatus;
  /** The bank's verdict; null where it reported none. */
  readonly verdict: BankVerdict | null;
  /** The payment whose code is on the display. */
  readonly shown: PaymentRow | null;
  /** The pause in ms that its bank has requested. */
  readonly wish: number;
  /** A customer may stand in front of its code. */
  readonly isWaitedFor: boolean;
  readonly allowed: Allowed;
}

/**
 * Whether the customer stands in front of another code of the same sale. @param shown the payment whose code is on the
 * display
 */
export const hasRival = (payment: PaymentRow, shown: PaymentRow | null): boolean =>
  shown !== null && shown.orderId !== payment.orderId && isForSame(shown, payment);

export class PollSchedule {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #pacing: Pacing;
  readonly #random: () => number;

  /** @param random 0 to 1 */
  constructor(clock: Pick<Clock, 'monotonic'>, pacing: Pacing, random: () => number) {
    this.#clock = clock;
    this.#pacing = pacing;
    this.#random = random;
  }

  /** @param ageMs since its code was shown first; null for a code that is shown now */
  begin(expiresAt: number, ageMs: number | null): PollState {
    const shownAt = this.#clock.monotonic() - (ageMs ?? 0);
    return { expiresAt, shownAt, payingAt: null, isTakenUp: ageMs !== null, askedAt: null, lateChecks: 0 };
  }

  /** Restarts the late checks. @returns milliseconds until the first question */
  again(poll: PollState, allowed: Allowed): number {
    poll.lateChecks = 0;
    return this.atOnce(poll, allowed);
  }

  /** Milliseconds until the first question about a code that is shown now. */
  first({ firstMs, pauseMs }: Allowed): number {
    return this.#scaled(this.#jittered(firstMs, pauseMs > 0));
  }

  /** Milliseconds until a question about a payment that is resumed, shown again or the rival of a shown one. */
  atOnce({ shownAt, askedAt }: PollState, { firstMs, pauseMs }: Allowed): number {
    const now = this.#clock.monotonic();
    const untilFirst = pauseMs > 0 ? shownAt + firstMs - now : 0;
    return Math.max(0, untilFirst, askedAt === null ? 0 : askedAt + this.#scaled(AT_ONCE_MS) - now);
  }

  /** Milliseconds until the next question about a payment whose answer could not be written to the ledger. */
  later(poll: PollState, allowed: Allowed): number {
    return this.#pause(Math.max(this.#step(poll, allowed), OTHERS_MS), poll, allowed);
  }

  /**
   * Milliseconds until a scheduled question that is due may be asked; 0 for now. A till may have asked since it was
   * scheduled, or the schedule wants it earlier than the bank.
   * @param wish the pause in ms that the bank requested in its last answer
   */
  untilAllowed({ askedAt }: PollState, wish: number, allowed: Allowed): number {
    if (askedAt === null) return 0;
    const least = Math.max(slowed(allowed.pauseMs, allowed), Math.min(wish, MOST_PATIENCE_MS));
    return Math.max(0, askedAt + least - this.#clock.monotonic());
  }

  /** Whether its ttl and grace are over. */
  isOver({ expiresAt }: PollState): boolean {
    return this.#clock.monotonic() >= expiresAt + this.#pacing.graceMs;
  }

  /** Milliseconds until the next question; null when there is none. */
  untilNext(poll: PollState, context: PollContext): number | null {
    const { payment, status, verdict, shown, wish, isWaitedFor, allowed } = context;
    if (status.state === 'ACCEPTED') return null;
    const isRival = mayBePaid(status) && hasRival(payment, shown);
    const isFollowedOn = isOpen(status) || isRival || verdict === 'processing' || verdict === null;
    if (!isFollowedOn) return this.#untilLateCheck(poll);
    const isAtCode = isOpen(status) && isWaitedFor && !status.cancelled;
    const step = isAtCode && allowed.showsProcessing && this.#isPaying(poll) ? PAYING_MS : this.#step(poll, allowed);
    const pause = this.#pause(isAtCode || isRival ? step : Math.max(step, OTHERS_MS), poll, allowed);
    return Math.max(pause, isOpen(status) && isWaitedFor ? Math.min(wish, MOST_PATIENCE_MS) : wish);
  }

  /** Milliseconds until the next question about an ended payment; null when there is none. */
  #untilLateCheck(poll: PollState): number | null {
    const wait = LATE_CHECKS_MS[poll.lateChecks] ?? (this.isOver(poll) ? null : LATE_CHECKS_LONG_MS);
    poll.lateChecks += 1;
    return wait;
  }

  #isPaying({ payingAt, isTakenUp }: PollState): boolean {
    return !isTakenUp && payingAt !== null && this.#clock.monotonic() < payingAt + PAYING_FOR_MS;
  }

  #step({ shownAt }: PollState, { showsProcessing }: Allowed): number {
    const age = this.#clock.monotonic() - shownAt;
    const steps = showsProcessing ? STEPS : UNANNOUNCED_STEPS;
    return steps.find(([untilMs]) => age < untilMs)?.[1] ?? MINUTE_MS;
  }

  /** The pause as the bank allows it; none goes beyond the end of ttl and grace. */
  #pause(wanted: number, { expiresAt }: PollState, allowed: Allowed): number {
    const least = slowed(allowed.pauseMs, allowed);
    const slowedPause = slowed(Math.max(wanted, allowed.pauseMs), allowed);
    const pause = this.#scaled(Math.max(this.#jittered(slowedPause, slowedPause <= least), least));
    const untilTheEnd = expiresAt + this.#pacing.graceMs - this.#clock.monotonic();
    return untilTheEnd > 0 ? Math.min(pause, untilTheEnd) : pause;
  }

  /** @param isLeast whether the bank allows no shorter one: then it only becomes longer */
  #jittered(ms: number, isLeast: boolean): number {
    const share = this.#random();
    return ms * (1 + JITTER * (isLeast ? share : 2 * share - 1));
  }

  /** A pause of ours, divided by `askingSpeed`. */
  #scaled(ms: number): number {
    return ms / this.#pacing.askingSpeed;
  }
}

/** A pause at a bank that has answered that the questions are too many; one above `mostPauseMs` stays. */
const slowed = (ms: number, { slowness, mostPauseMs }: Allowed): number =>
  Math.max(ms, Math.min(ms * slowness, mostPauseMs));
