/**
 * T-Bank's acquiring. Source: the bank's OpenAPI 1.80; pages about SBP at developer.tbank.ru/eacq. `Init` registers a
 * payment, `GetQr` gives its code, `GetState` returns its state. `Cancel` takes an unpaid payment back and refunds a paid one.
 */
import { type Static, Type } from 'typebox';
import { isFields } from '../../../drivers/lib/strict-json.ts';
import { NOBODYS_ORDER } from '../adapter.ts';
import { idIn, OptionalValue } from '../answer-fields.ts';
import type { FoundPayment, OnlineBank } from '../bank.ts';
import { BankError, isRefused } from '../bank-error.ts';
import {
  type BankRef,
  type BankReport,
  type CancelOutcome,
  type Order,
  type Registering,
  type SoughtOrder,
  UNREPORTED,
} from '../bank-payment.ts';
import type { RefundOrder, RefundReport } from '../bank-refund.ts';
import { type MethodWords, type PaidBy, paidBy } from '../method.ts';
import { type LinkRule, linkRuleOf } from '../payment-link.ts';
import { kopecksOf, moscowTime } from '../roubles.ts';
import {
  isGoingBack,
  isPartlyBack,
  isWhollyBack,
  outcomeAfter,
  outcomeBefore,
  PaymentId,
  type State,
  TBankApi,
  type TBankOptions,
  UNKNOWN_TERMINAL,
  verdictOf,
} from './tbank-api.ts';
import { refund, refundStatus } from './tbank-refunds.ts';

const MINUTE_MS = 60_000;
/** Time for the call to arrive: the bank refuses an end within a minute of reading it. */
const ON_THE_WAY_MS = 15_000;

/** How long an acceptance waits for its RRN. */
const RRN_WAIT_MS = 1000;

/** The bank's test contour; its links are of the payment system's tests. */
export const TBANK_TEST_HOSTS = /^rest-api-test\.(tinkoff|tbank)\.ru$/;

const INIT = {
  shape: Type.Object({ PaymentId, Amount: Type.Unknown(), OrderId: Type.Unknown() }),
  otherwise: 'the bank registered a payment without a usable PaymentId, Amount and OrderId',
};
const CODE = {
  shape: Type.Object({ PaymentId, Data: Type.String(), OrderId: OptionalValue }),
  otherwise: 'the bank gave no usable code',
};
const OF_ORDER = {
  shape: Type.Object({
    OrderId: Type.Unknown(),
    Payments: Type.Array(
      Type.Object({
        PaymentId,
        Status: Type.String(),
        Amount: OptionalValue,
        RRN: OptionalValue,
        Rrn: OptionalValue,
        SbpPaymentId: OptionalValue,
      }),
      {
        maxItems: 100,
      },
    ),
  }),
  otherwise: 'the bank returned nothing usable about the order',
};
const CANCELLATION = {
  shape: Type.Object({ PaymentId, Status: Type.String() }),
  otherwise: 'the bank cancelled without reporting the outcome',
};

/** Words of a refusal that says nothing about an order: the bank is asked again. */
const NOT_NOW = /повтор|позже|позднее|недоступ/i;

/** Codes of a blocked or unknown terminal. */
const ABOUT_TERMINAL: readonly string[] = ['202', UNKNOWN_TERMINAL];

/** Which of several payments of one order counts (their codes were never shown): what may move money comes first. */
const RANKS = ['accepted', 'processing', 'pending', 'rejected', 'canceled'] as const;

/** A payment of a list, or of the answer about one. */
type ReportedPayment = Pick<State, 'PaymentId' | 'Status' | 'OrderId'> & { readonly Amount?: unknown };

