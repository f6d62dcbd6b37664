/** Refunds at YooKassa. A key of ours does one once for a day only, so each carries our id, by which it is found later. */
import { type Static, Type } from 'typebox';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { BankError, isRefused, type RefundOrder, type RefundReport } from '../bank.ts';
import { BankId, idIn } from '../http-answer.ts';
import { paidBy } from '../method.ts';
import { refundOnce } from '../refund-once.ts';
import { kopecksOfRoubles } from '../roubles.ts';
import { CancellationDetails, METHOD_WORDS, Money, moneyOf, type YooKassaClient } from './yookassa-client.ts';

/** Of a list; the most that the bank gives. */
const PAGE_SIZE = 100;

const Refund = Type.Object({
  id: BankId,
  payment_id: Type.String(),
  status: Type.String(),
  amount: Money,
  metadata: Type.Optional(Type.Union([Type.Null(), Type.Object({ refund_id: Type.Optional(Type.Unknown()) })])),
  cancellation_details: CancellationDetails,
  refund_method: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({ type: Type.Optional(Type.Unknown()), sbp_operation_id: Type.Optional(Type.Unknown()) }),
    ]),
  ),
});
type Refund = Static<typeof Refund>;
const REFUND = { shape: Refund, otherwise: 'the bank returned no state of the refund' };

const Refunds = Type.Object({
  items: Type.Array(Refund),
  next_cursor: Type.Optional(Type.Union([Type.Null(), Type.String()])),
});
const REFUNDS = { shape: Refunds, otherwise: 'the bank returned no list of refunds' };

const STATES: ReadonlyMap<string, RefundReport['state']> = new Map([
  ['succeeded', 'done'],
  ['canceled', 'refused'],
]);

/** Of a refund by SBP the bank names both. Source: its SDKs. */
const wayOf = ({ refund_method: way }: Refund): Pick<RefundReport, 'paidBy' | 'trxId'> => ({
  paidBy: paidBy(way?.type, METHOD_WORDS),
  trxId: idIn(way?.sbp_operation_id),
});

function reportOf(refund: Refund, order: RefundOrder): RefundReport {
  const { id, payment_id, status, amount, cancellation_details } = refund;
  if (payment_id !== order.ref.id)
    throw new BankError('contradiction', 'the bank returned a refund of another payment');
  if (kopecksOfRoubles(amount.value) !== order.amount || amount.currency !== 'RUB') {
    throw new BankError(
      'contradiction',
      `the bank returned a refund of another amount than ${amountInWords(order.amount)}`,
    );
  }
  const state = STATES.get(status) ?? 'pending';
  const why = cancellation_details?.reason ?? 'no reason given';
  const reason = state === 'refused' ? `the bank canceled the refund (${why})` : null;
  return { state, bankRefundId: id, reason, ...wayOf(refund) };
}

export class YooKassaRefunds {
  readonly #client: YooKassaClient;

  constructor(client: YooKassaClient) {
    this.#client = client;
  }

  /** @throws {BankError} */
  refund(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    return refundOnce(order, { lookUp: () => this.find(order, signal), ask: () => this.#ask(order, signal) });
  }

  /** @throws {BankError} `contradiction` where the bank does not know it */
  async status(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    const found = await this.find(order, signal);
    if (found === null) throw new BankError('contradiction', 'the bank does not know the refund any more');
    return found;
  }

  /** Null where the bank has none that carries our id. @throws {BankError} */
  async find(order: RefundOrder, signal: AbortSignal): Promise<RefundReport | null> {
    const { bankRefundId, ref, refundId } = order;
    const known = bankRefundId === null ? null : await this.#known(bankRefundId, signal);
    if (known !== null) return reportOf(known, order);
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = new URLSearchParams({ payment_id: ref.id, limit: String(PAGE_SIZE), ...(cursor && { cursor }) });
      const page: Static<typeof Refunds> = await this.#client.get(`/refunds?${query}`, REFUNDS, signal);
      const found = page.items.find(({ metadata }) => metadata?.refund_id === refundId);
      if (found !== undefined) return reportOf(found, order);
      cursor = page.next_cursor ?? null;
    }
    return null;
  }

  async #ask(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    const { ref, refundId, amount } = order;
    const body = { payment_id: ref.id, amount: moneyOf(amount), metadata: { refund_id: refundId } };
    return reportOf(await this.#client.post({ path: '/refunds', body, key: refundId }, REFUND, signal), order);
  }

  /** Null where the bank has nothing under an id that it gave: the list may still have it. */
  async #known(bankRefundId: string, signal: AbortSignal): Promise<Refund | null> {
    try {
      return await this.#client.get(`/refunds/${encodeURIComponent(bankRefundId)}`, REFUND, signal);
    } catch (error) {
      if (isRefused(error) && error.status === 404) return null;
      throw error;
    }
  }
}
