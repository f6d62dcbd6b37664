/**
 * Payments on a printed code. A customer in front of it can pay as soon as the bank knows the payment. So the ledger
 * has the intent first, and a failure after that is unknown until the bank has withdrawn the payment or reported its
 * state.
 */
import { DisplayError } from '../../../../drivers/display/contract.ts';
import { type Bank, type BankRef, isRefused, type OnlineBank, type PrintedCode } from '../../../banks/index.ts';
import { isOpen, REGISTERING, remainingMsOf } from '../../model/payment.ts';
import type { NewPayment, PaymentRow } from '../../model/payment-row.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { PaymentDeps } from '../outcome/deps.ts';
import type { Follower } from '../outcome/follower.ts';
import type { EarlierPayments } from './earlier-payments.ts';
import { type NewPayments, orderOf } from './new-payments.ts';
import type { Sale } from './sale.ts';

const MINUTE_MS = 60_000;

export const printedOf = (bank: Bank): PrintedCode | null => (bank.kind === 'online' ? (bank.printed ?? null) : null);

interface Activation {
  readonly bank: OnlineBank;
  /** Whether this is the first request to register the payment. */
  readonly isFirst: boolean;
  readonly deadlineMs: number;
}

export class PrintedPayments {
  readonly #deps: PaymentDeps;
  readonly #follower: Follower;
  readonly #earlier: EarlierPayments;
  readonly #payments: NewPayments;

  constructor(deps: PaymentDeps, follower: Follower, earlier: EarlierPayments, payments: NewPayments) {
    this.#deps = deps;
    this.#follower = follower;
    this.#earlier = earlier;
    this.#payments = payments;
  }

  /** Puts a new payment on the code. @param bankMs time left for the bank @returns its order id */
  async put(sale: Sale, bank: OnlineBank, { payload, refOf }: PrintedCode, bankMs: () => number): Promise<string> {
    const { book, ledger } = this.#deps;
    const payment = this.#payments.enter(sale, REGISTERING);
    const { orderId } = payment;
    try {
      this.#payments.assertNotCleared(sale);
      this.#earlier.assertUnpaid(sale);
      ledger.intendToShow(orderId, payload, refOf(orderId));
      this.#follower.follow(book.find(orderId));
    } catch (cause) {
      throw this.#payments.fail(payment, cause);
    }
    await this.#activate(payment, sale, { bank, isFirst: true, deadlineMs: bankMs() });
    await this.#draw(payment, payload);
    return orderId;
  }

  /** Shows a payment again. One that the bank never confirmed may not be on the code: this call registers it again. */
  async showAgain(payment: PaymentRow, sale: Sale, bank: OnlineBank): Promise<void> {
    const { ref, payload } = payment;
    if (ref === null || bank.printed?.isConfirmed(ref) !== true) {
      await this.#activate(payment, sale, { bank, isFirst: false, deadlineMs: this.#deps.pacing.bankDeadlineMs });
    }
    if (payload !== null) await this.#draw(payment, payload);
  }

  /** Registers a payment of the ledger with the bank: for the first time, or again where the bank has not confirmed it. */
  async #activate(payment: NewPayment, sale: Sale, activation: Activation): Promise<void> {
    const { bank, isFirst, deadlineMs } = activation;
    const { banks, limits, ledger, clock } = this.#deps;
    // the payment lives no longer at the bank than here
    const order = { ...orderOf(payment), ttl: remainingMsOf(payment, clock) / MINUTE_MS };
    const recordRef = (ref: BankRef): void => ledger.recordRef(payment.orderId, ref);
    try {
      await banks.register(bank, order, recordRef, limits(deadlineMs));
      this.#payments.assertNotCleared(sale);
    } catch (cause) {
      const error = this.#payments.fail(payment, cause);
      await this.#withdraw(payment, error, isFirst);
      throw error;
    }
  }

  /**
   * Withdraws a payment that is, or may be, on a printed code; followed to its end where the bank does not withdraw
   * it.
   */
  async #withdraw(payment: NewPayment, error: unknown, isFirst: boolean): Promise<void> {
    const { cause } = error as { readonly cause?: unknown };
    // an earlier attempt may still be under way to the bank, even where the bank refuses this one
    const hasNotArrived = isFirst && isRefused(cause) && !cause.mayHaveArrived;
    const outcome = hasNotArrived ? 'withdrawn' : await this.#payments.cancel(payment);
    if (outcome === 'withdrawn') this.#deps.book.apply(payment.orderId, { type: 'withdrawn' });
  }

  /** Draws the code where there is a display: a printed code does not need one. */
  async #draw(payment: NewPayment, payload: string): Promise<void> {
    if (!isOpen(this.#deps.book.find(payment.orderId).status)) return; // it has ended meanwhile, as by being paid
    try {
      await this.#deps.view.showCode(payment, payload);
    } catch (error) {
      const why = error instanceof TerminalError ? error.cause : null;
      if (!(why instanceof DisplayError)) throw error;
      const { orderId } = payment;
      this.#deps.log('a printed code is not on the display too', { orderId, reason: why.message });
    }
  }
}
