/**
 * The RBS gateway (BPC), which several banks run under hosts of their own. Source: public clients, one of them generated from
 * the swagger of a bank; the bank's description of SBP. `register.do` makes an order, `sbp/c2b/qr/dynamic/get.do` its code.
 */
import { Type } from 'typebox';
import {
  BankError,
  type BankRef,
  type BankReport,
  type BankVerdict,
  bankMessage,
  type CancelOutcome,
  type FoundPayment,
  type OnlineBank,
  type Order,
  type RefundOrder,
  type RefundReport,
  type Registering,
  UNTOLD,
} from '../bank.ts';
import { type LinkRule, linkRuleOf } from '../payment-link.ts';
import { type Form, idsOf, MdOrder, type OrderState, RbsApi, type RbsLogin } from './api.ts';
import { qrVerdictOf, refundedOf, reportOf } from './states.ts';

export interface RbsOptions extends RbsLogin {
  /** Where a payer's browser would go, which the gateway insists on; nobody is sent there. */
  readonly returnUrl: string;
  /** Of the merchant whom the login acts for. */
  readonly merchantLogin?: string;
  /** Whom a code pays, where the login has several. */
  readonly payee?: Form;
}

const SECONDS_A_MINUTE = 60;
const ROUBLE = '643';

/** Test contours of the banks. */
const TEST_HOSTS = /(^|\.)rbsuat\.com$|^3dsec\.sberbank\.ru$/;

const REGISTRATION = {
  shape: Type.Object({ orderId: MdOrder }),
  otherwise: 'the bank registered an order without a usable orderId',
};
const CODE = {
  shape: Type.Object({ qrId: MdOrder, payload: Type.String() }),
  otherwise: 'the bank gave no usable code',
};
const Told = Type.Optional(Type.Unknown());
const QR_STATE = {
  shape: Type.Object({ qrStatus: Told, status: Told, transactionState: Told }),
  otherwise: 'the bank told no state of the code',
};
const DONE_ANSWER = { shape: Type.Object({ rejected: Told }), otherwise: 'the bank did not tell what it has done' };

const CANCEL_OUTCOMES: Readonly<Record<BankVerdict, CancelOutcome>> = {
  pending: 'not-possible',
  processing: 'already-paid',
  accepted: 'already-paid',
  rejected: 'withdrawn',
  canceled: 'withdrawn',
};

const DONE: RefundReport = { state: 'done', bankRefundId: null, reason: null };

export class Rbs implements OnlineBank {
  readonly kind = 'online';
  readonly linkRule: LinkRule;
  readonly #api: RbsApi;
  readonly #options: RbsOptions;

  constructor(options: RbsOptions) {
    this.#options = options;
    this.linkRule = linkRuleOf(options.baseUrl, TEST_HOSTS);
    this.#api = new RbsApi(options);
  }

  async begin({ orderId: orderNumber, amount, purpose, ttl }: Order, signal: AbortSignal): Promise<Registering> {
    const form = {
      orderNumber,
      amount: String(amount),
      currency: ROUBLE,
      returnUrl: this.#options.returnUrl,
      sessionTimeoutSecs: String(ttl * SECONDS_A_MINUTE),
      ...(purpose !== null && { description: purpose }),
      ...this.#merchant(),
    };
    const { orderId: id } = await this.#api.call({ path: 'register.do', form }, REGISTRATION, signal);
    return { ref: { id }, code: null };
  }

