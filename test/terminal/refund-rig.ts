/** What tests of refunds share: a bank that keeps a book of them, and a lane with a payment to refund. */

import { BankError } from '../../firmware/banks/bank-error.ts';
import type { RefundOrder, RefundReport } from '../../firmware/banks/bank-refund.ts';
import { paymentProblems } from '../../firmware/payments/health.ts';
import { type Lane, onLane, report, TestBank } from './harness.ts';

export const DONE: RefundReport = { state: 'done', bankRefundId: 'b-1', reason: null };
export const PENDING: RefundReport = { state: 'pending', bankRefundId: 'b-1', reason: null };

/** A bank whose book of refunds is one line an id: what it was asked for, and what it answers, the last for ever. */
export class RefundingBank extends TestBank {
  readonly orders: RefundOrder[] = [];
  readonly statusOrders: RefundOrder[] = [];
  readonly book = new Map<string, number>();
  refundAnswers: (RefundReport | BankError)[] = [DONE];

  override refund = async (order: RefundOrder): Promise<RefundReport> => this.#answer(this.orders, order);
  override refundStatus = async (order: RefundOrder): Promise<RefundReport> => this.#answer(this.statusOrders, order);

  /** Kopecks that have left the bank. */
  get given(): number {
    return [...this.book.values()].reduce((sum, amount) => sum + amount, 0);
  }

  #answer(asked: RefundOrder[], order: RefundOrder): RefundReport {
    asked.push(order);
    const [answer = DONE] = this.refundAnswers;
    if (this.refundAnswers.length > 1) this.refundAnswers.shift();
    const isRefused = answer instanceof BankError ? answer.code === 'refused' : answer.state === 'refused';
    if (!isRefused) this.book.set(order.refundId, order.amount);
    if (answer instanceof BankError) throw answer;
    return answer;
  }
}

/** One that can be asked what it has of a refund. */
export class FindingBank extends RefundingBank {
  readonly finds: RefundOrder[] = [];
  found: RefundReport | BankError | null = null;

  override findRefund = async (order: RefundOrder): Promise<RefundReport | null> => {
    this.finds.push(order);
    if (this.found instanceof BankError) throw this.found;
    return this.found;
  };
}

/** A lane with a paid payment of 1000 kopecks. */
export const paid =
  (run: (lane: Lane, bank: RefundingBank, orderId: string) => Promise<void>) => async (): Promise<void> => {
    const bank = new RefundingBank();
    await onLane(async (l) => run(l, bank, await pay(l)), { bank })();
  };

/** @param details of the call */
export async function pay(l: Lane, amount = 1000, details: Parameters<Lane['showQR']>[1] = {}): Promise<string> {
  const n = l.bank.registered.length;
  await l.showQR(amount, { purpose: `sale ${n}`, ...details });
  await report(l, 'accepted', n);
  return l.bank.registered[n]?.orderId ?? '';
}

export const refundedOf = (l: Lane, orderId: string) => l.ledger.find(orderId)?.refunded;

/** What `/health` says of payments and refunds while every payment is answered for. */
export const problems = ({ ledger, refunds, clock }: Lane): string =>
  paymentProblems({ ledger, payments: { unanswered: [], paidAgain: [] }, refunds }, clock).join();