function reportOf({ PaymentId: id, Status: state, Amount, OrderId }: ReportedPayment, { amount }: BankRef): BankReport {
  const [reported, ordered] = [kopecksOf(Amount), Number(amount)];
  // once money goes back, the bank may report the rest
  const isRest = (isGoingBack(state) || isPartlyBack(state) || isWhollyBack(state)) && reported < ordered;
  return {
    ...UNREPORTED,
    verdict: verdictOf(state),
    ids: [String(id)],
    amounts: isRest || Amount === undefined ? [] : [reported],
    orderIds: [String(OrderId)],
    refunded: isWhollyBack(state) ? ordered : null,
    isGoingBack: isGoingBack(state), // all of it, or the part that somebody refunds
  };
}

type Operation = Pick<BankReport, 'trxId' | 'paidBy'>;
const NO_OPERATION: Operation = { trxId: null, paidBy: null };
const BY_SBP: PaidBy = { method: 'sbp', word: null };

interface ListedPayment {
  readonly RRN?: unknown;
  readonly Rrn?: unknown;
  readonly SbpPaymentId?: unknown;
}

/** The operation of a payment. The bank's table says RRN, its example Rrn. Only an SBP payment has an id of SBP. */
const operationOf = ({ RRN, Rrn = RRN, SbpPaymentId }: ListedPayment): Operation => ({
  trxId: idIn(Rrn),
  paidBy: idIn(SbpPaymentId) === null ? null : BY_SBP,
});

/** Values of `Source`. Source: the bank's description of GetState; its word for digital roubles is not published. */
const METHOD_WORDS: MethodWords = {
  qrsbp: 'sbp',
  cards: 'card',
  mirpay: 'card',
  sberpay: 'bank-service',
  tinkoffpay: 'bank-service',
  yandexpay: 'bank-service',
  bnpl: 'bank-service',
  installment: 'bank-service',
};

function sourceOf({ Params }: State): unknown {
  const pairs: readonly unknown[] = Array.isArray(Params) ? Params : [];
  return pairs.filter(isFields).find(({ Key }) => Key === 'Source')?.Value;
}

export class TBank implements OnlineBank {
  readonly kind = 'online';
  readonly address: string;
  readonly linkRule: LinkRule;
  readonly #api: TBankApi;

  constructor(options: TBankOptions) {
    this.address = options.baseUrl;
    this.linkRule = linkRuleOf(options.baseUrl, TBANK_TEST_HOSTS);
    this.#api = new TBankApi(options);
  }

