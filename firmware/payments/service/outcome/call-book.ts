/** Records in the ledger what the status is about (`call-state.ts`), and in memory to which tills acceptances were reported. */

import {
  advanceCalls,
  type CallEvent,
  type CallState,
  type CallWrite,
  hasLaterPayment,
  type LastStatus,
  NO_CALLS,
  statusOf,
} from '../../model/call-state.ts';
import type { PaymentEvent, PaymentFailure } from '../../model/payment.ts';
import { failureOf, paymentFailure } from '../../model/payment-failures.ts';
import type { NewPayment, PaymentRow } from '../../model/payment-row.ts';
import type { AtBank } from '../../money/ledger.ts';
import { type BookDeps, type PaymentBook, reportUnwritten } from './book.ts';

/** Whether SQLite could not read or write: its errors have a number. */
const isOfTheLedger = (error: unknown): boolean => (error as { errcode?: number }).errcode !== undefined;

export class CallBook {
  readonly #deps: Pick<BookDeps, 'ledger' | 'figures' | 'log' | 'onUnwritten'>;
  readonly #payments: PaymentBook;
  #calls: CallState = NO_CALLS;
  /** By order id, the tills to which a paid payment was reported: a till that did not request it is refused once. */
  readonly #deliveredTo = new Map<string, ReadonlySet<string | null>>();

  constructor(deps: Pick<BookDeps, 'ledger' | 'figures' | 'log' | 'onUnwritten'>, payments: PaymentBook) {
    this.#deps = deps;
    this.#payments = payments;
  }

  /** Takes over the failure of the previous process's last call, once the ledger can be read. */
  recover(): void {
    const failure = this.#deps.ledger.failedCall();
    if (failure !== null) this.#advance({ type: 'recovered', failure });
  }

  /** The answer of `getDynamicQRStatus`. @throws {Error} of the database */
  status(): LastStatus {
    return statusOf(this.#calls, () => this.last());
  }

  /** The payment that the status is about, unless a later call is under way or has failed without one. */
  last(): PaymentRow | null {
    const { unrecorded } = this.#calls;
    return unrecorded === null ? this.#payments.last() : this.#payments.find(unrecorded);
  }

  /** Whether the refusal of a call has reported to this till that the payment was paid. */
  isDeliveredTo(till: string | null, orderId: string): boolean {
    return this.#deliveredTo.get(orderId)?.has(till) === true;
  }

  /** Counts a new call, which may have to wait, and returns its number. From now on the status is about this call. */
  nextCall(): number {
    this.#advance({ type: 'called' });
    return this.#calls.latest;
  }

  /** Before a call that may take a while: should the process restart meanwhile, the call counts as failed. Never throws. */
  expectRestart(): void {
    this.#advance({ type: 'delayed' });
  }

  /** The turn of a call has come. @param isSameSale whether a payment was requested for the sale of the call */
  beginCall(call: number, isSameSale: (orderId: string) => boolean): void {
    this.#advance({ type: 'begun', call });
    this.#payments.beginCall(isSameSale);
  }

  /** Enters a new payment, which replaces the previous one. @throws {Error} of the database: nothing is entered */
  enter(payment: NewPayment, known: AtBank): void {
    const { ledger, figures } = this.#deps;
    const call = this.#calls.answering;
    const later = this.#paymentAfter(call);
    ledger.insert(payment, known, this.#payments.replacedBy(payment.orderId));
    this.#advance({ type: 'payment-recorded', call, orderId: payment.orderId, later });
    figures.countAsked(payment);
  }

  /**
   * Makes a payment that of the call that is being answered, and applies `event` to it.
   * @throws {Error} of the database: nothing has changed then
   */
  callAgain(orderId: string, event: PaymentEvent): void {
    this.#record(orderId, event, this.#calls.answering);
  }

  /** A call has failed: the status is ERROR, unless the call has a payment that reports it. Never throws. */
  failCall(call: number, cause: unknown): void {
    const failure = failureOf(paymentFailure(cause));
    this.#advance({ type: isOfTheLedger(cause) ? 'refused' : 'failed', call, failure });
    if (isOfTheLedger(cause)) this.#reportUnwritten('a call failed as the ledger did', null, cause);
  }

  /** A call is refused as earlier payments are paid: the status is ERROR, even where the call has a payment. Never throws. */
  refuseCall(call: number, cause: unknown): void {
    this.#advance({ type: 'refused', call, failure: failureOf(paymentFailure(cause)) });
  }

  /**
   * The refusal of a call has reported to a till that payments were paid. From now on the status is about the newest of
   * the till's own, unless another call has come. A payment that another credential requested counts as not reported to
   * its till. Never throws.
   */
  reportPaid(paid: readonly PaymentRow[], call: number, till: string | null): void {
    const ofTill = paid.filter((payment) => payment.till === till);
    for (const { orderId } of paid) this.#deliveredTo.set(orderId, new Set(this.#deliveredTo.get(orderId)).add(till));
    for (const { orderId } of ofTill) this.#payments.note(orderId, { type: 'reported' });
    const [newest] = ofTill;
    if (newest !== undefined && call === this.#calls.latest) this.reportPayment(newest.orderId, call);
  }

  /** Makes the status report a payment as the outcome of a call, in place of the previous one. Never throws. */
  reportPayment(orderId: string, call: number): void {
    this.#orUnrecorded(orderId, call, () => {
      const isLast = this.#deps.ledger.last()?.orderId === orderId;
      this.#advance({ type: 'payment-reported', call, orderId, isLast });
    });
  }

  #record(orderId: string, event: PaymentEvent | null, call: number): void {
    const later = this.#paymentAfter(call);
    this.#payments.callAgain(orderId, event);
    this.#advance({ type: 'payment-recorded', call, orderId, later });
  }

  #orUnrecorded(orderId: string, call: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#advance({ type: 'payment-unrecorded', call, orderId });
      this.#reportUnwritten('which payment the status is about cannot be recorded', orderId, error);
    }
  }

  /** The payment that the status reports for a later call, refused before this call had its own payment. */
  #paymentAfter(call: number): string | null {
    return hasLaterPayment(this.#calls, call) ? (this.last()?.orderId ?? null) : null;
  }

  #advance(event: CallEvent): void {
    const { state, writes } = advanceCalls(this.#calls, event);
    this.#calls = state;
    for (const write of writes) this.#write(write);
  }

  /** Never throws: what cannot be written to the ledger still counts, as long as the process lives. */
  #write(write: CallWrite): void {
    if (write.type === 'record-failure') this.#recordFailure(write.failure);
    else this.#orUnrecorded(write.orderId, write.call, () => this.#record(write.orderId, null, write.call));
  }

  #recordFailure(failure: PaymentFailure): void {
    try {
      this.#deps.ledger.recordFailedCall(failure);
    } catch (error) {
      this.#reportUnwritten('how a call failed cannot be recorded', null, error);
      return;
    }
    this.#advance({ type: 'failure-recorded' });
  }

  #reportUnwritten(what: string, orderId: string | null, error: unknown): void {
    reportUnwritten(this.#deps, what, orderId, error);
  }
}
