/** A new payment: it is in the ledger before the bank or the display get it, as is any failure that follows. */

import { randomUUID } from 'node:crypto';
import {
  adapterOf,
  BankError,
  type CancelOutcome,
  mustFitOrderId,
  type OnlineBank,
  type Order,
  TerminalError,
} from '../../banks/index.ts';

import type { NewPayment } from '../money/payment-row.ts';
import type { PaymentParts } from './parts.ts';
import { type PaymentStatus, REGISTERING } from './payment.ts';
import { cleared, codeOfAnother, failureOf, GIVEN_UP, paymentFailure } from './payment-failures.ts';
import { purposeFor, type Sale } from './sale.ts';
import { damagedSale, orderConflict, orderIdOf } from './sale-key.ts';

/** How long the bank may take to cancel the order of a code that is not shown. A till waits meanwhile. */
const CANCEL_MS = 3000;

/** A showQR as the till has sent it. */
export interface ShowQrRequest extends Sale {
  /** How often the till had cleared the display by then: a code that it asked for before is not drawn after. */
  readonly clearings: number;
}

/** What the bank is asked for: no longer a purpose than it takes. */
export function orderOf({ orderId, bank, amount, purpose, ttl }: NewPayment): Order {
  const { maxPurpose } = adapterOf(bank).capabilities;
  return { orderId, amount, purpose: purpose === null ? null : purposeFor(purpose, maxPurpose), ttl };
}

export class NewPayments {
  readonly #options: PaymentParts;

  constructor(options: PaymentParts) {
    this.#options = options;
  }

  /** Enters a payment into the ledger. @throws {Error} of the database: nothing is entered, and nothing was sent */
  enter(request: ShowQrRequest, status: PaymentStatus, payload: string | null = null): NewPayment {
    const payment = this.#paymentOf(request, status);
    this.#options.dispatch({ type: 'entered', payment, payload });
    return payment;
  }

  /**
   * Enters a payment that a till has named, where the bank has known its order since before the ledger lost it: a sale that is
   * sent again is never a second order. Nothing is entered before the bank has answered: until then the key stays new.
   * @returns its order id; null where the bank has nothing of it, or cannot be asked for an order
   * @throws {TerminalError} where the order is for another amount @throws {BankError} without an answer @throws {Error} of the database
   */
  async adopt(request: ShowQrRequest, bank: OnlineBank, deadlineMs: number): Promise<string | null> {
    if (request.key === null || bank.find === undefined) return null; // an order id of chance is new
    const { banks, dispatch, ledger, limits } = this.#options;
    const known = await banks.lookUp(bank, orderOf(this.#paymentOf(request, REGISTERING)), limits(deadlineMs));
    if (known === null) return null;
    if (known.amount !== request.amount) throw orderConflict(known.amount);
    const payment = this.#paymentOf(request, { ...REGISTERING, seen: true });
    if (ledger.isTaken(payment, known.ref.id, known.payload)) throw codeOfAnother();
    dispatch({ type: 'adopted', payment, known });
    return payment.orderId;
  }

  #paymentOf(request: ShowQrRequest, status: PaymentStatus): NewPayment {
    const { profileName, profile, amount, purpose, ttl, till, cashier, key } = request;
    const { clock, banks } = this.#options;
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
    mustFitOrderId(payment.bank, payment.orderId);
    return payment;
  }

  /** @throws {TerminalError} where a payment has it whose row has lost its key */
  #orderIdOf(till: string | null, key: string): string {
    const { ledger, digest } = this.#options;
    const orderId = orderIdOf(till, key, digest);
    if (ledger.find(orderId) !== null) throw damagedSale(orderId);
    return orderId;
  }

  /** @throws {TerminalError} where the till has cleared the display since */
  mustBeWanted({ clearings }: ShowQrRequest): void {
    if (clearings !== this.#options.view.clearings) throw cleared();
  }

  /** Runs the steps of a payment; a failure ends it, and is reported with the terminal's code. */
  async orFail({ orderId }: Pick<NewPayment, 'orderId'>, steps: () => Promise<void> | void): Promise<void> {
    try {
      await steps();
    } catch (cause) {
      const failure = paymentFailure(cause, GIVEN_UP);
      const error = failure instanceof TerminalError ? failure.about(orderId) : failure;
      this.#options.dispatch({ type: 'recorded', orderId, event: { type: 'failed', failure: failureOf(error) } });
      throw error;
    }
  }

  /** Cancels the order of a code that was not shown. Where the bank does not cancel it, it cannot be paid anyway. */
  async cancel({ orderId }: NewPayment): Promise<CancelOutcome> {
    const { banks, book, limits, log } = this.#options;
    try {
      return await banks.cancel(book.find(orderId), limits(CANCEL_MS));
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      log('the bank did not cancel a payment that was not shown', { orderId, reason: error.message });
      return 'not-possible';
    }
  }
}
