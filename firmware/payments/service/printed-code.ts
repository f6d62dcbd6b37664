/**
 * Payments on a printed code. A customer in front of it can pay from the moment in which the bank knows the payment: so the
 * ledger has the intent before, and what fails then is unknown until the bank has withdrawn it or reported its state.
 */

import { DisplayError } from '../../../drivers/display/contract.ts';
import { type Bank, type BankRef, isRefused, type OnlineBank, type PrintedCode } from '../../banks/index.ts';

import type { NewPayment, PaymentRow } from '../money/payment-row.ts';
import type { EarlierPayments } from './earlier-payments.ts';
import { type NewPayments, orderOf, type ShowQrRequest } from './new-payments.ts';
import type { PaymentParts } from './parts.ts';
import { isOpen, leftOf, REGISTERING } from './payment.ts';

const MINUTE_MS = 60_000;

export const printedOf = (bank: Bank): PrintedCode | null => (bank.kind === 'online' ? (bank.printed ?? null) : null);

interface PrintedPaymentsOptions extends PaymentParts {
  readonly earlier: EarlierPayments;
  readonly payments: NewPayments;
}

interface Activation {
  readonly bank: OnlineBank;
  /** Whether the bank has not been asked for it before. */
  readonly isFirst: boolean;
  readonly deadlineMs: number;
}

export class PrintedPayments {
  readonly #options: PrintedPaymentsOptions;

  constructor(options: PrintedPaymentsOptions) {
    this.#options = options;
  }

  /** Puts a new payment on the code. @param bankMs what the bank has for it @returns its order id */
  async put(
    request: ShowQrRequest,
    bank: OnlineBank,
    { payload, refOf }: PrintedCode,
    bankMs: () => number,
  ): Promise<string> {
    const { payments, earlier, dispatch } = this.#options;
    const payment = payments.enter(request, REGISTERING);
    const { orderId } = payment;
    await payments.orFail(payment, () => {
      payments.mustBeWanted(request);
      earlier.mustBeUnpaid(request);
      dispatch({ type: 'registered', orderId, payload, ref: refOf(orderId) });
    });
    await this.#activate(payment, request, { bank, isFirst: true, deadlineMs: bankMs() });
    await this.#draw(payment, payload);
    return orderId;
  }

  /** What the bank has never confirmed may not be on the code: it is put there for the call that asks for it again. */
  async keep(payment: PaymentRow, request: ShowQrRequest, bank: OnlineBank): Promise<void> {
    const { ref, payload } = payment;
    if (ref === null || bank.printed?.isConfirmed(ref) !== true) {
      await this.#activate(payment, request, { bank, isFirst: false, deadlineMs: this.#options.pacing.bankDeadlineMs });
    }
    if (payload !== null) await this.#draw(payment, payload);
  }

  /** Registers a payment of the ledger with the bank: first, or again where the bank has not confirmed it. */
  async #activate(payment: NewPayment, request: ShowQrRequest, activation: Activation): Promise<void> {
    const { bank, isFirst, deadlineMs } = activation;
    const { banks, limits, dispatch, clock, payments } = this.#options;
    const { orderId } = payment;
    // it lives no longer at the bank than here
    const order = { ...orderOf(payment), ttl: leftOf(payment, clock) / MINUTE_MS };
    const keep = (ref: BankRef): void => dispatch({ type: 'bank-knows', orderId, ref });
    try {
      await payments.orFail(payment, async () => {
        await banks.register(bank, order, keep, limits(deadlineMs));
        payments.mustBeWanted(request);
      });
    } catch (error) {
      await this.#takeBack(payment, error, isFirst);
      throw error;
    }
  }

  /** A payment that is on a printed code, or may be: it is followed to its end where the bank does not take it back. */
  async #takeBack(payment: NewPayment, error: unknown, isFirst: boolean): Promise<void> {
    const { dispatch, payments } = this.#options;
    const { orderId } = payment;
    const { cause } = error as { readonly cause?: unknown };
    // an earlier attempt may still be under way to the bank, even where the bank refuses this one
    const isNowhere = isFirst && isRefused(cause) && !cause.mayHaveArrived;
    const outcome = isNowhere ? 'withdrawn' : await payments.cancel(payment);
    if (outcome === 'withdrawn') dispatch({ type: 'changed', orderId, event: { type: 'withdrawn' } });
  }

  /** A display is not needed for a printed code, and shows it where there is one. */
  async #draw(payment: NewPayment, payload: string): Promise<void> {
    if (!isOpen(this.#options.book.find(payment.orderId).status)) return; // it has been paid meanwhile
    try {
      await this.#options.view.showPayment(payment, payload);
    } catch (error) {
      if (!(error instanceof DisplayError)) throw error;
      const { orderId } = payment;
      this.#options.log('a printed code is not on the display too', { orderId, reason: error.message });
    }
  }
}
