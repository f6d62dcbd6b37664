/**
 * Takes what happens to payments into the ledger, before anybody is told. How a payment failed is kept in mind where the
 * ledger cannot take it (a full disk), told all the same, and taken in at the next chance.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { LogLine } from '../log.ts';
import type { Ledger, NewPayment, PaymentRow } from './ledger.ts';
import {
  advance,
  type DynamicStatus,
  mayBePaid,
  type PaymentEvent,
  type PaymentFault,
  type PaymentStanding,
} from './payment.ts';
import type { PaymentBanks } from './payment-banks.ts';
import { faultOf, gaveWay, paymentFailure } from './payment-faults.ts';
import type { ActiveSettings } from './settings-document.ts';

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
}

export interface PaymentBookOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly banks: Pick<PaymentBanks, 'seal'>;
  /** Told after the ledger has taken it. */
  readonly onEnd: (payment: PaymentRow) => void;
  readonly log: LogLine;
}

type FailureEvent = Extract<PaymentEvent, { readonly fault: PaymentFault }>;

export class PaymentBook {
  readonly #options: PaymentBookOptions;
  /** Failures of payments that the ledger has not taken yet, by order id. */
  readonly #untaken = new Map<string, FailureEvent>();
  /** A call that failed before there was a row: the payment before it must not be taken for its outcome. */
  #unrecorded: PaymentFault | null = null;
  /** The payment before such a call, if it could still be paid: its outcome cannot be read from the status. */
  #hidden: string | null = null;

  constructor(options: PaymentBookOptions) {
    this.#options = options;
  }

  /** What `getDynamicQRStatus` answers. */
  status(): LastStatus {
    if (this.#unrecorded !== null) return { status: 'ERROR', fault: this.#unrecorded };
    const last = this.#options.ledger.last();
    if (last === null) return { status: 'EMPTY', fault: null };
    const { standing } = this.#asKnown(last);
    const { state, fault } = gaveWay(standing.fault) ? (this.lastSeen() ?? last).standing : standing;
    return { status: state, fault };
  }

  /** The newest payment that a customer may have seen: calls that failed before that may have come after it. */
  lastSeen(): PaymentRow | null {
    const last = this.#options.ledger.lastSeen();
    return last === null ? null : this.#asKnown(last);
  }

  isLast({ orderId }: PaymentRow): boolean {
    return this.#options.ledger.last()?.orderId === orderId;
  }

  find(orderId: string): PaymentRow {
    return this.#asKnown(this.#row(orderId));
  }

  /** Enters a new payment, which takes the place of the one before. @throws {Error} of the database: nothing is entered */
  enter(
    { profileName, profile }: ActiveSettings,
    request: PaymentRequest,
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
      ...request,
      standing,
    };
    const previous = ledger.last();
    const superseded = previous && { ...previous, standing: advance(previous.standing, { type: 'superseded' }) };
    ledger.insert(payment, payload, superseded);
    this.#unrecorded = null;
    this.#hidden = null;
    return payment;
  }

  /** Keeps a failure of the ledger in mind that left no row; any other has left the last status as it was. */
  miss(cause: unknown): void {
    const isOfTheLedger = (cause as { errcode?: number }).errcode !== undefined;
    if (!isOfTheLedger) return;
    this.#unrecorded = faultOf(paymentFailure(cause));
    const last = this.lastSeen();
    if (last !== null && mayBePaid(last.standing)) this.#hidden = last.orderId;
  }

  /** Whether a payment was accepted without the till knowing: it was told otherwise, or the status spoke of a call after it. */
  isUntold({ orderId, standing: { state, late } }: PaymentRow): boolean {
    return state === 'ACCEPTED' && (late || this.#hidden === orderId);
  }

  /** The till is told that a payment was paid; the status speaks of it from now on. Never throws. */
  tell(orderId: string): void {
    this.#unrecorded = null;
    this.#hidden = null;
    try {
      this.apply(orderId, { type: 'told' });
    } catch (error) {
      this.#options.log('that a payment was told to be paid cannot be recorded', { orderId, reason: String(error) });
    }
  }

  /** @throws {Error} of the database: nothing has changed then */
  apply(orderId: string, event: PaymentEvent): PaymentStanding {
    const { clock, ledger, onEnd } = this.#options;
    const payment = this.#row(orderId);
    const standing = advance(this.#asKnown(payment).standing, event);
    if (standing !== payment.standing) {
      const ended = standing.state !== payment.standing.state;
      const endedAt = ended ? clock.wall() : payment.endedAt;
      ledger.setStanding(orderId, standing, endedAt);
      if (ended) onEnd({ ...payment, standing, endedAt });
    }
    this.#untaken.delete(orderId);
    return standing;
  }

  /** Ends a payment that failed; never throws. Answers whether the ledger has taken it. */
  fail(orderId: string, event: FailureEvent): boolean {
    this.#untaken.set(orderId, event);
    try {
      this.apply(orderId, event);
      return true;
    } catch (error) {
      this.#options.log('how a payment failed cannot be recorded', { orderId, reason: String(error) });
      return false;
    }
  }

  /** Tries once more what the ledger has not taken. */
  catchUp(): void {
    for (const [orderId, event] of [...this.#untaken]) this.fail(orderId, event);
  }

  #row(orderId: string): PaymentRow {
    const payment = this.#options.ledger.find(orderId);
    if (payment === null) throw new Error(`payment ${orderId} is not in the ledger`);
    return payment;
  }

  #asKnown(payment: PaymentRow): PaymentRow {
    const failure = this.#untaken.get(payment.orderId);
    return failure === undefined ? payment : { ...payment, standing: advance(payment.standing, failure) };
  }
}
