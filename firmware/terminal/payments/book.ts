/**
 * Takes what happens to payments into the ledger, before anybody is told, and knows which of them a till knows. How a payment
 * failed is kept in mind where the ledger cannot take it (a full disk), told all the same, and taken in at the next chance.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../host/clock.ts';
import type { LogLine } from '../../host/log.ts';
import type { BankPool } from '../banks/bank-pool.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NewPayment, PaymentRow } from '../ledger/payment-row.ts';
import type { ActiveSettings } from '../settings/settings-document.ts';
import { advance, type DynamicStatus, type PaymentEvent, type PaymentFault, type PaymentStanding } from './payment.ts';
import { faultOf, paymentFailure } from './payment-faults.ts';
import { StatusCalls } from './status-calls.ts';

/** A till that waits for no status repeats its call each few seconds. */
const REPEATED_WITHIN_MS = 5000;

export interface PaymentRequest {
  /** Kopecks. */
  readonly amount: number;
  readonly purpose: string | null;
  /** Minutes. */
  readonly ttl: number;
}

export interface LastStatus {
  readonly status: DynamicStatus;
  readonly fault: PaymentFault | null;
  /** The payment that it speaks of; null where there is none. */
  readonly orderId: string | null;
}

export interface PaymentBookOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly banks: Pick<BankPool, 'seal'>;
  readonly symbolMs: number;
  /** Told after the ledger has taken it. */
  readonly onEnd: (payment: PaymentRow) => void;
  /** Told each time that the ledger could not take something. */
  readonly onUnwritten: () => void;
  readonly log: LogLine;
}

/** What has happened whatever the ledger says to it: it is tried again at the next call. */
type RetriedEvent = Extract<
  PaymentEvent,
  { readonly type: 'failed' | 'restarted' | 'given-up' | 'superseded' | 'told' | 'acknowledged' }
>;

export class PaymentBook {
  readonly #options: PaymentBookOptions;
  /** What the ledger has not taken yet, by order id. */
  readonly #untaken = new Map<string, readonly RetriedEvent[]>();
  readonly #calls: StatusCalls;
  /** The call that is being answered. */
  #call = 0;
  /** A payment that the status speaks of although the ledger could not take that in. */
  #spokenOf: string | null = null;
  /** The payment whose code the last call was answered with, once, and whose status no till has asked for since. */
  #unasked: string | null = null;
  /** Such a one whose acceptance was shown on the display: whoever only watches that knows. */
  #watched: { readonly orderId: string; readonly at: number } | null = null;
  /** The payment that whoever watches the display knew to be accepted before the present call came. */
  #known: string | null = null;

  constructor(options: PaymentBookOptions) {
    this.#options = options;
    this.#calls = new StatusCalls(options);
  }

  /** Takes up what the process before left. */
  recover(): void {
    this.#calls.recover();
  }

  /** What `getDynamicQRStatus` answers. */
  status(): LastStatus {
    const { failure, isUnderWay } = this.#calls;
    if (failure !== null) return { status: 'ERROR', fault: failure, orderId: null };
    if (isUnderWay) return { status: 'PENDING', fault: null, orderId: null };
    const last = this.last();
    if (last === null) return { status: 'EMPTY', fault: null, orderId: null };
    return { status: last.standing.state, fault: last.standing.fault, orderId: last.orderId };
  }

