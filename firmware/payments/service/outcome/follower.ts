/**
 * Polls the bank about every payment that may still be paid, until its answer is final, and a while longer. Each answer
 * is yielded. Once it is in the ledger, the caller has the next question scheduled (`scheduleNext`).
 */

import { AsyncQueue } from '../../../../drivers/lib/async.ts';
import { RateLimit } from '../../../../drivers/lib/rate-limit.ts';
import {
  type Asking,
  BankError,
  type BankReport,
  type BankVerdict,
  isAllBack,
  UNREPORTED,
} from '../../../banks/index.ts';
import type { LogLine, Timekeeper } from '../../../core/host/index.ts';
import {
  ageOf,
  expiryOf,
  isAbandoned,
  isOpen,
  type PaymentEvent,
  type PaymentStatus,
  timeEndOf,
} from '../../model/payment.ts';
import { GIVEN_BACK, RESTARTED } from '../../model/payment-failures.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { Transaction } from '../../money/ledger.ts';
import { type Allowed, hasRival, type Pacing, PollSchedule, type PollState } from './poll-schedule.ts';
import { Questions } from './questions.ts';
import { Throttle } from './throttle.ts';

/**
 * All payments share one rate of requests; the payment that a customer stands in front of does not wait for it. One
 * payment needs a request every second or two; a day's open payments get their turn within half a minute. There are
 * fewer requests at once than connections to a bank, so that one is free for the payment at the till.
 */
const QUESTION_RATE = { pauseMs: 50, atOnce: 4 };

/** The report on a payment whose order the bank does not have, or has withdrawn: it was not paid, and cannot be. */
const NO_ORDER: BankReport = { ...UNREPORTED, verdict: 'pending', ids: [] };

/** The error for "not paid" of a bank that may have forgotten the payment by then. */
const forgotten = (): BankError =>
  new BankError('refused', 'the bank does not know such old payments any more: its statement says whether it was paid');

/** The bank's answer about a payment. */
export interface BankAnswer {
  /** The payment's row at the time when following began. */
  readonly payment: PaymentRow;
  /** The bank's verdict; null where it has not answered with a state. */
  readonly verdict: BankVerdict | null;
  /** What the answer means for the payment. */
  readonly event: PaymentEvent;
  /** The bank's report about the money; null where the answer had no state. */
  readonly transaction: (Transaction & Pick<BankReport, 'paidAgain'>) | null;
}

/** The banks, as the follower asks them. */
export interface AskedBanks {
  /**
   * Asks about a payment; null where the bank does not have its order.
   * @param gone aborts when the answer counts no more
   * @throws {BankError} the outcome is unknown
   */
  ask(orderId: string, deadlineMs: number, gone: AbortSignal): Promise<BankReport | null>;
  /** How the bank of a payment may be asked. */
  askingOf(payment: PaymentRow): Asking;
  /** Counts an answer that the questions are too many. */
  countTooMany(profile: string): void;
}

/** After so many refusals in a row a bank that has forgotten a payment is asked no more. */
const REFUSALS_OF_FORGOTTEN = 3;

/** Consecutive requests about a payment that brought no verdict. */
export interface Unanswered {
  readonly payment: PaymentRow;
  /** Monotonic ms of the end of its ttl. */
  readonly expiresAt: number;
  readonly times: number;
  /** Why the last request brought none. */
  readonly error: BankError;
  /** Wall clock of the first such request, ms since 1970. */
  readonly since: number;
  readonly isOpen: boolean;
  /** Whether its bank has answered about others since: the connection is not the cause. */
  readonly isAlone: boolean;
}
export type Silence = Pick<Unanswered, 'times' | 'error' | 'since'>;

/** Why the ledger could not store a bank's report, and since when: wall clock, ms since 1970. */
interface Unstored {
  readonly error: unknown;
  readonly since: number;
}

/** A payment that may have been paid without the bank having reported it. */
export interface Unsure {
  /** Its row from when following began. Its status is out of date; what it is for does not change. */
  readonly payment: PaymentRow;
  /** Monotonic ms of the end of its ttl and grace. */
  readonly endsAt: number;
}

interface Followed extends PollState {
  readonly payment: PaymentRow;
  /** Whether the bank has answered about it after ttl and grace: an acceptance would have been reported then. */
  isSure: boolean;
  /** Whether it was open at the bank's last answer. */
  isOpen: boolean;
  /** `from`: `since` in monotonic ms; `refusals`: how many of the last in a row the bank refused. */
  unanswered: (Silence & { readonly from: number; readonly refusals: number }) | null;
  unstored: Unstored | null;
  /** Whether its scheduled question waits for its turn. */
  isQueued: boolean;
  /** Whether its scheduled question is under way: the answer schedules the next. */
  isAsking: boolean;
  /** Calls off the timer of its next question; null where none runs. */
  callOff: (() => void) | null;
}

