/** Enters a new payment into the ledger before the bank or the display gets it, and records each failure that follows. */
import { randomUUID } from 'node:crypto';
import {
  adapterOf,
  BankError,
  type CancelOutcome,
  type OnlineBank,
  type Order,
  requireFittingOrderId,
} from '../../../banks/index.ts';
import { type PaymentStatus, REGISTERING } from '../../model/payment.ts';
import { cleared, codeOfAnother, failureOf, GIVEN_UP, paymentFailure } from '../../model/payment-failures.ts';
import type { NewPayment, PaymentRow } from '../../model/payment-row.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { PaymentDeps } from '../outcome/deps.ts';
import type { Follower } from '../outcome/follower.ts';
import { purposeFor, type Sale } from './sale.ts';
import { damagedSale, orderConflict, orderIdOf } from './sale-key.ts';

/** How long the bank may take to cancel the order of a code that is not shown. A till waits meanwhile. */
const CANCEL_MS = 3000;

/** The order for the bank; its purpose is no longer than the bank accepts. */
export function orderOf({ orderId, bank, amount, purpose, ttl }: NewPayment): Order {
  const { maxPurpose } = adapterOf(bank).capabilities;
  return { orderId, amount, purpose: purpose === null ? null : purposeFor(purpose, maxPurpose), ttl };
}

export class NewPayments {
  readonly #deps: PaymentDeps;
  readonly #follower: Follower;

  constructor(deps: PaymentDeps, follower: Follower) {
    this.#deps = deps;
    this.#follower = follower;
  }

  /** Enters a payment into the ledger. @throws {Error} of the database: nothing is entered, and nothing was sent */
  enter(sale: Sale, status: PaymentStatus, payload: string | null = null): NewPayment {
    const payment = this.#paymentOf(sale, status);
    this.#deps.callBook.enter(payment, { ref: null, payload });
    return payment;
  }

  /**
   * Enters a payment that a till has named, where the bank knows its order from before the ledger lost it: a repeated
   * sale is never a second order. Nothing is entered before the bank has answered: until then the key stays new. A
   * customer may have seen its code, so the payment is followed.
   * @returns its order id; null where the bank has no such order, or cannot be asked for one
   * @throws {TerminalError} where the order is for another amount @throws {BankError} without an answer @throws {Error}
   * of the database
   */
  async adopt(sale: Sale, bank: OnlineBank, deadlineMs: number): Promise<string | null> {
    if (sale.key === null || bank.find === undefined) return null; // a random order id is always new
    const { banks, book, callBook, ledger, limits, log } = this.#deps;
    const known = await banks.findOrder(bank, orderOf(this.#paymentOf(sale, REGISTERING)), limits(deadlineMs));
    if (known === null) return null;
    if (known.amount !== sale.amount) throw orderConflict(known.amount);
    const payment = this.#paymentOf(sale, { ...REGISTERING, seen: true });
    if (ledger.queries.belongsToAnother(payment, known.ref.id, known.payload)) throw codeOfAnother();
    const { orderId } = payment;
    callBook.enter(payment, known);
    this.#follower.follow(book.find(orderId));
    log('the bank knows the order of a sale that the ledger does not have: it is taken up again', { orderId });
    return orderId;
  }

  /** @throws {TerminalError} where the till has cleared the display since the call */
  assertNotCleared({ clearings }: Sale): void {
    if (clearings !== this.#deps.view.clearings) throw cleared();
  }

  /** Ends a payment that failed on the way. @returns the error for its till, with the terminal's code */
  fail({ orderId }: NewPayment, cause: unknown): unknown {
    const failure = paymentFailure(cause, GIVEN_UP);
    const error = failure instanceof TerminalError ? failure.about(orderId) : failure;
    this.#deps.book.note(orderId, { type: 'failed', failure: failureOf(error) });
    return error;
  }

  /**
   * Cancels the order of a code that was not shown, or of a payment that failed on a printed code. A failure of the bank is
   * logged, and reads `not-possible`.
   * @param ref the bank's reference, where the ledger may not have it
   */
  async cancel({ orderId }: NewPayment, ref: PaymentRow['ref'] = null): Promise<CancelOutcome> {
    const { banks, book, limits, log } = this.#deps;
    try {
      const payment = book.find(orderId);
      return await banks.cancel({ ...payment, ref: ref ?? payment.ref }, limits(CANCEL_MS));
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      log('the bank did not cancel a payment that was not shown', { orderId, reason: error.message });
      return 'not-possible';
    }
  }

  #paymentOf(sale: Sale, status: PaymentStatus): NewPayment {
    const { profileName, profile, amount, purpose, ttl, till, cashier, key } = sale;
    const { clock, banks } = this.#deps;
    const payment: NewPayment = {
      orderId: key === null ? randomUUID() : this.#orderIdOf(till, key.key),
      createdAt: clock.wall(),
      bootId: clock.bootId,
      createdMono: clock.monotonic(),
      profile: profileName,
      bank: profile.bankName,
      merchant: banks.merchantOf(profile),
      amount,
      purpose,
      ttl,
      till,
      cashier,
      sale: key,
      status,
    };
    requireFittingOrderId(payment.bank, payment.orderId);
    return payment;
  }

  /** @throws {TerminalError} where the key has a payment whose row has lost it */
  #orderIdOf(till: string | null, key: string): string {
    const { ledger, digest } = this.#deps;
    const orderId = orderIdOf(till, key, digest);
    if (ledger.find(orderId) !== null) throw damagedSale(orderId);
    return orderId;
  }
}