  /** The payment that the status speaks of, unless a call after it is under way or has failed without one. */
  last(): PaymentRow | null {
    if (this.#spokenOf !== null) return this.find(this.#spokenOf);
    const last = this.#options.ledger.last();
    return last === null ? null : this.#asKnown(last);
  }

  /** Payments that were accepted without the till knowing, newest first. */
  untold(): PaymentRow[] {
    const untold = this.#options.ledger.untold().map((payment) => this.#asKnown(payment));
    return untold.filter(({ orderId, standing }) => standing.untold && (standing.late || orderId !== this.#known));
  }

  /** Another call has come, which may have to wait. Answers its number: the status is its own from now on. */
  comes(): number {
    return this.#calls.comes();
  }

  /** The last call may take a while: after a restart meanwhile it will have failed. Never throws. */
  foresee(): void {
    this.#calls.foresee();
  }

  /**
   * A call begins to be answered: what the display has shown by now is known, to a till that only watches it. One for the same sale that
   * comes while the symbol has just appeared is a repetition: the next customer does not buy the same so soon.
   */
  beginCall(call: number, isSameSale: (orderId: string) => boolean): void {
    this.#call = call;
    const { clock, symbolMs } = this.#options;
    const watched = this.#watched;
    this.#watched = null;
    this.#unasked = null;
    this.#known = null;
    for (const orderId of [...this.#untaken.keys()]) this.#catchUpWith(orderId);
    if (watched === null) return;
    const isFresh = clock.monotonic() < watched.at + Math.max(symbolMs, REPEATED_WITHIN_MS);
    if (!isFresh || !isSameSale(watched.orderId)) this.#known = watched.orderId;
  }

  find(orderId: string): PaymentRow {
    return this.#asKnown(this.#row(orderId));
  }

  /** Enters a new payment, which takes the place of the one before. @throws {Error} of the database: nothing is entered */
  enter(
    { profileName, profile, amount, purpose, ttl }: PaymentRequest & Pick<ActiveSettings, 'profileName' | 'profile'>,
    standing: PaymentStanding,
    payload: string | null,
  ): NewPayment {
    const { clock, ledger, banks } = this.#options;
    const orderId = randomUUID();
    const payment: NewPayment = {
      orderId,
      createdAt: clock.wall(),
      bootId: clock.bootId,
      createdMono: clock.monotonic(),
      profile: profileName,
      bank: profile.bankName,
      profileSealed: banks.seal(orderId, profile),
      amount,
      purpose,
      ttl,
      standing,
    };
    const ofLaterCall = this.#ofCallAfter(this.#call);
    ledger.insert(payment, payload, this.#replacedBy(orderId));
    this.#isRecorded(this.#call, ofLaterCall);
    return payment;
  }

  /**
   * Makes a payment the one that the status speaks of, as `event` leaves it.
   * @throws {Error} of the database: nothing has changed then
   */
  callAgain(orderId: string, event: PaymentEvent | null, call = this.#call): void {
    const payment = this.find(orderId);
    const standing = event === null ? payment.standing : advance(payment.standing, event);
    const endedAt = standing.state === payment.standing.state ? payment.endedAt : null;
    const ofLaterCall = this.#ofCallAfter(call);
    this.#options.ledger.callAgain({ ...payment, standing, endedAt }, this.#replacedBy(orderId));
    this.#untaken.delete(orderId);
    this.#isRecorded(call, ofLaterCall);
  }

  /**
   * The status is ERROR of the failure of a call, where no payment of its own says so.
   * @param always whether also where one of its own has become something else
   */
  miss(call: number, cause: unknown, always = false): void {
    const isOfTheLedger = (cause as { errcode?: number }).errcode !== undefined;
    if (always || isOfTheLedger || !this.#calls.isSpokenOf(call))
      this.#calls.fail(call, faultOf(paymentFailure(cause)));
    if (isOfTheLedger) this.#options.onUnwritten();
  }

  /**
   * A till has been told that payments were paid, by the refusal of a call; the status speaks of the newest of them from now
   * on, unless another call has come. Never throws.
   */
  tell(paid: readonly PaymentRow[], call: number): void {
    for (const { orderId } of paid) this.note(orderId, { type: 'told' });
    if (paid[0] !== undefined && call === this.#calls.last) this.speakOf(paid[0].orderId, call);
  }

  /** The status speaks of a payment as the outcome of a call, in place of the one before. Never throws. */
  speakOf(orderId: string, call: number): void {
    try {
      const isLast = this.#options.ledger.last()?.orderId === orderId;
      if (!isLast || this.#calls.isForeseen) this.callAgain(orderId, null, call);
      this.#spokenOf = null;
    } catch (error) {
      this.#tellUnwritten('which payment the status speaks of cannot be recorded', orderId, error);
      this.#spokenOf = orderId;
    }
    this.#calls.speakOf(call);
  }

  /** The call for a new payment is answered with its code. */
  isAnswered(orderId: string): void {
    this.#unasked = orderId;
  }

  /** The display has shown that a payment was accepted. */
  isShownAccepted(orderId: string): void {
    if (this.#unasked === orderId) this.#watched = { orderId, at: this.#options.clock.monotonic() };
  }

  /** A till has got the answer of `getDynamicQRStatus`. Never throws. */
  isRead({ status, orderId }: LastStatus): void {
    this.#unasked = null; // whoever asks, whatever the answer, does not only watch the display
    if (orderId !== null && status === 'ACCEPTED') this.note(orderId, { type: 'acknowledged' });
  }

  /** What the display has shown is known from now on, in the process after this one too. Never throws. */
  close(): void {
    if (this.#watched !== null) this.note(this.#watched.orderId, { type: 'superseded', known: true });
  }

  /** @throws {Error} of the database: nothing has changed then */
  apply(orderId: string, event: PaymentEvent): PaymentStanding {
    const payment = this.#row(orderId);
    const standing = advance(this.#asKnown(payment).standing, event);
    this.#keep(payment, standing);
    return standing;
  }

  /** Takes in what is so whether the ledger can take it or not; never throws. Answers whether it has. */
  note(orderId: string, event: RetriedEvent): boolean {
    this.#untaken.set(orderId, [...(this.#untaken.get(orderId) ?? []), event]);
    return this.#catchUpWith(orderId);
  }

  #catchUpWith(orderId: string): boolean {
    try {
      const payment = this.#row(orderId);
      this.#keep(payment, this.#asKnown(payment).standing);
      return true;
    } catch (error) {
      this.#tellUnwritten('what has become of a payment cannot be recorded', orderId, error);
      return false;
    }
  }

  #tellUnwritten(what: string, orderId: string, error: unknown): void {
    this.#options.log(what, { orderId, reason: String(error) });
    this.#options.onUnwritten();
  }

  #keep(payment: PaymentRow, standing: PaymentStanding): void {
    const { clock, ledger, onEnd } = this.#options;
    const { orderId } = payment;
    if (standing !== payment.standing) {
      const ended = standing.state !== payment.standing.state;
      const endedAt = ended ? clock.wall() : payment.endedAt;
      ledger.setStanding(orderId, standing, endedAt);
      if (ended) onEnd({ ...payment, standing, endedAt });
    }
    this.#untaken.delete(orderId);
  }

  /** The payment that the status speaks of for a call that came after this one, and was refused before this one had its own. */
  #ofCallAfter(call: number): string | null {
    return this.#calls.spokenOf > call ? (this.last()?.orderId ?? null) : null;
  }

  /** The ledger has the payment of a call as the last; where the status speaks of a later call's, that is the last again. */
  #isRecorded(call: number, ofLaterCall: string | null): void {
    this.#spokenOf = null;
    this.#calls.isRecorded(call);
    if (ofLaterCall !== null) this.speakOf(ofLaterCall, this.#calls.spokenOf);
  }

  /** The payment of the last call as it becomes when this one takes its place; null where that changes nothing. */
  #replacedBy(orderId: string): PaymentRow | null {
    const last = this.#options.ledger.last();
    if (last === null || last.orderId === orderId) return null;
    const standing = advance(last.standing, { type: 'superseded', known: last.orderId === this.#known });
    return standing === last.standing ? null : { ...last, standing };
  }

  #row(orderId: string): PaymentRow {
    const payment = this.#options.ledger.find(orderId);
    if (payment === null) throw new Error(`payment ${orderId} is not in the ledger`);
    return payment;
  }

  #asKnown(payment: PaymentRow): PaymentRow {
    const events = this.#untaken.get(payment.orderId);
    return events === undefined ? payment : { ...payment, standing: events.reduce(advance, payment.standing) };
  }
}