export class Follower {
  readonly #clock: Timekeeper;
  readonly #pacing: Pacing;
  readonly #banks: AskedBanks;
  readonly #log: LogLine;
  /** Followed payments, in the order in which following began. */
  readonly #followed = new Map<string, Followed>();
  readonly #pollSchedule: PollSchedule;
  readonly #rate: RateLimit;
  readonly #throttle: Throttle;
  readonly #questions = new Questions<BankAnswer>();
  /** The payment whose following began last: a customer may stand in front of its code. */
  #newest: string | null = null;
  readonly #answers = new AsyncQueue<BankAnswer>();
  /** Monotonic ms of the last answer of each bank, of any content. */
  readonly #answeredAt = new Map<string, number>();

  /** @param random 0 to 1 */
  constructor(clock: Timekeeper, pacing: Pacing, random: () => number, banks: AskedBanks, log: LogLine) {
    this.#clock = clock;
    this.#pacing = pacing;
    this.#banks = banks;
    this.#log = log;
    this.#pollSchedule = new PollSchedule(clock, pacing, random);
    this.#rate = new RateLimit(QUESTION_RATE, clock.after.bind(clock));
    this.#throttle = new Throttle(clock, (profile) => banks.countTooMany(profile));
  }

  /** The payments about which the last request brought no verdict. */
  get unanswered(): Unanswered[] {
    return [...this.#followed.values()].flatMap(({ payment, expiresAt, isOpen, unanswered }) => {
      if (unanswered === null) return [];
      const { from, refusals: _, ...silence } = unanswered;
      const isAlone = (this.#answeredAt.get(payment.bank) ?? Number.NEGATIVE_INFINITY) >= from;
      return [{ payment, expiresAt, isOpen, isAlone, ...silence }];
    });
  }

