/** When the bank is asked about a payment again: often at first, then less and less often. */
import type { BankVerdict } from '../../../banks/index.ts';
import type { Clock } from '../../../core/host/index.ts';
import { isOpen, mayBePaid, type PaymentStatus } from '../../model/payment.ts';
import { isForSame, type PaymentRow } from '../../model/payment-row.ts';
import type { Pace } from './pace.ts';

const MINUTE_MS = 60_000;
/** Each pause is longer than the one before by this factor, up to `pollMaxMs`. */
const POLL_GROWTH = 1.5;
/** Share by which a pause is made shorter or longer, so that the lanes of a store do not ask in step. */
const POLL_JITTER = 0.15;
/** A code that is valid for hours need not be polled every few seconds. */
const SLOW_AFTER_MS = 60 * MINUTE_MS;
const SLOW_POLL_MS = MINUTE_MS;
/**
 * The most that any bank is believed of the pause that it requests (429, `Retry-After`) for the payment that a customer
 * stands in front of, who may have paid: else a paid customer would wait an hour. No bank is known to allow fewer than four
 * questions a minute.
 */
const MOST_PATIENCE_MS = 15_000;
/** When to ask again about a payment that ended without acceptance: a late acceptance must reach the ledger. */
const LATE_CHECKS_MS: readonly number[] = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** Pause of the questions after those, while its code is valid at the bank. */
const LATE_CHECKS_LONG_MS = 60 * MINUTE_MS;

export type Pacing = Pick<Pace, 'pollFirstMs' | 'pollMaxMs' | 'graceMs' | 'bankDeadlineMs'>;

/** The state of polling one payment. */
export interface PollState {
  /** Monotonic ms of the end of its ttl. */
  readonly expiresAt: number;
  /** Monotonic ms of when following began. */
  readonly since: number;
  polls: number;
  lateChecks: number;
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

  begin(expiresAt: number): PollState {
    return { expiresAt, since: this.#clock.monotonic(), polls: 0, lateChecks: 0 };
  }

  /** Restarts the schedule. @returns milliseconds until the first question */
  again(poll: PollState): number {
    poll.polls = 0;
    poll.lateChecks = 0;
    return this.first();
  }

  /** Milliseconds until the first question about a payment that is open. */
  first(): number {
    return this.#jittered(this.#pacing.pollFirstMs);
  }

  /** Milliseconds until the first question about an ended payment. */
  longest(): number {
    return this.#jittered(this.#pacing.pollMaxMs);
  }

  /** Whether its ttl and grace are over. */
  isOver({ expiresAt }: PollState): boolean {
    return this.#clock.monotonic() >= expiresAt + this.#pacing.graceMs;
  }

  /** Milliseconds until the next question; null when there is none. */
  untilNext(poll: PollState, { payment, status, verdict, shown, wish, isWaitedFor }: PollContext): number | null {
    if (status.state === 'ACCEPTED') return null;
    const isRival = mayBePaid(status) && hasRival(payment, shown);
    const isWaited = isOpen(status) || isRival || verdict === 'processing';
    if (!isWaited && verdict !== null) return this.#untilLateCheck(poll);
    const isLimited = isOpen(status) && isWaitedFor;
    return Math.max(this.#pause(poll), isLimited ? Math.min(wish, MOST_PATIENCE_MS) : wish);
  }

  /** Milliseconds until the next question about an ended payment; null when there is none. */
  #untilLateCheck(poll: PollState): number | null {
    const wait = LATE_CHECKS_MS[poll.lateChecks] ?? (this.isOver(poll) ? null : LATE_CHECKS_LONG_MS);
    poll.lateChecks += 1;
    return wait;
  }

  #jittered(ms: number): number {
    return ms * (1 + POLL_JITTER * (2 * this.#random() - 1));
  }

  #pause({ polls, since, expiresAt }: PollState): number {
    const clock = this.#clock;
    const pacing = this.#pacing;
    const now = clock.monotonic();
    const slow = now - since > SLOW_AFTER_MS;
    const pause = this.#jittered(
      slow ? SLOW_POLL_MS : Math.min(pacing.pollFirstMs * POLL_GROWTH ** polls, pacing.pollMaxMs),
    );
    const untilTheEnd = expiresAt + pacing.graceMs - now;
    return untilTheEnd > 0 ? Math.min(pause, untilTheEnd) : pause;
  }
}