  readonly code = async ({ id }: BankRef, { purpose }: Order, signal: AbortSignal): Promise<Registering> => {
    const form = { mdOrder: id, ...(purpose !== null && { paymentPurpose: purpose }), ...this.#options.payee };
    const { qrId, payload } = await this.#api.call({ path: 'sbp/c2b/qr/dynamic/get.do', form }, CODE, signal);
    // the gateway's id of the code is not the payment system's
    return { ref: { id, qrId }, code: { payload, linkId: null } };
  };

  readonly find = async ({ orderId: orderNumber }: Order, signal: AbortSignal): Promise<FoundPayment | null> => {
    const order = await this.#api.order({ orderNumber, ...this.#merchant() }, signal);
    if (order === null) return null;
    const [id] = idsOf(order);
    if (id === undefined) throw new BankError('contradiction', 'the bank told an order without its id (mdOrder)');
    return { ref: { id }, report: reportOf(order) };
  };

  async status(ref: BankRef, signal: AbortSignal): Promise<BankReport> {
    const seen = await this.#qrVerdict(ref, signal);
    if (seen === 'pending' || seen === 'processing') return { ...UNTOLD, verdict: seen, ids: [ref.id] };
    const report = reportOf(await this.#order(ref, signal));
    const isOpen = report.verdict === 'pending' || report.verdict === 'processing';
    if (seen === null || report.verdict === 'accepted') return report;
    if (seen !== 'accepted') return isOpen ? { ...report, verdict: seen } : report;
    if (isOpen) return { ...report, verdict: 'processing' }; // the order follows its code
    throw new BankError('contradiction', 'the bank calls the code paid and its order not');
  }

  /** Takes the code back; where the gateway cannot do that, its order. */
  readonly cancel = async (ref: BankRef, signal: AbortSignal): Promise<CancelOutcome> => {
    let failure: BankError | null = null;
    try {
      if (await this.#withdraw(ref, signal)) return 'withdrawn';
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      failure = error;
    }
    // refused, or its answer was lost: it may have been paid meanwhile, or taken back all the same
    const outcome = CANCEL_OUTCOMES[(await this.status(ref, signal)).verdict];
    if (outcome === 'not-possible' && failure !== null && failure.code !== 'refused') throw failure;
    return outcome;
  };

  /** The gateway makes a refund of one `externalRefundId` once, and only of what it has been told is left. */
  readonly refund = async (refund: RefundOrder, signal: AbortSignal): Promise<RefundReport> => {
    const { ref, refundId, amount, paid, refundedBefore, isRepeated } = refund;
    const form = {
      orderId: ref.id,
      amount: String(amount),
      externalRefundId: refundId,
      expectedDepositedAmount: String(paid - refundedBefore),
    };
    try {
      await this.#api.call({ path: 'refund.do', form }, DONE_ANSWER, signal);
      return DONE;
    } catch (error) {
      if (!(error instanceof BankError && error.code === 'refused')) throw error;
      return isRepeated
        ? this.#lookedUp(refund, error, signal)
        : { state: 'refused', bankRefundId: null, reason: bankMessage(error) };
    }
  };

  async close(): Promise<void> {
    this.#api.close();
  }

  /** A gateway that does not know the refund's id refuses the second for what is left: by then the first was made. */
  async #lookedUp(refund: RefundOrder, refusal: BankError, signal: AbortSignal): Promise<RefundReport> {
    const { ref, amount, refundedBefore } = refund;
    const refunded = refundedOf(await this.#order(ref, signal));
    if (refunded === refundedBefore + amount) return DONE;
    if (refunded === refundedBefore) return { state: 'refused', bankRefundId: null, reason: bankMessage(refusal) };
    throw new BankError(
      'unreachable',
      `the bank cannot tell whether this refund was made when its answer was lost; look it up in the account at the bank (${bankMessage(refusal)})`,
    );
  }

  #merchant(): Form {
    const { merchantLogin } = this.#options;
    return merchantLogin === undefined ? {} : { merchantLogin };
  }

  /** @throws {BankError} `contradiction` for an order that is not the one of the payment */
  async #order({ id }: BankRef, signal: AbortSignal): Promise<OrderState> {
    const order = await this.#api.order({ orderId: id, ...this.#merchant() }, signal);
    if (order === null) throw new BankError('refused', 'the bank does not know the payment');
    if (idsOf(order).some((told) => told !== id)) {
      throw new BankError('contradiction', 'the bank told the state of another payment');
    }
    return order;
  }

  /** Null for an order that no code was asked for. */
  async #qrVerdict({ id, qrId }: BankRef, signal: AbortSignal): Promise<BankVerdict | null> {
    if (qrId === undefined) return null;
    const form = { mdOrder: id, qrId };
    const { qrStatus, status, transactionState } = await this.#api.callEither(
      { path: 'sbp/c2b/qr/status.do', form },
      { path: 'sbp/c2b/qr/dynamic/status.do', form },
      QR_STATE,
      signal,
    );
    const told = qrStatus ?? status;
    if (told === undefined && transactionState === undefined) throw new BankError('contradiction', QR_STATE.otherwise);
    return qrVerdictOf(told, transactionState);
  }

  async #withdraw({ id, qrId }: BankRef, signal: AbortSignal): Promise<boolean> {
    const decline = { path: 'decline.do', form: { orderId: id, ...this.#merchant() } };
    const { rejected } =
      qrId === undefined
        ? await this.#api.call(decline, DONE_ANSWER, signal)
        : await this.#api.callEither(
            { path: 'sbp/c2b/qr/dynamic/reject.do', form: { mdOrder: id, qrId } },
            decline,
            DONE_ANSWER,
            signal,
          );
    return rejected !== false && rejected !== 'false';
  }
}