  /** Order ids of the payments whose ttl and grace are not over. */
  get inTime(): string[] {
    return [...this.#followed].flatMap(([orderId, entry]) => (this.#pollSchedule.isOver(entry) ? [] : [orderId]));
  }

  /** The payments that may have been paid without a report, in the order in which following began. */
  get unsure(): Unsure[] {
    const { graceMs } = this.#pacing;
    return [...this.#followed.values()].flatMap(({ payment, expiresAt, isSure }) =>
      isSure ? [] : [{ payment, endsAt: expiresAt + graceMs }],
    );
  }

  /** Why the last request about a payment brought no state, and since when; null where it brought one. */
  silenceAbout(orderId: string): Silence | null {
    return this.#followed.get(orderId)?.unanswered ?? null;
  }

  /** Why the bank's report about a payment is not in the ledger, and since when; null where it is, or there is none. */
  unstoredAbout(orderId: string): Unstored | null {
    return this.#followed.get(orderId)?.unstored ?? null;
  }

  /** @param error why the ledger could not store an answer; null where it did */
  recordStored({ payment: { orderId }, verdict }: BankAnswer, error: unknown): void {
    const entry = this.#followed.get(orderId);
    if (entry === undefined || verdict === null) return; // without an answer nothing was to be stored
    const since = entry.unstored?.since ?? this.#clock.wall();
    entry.unstored = error === null ? null : { error, since };
  }

  /** Yields the bank's answers about the payments that are followed, as they come in, until it is closed. */
  async *answers(): AsyncGenerator<BankAnswer> {
    for await (const answer of this.#answers) if (this.#entryOf(answer.payment) !== null) yield answer;
  }

  /**
   * Schedules the next request about a payment, after the bank's answer is in the ledger.
   * @param shown the payment whose code is on the display
   * @returns true where the bank is not asked about this payment any more
   */
  scheduleNext({ payment, verdict }: BankAnswer, status: PaymentStatus, shown: PaymentRow | null): boolean {
    const entry = this.#entryOf(payment);
    if (entry === null) return false;
    entry.isOpen = isOpen(status);
    const isWaitedFor = this.#newest === payment.orderId || shown?.orderId === payment.orderId;
    const wish = entry.unanswered?.error.retryAfterMs ?? 0;
    if (verdict === null && this.#isForgotten(entry)) return false; // `/health` names it, and the next process asks once more
    const answered = { payment, status, verdict, shown, wish, isWaitedFor, allowed: this.#allowed(payment) };
    const wait = this.#pollSchedule.untilNext(entry, answered);
    if (wait !== null) {
      this.#schedule(entry, wait);
      return false;
    }
    this.#forget(payment.orderId);
    return true;
  }

  /**
   * Asks later about a payment whose answer could not be written to the ledger (a full disk): the bank will report the
   * same again.
   */
  askLater(payment: PaymentRow): void {
    const entry = this.#entryOf(payment);
    if (entry !== null) this.#schedule(entry, this.#pollSchedule.later(entry, this.#allowed(payment)));
  }

  /** Follows a payment whose code is about to be shown for the first time. */
  follow(payment: PaymentRow): void {
    const entry = this.#add(payment, null);
    this.#schedule(entry, this.#pollSchedule.first(this.#allowed(payment)));
  }

  /** Follows a payment of the previous process, or one whose row was restored: a customer may stand in front of it. */
  resume(payment: PaymentRow): void {
    const entry = this.#add(payment, ageOf(payment, this.#clock));
    this.#schedule(entry, this.#pollSchedule.atOnce(entry, this.#allowed(payment)));
  }

  /** Asks about a payment whose code is about to be shown again. */
  hasten(orderId: string): void {
    const entry = this.#followed.get(orderId);
    if (entry === undefined) return;
    this.#newest = orderId;
    this.#followAgain(entry);
  }

  /**
   * Asks about ended payments as about open ones, where another code of their sale is on the display.
   * @param shownNow finds the payment whose code is on the display; called only where a payment has ended, as a till
   * waits
   */
  hurryRivals(shownNow: () => PaymentRow | null): void {
    const ended = [...this.#followed.values()].filter(({ isOpen }) => !isOpen);
    const shown = ended.length === 0 ? null : shownNow();
    for (const entry of ended.filter(({ payment }) => hasRival(payment, shown))) this.#followAgain(entry);
  }

  /**
   * Asks soon, for a person who looks at a payment: at once, at most once a second, and no sooner than the bank allows.
   * @returns whether the bank is asked about it at all
   */
  askSoon(orderId: string): boolean {
    const entry = this.#followed.get(orderId);
    if (entry === undefined) return false;
    this.#schedule(entry, this.#pollSchedule.atOnce(entry, this.#allowed(entry.payment)));
    return true;
  }

  /** Asks about a payment now, outside the schedule. No answer to an earlier question is used, nor waited for. */
  askNow(payment: PaymentRow, deadlineMs: number): Promise<BankAnswer> {
    const { orderId } = payment;
    const entry = this.#followed.get(orderId);
    return this.#questions.anew(orderId, (gone) => this.#ask(payment, entry, deadlineMs, gone));
  }

  close(): void {
    for (const orderId of [...this.#followed.keys()]) this.#forget(orderId);
    this.#rate.close(); // waiting requests then find that their payments are no longer followed
    this.#answers.close();
  }

  /** The entry of a payment; null where it is no longer followed, or followed again from the start. */
  #entryOf(payment: PaymentRow): Followed | null {
    const entry = this.#followed.get(payment.orderId);
    return entry?.payment === payment ? entry : null;
  }

  /** @param ageMs since its code was shown first; null for a code that is shown now */
  #add(payment: PaymentRow, ageMs: number | null): Followed {
    this.#forget(payment.orderId);
    this.#newest = payment.orderId;
    const entry: Followed = {
      payment,
      ...this.#pollSchedule.begin(expiryOf(payment, this.#clock), ageMs),
      isSure: false,
      isOpen: isOpen(payment.status),
      unanswered: null,
      unstored: null,
      isQueued: false,
      isAsking: false,
      callOff: null,
    };
    this.#followed.set(payment.orderId, entry);
    return entry;
  }

  #followAgain(entry: Followed): void {
    this.#schedule(entry, this.#pollSchedule.again(entry, this.#allowed(entry.payment)));
  }

  #allowed(payment: PaymentRow): Allowed {
    return { ...this.#banks.askingOf(payment), slowness: this.#throttle.slowness(payment.profile) };
  }

  #forget(orderId: string): void {
    this.#followed.get(orderId)?.callOff?.();
    this.#followed.delete(orderId);
  }

  #schedule(entry: Followed, pauseMs: number): void {
    entry.callOff?.();
    entry.callOff = this.#clock.after(pauseMs, () => {
      entry.callOff = null;
      this.#poll(entry).catch((error: unknown) => {
        const { orderId } = entry.payment;
        this.#log('the bank could not be asked about a payment, it will be asked again', {
          orderId,
          reason: String(error),
        });
        this.askLater(entry.payment);
      });
    });
  }

  /** Asks in its turn. However often a payment is scheduled meanwhile, it waits for one turn. */
  async #poll(entry: Followed): Promise<void> {
    if (this.#newest === entry.payment.orderId) return this.#askInTurn(entry);
    if (entry.isQueued) return;
    entry.isQueued = true;
    await this.#rate.run(() => {
      entry.isQueued = false;
      return this.#askInTurn(entry);
    });
  }

  /** Asks and yields the answer, unless that is under way or has a later time by now. */
  async #askInTurn(entry: Followed): Promise<void> {
    const { payment } = entry;
    if (this.#entryOf(payment) === null || entry.isAsking || entry.callOff !== null) return;
    const wish = entry.unanswered?.error.retryAfterMs ?? 0;
    const wait = this.#pollSchedule.untilAllowed(entry, wish, this.#allowed(payment));
    if (wait > 0) {
      this.#schedule(entry, wait);
      return;
    }
    entry.isAsking = true;
    try {
      const { bankDeadlineMs } = this.#pacing;
      const ask = (gone: AbortSignal) => this.#ask(payment, entry, bankDeadlineMs, gone);
      this.#answers.push({ ...(await this.#questions.join(payment.orderId, ask)), payment });
    } finally {
      entry.isAsking = false;
    }
  }

  /** The bank's answer, null for none, and what it means for the payment. An unknown state never ends a payment. */
  async #ask(
    payment: PaymentRow,
    entry: Followed | undefined,
    deadlineMs: number,
    gone: AbortSignal,
  ): Promise<BankAnswer> {
    const isOver = entry !== undefined && this.#pollSchedule.isOver(entry);
    if (entry !== undefined) entry.askedAt = this.#clock.monotonic();
    const report = await this.#report(payment, entry, { deadlineMs, isOver, gone });
    if (report === NO_ORDER && isAbandoned(payment.status)) {
      return { payment, verdict: 'canceled', event: { type: 'restarted', failure: RESTARTED }, transaction: null };
    }
    const verdict = report?.verdict ?? null;
    if (entry !== undefined && verdict === 'processing') entry.payingAt ??= this.#clock.monotonic();
    if (entry !== undefined && isOver && verdict !== null && verdict !== 'processing') entry.isSure = true;
    // no goods may be handed out: only a cancellation refunds a payment before its acceptance was reported to this device
    if (report?.verdict === 'accepted' && isAllBack(report, payment.amount)) {
      const transaction = { ...report, refunded: payment.amount }; // recorded now, as an accepted payment is not asked about again
      return { payment, verdict, event: { type: 'refunded', failure: GIVEN_BACK }, transaction };
    }
    const type = isOver && verdict !== null ? 'expired' : 'verdict';
    return { payment, verdict, event: { type, verdict: verdict ?? 'pending' }, transaction: report };
  }

  /** The bank's report on a payment; null where it has not answered. */
  async #report(
    payment: PaymentRow,
    entry: Followed | undefined,
    { deadlineMs, isOver, gone }: { readonly deadlineMs: number; readonly isOver: boolean; readonly gone: AbortSignal },
  ): Promise<BankReport | null> {
    const askedAt = this.#clock.monotonic();
    try {
      const report = await this.#banks.ask(payment.orderId, deadlineMs, gone);
      this.#recordAnswerTime(payment);
      if (entry !== undefined && report?.verdict === 'pending' && this.#isPastKnowing(entry)) throw forgotten();
      if (entry !== undefined) entry.unanswered = null;
      return report ?? NO_ORDER;
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      this.#throttle.note(payment.profile, error, askedAt);
      if (gone.aborted) return null;
      if (error.code !== 'unreachable') this.#recordAnswerTime(payment);
      if (isOver && error.isUnheardOf) {
        if (entry !== undefined) entry.unanswered = null;
        return NO_ORDER;
      }
      if (entry !== undefined) {
        const { times, since, from, refusals } = entry.unanswered ?? {
          times: 0,
          since: this.#clock.wall(),
          from: this.#clock.monotonic(),
          refusals: 0,
        };
        const inARow = error.code === 'refused' ? refusals + 1 : 0;
        entry.unanswered = { times: times + 1, error, since, from, refusals: inARow };
      }
      this.#log('the bank gave no answer about a payment', {
        orderId: payment.orderId,
        code: error.code,
        reason: error.message,
      });
      return null;
    }
  }

  /** Whether the bank refuses to report a payment that it has forgotten. */
  #isForgotten(entry: Followed): boolean {
    return (entry.unanswered?.refusals ?? 0) >= REFUSALS_OF_FORGOTTEN && this.#isPastKnowing(entry);
  }

  /** Whether the time is over in which the bank knows a payment. As the clock may be wrong, ttl and grace must be over, too. */
  #isPastKnowing(entry: Followed): boolean {
    const { payment, expiresAt } = entry;
    const { knowsForMs } = this.#banks.askingOf(payment);
    if (knowsForMs === null || !this.#pollSchedule.isOver(entry)) return false;
    const clock = this.#clock;
    const isSameBoot = payment.bootId === clock.bootId;
    return (isSameBoot ? clock.monotonic() - expiresAt : clock.wall() - timeEndOf(payment)) >= knowsForMs;
  }

  #recordAnswerTime({ bank }: PaymentRow): void {
    this.#answeredAt.set(bank, this.#clock.monotonic());
  }
}
