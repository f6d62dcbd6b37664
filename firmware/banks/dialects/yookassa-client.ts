/** Calls to YooKassa: the shop, idempotency keys, failures, refunds. Source: yookassa.ru/developers. */
import { type Static, type TSchema, Type } from 'typebox';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { BankId, idIn, maybe, OptionalValue } from '../answer-fields.ts';
import { nullWhere, refundOnce, requireRefunded } from '../bank-calls.ts';
import { BankClient, type BankClientOptions, type Expected } from '../bank-client.ts';
import { BankError, isRefused } from '../bank-error.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import type { FailureReader } from '../bank-words.ts';
import { pauseAskedFor } from '../http-answer.ts';
import { type MethodWords, paidBy } from '../method.ts';
import { kopecksOfRoubles } from '../roubles.ts';

/** Statuses that say: the bank does not know the outcome of the call yet. */
const UNSETTLED: readonly number[] = [202, 500];

/** The bank's code, with the field that it names: `invalid_request (confirmation.type)`. */
const codeOf = (code: unknown, parameter: unknown): unknown =>
  typeof code === 'string' && typeof parameter === 'string' ? `${code} (${parameter})` : code;

const failureOf: FailureReader = ({ type, code, parameter, description, retry_after: wait }, status) => {
  const unsettled = UNSETTLED.includes(status);
  if (type !== 'error' && type !== 'processing' && !unsettled) return null;
  return {
    code: unsettled || type === 'processing' ? 'unreachable' : 'refused',
    bankCode: codeOf(code, parameter),
    text: description,
    retryAfterMs: pauseAskedFor(wait),
  };
};

/** An amount as the bank writes it. */
export const Money = Type.Object({ value: Type.Unknown(), currency: Type.Unknown() });

/** @param kopecks a whole number */
export const moneyOf = (kopecks: number): Static<typeof Money> => ({ value: roublesOf(kopecks), currency: 'RUB' });

export const CancellationDetails = maybe(Type.Object({ reason: Type.Optional(Type.String()) }));

/** Types of `payment_method` and `refund_method`. Source: YooKassa's table of payment methods. */
export const METHOD_WORDS: MethodWords = {
  sbp: 'sbp',
  bank_card: 'card',
  sberbank: 'bank-service',
  tinkoff_bank: 'bank-service',
  yoo_money: 'bank-service',
  sber_loan: 'bank-service',
  sber_bnpl: 'bank-service',
};

export class YooKassaClient extends BankClient {
  constructor(options: BankClientOptions, shopId: string, secretKey: string) {
    const credentials = Buffer.from(`${shopId}:${secretKey}`, 'utf8').toString('base64');
    const headers = { authorization: `Basic ${credentials}` };
    super({ ...options, failureOf, secrets: [secretKey, credentials], headers });
  }

  /** @throws {BankError} */
  get<Shape extends TSchema>(path: string, expected: Expected<Shape>, signal: AbortSignal): Promise<Static<Shape>> {
    return this.call({ method: 'GET', path }, expected, signal);
  }

  /** @param key idempotency key: a repeated call takes effect once, for a day; at most 64 characters @throws {BankError} */
  post<Shape extends TSchema>(
    { path, body, key }: { readonly path: string; readonly body: unknown; readonly key: string },
    expected: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    return this.call({ method: 'POST', path, headers: { 'idempotence-key': key }, body }, expected, signal);
  }
}

/** Entries of a list: the most that the bank gives. */
const PAGE_SIZE = 100;

const Refund = Type.Object({
  id: BankId,
  payment_id: Type.String(),
  status: Type.String(),
  amount: Money,
  metadata: maybe(Type.Object({ refund_id: OptionalValue })),
  cancellation_details: CancellationDetails,
  refund_method: maybe(Type.Object({ type: OptionalValue, sbp_operation_id: OptionalValue })),
});
type Refund = Static<typeof Refund>;
const REFUND = { shape: Refund, otherwise: 'the bank returned no state of the refund' };

const Refunds = Type.Object({
  items: Type.Array(Refund),
  next_cursor: maybe(Type.String()),
});
const REFUNDS = { shape: Refunds, otherwise: 'the bank returned no list of refunds' };

const STATES: ReadonlyMap<string, RefundReport['state']> = new Map([
  ['succeeded', 'done'],
  ['canceled', 'refused'],
]);

/** How a refund goes back; for SBP the bank names method and operation. Source: its SDKs. */
const wayOf = ({ refund_method: way }: Refund): Pick<RefundReport, 'paidBy' | 'trxId'> => ({
  paidBy: paidBy(way?.type, METHOD_WORDS),
  trxId: idIn(way?.sbp_operation_id),
});

function reportOf(refund: Refund, order: RefundOrder): RefundReport {
  const { id, payment_id, status, amount, cancellation_details } = refund;
  if (payment_id !== order.ref.id)
    throw new BankError('contradiction', 'the bank returned a refund of another payment');
  requireRefunded(kopecksOfRoubles(amount.value), order, amount.currency);
  const state = STATES.get(status) ?? 'pending';
  const why = cancellation_details?.reason ?? 'no reason given';
  const reason = state === 'refused' ? `the bank canceled the refund (${why})` : null;
  return { state, bankRefundId: id, reason, ...wayOf(refund) };
}

/**
 * Refunds. A key prevents a second refund for a day only, so each refund also carries our id, by which it is found
 * later.
 */
export class YooKassaRefunds {
  readonly #client: YooKassaClient;

  constructor(client: YooKassaClient) {
    this.#client = client;
  }

  /** @throws {BankError} */
  refund(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    return refundOnce(order, { find: () => this.find(order, signal), ask: () => this.#ask(order, signal) });
  }

  /** @throws {BankError} `contradiction` where the bank does not know it */
  async status(order: RefundOrder, signal: AbortSignal): Promise<RefundReport> {
    const found = await this.find(order, signal);
    if (found === null) throw new BankError('contradiction', 'the bank does not know the refund any more');
    return found;
  }

  /** Finds a refund that carries our id; null where the bank has none. @throws {BankError} */
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

  /** A refund by the bank's id; null where the bank has none: the list may still have it. */
  #known(bankRefundId: string, signal: AbortSignal): Promise<Refund | null> {
    const isUnknown = (error: unknown) => isRefused(error) && error.status === 404;
    return nullWhere(isUnknown, this.#client.get(`/refunds/${encodeURIComponent(bankRefundId)}`, REFUND, signal));
  }
}
