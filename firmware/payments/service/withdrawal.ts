/** Withdraws the code of a payment at its bank, and records the outcome. */

import { BankError, type CancelOutcome, UNREPORTED } from '../../banks/index.ts';
import type { PaymentRow } from '../money/payment-row.ts';
import type { Following } from './following.ts';
import type { PaymentParts } from './parts.ts';
import { isLeft, type PaymentEvent } from './payment.ts';
import { GIVEN_BACK } from './payment-failures.ts';

/** How long the bank may take to report a payment that it did not withdraw. */
const CHECK_MS = 3000;

/** `unknown`: the bank has not answered; the payment is followed to its end. */
export type Withdrawn = CancelOutcome | 'unknown';

interface WithdrawalOptions extends PaymentParts {
  readonly following: Following;
}

/** The outcome of a withdrawal, from the bank's answer about a payment that was left. */
function outcomeOf(event: PaymentEvent): Withdrawn {
  if (event.type === 'restarted') return 'withdrawn';
  if (event.type === 'refunded') return 'refunded';
  return event.type === 'verdict' && event.verdict === 'accepted' ? 'already-paid' : 'unknown';
}

export class Withdrawal {
  readonly #options: WithdrawalOptions;
  /** By order id: a till may clear the display and ask for the next payment before the bank has answered. */
  readonly #underWay = new Map<string, Promise<Withdrawn>>();

  constructor(options: WithdrawalOptions) {
    this.#options = options;
  }

  /**
   * Joins a withdrawal that is under way. A payment that is not withdrawn is followed to its end.
   * @throws {Error} of the database
   */
  withdraw(payment: PaymentRow, deadlineMs: number): Promise<Withdrawn> {
    const { orderId } = payment;
    const underWay = this.#underWay.get(orderId);
    if (underWay !== undefined) return underWay;
    const withdrawn = this.#withdraw(payment, deadlineMs).finally(() => this.#underWay.delete(orderId));
    this.#underWay.set(orderId, withdrawn);
    return withdrawn;
  }

  async #withdraw(payment: PaymentRow, deadlineMs: number): Promise<Withdrawn> {
    const { banks, limits, log } = this.#options;
    if (isLeft(payment.status)) return outcomeOf(await this.#askNow(payment, deadlineMs)); // which cancels its order, too
    try {
      const outcome = await banks.cancel(payment, limits(deadlineMs));
      await this.#takeIn(payment, outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      const { orderId } = payment;
      log('the bank did not cancel a payment; it is followed to its end', { orderId, reason: error.message });
      const event = await this.#askNow(payment, CHECK_MS); // most likely because it has just been paid
      if (error.isUnheardOf) return this.#unheardOf(payment, event);
      return error.code === 'refused' ? 'not-possible' : 'unknown';
    }
  }

  /** @returns what the bank's answer, which is recorded, means for the payment */
  async #askNow(payment: PaymentRow, deadlineMs: number): Promise<PaymentEvent> {
    return (await this.#options.following.askNow(payment, deadlineMs)).event;
  }

  /** The bank does not know the order: its registration may still be under way, but not after the end of its ttl. */
  async #unheardOf(payment: PaymentRow, event: PaymentEvent): Promise<Withdrawn> {
    if (event.type !== 'expired' || event.verdict !== 'pending') return 'unknown';
    await this.#takeIn(payment, 'withdrawn');
    return 'withdrawn';
  }

  async #takeIn(payment: PaymentRow, outcome: CancelOutcome): Promise<void> {
    const { dispatch, log } = this.#options;
    const { orderId, amount } = payment;
    switch (outcome) {
      case 'withdrawn':
        dispatch({ type: 'changed', orderId, event: { type: 'withdrawn' } });
        return;
      case 'refunded': {
        log('a payment had been paid when its code was taken out of use: the bank gives the money back', { orderId });
        const transaction = { ...UNREPORTED, refunded: amount };
        dispatch({ type: 'changed', orderId, event: { type: 'refunded', failure: GIVEN_BACK }, transaction });
        return;
      }
      case 'already-paid':
        await this.#askNow(payment, CHECK_MS);
        return;
      case 'not-possible':
        return; // it is followed to its end
    }
  }
}