  async begin({ orderId, amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const life = Math.max(ttl * MINUTE_MS, MINUTE_MS + ON_THE_WAY_MS);
    const body = {
      Amount: amount,
      OrderId: orderId,
      ...(purpose !== null && { Description: purpose }),
      PayType: 'O',
      RedirectDueDate: moscowTime((await this.#api.now(orderId, signal)) + life),
    };
    const { PaymentId: id, Amount, OrderId } = await this.#api.call('Init', body, INIT, signal);
    if (kopecksOf(Amount) !== amount || OrderId !== orderId) {
      throw new BankError('contradiction', 'the bank registered another amount or order than it was asked for');
    }
    return { ref: { id: String(id), amount: String(amount) }, code: null };
  }

  readonly code = async (ref: BankRef, { orderId }: Order, signal: AbortSignal): Promise<Registering> => {
    const body = { PaymentId: ref.id, DataType: 'PAYLOAD' };
    const { PaymentId: id, Data, OrderId } = await this.#api.call('GetQr', body, CODE, signal);
    if (String(id) !== ref.id || String(OrderId ?? orderId) !== orderId) {
      throw new BankError('contradiction', 'the bank gave the code of another payment');
    }
    // the payment system's id of the code is not the bank's of the payment
    return { ref, code: { payload: Data, linkId: null } };
  };

  readonly find = async ({ orderId, amount }: SoughtOrder, signal: AbortSignal): Promise<FoundPayment | null> => {
    const order = await this.#order(orderId, signal);
    if (order === null) return null;
    const ranked = RANKS.map((rank) => order.Payments.find(({ Status }) => verdictOf(Status) === rank));
    const found = ranked.find((payment) => payment !== undefined);
    if (found === undefined) return null;
    const isOther = (each: typeof found): boolean =>
      String(each.PaymentId) === String(found.PaymentId) && each.Status !== found.Status;
    if (order.Payments.some(isOther))
      throw new BankError('contradiction', 'the bank returned two states of one payment');
    const ref = { id: String(found.PaymentId), amount: String(amount) };
    return {
      ref,
      report: { ...reportOf({ ...found, OrderId: order.OrderId }, ref), ...operationOf(found) },
    };
  };

  async status(ref: BankRef, signal: AbortSignal): Promise<BankReport> {
    const state = await this.#api.state(ref.id, signal);
    const report = reportOf(state, ref);
    if (report.verdict !== 'accepted') return report;
    const operation = await this.#operation(state, signal);
    return { ...report, ...operation, paidBy: paidBy(sourceOf(state), METHOD_WORDS) ?? operation.paidBy };
  }

  /** Cancels a payment; sends `Cancel` only before a payer has begun, as it would refund a payment. */
  readonly cancel = async (ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> => {
    const { Status } = await this.#api.state(ref.id, signal);
    return outcomeBefore(Status) ?? this.#cancelUntouched(ref, signal);
  };

  readonly refund = (order: RefundOrder, signal: AbortSignal): Promise<RefundReport> =>
    refund(this.#api, order, signal);

  readonly refundStatus = (order: RefundOrder, signal: AbortSignal): Promise<RefundReport> =>
    refundStatus(this.#api, order, signal);

  /** Asks for an order that does not exist. No description names the error for that: any refusal counts that is not about the terminal. */
  readonly tryOut = async (signal: AbortSignal): Promise<void> => {
    try {
      await this.#api.call('CheckOrder', { OrderId: NOBODYS_ORDER }, OF_ORDER, signal);
    } catch (error) {
      if (!(isRefused(error) && error.bankCode !== null) || ABOUT_TERMINAL.includes(error.bankCode)) throw error;
      if (NOT_NOW.test(error.message)) throw new BankError('unreachable', error.message, { ...error, cause: error });
    }
  };

  async close(): Promise<void> {
    this.#api.close();
  }

  /**
   * The payments of an order; null for an order that the bank does not know, for which no description names a code.
   * @throws {BankError} where the bank, or a gateway in front of it, refuses to answer for now
   */
  async #order(orderId: string, signal: AbortSignal): Promise<Static<typeof OF_ORDER.shape> | null> {
    try {
      return await this.#api.call('CheckOrder', { OrderId: orderId }, OF_ORDER, signal);
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (error.bankCode !== null && !NOT_NOW.test(error.message)) return null;
      throw new BankError('unreachable', error.message, { ...error, cause: error });
    }
  }

  /**
   * The operation, which only `CheckOrder` has. An acceptance does not wait long for it: null where it does not come at
   * once.
   */
  async #operation({ PaymentId: id, OrderId }: State, signal: AbortSignal): Promise<Operation> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(RRN_WAIT_MS)]);
    try {
      const { Payments } = await this.#api.call('CheckOrder', { OrderId: String(OrderId) }, OF_ORDER, inTime);
      const listed = Payments.find((payment) => String(payment.PaymentId) === String(id));
      return listed === undefined ? NO_OPERATION : operationOf(listed);
    } catch (error) {
      if (error instanceof BankError) return NO_OPERATION;
      throw error;
    }
  }

  async #cancelUntouched({ id }: BankRef, signal: AbortSignal): Promise<CancelOutcome> {
    let failure: BankError | null = null;
    try {
      const { PaymentId: cancelled, Status } = await this.#api.call('Cancel', { PaymentId: id }, CANCELLATION, signal);
      const outcome = String(cancelled) === id ? outcomeAfter(Status) : null;
      if (outcome !== null && outcome !== 'not-possible') return outcome;
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      failure = error;
    }
    // refused, or the answer was lost: it may have been paid meanwhile, or cancelled after all
    const outcome = outcomeAfter((await this.#api.state(id, signal)).Status);
    if (outcome !== null) return outcome;
    if (failure === null || failure.code === 'refused') return 'not-possible';
    throw failure;
  }
}
