/** Refunds at Tochka, in parts, of any method. Our id of a refund is the bank's, too. */
import { type Static, Type } from 'typebox';
import { maybe } from '../answer-fields.ts';
import { nullWhere, refundOnce, requireRefunded } from '../bank-calls.ts';
import { BankError } from '../bank-error.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import { paidBy } from '../method.ts';
import { kopecksOfRoubles } from '../roubles.ts';
import {
  isNotFound,
  METHOD_WORDS,
  Method,
  Money,
  moneyOf,
  operationOf,
  Status,
  type TochkaClient,
} from './tochka-client.ts';

const Refund = Type.Object({
  refundUid: Type.String(),
  amount: Money,
  status: Status,
  refundMethodResult: maybe(Method),
});
const REFUND = { shape: Type.Object({ Data: Refund }), otherwise: 'the bank returned no state of the refund' };

const STATES: ReadonlyMap<string, RefundReport['state']> = new Map([
  ['COMPLETED', 'done'],
  ['DECLINED', 'refused'],
]);
/** The bank has a refund of this id, from a call whose answer was lost: this refusal says nothing about that one. */
const TAKEN = 'REFUND_ID_ALREADY_TAKEN';

function reportOf(
  { refundUid, amount, status, refundMethodResult: method }: Static<typeof Refund>,
  order: RefundOrder,
) {
  if (refundUid !== order.refundId) throw new BankError('contradiction', 'the bank returned another refund');
  requireRefunded(kopecksOfRoubles(amount.amount), order, amount.currency);
  const state = status.reasonCode === TAKEN ? 'pending' : (STATES.get(status.value) ?? 'pending');
  const why = [status.reasonCode, status.reasonMessage].filter((word) => typeof word === 'string').join(': ');
  return {
    state,
    bankRefundId: refundUid,
    reason: state === 'refused' ? `the bank declined the refund (${why || 'no reason given'})` : null,
    paidBy: paidBy(method?.type, METHOD_WORDS),
    trxId: method == null ? null : operationOf(method),
  } as const;
}

export class TochkaRefunds {
  readonly #client: TochkaClient;
  readonly #paymentUid: (order: RefundOrder, signal: AbortSignal) => Promise<string>;

  /** @param paymentUid the bank's id of the payment to refund */
  constructor(client: TochkaClient, paymentUid: (order: RefundOrder, signal: AbortSignal) => Promise<string>) {
    this.#client = client;
    this.#paymentUid = paymentUid;
  }

  /** @throws {BankError} */
  async refund(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    const path = await this.#path(order, signal);
    const { refundId: refundUid, amount } = order;
    return refundOnce(order, {
      find: () => this.#known(path, order, signal),
      ask: async () => {
        const data = { refundUid, amount: moneyOf(amount) };
        return reportOf((await this.#client.postSigned(path, data, REFUND, signal)).Data, order);
      },
    });
  }

  /** @throws {BankError} `contradiction` where the bank does not know it */
  async status(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    const found = await this.find(order, signal);
    if (found === null) throw new BankError('contradiction', 'the bank does not know the refund any more');
    return found;
  }

  /** Finds a refund by our id; null where the bank has none. @throws {BankError} */
  async find(order: RefundOrder, signal: AbortSignal): Promise<RefundReport | null> {
    return this.#known(await this.#path(order, signal), order, signal);
  }

  async #path(order: RefundOrder, signal: AbortSignal): Promise<string> {
    return `/payments/${encodeURIComponent(await this.#paymentUid(order, signal))}/refunds`;
  }

  async #known(path: string, order: RefundOrder, signal: AbortSignal): Promise<RefundReport | null> {
    const query = this.#client.get(`${path}/${encodeURIComponent(order.refundId)}`, REFUND, signal);
    const found = await nullWhere(isNotFound, query);
    return found === null ? null : reportOf(found.Data, order);
  }
}
