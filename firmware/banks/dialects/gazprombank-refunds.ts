/**
 * Refunds at Gazprombank, in two steps: a draft is prepared, then confirmed. The draft's id is kept between them, so that a
 * confirmation whose answer was lost is looked up, and nothing is confirmed twice; a draft that is not kept costs nothing.
 */
import { Type } from 'typebox';
import { BankError, bankMessage, isRefused, type RefundOrder, type RefundReport, refusedRefund } from '../bank.ts';
import { BankId } from '../http-answer.ts';
import type { GazprombankClient } from './gazprombank-client.ts';

const Draft = Type.Object({ code: Type.Literal('000'), transactionId: BankId });
const DRAFT = { shape: Draft, otherwise: 'the bank prepared a refund without a usable transactionId' };

const Confirmed = Type.Object({ code: Type.Literal('000') });
const CONFIRMED = { shape: Confirmed, otherwise: 'the bank did not say that it confirms the refund' };

const Operation = Type.Object({
  code: Type.Literal('000'),
  status: Type.String(),
  transactionId: Type.Optional(Type.Union([Type.Null(), Type.String()])),
});
const OPERATION = { shape: Operation, otherwise: 'the bank returned no state of the refund' };

/** Not confirmed yet: nothing goes back before it is. */
const UNCONFIRMED = 'DRAFT';
/** ERROR_CHECK and INCOMPLETE are not among them: the bank does not know yet. */
const STATES: ReadonlyMap<string, RefundReport['state']> = new Map([
  ['PERFORMED', 'done'],
  ['CANCELLED', 'refused'],
  ['ERROR', 'refused'],
]);

export class GazprombankRefunds {
  readonly #client: GazprombankClient;

  constructor(client: GazprombankClient) {
    this.#client = client;
  }

  /**
   * Prepares the draft, which is pending; the next call, with its id, goes on. That the bank refuses it decides the refund, also where
   * an earlier draft was lost: only a draft whose id is kept is ever confirmed, so nothing goes back by that one.
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
  async goOn(bankRefundId: string, signal: AbortSignal): Promise<RefundReport> {
    const status = await this.#status(bankRefundId, signal);
    if (status !== UNCONFIRMED) return this.#report(bankRefundId, status);
    const refusal = await this.#confirm(bankRefundId, signal);
    const after = await this.#status(bankRefundId, signal);
    if (after !== UNCONFIRMED || refusal === null) return this.#report(bankRefundId, after);
    // an earlier confirmation may be on its way: that this one is refused does not say that nothing will go back
    throw new BankError('unreachable', `the bank has not confirmed the refund yet: ${bankMessage(refusal)}`);
  }

  /** Returns its state, and confirms nothing; null for a draft. @throws {BankError} */
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
