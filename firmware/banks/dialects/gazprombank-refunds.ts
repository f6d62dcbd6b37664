/** Refunds at Gazprombank. Source: as `gazprombank-client.ts`. */
import { Type } from 'typebox';
import { BankId, maybe } from '../answer-fields.ts';
import { BankError, bankMessage, isRefused } from '../bank-error.ts';
import { type RefundOrder, type RefundReport, refusedRefund } from '../bank-refund.ts';
import type { GazprombankClient } from './gazprombank-client.ts';

const Draft = Type.Object({ code: Type.Literal('000'), transactionId: BankId });
const DRAFT = { shape: Draft, otherwise: 'the bank prepared a refund without a usable transactionId' };

const Confirmed = Type.Object({ code: Type.Literal('000') });
const CONFIRMED = { shape: Confirmed, otherwise: 'the bank did not say that it confirms the refund' };

const Operation = Type.Object({
  code: Type.Literal('000'),
  status: Type.String(),
  transactionId: maybe(Type.String()),
});
const OPERATION = { shape: Operation, otherwise: 'the bank returned no state of the refund' };

/** State of an unconfirmed refund: nothing goes back yet. */
const UNCONFIRMED = 'DRAFT';

/** States that are known for sure. ERROR_CHECK and INCOMPLETE are missing: the bank does not know yet. */
const STATES: ReadonlyMap<string, RefundReport['state']> = new Map([
  ['PERFORMED', 'done'],
  ['CANCELLED', 'refused'],
  ['ERROR', 'refused'],
]);

/**
 * Refunds at Gazprombank take two steps: a draft is prepared, then confirmed. The draft's id is stored in between, so
 * that a confirmation whose answer was lost is looked up, and nothing is confirmed twice. A draft whose id was not stored
 * does nothing.
 */
export class GazprombankRefunds {
  readonly #client: GazprombankClient;

  constructor(client: GazprombankClient) {
    this.#client = client;
  }

  /**
   * Prepares the draft, which is pending; the next call, with its id, confirms it. If the bank refuses the draft, the
   * refund is refused, even where an earlier draft was lost: only a draft with a stored id is ever confirmed, so nothing
   * goes back by that one.
   * @param trxId of the payment
   * @throws {BankError}
   */
  async refund(order: RefundOrder, trxId: string, signal: AbortSignal): Promise<RefundReport> {
    const body = { transactionId: trxId, amount: String(order.amount), currency: 'RUB' };
    const call = { method: 'POST', path: '/merchant/transfer/return/prepare', body } as const;
    try {
      const { transactionId } = await this.#client.call(call, DRAFT, signal);
      return { state: 'pending', bankRefundId: transactionId, reason: null };
    } catch (error) {
      if (isRefused(error)) return refusedRefund(bankMessage(error));
      throw error;
    }
  }

  /** Confirms a draft, and returns its state. @throws {BankError} */
  async confirmIfDraft(bankRefundId: string, signal: AbortSignal): Promise<RefundReport> {
    const status = await this.#status(bankRefundId, signal);
    if (status !== UNCONFIRMED) return this.#report(bankRefundId, status);
    const refusal = await this.#confirm(bankRefundId, signal);
    const after = await this.#status(bankRefundId, signal);
    if (after !== UNCONFIRMED || refusal === null) return this.#report(bankRefundId, after);
    // an earlier confirmation may be on its way: although this one is refused, money may go back
    throw new BankError('unreachable', `the bank has not confirmed the refund yet: ${bankMessage(refusal)}`);
  }

  /** Returns the state of a refund, and confirms nothing; null for a draft. @throws {BankError} */
  async find(bankRefundId: string, signal: AbortSignal): Promise<RefundReport | null> {
    const status = await this.#status(bankRefundId, signal);
    return status === UNCONFIRMED ? null : this.#report(bankRefundId, status);
  }

  async #confirm(transactionId: string, signal: AbortSignal): Promise<BankError | null> {
    const path = '/merchant/transfer/return/confirm';
    const call = { method: 'POST', path, body: { transactionId }, isOnce: true } as const;
    try {
      await this.#client.call(call, CONFIRMED, signal);
      return null;
    } catch (error) {
      if (isRefused(error)) return error;
      throw error;
    }
  }

  async #status(transactionId: string, signal: AbortSignal): Promise<string> {
    const call = { method: 'POST', path: '/operation/info', body: { transactionId } } as const;
    const operation = await this.#client.call(call, OPERATION, signal);
    if (operation.transactionId != null && operation.transactionId !== transactionId) {
      throw new BankError('contradiction', 'the bank returned the state of another refund');
    }
    return operation.status;
  }

  #report(bankRefundId: string, status: string): RefundReport {
    const state = STATES.get(status) ?? 'pending';
    return { state, bankRefundId, reason: state === 'refused' ? `the bank ended the refund as ${status}` : null };
  }
}
